"""ES-6: noisy curves; the best trial is stopped; last or best value. (What models learn comes with tpe and gp.)"""

import statistics
import unittest

from case import Case

TRIAL = """\
e=1
for loss in $(awk -v x="$1" 'BEGIN{for(e=1;e<=27;e++){n=((e*7+x*13)%10)/10; print x/27+0.8*n+(e>20?0.5:0)}}'); do
  report $e loss="$loss"
  e=$((e+1))
done
report final loss="$1"
"""


def space(smooth, value, trials):
    return {
        "metric": {"name": "loss", "goal": "minimize", "smooth": smooth},
        "params": {"x": {"type": "int", "low": 1, "high": 27}},
        "command": ["sh", "t.sh", "{x}"],
        "hosts": [{"local": True, "slots": 1}],
        "resource": {"name": "epoch", "min": 3, "max": 27},
        "search": {"sampler": "random", "seed": 5, "pruner": {"type": "asha", "eta": 3}},
        "trial": {"value": value},
        "limits": {"trials": trials},
    }


class NoisyCurves(Case):
    def run_all(self, smooth=1, value="last", trials=27):
        self.place.write_space(space(smooth, value, trials))
        self.place.write_trial(TRIAL)
        result = self.place.run()
        self.assert_ended(result)
        return result, self.place.export()

    def counted_reports(self, trial):
        """The values of the reports that count: those of a stopped trial end with the one that was judged."""
        reports = self.place.show(trial["number"])["report_list"]
        if trial["state"] == "stopped":
            reports = [report for report in reports if report["step"] is not None and report["step"] <= trial["resource"]]
        return [report["metrics"]["loss"] for report in reports]

    def assert_one_rule(self, trials, rule):
        rows = {int(row["number"]): row for row in self.place.export_csv()}
        for state in ("stopped", "completed"):
            some = [trial for trial in trials if trial["state"] == state][:3]
            self.assertEqual(len(some), 3)
            for trial in some:
                values = self.counted_reports(trial)
                self.assertEqual((trial["last"], trial["best"]), (values[-1], min(values)))
                self.assertAlmostEqual(trial["value"], rule(values), places=12)
                self.assertEqual(float(rows[trial["number"]]["value"]), trial["value"])
                self.assertEqual(self.place.show(trial["number"])["value"], trial["value"])
        completed = [trial for trial in trials if trial["state"] == "completed"]
        self.assertEqual(self.place.best()["value"], min(trial["value"] for trial in completed))

    def assert_better_stopped_is_told(self, result, trials):
        best = self.place.best()
        self.assertEqual(best["state"], "completed")
        better = [trial for trial in trials if trial["state"] == "stopped" and trial["value"] < best["value"]]
        self.assertTrue(better)
        number = min(better, key=lambda trial: (trial["value"], trial["number"]))["number"]
        self.assertEqual(self.place.json("best")["better_unfinished"], number)
        for text in (result.out, self.place.hpsearch("best").out):
            self.assertIn(f"note: trial {number} (stopped", text)

    def test_the_last_value_counts(self):
        result, trials = self.run_all()
        self.assert_one_rule(trials, lambda values: values[-1])
        self.assert_better_stopped_is_told(result, trials)

    def test_the_best_value_counts_when_asked(self):
        _, trials = self.run_all(value="best", trials=12)
        self.assert_one_rule(trials, min)

    def test_smoothing_keeps_the_three_best(self):
        result, trials = self.run_all(smooth=9)
        self.assert_one_rule(trials, lambda values: statistics.mean(values[-9:]))
        self.assert_better_stopped_is_told(result, trials)
        best_three = sorted({trial["params"]["x"] for trial in trials})[:3]
        for x in best_three:
            self.assertIn("completed", [trial["state"] for trial in trials if trial["params"]["x"] == x])


if __name__ == "__main__":
    unittest.main()
