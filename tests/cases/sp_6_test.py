"""SP-6: a rule between two parameters. (The runs with tpe and gp come with those samplers.)"""

import unittest

from case import Case


def space(*constraints):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {
            "a": {"type": "int", "low": 1, "high": 50},
            "b": {"type": "int", "low": 1, "high": 50},
            "u": {"type": "float", "low": 0, "high": 1},
        },
        "constraints": list(constraints),
        "command": ["sh", "t.sh", "{a}", "{b}"],
        "hosts": [{"local": True, "slots": 2}],
        "search": {"sampler": "random", "seed": 2},
        "limits": {"trials": 60},
    }


class Rules(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial('echo "$1 $2" >> "$CHK/vals"\nreport final loss="$2"\n')

    def test_only_allowed_pairs_are_started(self):
        self.place.write_space(space("a <= b", "a * b <= 200"))
        self.assert_ended(self.place.run())
        pairs = [tuple(map(int, line.split())) for line in self.place.lines("vals")]
        self.assertEqual(len(pairs), 60)
        self.assertTrue(all(a <= b and a * b <= 200 for a, b in pairs), pairs)
        self.assertEqual([trial["state"] for trial in self.place.trials()], ["completed"] * 60)

    def assert_rule_refused(self, rule, *words):
        self.place.write_space(space(rule))
        result = self.place.run()
        self.assert_refused(result, rule, *words)
        self.assertLess(result.seconds, 10)
        self.assertEqual(self.place.studies(), [])
        self.assertEqual(self.place.lines("vals"), [])

    def test_an_impossible_rule_is_told(self):
        self.assert_rule_refused("a > 90", "no allowed point found")

    def test_an_unknown_name_is_refused_with_its_place(self):
        self.assert_rule_refused("a <= c", "constraints[0]", "column 6", 'no parameter is called "c"')

    def test_a_broken_rule_is_refused_with_its_place(self):
        self.assert_rule_refused("a <= ", "constraints[0]", "column 6")


if __name__ == "__main__":
    unittest.main()
