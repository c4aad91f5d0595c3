"""RE-4: metric name in the space file is not the one reported."""

import unittest

from case import Case

SPACE = {
    "metric": {"name": "val_loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}},
    "command": ["sh", "t.sh", "{x}"],
    "hosts": [{"local": True, "slots": 1}],
    "search": {"sampler": "random", "seed": 3},
    "limits": {"trials": 100},
}

# The manual's number of failures before the first success that end a study.
MISSES = 5


class MissingMetric(Case):
    def run_trial(self, body):
        self.place.write_space(SPACE)
        self.place.write_trial(body)
        return self.place.run()

    def assert_ended_early(self, result, *words):
        self.assert_ended(result, 3)
        trials = self.place.trials()
        started = [trial for trial in trials if trial["attempts"] > 0]
        self.assertTrue(0 < len(started) <= MISSES, trials)
        self.assertEqual({(trial["state"], trial["reason"]) for trial in started}, {("failed", "no_metric")})
        first = next(line for line in result.err.splitlines() if "failed" in line)
        for word in words:
            self.assertIn(word, first)

    def test_a_misspelt_metric_ends_the_study_early_and_is_named(self):
        body = 'for e in 1 2 3; do report "$e" val_los=0.5 acc=0.1; done\nreport final val_los=0.4 acc=0.2\n'
        self.assert_ended_early(self.run_trial(body), '"val_loss"', "acc", 'did you mean "val_los"?')

    def test_a_silent_program_ends_the_study_early_and_is_told_how_to_report(self):
        self.assert_ended_early(self.run_trial("exit 0\n"), "no metrics received", "val_loss", "docs/trial-protocol.md")

    def test_some_silent_trials_fail_and_the_study_goes_on(self):
        result = self.run_trial('case "$1" in 0.0*|0.1*|*e-*) exit 0 ;; esac\nreport 1 val_loss="$1"\n')
        self.assert_ended(result)
        trials = self.place.trials()
        self.assertEqual(len(trials), 100)
        for trial in trials:
            silent = trial["params"]["x"] < 0.2
            self.assertEqual(trial["state"], "failed" if silent else "completed")
            self.assertEqual(trial["reason"], "no_metric" if silent else None)
            self.assertEqual("no metrics received" in (trial["detail"] or ""), silent)


if __name__ == "__main__":
    unittest.main()
