"""SP-3: integers beyond double precision and beyond 64 bits."""

import unittest

from case import Case

LOW, HIGH = -(2**63), 2**63 - 1


def space(low, high, trials):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"seed": {"type": "int", "low": low, "high": high}},
        "command": ["sh", "t.sh", "{seed}"],
        "hosts": [{"local": True, "slots": 2}],
        "search": {"sampler": "random", "seed": 5},
        "limits": {"trials": trials},
    }


class LargeIntegers(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial('echo "$1" >> "$CHK/vals"\nreport final loss=1\n')

    def values_of_run(self, low, high, trials):
        """The values as trials got them, once seen to be the same text in both exports."""
        self.place.write_space(space(low, high, trials))
        self.assert_ended(self.place.run())
        got = self.place.lines("vals")
        self.assertEqual(len(got), trials)
        in_json = [trial["params"]["seed"] for trial in self.place.export()]
        self.assertTrue(all(type(value) is int for value in in_json))
        self.assertEqual(sorted(got), sorted(map(str, in_json)))
        self.assertEqual([row["params.seed"] for row in self.place.export_csv()], [str(value) for value in in_json])
        return got

    def test_every_integer_past_2_to_the_53_appears_exactly(self):
        got = self.values_of_run(9007199254740993, 9007199254740999, 200)
        self.assertEqual(set(got), {str(value) for value in range(9007199254740993, 9007199254741000)})

    def test_the_whole_64_bit_range_runs_and_gives_both_signs(self):
        got = [int(text) for text in self.values_of_run(LOW, HIGH, 50)]
        self.assertTrue(all(LOW <= value <= HIGH for value in got))
        self.assertTrue(min(got) < 0 < max(got))

    def assert_bound_refused(self, low, high, bound):
        self.place.write_space(space(low, high, 5))
        self.assert_refused(self.place.run(), "params.seed", bound, str(LOW), str(HIGH))
        self.assertEqual(self.place.studies(), [])
        self.assertEqual(self.place.lines("vals"), [])

    def test_a_bound_beyond_64_bits_is_refused(self):
        self.assert_bound_refused(0, 10**64, "65 characters")

    def test_a_broken_bound_of_an_integer_is_refused(self):
        self.assert_bound_refused(1.5, 4, "1.5")


if __name__ == "__main__":
    unittest.main()
