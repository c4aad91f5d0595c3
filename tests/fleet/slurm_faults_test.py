"""What a Slurm cluster does now and then: a controller that is away or forgets, launches that it holds back, jobs started anew."""

import json
import os
import pathlib
import shutil
import unittest

from fleet_lab import ODD, SHOW, digests
from slurm_case import TRIAL, SlurmCase


def script(steps=1, pause=0.2):
    return TRIAL.replace("{steps}", str(steps)).replace("{pause}", str(pause))


def long(steps):
    return {"resource": {"name": "epoch", "min": 1, "max": steps}, "search": {"sampler": "random", "seed": 1, "pruner": "none"}}


class SlurmFaults(SlurmCase):
    nodes = 1

    def wrapped(self, program, text):
        """An environment in which `program` is a script; {real} in it is the true one."""
        wrappers = self.place.root / "wrappers"
        wrappers.mkdir()
        (wrappers / program).write_text("#!/bin/sh\n" + text.replace("{real}", shutil.which(program)))
        (wrappers / program).chmod(0o755)
        return {"PATH": f"{wrappers}:{os.environ['PATH']}"}

    def test_odd_parameters_arrive_byte_for_byte(self):
        self.write("", params=ODD, command=["python3", "show.py", *("{%s}" % name for name in ODD)])
        (self.place.work / "show.py").write_text(SHOW)
        self.assert_ended(self.place.run())
        (output,) = self.place.work.glob("hpsearch-studies/s/trials/0001/attempts/1/stdout.log")
        self.assertEqual(json.loads(output.read_text()), digests(ODD.values()))
        self.assertFalse(pathlib.Path("/tmp/owned").exists())

    def test_a_controller_that_is_away_holds_up_no_other_host(self):
        self.write(script(steps=60, pause=0.3), limits={"trials": 2}, **long(60))
        space = json.loads((self.place.work / "space.json").read_text())
        space["hosts"] = [{"slurm": {"max_jobs": 1}}, {"local": True, "slots": 1}]
        self.place.write_space(space)
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: len(self.query("select distinct trial from report")) == 2, "no reports of both hosts")
        ((_, number),) = [job for found in self.jobs().values() for job in found]
        self.cluster.save(number)  # Or a controller that starts anew knows nothing of it.
        self.cluster.kill_controller()
        try:
            self.wait(lambda: "unreachable" in [state for state, in self.query(
                "select json_extract(body, '$.state') from event where kind = 'host_seen'")], "Slurm's host is not unreachable")
        finally:
            self.start_controller()
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(len(self.attempts()), 2)
        self.assertEqual(self.check_reports(), 120)
        for trial in (1, 2):
            at = [at for at, in self.query(f"select at from report where trial = {trial} order by seq")]
            self.assertLess(max(b - a for a, b in zip(at, at[1:])), 3000, f"trial {trial}: a call of Slurm's blocked")

    def test_a_job_that_ended_and_is_forgotten_counts_by_its_record(self):
        self.write(script(steps=5, pause=0.2), limits={"trials": 2}, **long(5))
        scheduler = self.place.start("run", "space.json")
        self.wait(lambda: self.reports() > 1, "no reports")
        scheduler.kill()
        scheduler.communicate()
        self.wait(lambda: not self.slurm("squeue", "-h", "-t", "RUNNING,COMPLETING,PENDING"), "jobs run")
        self.cluster.kill_controller()
        for file in (self.cluster.folder / "controller/state").glob("job_state*"):
            file.unlink()
        self.start_controller()
        self.assertEqual(self.jobs(), {})
        self.finish(self.place.start("resume", "s"))
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(len(self.attempts()), 2)
        self.assertEqual(self.check_reports(), 10)

    def test_a_launch_that_slurm_holds_back_is_cancelled_and_tried_again(self):
        first = self.place.root / "first"
        env = self.wrapped("squeue", f'{{real}} "$@" | while IFS="|" read -r id name rest; do\n'
                                     f'  [ -e {first} ] || case "$rest" in RUNNING*|PENDING*) echo "$name" >{first};; esac\n'
                                     f'  if [ "$name" = "$(cat {first} 2>&-)" ]; then echo "$id|$name|PENDING|launch failed requeued held"\n'
                                     '  else echo "$id|$name|$rest"; fi\ndone\n')
        self.write(script(steps=40, pause=0.2), **long(40))
        self.assert_ended(self.place.run(env=env))
        before, after = self.settled()
        self.assertEqual((before[0], after[0]), ("queued", "completed"))
        self.assertIn("held by Slurm: launch failed requeued held", before[2])
        jobs = self.jobs()
        held = first.read_text().strip().removeprefix("hpsearch-")
        self.assertEqual([state for state, _ in jobs[held]], ["CANCELLED"])

    def test_a_job_that_slurm_starts_anew_is_cancelled(self):
        self.write('[ "$HPSEARCH_TRIAL" = 2 ] || exec hpsearch report loss=1\n' + script(steps=40), limits={"trials": 2}, **long(40))
        again = self.wrapped("sbatch", 'for word; do shift; [ "$word" = --no-requeue ] || set -- "$@" "$word"; done\n'
                                       'case "$*" in *--test-only*) exec {real} "$@";; esac\nexec {real} --requeue "$@"\n')
        scheduler = self.place.start("run", "space.json", env=again)
        self.wait(lambda: self.settled(), "no end")
        first = next(name for name, (trial, _) in self.attempts().items() if trial == 1)
        self.wait(lambda: self.jobs()[first][0][0] == "COMPLETED", "its job runs")
        number = self.jobs()[first][0][1]
        self.slurm("scontrol", "requeue", number)
        self.wait(lambda: self.jobs()[first][0][0] == "CANCELLED", "it waits to run again")
        self.finish(scheduler)
        self.assertEqual(self.states(), ["completed"] * 2)
        self.assertEqual(len(self.attempts()), 2)
        self.check_reports()


if __name__ == "__main__":
    unittest.main()
