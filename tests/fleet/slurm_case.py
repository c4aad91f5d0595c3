"""What the tests of Slurm hosts share: a cluster for all tests of a file, and in each test a fresh place that its nodes see."""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

from case import BINARY, Case, poll
from slurm_cluster import SlurmCluster

# Reports `steps` times, `pause` seconds apart, and notes in $CHK/ID each report that was answered.
TRIAL = """\
echo start >> "$CHK/$HPSEARCH_ATTEMPT_ID"
step=0
[ -z "$HPSEARCH_RESUME_CHECKPOINT" ] || step=$(cat "$HPSEARCH_RESUME_DIR/$HPSEARCH_RESUME_CHECKPOINT")
while [ $step -lt {steps} ]; do
  sleep {pause}
  step=$((step + 1))
  echo $step > "$HPSEARCH_CHECKPOINT_DIR/step$step"
  hpsearch report $step loss=$1 --checkpoint=step$step
  status=$?
  echo $step >> "$CHK/$HPSEARCH_ATTEMPT_ID"
  [ $status = 0 ] || exit 0
done
"""


class SlurmCase(Case):
    nodes, gpus, cpus = 2, 0, 4

    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="hpsearch-slurm-"))
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        cls.cluster = SlurmCluster(cls.nodes, cls.gpus, cls.cpus, cls.base / "cluster",
                                   shared=[cls.base, os.path.dirname(os.path.abspath(BINARY))])
        cls.enterClassContext(cls.cluster)

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(dir=self.base))
        self.addCleanup(self._clear)
        self.addCleanup(self.slurm, "scancel", "--user=0")
        self._places = 0
        self.place = self.fresh()

    @classmethod
    def enterClassContext(cls, context):          # unittest has it since Python 3.11
        context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)

    def fresh(self):
        place = super().fresh()
        place.env["SLURM_CONF"] = self.cluster.env["SLURM_CONF"]
        return place

    def states(self):
        return [entry["state"] for entry in self.place.trials()]

    def settled(self):
        """State, whether it cost a retry, and the reason, of each attempt that has been settled."""
        return self.query("select json_extract(body, '$.state'), json_extract(body, '$.counts_as_retry'), json_extract(body, '$.detail')"
                          " from event where kind = 'trial_settled' order by seq")

    def write(self, script, slurm=None, host=None, **keys):
        self.place.write_trial(script)
        more = keys.pop("trial", {})
        self.place.write_space({
            "study": "s", "command": ["sh", "t.sh", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}}, "search": {"sampler": "random", "seed": 1},
            "limits": {"trials": 1}, "trial": {"env": {"CHK": str(self.place.chk)}, **more},
            "hosts": [{"slurm": slurm or {}, **(host or {})}], **keys})

    def slurm(self, *argv):
        return subprocess.run(argv, env=self.cluster.env, capture_output=True, text=True, timeout=60).stdout.strip()

    def start_controller(self):
        self.cluster.start_controller()
        self.wait(lambda: self.slurm("sinfo", "-h", "-p", "main", "-t", "idle,mix,alloc", "-o", "%D") == str(self.nodes), "no nodes")

    def jobs(self):
        """Every job of ours that Slurm remembers, by name: state."""
        rows = self.slurm("squeue", "-h", "-t", "all", "-o", "%j|%T|%A").splitlines()
        ours = {name[len("hpsearch-"):] for name, in self.query("select json_extract(body, '$.id') from event where kind = 'attempt_planned'")
                for name in [f"hpsearch-{name}"]}
        found = {}
        for row in rows:
            name, state, number = row.split("|")
            if name.removeprefix("hpsearch-") in ours:
                found.setdefault(name.removeprefix("hpsearch-"), []).append((state, number))
        return found

    def query(self, sql):
        file = self.place.work / "hpsearch-studies/s/study.db"
        if not file.exists():
            return []
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def attempts(self):
        """Attempt id -> (trial, attempt), as planned."""
        rows = self.query("select json_extract(body, '$.id'), json_extract(body, '$.trial'), json_extract(body, '$.attempt')"
                          " from event where kind = 'attempt_planned'")
        return {name: (trial, attempt) for name, trial, attempt in rows}

    def check_reports(self):
        """Each report that a trial was answered for is in the study exactly once, and each attempt ran once."""
        attempts, logged = self.attempts(), {}
        for trial, attempt, step in self.query("select trial, attempt, step from report"):
            logged[trial, attempt, step] = logged.get((trial, attempt, step), 0) + 1
        answered = 0
        for file in self.place.chk.iterdir():
            if len(file.name) != 32:
                continue
            lines = file.read_text().split()
            self.assertEqual(lines.count("start"), 1, f"attempt {attempts[file.name]} ran {lines.count('start')} times")
            for line in lines[1:]:
                self.assertEqual(logged.get((*attempts[file.name], float(line))), 1, f"step {line} of {attempts[file.name]}")
                answered += 1
        return answered

    def finish(self, scheduler, code=0, seconds=120):
        out, err = scheduler.communicate(timeout=seconds)
        self.assertEqual(scheduler.returncode, code, f"\n--- output\n{out.decode()}\n--- errors\n{err.decode()}")
        return err.decode()

    def wait(self, condition, what, seconds=30):
        self.assertTrue(poll(condition, seconds), what)

    def running(self):
        return [name for name, jobs in self.jobs().items() if any(state == "RUNNING" for state, _ in jobs)]

    def reports(self):
        return self.query("select count(*) from report")[0][0] if self.query("select 1") else 0
