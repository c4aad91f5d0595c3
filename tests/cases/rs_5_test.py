"""RS-5: a study never goes on under another goal or metric; a changed program is noticed and marked."""

import unittest

from case import Case


class Rs5(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial('report final score="$1" other=1\n')
        self.write(10)
        self.assert_ended(self.place.run())

    def write(self, trials=20, **changes):
        space = {"metric": {"name": "score", "goal": "maximize"},
                 "params": {"x": {"type": "float", "low": 0, "high": 1}},
                 "command": ["sh", "t.sh", "{x}"],
                 "search": {"seed": 3},
                 "limits": {"trials": trials}}
        self.place.write_space({**space, **changes})

    def refused(self, *words):
        self.assert_refused(self.place.hpsearch("resume", "space.json"), *words)
        self.assert_refused(self.place.run("--resume"), *words)
        self.assertEqual(len(self.place.trials()), 10)
        self.assertEqual(self.place.json("status")["goal"], "maximize")

    def test_goal_and_metric_stay(self):
        self.write(metric={"name": "score", "goal": "minimize"})
        self.refused("goal", "maximize", "minimize")
        self.write(metric={"name": "score", "goal": "minimise"})
        self.refused("goal", "maximize", "minimize")
        self.write(metric={"name": "other", "goal": "maximize"})
        self.refused("score", "other")
        self.write(metric={"name": "score", "goal": "minimal"})
        self.refused("minimize", "maximize")
        self.write(metric={"name": "score"})
        self.refused("goal")
        self.write(metric={"name": "score", "goal": "maximise"})
        self.assert_ended(self.place.hpsearch("resume", "space.json"))
        self.assertEqual(len(self.place.trials()), 20)

    def warnings(self, result):
        self.assert_ended(result)
        return [line for line in result.err.splitlines() if line.startswith("warning")]

    def test_a_changed_script_is_marked(self):
        self.place.write_trial('report final score="$(awk "BEGIN {print 1-$1}")" other=1\n')
        self.write()
        warnings = self.warnings(self.place.hpsearch("resume", "space.json"))
        self.assertEqual(len(warnings), 1)
        self.assertIn("trials 1 to 10", warnings[0])
        self.check_marks([trial["program"] for trial in self.place.export()])
        self.check_marks([row["program"] for row in self.place.export_csv()])

    def check_marks(self, marks):
        self.assertEqual(len(set(marks[:10])), 1)
        self.assertEqual(len(set(marks[10:])), 1)
        self.assertNotEqual(marks[0], marks[10])
        self.assertTrue(marks[0] and marks[10])

    def test_a_changed_command_is_marked(self):
        self.write(command=["bash", "t.sh", "{x}"])
        warnings = self.warnings(self.place.hpsearch("resume", "space.json"))
        self.assertTrue(any("command" in line for line in warnings), warnings)
        self.check_marks([trial["program"] for trial in self.place.export()])

    def test_a_changed_seed_is_said(self):
        self.write(search={"seed": 4})
        warnings = self.warnings(self.place.hpsearch("resume", "space.json"))
        self.assertTrue(any("seed" in line for line in warnings), warnings)
        self.assertEqual(len(self.place.trials()), 20)


if __name__ == "__main__":
    unittest.main()
