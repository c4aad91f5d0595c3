"""Fills the disk under a running study: it stops with exit 1 and a plain message, and goes on when there is room again.

Usage: full_disk.py HPSEARCH. Needs root to mount a small tmpfs; skips (exit 77) without.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HPSEARCH = os.path.abspath(sys.argv[1])

SPACE = {
    "command": ["sh", "-c", "sleep 0.05; \"$HPSEARCH\" report loss=$0; echo $0 >> \"$CHK/done\"", "{x}"],
    "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}},
    "limits": {"trials": 60},
    "hosts": [{"local": True, "slots": 2}],
}


def count(folder):
    result = subprocess.run([HPSEARCH, "trials", "--json"], cwd=folder, capture_output=True, text=True)
    return sum(trial["state"] == "completed" for trial in json.loads(result.stdout)["trials"])


def fill(folder):
    with open(folder / "ballast", "wb", buffering=0) as file:
        for size in (65536, 1):
            try:
                while True: file.write(bytes(size))
            except OSError:
                pass


def main():
    with tempfile.TemporaryDirectory() as name:
        disk = pathlib.Path(name) / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk]).returncode != 0:
            print("skipped: a small file system can't be mounted here")
            sys.exit(77)
        try:
            run(disk, name)
        finally:
            subprocess.run(["umount", "-l", disk])


def run(disk, chk):
    (disk / "space.json").write_text(json.dumps(SPACE))
    env = dict(os.environ, CHK=chk, HPSEARCH=HPSEARCH)
    scheduler = subprocess.Popen([HPSEARCH, "run", "space.json", "-q"], cwd=disk, env=env, stderr=subprocess.PIPE, text=True)
    done = pathlib.Path(chk) / "done"
    while not done.exists() or done.read_text().count("\n") < 10: time.sleep(0.02)
    fill(disk)
    message = scheduler.communicate(timeout=60)[1]
    if scheduler.returncode != 1: sys.exit(f"FAILED: exit {scheduler.returncode}: {message}")
    if "disk full" not in message and "No space left" not in message: sys.exit("FAILED: message: " + message)
    (disk / "ballast").unlink()
    before = count(disk)
    resumed = subprocess.run([HPSEARCH, "resume", "-q"], cwd=disk, env=env, capture_output=True, text=True, timeout=120)
    if resumed.returncode != 0: sys.exit(f"FAILED: resume: exit {resumed.returncode}: {resumed.stderr}")
    after = count(disk)
    replay = subprocess.run([HPSEARCH, "replay", "--verify"], cwd=disk, capture_output=True, text=True)
    print(f"stopped with: {message.strip().splitlines()[-1]}\n{before} completed before, {after} after; replay {replay.stdout.strip()}")
    if after != 60 or before < 8 or replay.returncode != 0: sys.exit("FAILED")


main()
