#!/usr/bin/env python3
"""Two users of one machine with four GPUs, each with a study of 200 trials: no GPU ever has two trials at a time.

The driver's library is a stand-in (tests/support/fake_nvml.cpp). Needs root, to be two users.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess

import support

GPUS, TRIALS, USERS = 4, 200, (20001, 20002)

TRIAL = """\
echo "+ $CUDA_VISIBLE_DEVICES" >>"$NOTES"
sleep 0.1
hpsearch report loss=$1
echo "- $CUDA_VISIBLE_DEVICES" >>"$NOTES"
"""


def start(bench, folder, user):
    home = folder / str(user)
    home.mkdir()
    (home / "trial.sh").write_text(TRIAL)
    space = {"study": f"of-{user}", "command": ["sh", "trial.sh", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
             "params": {"x": {"type": "float", "low": 0, "high": 1}}, "search": {"sampler": "random", "seed": 1},
             "limits": {"trials": TRIALS}, "trial": {"gpus": 1}}
    (home / "space.json").write_text(json.dumps(space))
    for path in (home, *home.iterdir()):
        os.chown(path, user, user)
    env = {**os.environ, "HOME": str(home), "LD_LIBRARY_PATH": str(folder / "nvml"), "FAKE_NVML": str(folder / "gpus"),
           "HPSEARCH_LOCK_DIR": str(folder / "locks"), "NOTES": str(folder / "notes")}
    log = open(folder / f"{user}.log", "w")
    return subprocess.Popen(["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", bench.hpsearch, "run", "-q", "space.json"],
                            cwd=home, env=env, stdout=log, stderr=log)


def rows(bench):
    with support.scratch("hpsearch-users-") as folder:
        folder.chmod(0o755)
        (folder / "nvml").mkdir()
        shutil.copy(bench.bin.parent / "bench/nvml/libnvidia-ml.so.1", folder / "nvml")
        (folder / "gpus").write_text("".join(f"gpu GPU-{k} memory=80000 used=400\n" for k in range(GPUS)))
        (folder / "notes").touch()
        (folder / "notes").chmod(0o666)
        (folder / "locks").mkdir()
        (folder / "locks").chmod(0o1777)
        for session, user in [(start(bench, folder, user), user) for user in USERS]:
            if session.wait() != 0:
                raise SystemExit((folder / f"{user}.log").read_text())
        taken, most, begun = collections.Counter(), 0, 0
        for line in (folder / "notes").read_text().splitlines():
            sign, gpu = line.split()
            taken[gpu] += 1 if sign == "+" else -1
            begun += sign == "+"
            most = max(most, taken[gpu])
        return [(f"two users' studies of {TRIALS} trials each on one machine with {GPUS} GPUs", "never two trials on one unit",
                 f"{begun} trials on {len(taken)} GPUs, at most {most} at a time on one")]


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("needs root, to be two users")
    support.main([rows])
