"""ES-2: too few trials at a rung, and NaN at a rung."""

import unittest

from case import Case

TRIAL = """\
e=1
while [ $e -le 27 ]; do
  if [ $(($1 % 5)) -eq 0 ]; then report $e loss=nan; else report $e loss="$1"; fi
  e=$((e+1))
done
report final loss="$1"
"""


def space(xs, trials):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"x": xs},
        "command": ["sh", "t.sh", "{x}"],
        "hosts": [{"local": True, "slots": 1}],
        "resource": {"name": "epoch", "min": 1, "max": 27},
        "search": {"sampler": "grid", "pruner": {"type": "asha", "eta": 3}},
        "limits": {"trials": trials},
    }


class SmallRungs(Case):
    def run_some(self, xs, trials):
        self.place.write_space(space(xs, trials))
        self.place.write_trial(TRIAL)
        result = self.place.run()
        self.assert_ended(result)
        self.assertIn("rung  entered", result.out)
        return self.place.trials()

    # Numbers at the rung before an entry are those of entries before it in the log.
    def assert_nan_is_worst(self, trials):
        x = {trial["number"]: trial["params"]["x"] for trial in trials}
        rungs = {}
        for entry in self.place.json("status", "--rung-entries")["rung_entries"]:
            earlier = rungs.setdefault(entry["level"], [])
            numbers = [x[number] for number in earlier if x[number] % 5]
            if x[entry["trial"]] % 5 == 0:
                self.assertEqual(entry["rank"], len(earlier) + 1)
                self.assertTrue(len(numbers) < 3 or entry["verdict"] == "stop", entry)
            else:
                self.assertEqual(entry["rank"], sum(number < x[entry["trial"]] for number in numbers) + 1)
            earlier.append(entry["trial"])
        for trial in trials:
            if trial["state"] != "completed" and trial["params"]["x"] % 5 == 0:
                self.assertIn(trial["state"], ("failed", "stopped"))
                self.assertIn("nan", trial["detail"])

    def test_one_trial_is_not_stopped(self):
        self.assertEqual([trial["state"] for trial in self.run_some({"type": "int", "low": 1, "high": 20}, 1)], ["completed"])

    def test_two_trials_are_not_stopped(self):
        trials = self.run_some({"type": "int", "low": 1, "high": 20}, 2)
        self.assertEqual([trial["state"] for trial in trials], ["completed"] * 2)

    def test_good_ones_first(self):
        trials = self.run_some({"type": "int", "low": 1, "high": 20}, 20)
        self.assertEqual([trial["params"]["x"] for trial in trials], list(range(1, 21)))
        to_the_end = [trial for trial in trials if trial["params"]["x"] % 5 and trial["resource"] == 27]
        self.assertLess(len(to_the_end), 8)
        self.assertIn(1, [trial["params"]["x"] for trial in to_the_end])
        self.assert_nan_is_worst(trials)

    def test_good_ones_last(self):
        trials = self.run_some(list(range(20, 0, -1)), 20)
        self.assertEqual([trial["params"]["x"] for trial in trials], list(range(20, 0, -1)))
        self.assertEqual(self.place.best()["params"]["x"], 1)
        self.assert_nan_is_worst(trials)


if __name__ == "__main__":
    unittest.main()
