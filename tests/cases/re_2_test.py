"""RE-2: infinities and extreme magnitudes. (The runs with gp and tpe come with those samplers.)"""

import unittest

from case import Case, strict_json

SPACE = {
    "metric": {"name": "loss", "goal": "minimize"},
    "params": {
        "v": ["inf", "-inf", "1e308", "-1e308", "1e-320", "1e400", "0"],
        "u": {"type": "float", "low": 0, "high": 1},
    },
    "command": ["sh", "t.sh", "{v}"],
    "hosts": [{"local": True, "slots": 2}],
    "search": {"sampler": "random", "seed": 4},
    "limits": {"trials": 40},
}
NOT_FINITE = {"inf", "-inf", "1e400"}


class ExtremeMagnitudes(Case):
    def test_a_study_with_extreme_values(self):
        self.place.write_space(SPACE)
        self.place.write_trial('report 1 loss="$1"\nreport final loss="$1"\n')
        self.assert_ended(self.place.run())
        self.trials = self.place.export()
        self.check_values_that_are_not_finite_are_failures_with_the_text_as_sent()
        self.check_finite_numbers_are_kept_exactly()
        self.check_the_best_is_the_least_finite_number()
        self.check_both_exports_open_with_all_rows()

    def check_values_that_are_not_finite_are_failures_with_the_text_as_sent(self):
        self.assertEqual({trial["params"]["v"] for trial in self.trials}, set(SPACE["params"]["v"]))
        for trial in self.trials:
            sent = trial["params"]["v"]
            self.assertEqual(trial["state"], "failed" if sent in NOT_FINITE else "completed")
            if sent in NOT_FINITE:
                self.assertEqual(trial["reason"], "diverged")
                self.assertIn(sent, trial["detail"])
                self.assertEqual(trial["value"], sent)

    def check_finite_numbers_are_kept_exactly(self):
        for trial in self.trials:
            if trial["params"]["v"] not in NOT_FINITE:
                self.assertEqual(trial["value"], float(trial["params"]["v"]))
        tiny = [trial["value"] for trial in self.trials if trial["params"]["v"] == "1e-320"]
        self.assertTrue(tiny and all(value > 0 for value in tiny))

    def check_the_best_is_the_least_finite_number(self):
        self.assertEqual(self.place.best()["value"], -1e308)
        self.assertIn("-1e308", self.place.hpsearch("best").out)

    def check_both_exports_open_with_all_rows(self):
        self.assertEqual(len(self.trials), 40)
        rows = self.place.export_csv()
        self.assertEqual(len(rows), 40)
        self.assertEqual([row["params.v"] for row in rows], [trial["params"]["v"] for trial in self.trials])
        reports = strict_json(self.place.hpsearch("export", "--reports", "--format", "json").out)["reports"]
        self.assertEqual(len(reports), 80)
        self.assertEqual(len(self.place.export_csv("--reports")), 80)
        self.assertTrue(all(0 <= trial["params"]["u"] <= 1 for trial in self.trials))


if __name__ == "__main__":
    unittest.main()
