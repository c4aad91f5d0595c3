"""Kills a keeper with SIGKILL: its attempt is lost, all its processes go, the trial is retried from its checkpoint.

Usage: keeper_killed.py HPSEARCH
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HPSEARCH = os.path.abspath(sys.argv[1])

TRIAL = """
echo $$ >> "$CHK/pids"
setsid sh -c 'echo $$ >> "$CHK/pids"; trap "" TERM; while :; do sleep 0.2; done' &
step=0
[ -n "$HPSEARCH_RESUME_DIR" ] && step=$(cat "$HPSEARCH_RESUME_DIR/step")
echo "attempt $HPSEARCH_ATTEMPT from $step" >> "$CHK/starts"
while [ $step -lt 8 ]; do
  step=$((step+1))
  echo $step > "$HPSEARCH_CHECKPOINT_DIR/tmp"; mv "$HPSEARCH_CHECKPOINT_DIR/tmp" "$HPSEARCH_CHECKPOINT_DIR/step"
  "$HPSEARCH" report $step loss=1.$step --checkpoint=step || exit 0
  sleep 0.2
done
"""

SPACE = {
    "command": ["sh", "trial.sh", "{x}"],
    "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}},
    "resource": {"name": "epoch", "min": 1, "max": 8},
    "search": {"pruner": "none"},
    "trial": {"checkpoint": True, "grace": "1s"},
    "limits": {"trials": 1},
    "hosts": [{"local": True, "slots": 1}],
}


def wait_for(what, condition, seconds=30):
    deadline = time.time() + seconds
    while not condition():
        if time.time() > deadline: sys.exit("FAILED: no " + what)
        time.sleep(0.02)


def keepers(folder):
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if len(words) > 2 and words[1] == "keeper" and words[2].startswith(folder): yield int(path.parent.name)


def running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "trial.sh").write_text(TRIAL)
        (folder / "space.json").write_text(json.dumps(SPACE))
        env = dict(os.environ, CHK=name, HPSEARCH=HPSEARCH)
        scheduler = subprocess.Popen([HPSEARCH, "run", "space.json", "-q"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
        database = folder / "hpsearch-studies/space/trials/0001/attempts/1/events.jsonl"
        wait_for("third report", lambda: database.exists() and database.read_text().count("\n") >= 3)
        first = [int(pid) for pid in (folder / "pids").read_text().split()]
        keeper = list(keepers(os.path.realpath(name)))
        if len(keeper) != 1: sys.exit(f"FAILED: keepers {keeper}")
        os.kill(keeper[0], signal.SIGKILL)
        wait_for("end of the killed keeper's processes", lambda: not any(map(running, first)))
        output = scheduler.communicate(timeout=60)[0]
        if scheduler.returncode != 0: sys.exit(f"FAILED: exit {scheduler.returncode}\n{output}")
        starts = (folder / "starts").read_text().splitlines()
        if len(starts) != 2 or starts[0] != "attempt 1 from 0" or starts[1] in ("attempt 2 from 0",):
            sys.exit(f"FAILED: starts {starts}")
        left = [pid for pid in (folder / "pids").read_text().split() if running(int(pid))]
        if left: sys.exit(f"FAILED: left running: {left}")
        shown = json.loads(subprocess.run([HPSEARCH, "show", "1", "--json"], cwd=folder, capture_output=True, text=True).stdout)
        print(f"keeper killed; {starts}; trial {shown['state']} after {shown['attempts']} attempts; nothing left running")
        if shown["state"] != "completed" or shown["attempts"] != 2: sys.exit("FAILED")


main()
