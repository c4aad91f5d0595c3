#!/usr/bin/env python3
"""200 trials of one second on a Slurm cluster of three small machines with four cores each: in pilots, in jobs of their own,
and as plain jobs of sbatch, which is as fast as Slurm can be.

Needs root, slurm-wlm and munge: tests/support/slurm_cluster.py makes the cluster.
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

import support

sys.path.insert(0, str(support.ROOT / "tests/support"))
from slurm_cluster import SlurmCluster  # noqa: E402

TRIALS, NODES, CPUS = 200, 3, 4


class SlurmBench:
    def __init__(self, bench, cluster, folder):
        self._bench, self._cluster, self._folder = bench, cluster, folder

    def study(self, name, host):
        """Runs a study of 200 trials that sleep for a second. Returns its wall seconds."""
        space = {"study": name, "metric": {"name": "loss", "goal": "minimize"}, "limits": {"trials": TRIALS},
                 "command": ["sh", "-c", "sleep 1; echo hpsearch: loss=$0", "{x}"],
                 "params": {"x": {"type": "float", "low": 0, "high": 1}}, "search": {"sampler": "random", "seed": 1}, "hosts": [host]}
        (self._folder / f"{name}.json").write_text(json.dumps(space))
        begin = time.perf_counter()
        subprocess.run([self._bench.hpsearch, "run", f"{name}.json", "-qq"], cwd=self._folder, env=self._cluster.env, check=True)
        return time.perf_counter() - begin

    def busy(self, name):
        """Part of the time of all slots that attempts ran in, from the first start of a trial to the last."""
        database = sqlite3.connect(f"file:{self._folder / 'hpsearch-studies' / name / 'study.db'}?mode=ro", uri=True)
        begun, spans = {}, []
        for at, kind, body in database.execute("SELECT at, kind, body FROM event ORDER BY seq"):
            event = json.loads(body)
            if kind == "attempt_started":
                begun[event["trial"]] = at
            elif kind == "attempt_ended":
                spans.append((begun[event["trial"]], event["ended_at"]))
        first, last = min(begun.values()), max(begun.values())
        return sum(max(0, min(end, last) - start) for start, end in spans) / (NODES * CPUS * (last - first))

    def plain(self):
        """The same work as plain jobs. Returns the seconds until the last one has ended."""
        begin = time.perf_counter()
        for _ in range(TRIALS):
            subprocess.run(["sbatch", "--parsable", "-o", "/dev/null"], input=b"#!/bin/sh\nsleep 1\n", check=True, capture_output=True,
                           env=self._cluster.env)
        while subprocess.run(["squeue", "-h"], capture_output=True, env=self._cluster.env).stdout:
            time.sleep(0.2)
        return time.perf_counter() - begin


def measured(bench):
    with support.scratch("slurm-", bench.folder) as folder:
        with SlurmCluster(NODES, 0, CPUS, folder / "cluster", shared=[folder, bench.bin]) as cluster:
            slurm = SlurmBench(bench, cluster, folder)
            plain = slurm.plain()
            jobs = slurm.study("jobs", {"slurm": {}})
            pilots = slurm.study("pilots", {"slurm": {"mode": "pilot", "max_jobs": NODES}, "slots": CPUS})
            return [(f"{TRIALS} trials of 1 s in Slurm jobs of their own, against plain jobs, {NODES * CPUS} cores", "<= 1.3 times",
                     f"{jobs / plain:.2f} times ({jobs:.1f} s, plain {plain:.1f} s)"),
                    (f"slots busy, {TRIALS} trials of 1 s in {NODES} pilots of {CPUS} slots", ">= 90 %",
                     f"{100 * slurm.busy('pilots'):.1f} % ({pilots:.1f} s)")]


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("needs root, for the machines of the cluster")
    support.main([measured])
