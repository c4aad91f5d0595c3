"""ES-1: rungs and reporting interval do not meet."""

import unittest

from case import Case

TRIAL = """\
e=$2
while [ "$e" -le 36 ]; do report "$e" loss="$1"; e=$((e+$2)); done
report final loss="$1"
"""

# Steps of the reports that enter rungs 4 and 12, by reporting interval.
ENTRIES = {1: (4, 12), 3: (6, 12), 5: (5, 15), 20: (20, 20)}


def space(every, trials):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"x": {"type": "int", "low": 1, "high": 9}, "every": every},
        "command": ["sh", "t.sh", "{x}", "{every}"],
        "hosts": [{"local": True, "slots": 1}],
        "resource": {"name": "epoch", "min": 4, "max": 36},
        "search": {"sampler": "grid", "pruner": {"type": "asha", "eta": 3}},
        "limits": {"trials": trials},
    }


class RungsAndIntervals(Case):
    def run_all(self, every, trials):
        """The trials of a run that ended by itself, and every entry into a rung, in the order of the log."""
        self.place.write_space(space(every, trials))
        self.place.write_trial(TRIAL)
        result = self.place.run()
        self.assert_ended(result)
        self.assertIn("rung  entered", result.out)
        found = self.place.trials()
        self.assertEqual(len(found), trials)
        self.assertLessEqual({trial["state"] for trial in found}, {"completed", "stopped"})
        return found, self.place.json("status", "--rung-entries")["rung_entries"]

    def assert_entered_at_first_report_past_each_rung(self, trials, entries):
        every = {trial["number"]: trial["params"]["every"] for trial in trials}
        for entry in entries:
            self.assertIn((entry["level"], entry["step"]), zip((4, 12), ENTRIES[every[entry["trial"]]]))
        pairs = [(entry["trial"], entry["level"]) for entry in entries]
        self.assertEqual(len(pairs), len(set(pairs)))
        self.assertEqual({trial for trial, level in pairs if level == 4}, set(every))
        jumpers = {trial for trial, interval in every.items() if interval == 20}
        self.assertEqual({trial for trial, level in pairs if level == 12 and trial in jumpers}, jumpers)

    def check_alone(self, every):
        trials, entries = self.run_all([every], 9)
        self.assertEqual([trial["params"]["x"] for trial in trials], list(range(1, 10)))
        self.assert_entered_at_first_report_past_each_rung(trials, entries)
        self.assertEqual(trials[0]["state"], "completed")
        self.assertEqual(self.place.best()["number"], 1)
        first_chance = ENTRIES[every][0]
        early = [trial for trial in trials if trial["state"] == "stopped" and trial["resource"] == first_chance]
        self.assertGreaterEqual(len(early), 4)

    def test_a_report_every_epoch(self):
        self.check_alone(1)

    def test_a_report_every_3_epochs(self):
        self.check_alone(3)

    def test_a_report_every_5_epochs(self):
        self.check_alone(5)

    def test_one_report_past_two_rungs(self):
        self.check_alone(20)

    def test_all_intervals_together(self):
        trials, entries = self.run_all([1, 3, 5, 20], 36)
        self.assert_entered_at_first_report_past_each_rung(trials, entries)
        self.assertEqual(self.place.best()["params"]["x"], 1)
        table = self.place.json("status", "--rungs")["rungs"]
        self.assertEqual([line["level"] for line in table], [4, 12, 36])
        for line in table:
            self.assertEqual(line["waiting"], 0)
            self.assertEqual(line["entered"], line["went_on"] + line["stopped"])

    def test_steps_that_start_at_zero_are_told_once(self):
        self.place.write_space(space([1], 3))
        self.place.write_trial('report 0 loss=100\n' + TRIAL)
        result = self.place.run()
        self.assert_ended(result)
        told = [line for line in result.err.splitlines() if "step 0" in line]
        self.assertEqual(len(told), 1, result.err)
        self.assertIn("the first step of training is 1", told[0])


if __name__ == "__main__":
    unittest.main()
