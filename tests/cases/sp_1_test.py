"""SP-1: log range whose low end is zero or negative. (The runs with tpe and gp come with those samplers.)"""

import unittest

from case import Case


def space(low, high, trials=5):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"l1": {"type": "float", "low": low, "high": high, "log": True}},
        "command": ["sh", "t.sh", "{l1}"],
        "hosts": [{"local": True, "slots": 2}],
        "search": {"sampler": "random", "seed": 1},
        "limits": {"trials": trials},
    }


class LogRange(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial('echo "$1" >> "$CHK/vals"\nreport final loss="$1"\n')

    def assert_bound_refused(self, low, high, bound, rule):
        self.place.write_space(space(low, high))
        result = self.place.run()
        self.assert_refused(result, "l1", bound, rule)
        self.assertLess(result.seconds, 1)
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertEqual(self.place.studies(), [])
        self.assertFalse((self.place.chk / "vals").exists())

    def test_a_low_end_of_zero_is_refused(self):
        self.assert_bound_refused(0, 10, "0 is not above 0", '"log" needs it')

    def test_a_negative_low_end_is_refused(self):
        self.assert_bound_refused(-3, 10, "-3 is not above 0", '"log" needs it')

    def test_bounds_in_the_wrong_order_are_refused(self):
        self.assert_bound_refused(5, 2, "5", 'is above "high", 2')

    def test_a_bound_written_as_text_is_refused(self):
        self.assert_bound_refused("1e-5", 10, '"1e-5"', "must be a number")

    def test_values_lie_in_the_bounds_and_spread_by_magnitude(self):
        self.place.write_space(space(1e-5, 1e-1, trials=400))
        self.assert_ended(self.place.run())
        values = [float(line) for line in self.place.lines("vals")]
        self.assertEqual(len(values), 400)
        self.assertTrue(all(1e-5 <= value <= 1e-1 for value in values))
        self.assertTrue(160 <= sum(value < 1e-3 for value in values) <= 240)


if __name__ == "__main__":
    unittest.main()
