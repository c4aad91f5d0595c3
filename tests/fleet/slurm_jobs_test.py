"""Slurm hosts, one job an attempt, on a real cluster of small machines."""

import os
import signal
import subprocess
import time
import unittest

from slurm_case import TRIAL, SlurmCase


def script(steps=1, pause=0.2):
    return TRIAL.replace("{steps}", str(steps)).replace("{pause}", str(pause))


class SlurmJobs(SlurmCase):
    def test_twenty_short_trials(self):
        self.write(script(), limits={"trials": 20})
        self.assert_ended(self.place.run())
        self.assertEqual(self.states(), ["completed"] * 20)
        self.assertEqual(self.check_reports(), 20)
        jobs = self.jobs()
        self.assertEqual([len(found) for found in jobs.values()], [1] * 20, self.settled())

    def test_resources_reach_the_job(self):
        self.write('echo "$OMP_NUM_THREADS $SLURM_CPUS_PER_TASK" > "$CHK/seen"\n' + script(),
                   trial={"cpus": 2})
        self.assert_ended(self.place.run())
        self.assertEqual(self.place.lines("seen")[0].split(), ["2", "2"])

    def test_promotions_go_on_from_checkpoints(self):
        self.write(script(steps=9, pause=0.05), resource={"name": "epoch", "min": 1, "max": 9},
                   search={"sampler": "random", "seed": 1, "pruner": {"type": "asha", "variant": "promote"}},
                   trial={"checkpoint": True}, limits={"trials": 9})
        self.assert_ended(self.place.run())
        self.assertIn("completed", self.states())
        self.assertGreater(len(self.attempts()), 9)
        self.check_reports()
        self.assertEqual(max(step for step, in self.query("select step from report")), 9)

    def test_a_killed_scheduler_finds_its_jobs(self):
        self.write(script(steps=30, pause=0.3), limits={"trials": 4}, resource={"name": "epoch", "min": 1, "max": 30},
                   search={"sampler": "random", "seed": 1, "pruner": "none"})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 4, "no reports")
        before = self.jobs()
        scheduler.kill()
        scheduler.communicate()
        time.sleep(2)
        self.finish(self.place.start("resume", "s"))
        self.assertEqual({name: [number for _, number in found] for name, found in before.items()},
                         {name: [number for _, number in found] for name, found in self.jobs().items()})
        self.assertEqual(len(self.attempts()), 4)
        self.assertEqual(self.check_reports(), 120)

    def test_a_job_that_is_cancelled_from_outside_is_tried_again(self):
        self.write(script(steps=20, pause=0.2), resource={"name": "epoch", "min": 1, "max": 20},
                   search={"sampler": "random", "seed": 1, "pruner": "none"}, trial={"checkpoint": True})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 1, "no reports")
        [number] = [number for found in self.jobs().values() for _, number in found]
        self.slurm("scancel", number)
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"])
        self.assertEqual(len(self.attempts()), 2)
        self.check_reports()

    def test_sbatch_says_that_it_failed_though_the_job_was_taken(self):
        wrappers = self.place.root / "wrappers"
        wrappers.mkdir()
        real = subprocess.run(["which", "sbatch"], capture_output=True, text=True).stdout.strip()
        (wrappers / "sbatch").write_text(f'#!/bin/sh\n{real} "$@" || exit\ncase "$*" in *--test-only*) exit 0;; esac\n'
                                         "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\n"
                                         "exit 1\n")
        (wrappers / "sbatch").chmod(0o755)
        self.write(script(steps=2, pause=1), limits={"trials": 3})
        self.assert_ended(self.place.run(env={"PATH": f"{wrappers}:{os.environ['PATH']}"}))
        self.assertEqual(self.states(), ["completed"] * 3)
        self.assertEqual([len(found) for found in self.jobs().values()], [1] * 3)
        self.check_reports()

    def test_an_unknown_partition_is_said_before_anything_starts(self):
        self.write(script(), slurm={"partition": "nope"})
        result = self.place.run()
        self.assert_ended(result, 2)
        self.assertIn("invalid partition specified: nope", result.err.lower())
        self.assertEqual(self.attempts(), {})

    def test_interrupting_ends_the_jobs(self):
        self.write(script(steps=100, pause=0.2), limits={"trials": 12}, resource={"name": "epoch", "min": 1, "max": 100},
                   search={"sampler": "random", "seed": 1, "pruner": "none"}, trial={"checkpoint": True})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 3, "no reports")
        scheduler.send_signal(signal.SIGINT)
        self.finish(scheduler, 130, 60)
        self.wait(lambda: not self.slurm("squeue", "-h"), "jobs are left")
        self.check_reports()
        self.assertEqual(set(self.states()), {"queued"})


