"""Kills the scheduler with SIGKILL at random moments of a study with running trials and resumes it each time.

Usage: kill_scheduler.py HPSEARCH [MOMENTS] [SEED]

Holds throughout: attempts that run when the scheduler dies are adopted with their pids unchanged, every report a trial
was answered for is in the log exactly once, the log replays clean, no trial has two live processes.
"""

import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HPSEARCH = os.path.abspath(sys.argv[1])
MOMENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)

# Trials report every 50 ms for more than a second, and note each report once it has been answered.
TRIAL = """
import os, sys, time, subprocess
sys.path.insert(0, os.environ["CHK"])
step, start = 0, os.environ.get("HPSEARCH_RESUME_DIR")
if start and os.path.exists(start + "/step"): step = int(open(start + "/step").read())
log = open(f'{os.environ["CHK"]}/{os.environ["HPSEARCH_ATTEMPT_ID"]}', "a")
print("pid", os.getpid(), file=log, flush=True)
import socket
channel = socket.socket(socket.AF_UNIX); channel.connect(os.environ["HPSEARCH_CHANNEL"])
reader = channel.makefile()
while step < 27:
    step += 1
    time.sleep(0.05)
    folder = os.environ["HPSEARCH_CHECKPOINT_DIR"]
    with open(folder + "/tmp", "w") as f: f.write(str(step))
    os.rename(folder + "/tmp", folder + "/step")
    channel.sendall(b'{"step": %d, "metrics": {"loss": %f}, "checkpoint": "step"}\\n' % (step, float(sys.argv[1]) + 1 / step))
    verdict = reader.readline()
    if not verdict: break
    print("answered", step, file=log, flush=True)
    if "continue" not in verdict: break
"""

SPACE = {
    "study": "killed",
    "command": [sys.executable, "trial.py", "{x}"],
    "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}},
    "resource": {"name": "epoch", "min": 1, "max": 27},
    "search": {"pruner": "asha", "seed": SEED},
    "trial": {"checkpoint": True},
    "limits": {"trials": 100000},
    "hosts": [{"local": True, "slots": 4}],
}


def fail(text):
    sys.exit(f"FAILED (seed {SEED}): {text}")


class Study:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.db = self.folder / "hpsearch-studies/killed/study.db"
        self.chk = self.folder / "chk"
        self.chk.mkdir()
        (self.folder / "trial.py").write_text(TRIAL)
        (self.folder / "space.json").write_text(json.dumps(SPACE))
        self.env = dict(os.environ, CHK=str(self.chk))

    def start(self, *args):
        return subprocess.Popen([HPSEARCH, *args], cwd=self.folder, env=self.env, stdout=subprocess.DEVNULL,
                                stderr=open(self.folder / "messages", "a"))

    def query(self, sql):
        with sqlite3.connect(f"file:{self.db}?mode=ro", uri=True, timeout=10) as db:
            return db.execute(sql).fetchall()

    def live(self):
        """Attempt id -> pid of the trial, for processes that run now."""
        found = {}
        for file in self.chk.iterdir():
            for line in file.read_text().splitlines():
                if line.startswith("pid ") and alive(int(line[4:]), file.name):
                    found.setdefault(file.name, []).append(int(line[4:]))
        return found


def alive(pid, attempt_id):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z" and attempt_id.encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def check_reports(study):
    """Each answered report stands in the log once; copies would break the table's unique key."""
    attempts = {}
    for body, in study.query("select body from event where kind = 'attempt_planned'"):
        plan = json.loads(body)
        attempts[plan["id"]] = (plan["trial"], plan["attempt"])
    logged = {}
    for trial, attempt, step in study.query("select trial, attempt, step from report"):
        key = (trial, attempt, step)
        logged[key] = logged.get(key, 0) + 1
    missing, answered = [], 0
    for file in study.chk.iterdir():
        trial, attempt = attempts.get(file.name, (None, None))
        if trial is None: fail(f"attempt {file.name} ran and is not in the log")
        for line in file.read_text().splitlines():
            if not line.startswith("answered "): continue
            answered += 1
            count = logged.get((trial, attempt, float(line.split()[1])), 0)
            if count != 1: missing.append((trial, attempt, line, count))
    if missing: fail(f"reports not in the log exactly once: {missing[:5]}")
    return answered


def main():
    print(f"seed {SEED}, {MOMENTS} moments")
    random.seed(SEED)
    adopted = kills = 0
    with tempfile.TemporaryDirectory() as folder:
        study = Study(folder)
        scheduler = study.start("run", "space.json", "-qq")
        while kills < MOMENTS:
            time.sleep(random.uniform(0.005, 0.35) if study.db.exists() else 0.05)
            if scheduler.poll() is not None:
                fail(f"the scheduler ended by itself: {scheduler.returncode}\n" + (study.folder / "messages").read_text()[-2000:])
            scheduler.send_signal(signal.SIGKILL)
            scheduler.wait()
            kills += 1
            before = study.live()
            scheduler = study.start("run", "space.json", "--resume", "-qq")
            time.sleep(random.uniform(0, 0.1))
            after = study.live()
            for attempt, pids in after.items():
                if len(pids) > 1: fail(f"attempt {attempt} has processes {pids}")
                if attempt in before:
                    adopted += 1
                    if before[attempt] != pids: fail(f"attempt {attempt}: pid {before[attempt]} became {pids}")
            if kills % 50 == 0: print(f"{kills} kills, {adopted} attempts seen alive before and after", flush=True)
        deadline = time.time() + 60
        time.sleep(1)
        scheduler.send_signal(signal.SIGINT)
        while scheduler.poll() is None and time.time() < deadline: time.sleep(0.05)
        if scheduler.returncode != 130: fail(f"interrupted scheduler returned {scheduler.returncode}")
        answered = check_reports(study)
        if study.live(): fail(f"left running: {study.live()}")
        replay = subprocess.run([HPSEARCH, "replay", "--verify", "killed"], cwd=study.folder, capture_output=True, text=True)
        if replay.returncode != 0: fail("replay: " + replay.stdout + replay.stderr)
        trials = study.query("select count(*) from trial")[0][0]
        print(f"{kills} kills, {adopted} attempts adopted, {answered} answered reports each in the log once, {trials} trials; replay: {replay.stdout.strip()}")


main()
