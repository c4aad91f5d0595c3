"""RS-2: a finished study takes a larger budget; the limit is the total, and equal or less ends well."""

import unittest

from case import Case

TRIAL = """
echo "$1" >> "$CHK/vals"
report final loss="$1"
"""

# Some fail, decided by the value.
FAILING = """
echo "$1" >> "$CHK/vals"
case "$1" in 0.[0-3]*|*e-*) exit 4;; esac
report final loss="$1"
"""


def space(trials, **more):
    return {"metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "random", "seed": 8},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": 1}], **more}


class Rs2(Case):
    def set(self, place, trials, body=TRIAL):
        place.write_trial(body)
        place.write_space(space(trials))

    def values(self, place):
        return place.lines("vals")

    def assert_already(self, result, *words):
        self.assert_ended(result)
        self.assertIn("already", result.err)
        for word in words:
            self.assertIn(word, result.err)
        self.assertIn("best: trial", result.out)

    def test_the_limit_is_the_total(self):
        self.set(self.place, 10)
        self.assert_ended(self.place.run())
        self.assertEqual(len(self.values(self.place)), 10)
        self.assert_already(self.place.run(), "10")
        self.assert_already(self.place.hpsearch("resume"), "10 of 10")
        self.assertEqual(len(self.values(self.place)), 10)

        self.set(self.place, 15)
        result = self.place.hpsearch("resume", "space.json")
        self.assert_ended(result)
        self.assertIn("limits.trials: 10 -> 15", result.err)
        self.assertEqual(len(self.values(self.place)), 15)

        self.set(self.place, 5)
        self.assert_already(self.place.hpsearch("resume", "space.json"), "15 of 5")
        self.assert_already(self.place.run(), "15")
        self.assertEqual(len(self.values(self.place)), 15)

        whole = self.fresh()
        self.set(whole, 15)
        self.assert_ended(whole.run())
        self.assertEqual(self.values(whole), self.values(self.place))

    def test_failed_trials_count_in_both_ways(self):
        self.set(self.place, 10, FAILING)
        self.assert_ended(self.place.run())
        self.set(self.place, 15, FAILING)
        self.assert_ended(self.place.hpsearch("resume", "space.json"))
        whole = self.fresh()
        self.set(whole, 15, FAILING)
        self.assert_ended(whole.run())
        states = [trial["state"] for trial in whole.trials()]
        self.assertIn("failed", states)
        self.assertEqual(len(states), 15)
        self.assertEqual([trial["state"] for trial in self.place.trials()], states)
        self.assertEqual(self.values(whole), self.values(self.place))

    def test_other_ways_to_add(self):
        self.set(self.place, 3)
        self.assert_ended(self.place.run())
        self.assert_ended(self.place.hpsearch("resume", "--more-trials", "2"))
        self.assertEqual(len(self.values(self.place)), 5)
        self.assert_ended(self.place.hpsearch("resume", "--trials", "6"))
        self.assertEqual(len(self.values(self.place)), 6)
        self.set(self.place, 7)
        self.assert_ended(self.place.run("--resume"))
        self.assertEqual(len(self.values(self.place)), 7)


if __name__ == "__main__":
    unittest.main()
