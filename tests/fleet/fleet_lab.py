"""What the fleet's tests share: a study in a folder of this machine, run over hosts of a stand, and looked at."""

import contextlib
import hashlib
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import tempfile
import unittest

from case import poll  # noqa: F401, for the tests

BINARY = os.path.abspath(os.environ.get("HPSEARCH_BINARY", "hpsearch"))

# Counts to the end of its resource, with a checkpoint at each step; one step takes $STEP seconds.
TRAIN = """\
n=0
[ -n "$HPSEARCH_RESUME_DIR" ] && n=$(cat "$HPSEARCH_RESUME_DIR/$HPSEARCH_RESUME_CHECKPOINT")
echo "from $n on $(hostname)"
while [ $n -lt ${HPSEARCH_RESOURCE_MAX:-1} ]; do
  sleep ${STEP:-0.2}; n=$((n + 1))
  echo $n >"$HPSEARCH_CHECKPOINT_DIR/.new"; mv "$HPSEARCH_CHECKPOINT_DIR/.new" "$HPSEARCH_CHECKPOINT_DIR/e$n"
  rm -f "$HPSEARCH_CHECKPOINT_DIR/e$((n - 1))"
  hpsearch report $n loss=$1 --checkpoint=e$n || exit 0
done
"""

# What a command line may hold, and a trial that prints what arrives, as digests.
ODD = {"quotes": "a 'b' \"c\" $(touch /tmp/owned) `x`\n;|&", "dash": "--help", "utf8": "ä 漢\u00a0\u2028", "empty": "", "long": "x" * 100_000}
SHOW = """\
import hashlib, json, subprocess, sys
print(json.dumps([hashlib.sha256(word.encode()).hexdigest() for word in sys.argv[1:]]))
subprocess.run(["hpsearch", "report", "loss=1"])
"""


def digests(words):
    return [hashlib.sha256(word.encode()).hexdigest() for word in words]


class FleetLab:
    """A folder with a space file and a trial; sessions of hpsearch in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.sessions = []
        (self.folder / "train.sh").write_text(TRAIN)

    def space(self, hosts, name="study", trials=4, steps=10, **more):
        document = {"study": name, "command": ["sh", "train.sh", "{x}"], "files": ["train.sh"],
                    "metric": {"name": "loss", "goal": "minimize"},
                    "params": {"x": {"type": "float", "low": 0, "high": 1}},
                    "resource": {"name": "epoch", "max": steps}, "search": {"pruner": "none", "seed": 1},
                    "limits": {"trials": trials}, "trial": {"checkpoint": True}, "hosts": hosts}
        document.update(more)
        (self.folder / f"{name}.json").write_text(json.dumps(document))
        return f"{name}.json"

    def start(self, *words, env=None):
        """A session in the background; its messages go to files."""
        log = open(self.folder / f"session{len(self.sessions)}.log", "w")
        session = subprocess.Popen([BINARY, *words], cwd=self.folder, stdout=log, stderr=log, start_new_session=True,
                                   env={**os.environ, **(env or {})})
        session.log = pathlib.Path(log.name)
        self.sessions.append(session)
        return session

    def run(self, *words, seconds=120, env=None, program=BINARY):
        return subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True, timeout=seconds,
                              env={**os.environ, **(env or {})})

    def finish(self, session, seconds=120):
        session.wait(seconds)
        return session.log.read_text()

    def rows(self, query, name="study"):
        file = self.folder / f"hpsearch-studies/{name}/study.db"
        try:
            with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
                return database.execute(query).fetchall()
        except sqlite3.OperationalError:  # Not made yet.
            return []

    def events(self, kind, name="study"):
        return [json.loads(body) for (body,) in self.rows(f"SELECT body FROM event WHERE kind = '{kind}' ORDER BY seq", name)]

    def steps(self, name="study"):
        """The steps reported by each attempt, as they lie in the log."""
        steps = {}
        for trial, attempt, step in self.rows("SELECT trial, attempt, step FROM report ORDER BY seq", name):
            steps.setdefault((trial, attempt), []).append(step)
        return steps

    def planned(self, name="study"):
        """(trial, attempt) -> host."""
        return {(e["trial"], e["attempt"]): e["slot"]["host"] for e in self.events("attempt_planned", name)}

    def end(self):
        for session in self.sessions:
            if session.poll() is None:
                os.killpg(session.pid, signal.SIGKILL)
                session.wait()


class FleetTest(unittest.TestCase):
    """A lab for each test; `self.dir` is its folder, seen by the hosts of a stand only when it is shared."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="hpsearch-fleet-")
        self.addCleanup(holder.cleanup)
        self.dir = pathlib.Path(holder.name)
        (self.dir / "lab").mkdir()
        self.lab = FleetLab(self.dir / "lab")
        self.addCleanup(self.lab.end)

    def assert_exactly_once(self, trials, steps, name="study"):
        """Every step of every trial is in the log once, whichever attempts reported it."""
        seen = {}
        for (trial, _), reported in self.lab.steps(name).items():
            seen.setdefault(trial, []).extend(reported)
        self.assertEqual(seen, {trial: [float(step) for step in range(1, steps + 1)] for trial in range(1, trials + 1)})

    def assert_replays(self, name="study"):
        replay = self.lab.run("replay", "--verify", name)
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
