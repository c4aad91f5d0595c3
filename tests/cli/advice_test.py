"""What verbs tell a user to do, and what is left of what a study may spend."""

import json
import unittest

from case import Case


class Advice(Case):
    def write(self, limits, **more):
        self.place.write_trial("report 1 loss=1\n")
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": limits, **more})

    def test_status_tells_what_was_spent_where_and_what_is_left(self):
        self.write({"trials": 3, "cost": 50}, hosts=[{"local": True, "slots": 1, "price_per_hour": 3600}])
        self.assert_ended(self.place.run())
        self.assertRegex(self.place.hpsearch("status").out, r"on local +3 .*\n(.*\n)*cost: [0-9.]+ of 50.00, [0-9.]+ left")
        spent = self.place.json("status")["spent"]
        self.assertAlmostEqual(spent["cost"]["left"], 50 - spent["all"]["cost"])
        self.assertGreater(spent["by_outcome"]["completed"]["cost"], 0)

    def test_a_study_that_pays_nothing_is_not_told_of_money(self):
        self.write({"trials": 1})
        self.assert_ended(self.place.run())
        self.assertNotIn("cost", self.place.hpsearch("status").out)
        self.assertNotIn("spent", self.place.json("status"))

    def test_a_finished_study_is_told_how_to_go_on(self):
        for limits, words in (({"trials": 1}, "--more-trials"), ({"time": "0.3s"}, "--time"),
                              ({"cost": 0.001}, "SPACE-FILE, with a higher limit")):
            with self.subTest(limits=limits):
                self.write(limits, hosts=[{"local": True, "slots": 1, "price_per_hour": 3600}])
                self.place.hpsearch("run", "space.json", "--new")
                study = max(path.name for path in (self.place.work / "hpsearch-studies").iterdir())
                self.assertIn(words, self.place.hpsearch("enqueue", "x=0.5", study).err + self.place.hpsearch("status", study).out)

    def test_validate_looks_for_the_files_that_are_named(self):
        self.write({"trials": 1}, files=["t.sh", "nosuch.py"])
        self.assert_refused(self.place.hpsearch("validate", "space.json"), 'files[1]: no file or folder "nosuch.py"')
        self.write({"trials": 1}, command=["sh", "other.sh", "{x}"])
        self.assertIn("there is no other.sh", self.place.hpsearch("validate", "space.json").err)

    def test_validate_takes_the_hosts_of_another_file(self):
        self.write({"trials": 1, "cost": 5})
        self.assertIn("price_per_hour", self.place.hpsearch("validate", "space.json").err)
        (self.place.work / "lab.json").write_text(json.dumps([{"local": True, "price_per_hour": 1}]))
        self.assertEqual(self.place.hpsearch("validate", "space.json", "--hosts", "lab.json").err, "")


if __name__ == "__main__":
    unittest.main()
