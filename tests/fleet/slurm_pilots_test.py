"""Slurm hosts in pilot mode: jobs that take one trial after the other, on a real cluster of small machines."""

import time
import unittest

from slurm_case import TRIAL, SlurmCase


def script(steps=1, pause=1):
    return TRIAL.replace("{steps}", str(steps)).replace("{pause}", str(pause))


class SlurmPilots(SlurmCase):
    cpus = 4

    def pilots(self, state="RUNNING"):
        return [row for row in self.slurm("squeue", "-h", "-t", state, "-o", "%j %A").splitlines() if row.startswith("hpsearch-pilot-")]

    def long_study(self, trials, steps=30, **keys):
        self.write(script(steps=steps, pause=0.2), limits={"trials": trials}, resource={"name": "epoch", "min": 1, "max": steps},
                   search={"sampler": "random", "seed": 1, "pruner": "none"}, trial={"checkpoint": True}, **keys)

    def test_forty_short_trials(self):
        self.write(script(), slurm={"mode": "pilot", "max_jobs": 2}, host={"slots": 4}, limits={"trials": 40})
        result = self.place.run()
        self.assert_ended(result)
        self.assertEqual(self.states(), ["completed"] * 40)
        self.assertEqual(self.check_reports(), 40)
        self.wait(lambda: not self.pilots("all") or not self.pilots("RUNNING,PENDING"), "pilots are left")
        print(f"40 trials of a second on 8 slots: {result.seconds:.1f} s", flush=True)

    def test_promotions(self):
        self.write(script(steps=9, pause=0.05), slurm={"mode": "pilot", "max_jobs": 3},
                   resource={"name": "epoch", "min": 1, "max": 9},
                   search={"sampler": "random", "seed": 1, "pruner": {"type": "asha", "variant": "promote"}},
                   trial={"checkpoint": True}, limits={"trials": 9})
        self.assert_ended(self.place.run())
        self.assertIn("completed", self.states())
        self.check_reports()

    def test_a_killed_scheduler_finds_its_pilots(self):
        self.long_study(4, slurm={"mode": "pilot", "max_jobs": 2}, host={"slots": 2})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 4, "no reports")
        before = self.pilots()
        scheduler.kill()
        scheduler.communicate()
        time.sleep(1)
        again = self.place.start("resume", "s")
        self.wait(lambda: self.reports() > 12, "no reports")
        self.assertEqual(self.pilots(), before)
        self.finish(again)
        self.assertEqual(len(self.attempts()), 4)
        self.assertEqual(self.check_reports(), 120)

    def test_a_cancelled_pilots_trials_are_tried_in_another(self):
        self.long_study(2, slurm={"mode": "pilot", "max_jobs": 1}, host={"slots": 2})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 4, "no reports")
        self.slurm("scancel", self.pilots()[0].split()[1])
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(len(self.attempts()), 4)
        self.check_reports()


if __name__ == "__main__":
    unittest.main()