class SlurmController(SlurmCase):
    """A controller that loses what it has not saved: jobs, and which ids it has given."""

    def test_jobs_get_the_ids_of_lost_ones(self):
        self.write(script(steps=10, pause=0.3), limits={"trials": 6}, resource={"name": "epoch", "min": 1, "max": 10},
                   search={"sampler": "random", "seed": 1, "pruner": "none"}, trial={"checkpoint": True})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 0, "no reports")
        self.cluster.kill_controller()
        self.start_controller()
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"] * 6)
        self.place = self.fresh()
        self.write(script(), limits={"trials": 6})
        self.assert_ended(self.place.run())
        self.assertEqual(self.states(), ["completed"] * 6)
        self.check_reports()

    def test_the_controller_dies_after_the_submission(self):
        self.write(script(steps=10, pause=0.5), limits={"trials": 3}, resource={"name": "epoch", "min": 1, "max": 10},
                   search={"sampler": "random", "seed": 1, "pruner": "none"})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: len(self.jobs()) == 3, "no jobs")
        time.sleep(2)
        self.cluster.kill_controller()
        time.sleep(2)
        self.start_controller()
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"] * 3)
        self.check_reports()

    def test_a_job_ends_while_the_controller_is_down(self):
        self.write(script(steps=6, pause=0.5), limits={"trials": 2}, resource={"name": "epoch", "min": 1, "max": 6},
                   search={"sampler": "random", "seed": 1, "pruner": "none"})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 1, "no reports")
        self.cluster.kill_controller()
        try:
            self.finish(scheduler)
        finally:
            self.start_controller()
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(self.check_reports(), 12)
        self.assertEqual(len(self.attempts()), 2)


class SlurmNode(SlurmCase):
    nodes, cpus = 2, 1

    def test_a_dead_nodes_trials_are_tried_elsewhere(self):
        self.write(script(steps=40, pause=0.3), limits={"trials": 2}, resource={"name": "epoch", "min": 1, "max": 40},
                   search={"sampler": "random", "seed": 1, "pruner": "none"}, trial={"checkpoint": True})
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: len(self.running()) == 2 and self.reports() > 4, "no reports")
        self.cluster.kill_node("n2")
        self.finish(scheduler, seconds=200)
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(len(self.attempts()), 3)
        self.check_reports()


class SlurmRanks(SlurmCase):
    nodes, gpus = 1, 2

    def test_a_process_for_each_gpu_of_the_job(self):
        for mode in ("job", "pilot"):
            with self.subTest(mode=mode):
                self.place = self.fresh()
                self.write('echo "$RANK of $WORLD_SIZE: $CUDA_VISIBLE_DEVICES" >> "$CHK/seen"\nhpsearch report 1 loss=$RANK\n',
                           slurm={"mode": mode}, trial={"gpus": 2, "launch": "per_gpu"})
                self.assert_ended(self.place.run())
                self.assertEqual(sorted(self.place.lines("seen")), ["0 of 2: 0,1", "1 of 2: 0,1"])
                self.assertEqual(self.query("select step, value from report"), [(1, 0)])


if __name__ == "__main__":
    unittest.main()
