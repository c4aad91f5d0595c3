"""IN-6: death by a signal is a failure with its name, even after good reports; what it had reported and said is kept."""

import unittest

from case import Case

TRIAL = """
for s in 1 2 3; do report "$s" loss=0.0$s; done
case "$1" in
1|2) echo "last words $1" >&2; kill -KILL $$;;
3) kill -SEGV $$;;
4) exit 3;;
esac
report final loss="$1"
"""


class In6(Case):
    def test_signals_and_exit_statuses(self):
        self.place.write_trial(TRIAL)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "int", "low": 1, "high": 6}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "grid"},
            "limits": {"trials": 6}})
        self.assert_ended(self.place.run())

        by_x = {trial["params"]["x"]: trial for trial in self.place.trials()}
        self.assertEqual({x: trial["state"] for x, trial in by_x.items()},
                         {1: "failed", 2: "failed", 3: "failed", 4: "failed", 5: "completed", 6: "completed"})
        for x, words in {1: ("KILL",), 2: ("KILL",), 3: ("SEGV",), 4: ("exit 3",)}.items():
            text = self.place.hpsearch("show", by_x[x]["number"]).out
            for word in words:
                self.assertIn(word, text.splitlines()[0])
            self.assertIn(words[0], by_x[x]["reason"])
            self.assertEqual("memory" in text, x <= 2)
            self.assertEqual("last words %d" % x in text, x <= 2)
            self.check_reports(self.place.show(by_x[x]["number"]))
        best = self.place.best()
        self.assertEqual((best["value"], best["params"]["x"]), (5, 5))

    def check_reports(self, trial):
        """Every attempt keeps its three reports."""
        for attempt in range(1, trial["attempts"] + 1):
            steps = [report["step"] for report in trial["report_list"] if report["attempt"] == attempt]
            self.assertEqual(steps, [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
