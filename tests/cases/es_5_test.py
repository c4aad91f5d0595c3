"""ES-5: time as the resource. (Waiting for a GPU comes with the fleet of hosts.)"""

import os
import signal
import time
import unittest

from case import Case, poll

TRIAL = """\
n=0
while [ $n -lt 100 ]; do n=$((n+1)); sleep "$1"; report $n loss="$2.$n"; done
"""


def space(gaps, xs, top, slots, **limits):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"d": gaps, "x": {"type": "int", "low": 1, "high": xs}},
        "command": ["sh", "t.sh", "{d}", "{x}"],
        "hosts": [{"local": True, "slots": slots}],
        "resource": {"name": "seconds", "min": 1, "max": top},
        "search": {"sampler": "grid", "pruner": {"type": "asha", "eta": 3}},
        "limits": {"trials": len(gaps) * xs, **limits},
    }


class TimeAsResource(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial(TRIAL)

    # More slots than the case has, for the clock's sake only: the trials sleep.
    def test_trials_spend_seconds(self):
        self.place.write_space(space([0.2, 0.5, 2.5], 6, 9, slots=6))
        result = self.place.run()
        self.assert_ended(result)
        self.assertLess(result.seconds, 40)
        trials = {trial["number"]: trial for trial in self.place.trials()}
        self.assertEqual(len(trials), 18)
        self.assertEqual({trial["state"] for trial in trials.values()}, {"completed", "stopped"})
        for trial in trials.values():
            self.assertLess(trial["resource"], 9 + trial["params"]["d"] + 1)
            self.assertEqual(trial["state"] == "completed", trial["resource"] >= 9)
        for entry in self.place.json("status", "--rung-entries")["rung_entries"]:
            gap = trials[entry["trial"]]["params"]["d"]
            self.assertIn(entry["level"], (1, 3))
            self.assertTrue(entry["level"] <= entry["step"] < entry["level"] + gap + 1, entry)
            if gap == 2.5:
                self.assertTrue((2.4 if entry["level"] == 1 else 4.9) < entry["step"], entry)

    def test_a_suspended_scheduler_costs_no_trial_its_life(self):
        self.place.write_space(space([0.2], 2, 3, slots=2, silence="3s"))
        process = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: process.poll() is None and any(t["reports"] for t in self.started())))
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(5)
        os.kill(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, out + err)
        for trial in self.place.trials():
            self.assertEqual(trial["state"], "completed", trial)
            self.assertEqual(trial["attempts"], 1)
            first = self.place.show(trial["number"])["rungs"][0]
            self.assertLess(first["step"], 2, "the paused seconds were charged")

    def started(self):
        return self.place.trials() if self.place.studies() and self.place.hpsearch("status").code == 0 else []


if __name__ == "__main__":
    unittest.main()
