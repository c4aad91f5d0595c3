"""Slurm hosts at the time limit of their jobs, which Slurm counts in minutes."""

import unittest

from slurm_case import TRIAL, SlurmCase


def script(steps, pause):
    return TRIAL.replace("{steps}", str(steps)).replace("{pause}", str(pause))


class SlurmLimits(SlurmCase):
    def study(self, steps, pause=1, slurm=None, host=None, **trial):
        self.write(script(steps, pause), slurm={"partition": "short", "time": "1", "warn": "30s", **(slurm or {})}, host=host,
                   resource={"name": "epoch", "min": 1, "max": steps}, trial={"grace": "2s", **trial},
                   search={"sampler": "random", "seed": 1, "pruner": "none"})

    def test_a_trial_goes_on_in_another_job(self):
        """Also in a pilot, at the same time."""
        self.study(steps=75, checkpoint=True)
        first, jobs = self.place, self.place.start("run", "space.json")
        self.place = self.fresh()
        self.study(steps=75, slurm={"mode": "pilot", "max_jobs": 2}, checkpoint=True)
        pilots = self.place.start("run", "space.json")
        for place, scheduler in ((self.place, pilots), (first, jobs)):
            self.place = place
            self.finish(scheduler, seconds=200)
            self.assertGreater(len(self.attempts()), 1)
            *before, last = self.settled()
            self.assertEqual(last[0], "completed")
            self.assertEqual({(state, retry) for state, retry, _ in before}, {("queued", 0)}, before)
            self.check_reports()
            steps = [step for step, in self.query("select step from report order by seq")]
            self.assertEqual(steps, [float(step + 1) for step in range(75)])

    def test_a_trial_without_checkpoints_has_timed_out(self):
        self.study(steps=200)
        self.finish(self.place.start("run", "space.json"), code=3, seconds=200)
        self.assertEqual(self.query("select json_extract(body, '$.failure') from event where kind = 'trial_settled'"), [("timed_out",)])
        self.assertEqual(len(self.attempts()), 1)
        self.check_reports()


if __name__ == "__main__":
    unittest.main()
