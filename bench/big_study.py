#!/usr/bin/env python3
"""A study of 10,000 trials and 1,000,000 reports: how soon `resume` suggests, what `status` takes, and memory."""

import shutil
import sqlite3
import subprocess
import time

import support

TRIALS, REPORTS = 10_000, 100


def resumed(bench, study, *words):
    """Seconds from the start of `hpsearch resume` to the moment in the log of its first suggestion; CPU seconds and MB."""
    database = bench.study(study) / "study.db"
    last = sqlite3.connect(database).execute("SELECT max(seq) FROM event").fetchone()[0]
    begin = time.time()
    seen = bench.measure(1, bench.hpsearch, "resume", "-q", study, *words)
    at = sqlite3.connect(database).execute(
        "SELECT min(at) FROM event WHERE kind = 'trial_suggested' AND seq > ?", (last,)).fetchone()[0]
    return at / 1e3 - begin, seen["cpu_ms"] / 1e3, seen["rss_mb"]


def row(what, runs):
    seconds, cpu, memory = (support.median(values) for values in zip(*runs))
    return (what, "first suggestion <= 2 s; <= 300 MB", f"{seconds:.2f} s; {memory:.0f} MB (CPU of the process {cpu:.2f} s)")


def rows(bench):
    space = bench.space("big", command=["sh", "-c", "echo hpsearch: step=100 loss={x}"],
                        resource={"name": "step", "min": 1, "max": REPORTS},
                        search={"sampler": "random", "seed": 1, "pruner": "none"}, limits={"trials": TRIALS + 2},
                        hosts=[{"local": True, "slots": 2}])
    subprocess.run([bench.program("big_study"), str(space), str(bench.study("big")), str(TRIALS)], check=True,
                   stdout=subprocess.DEVNULL)
    status = bench.measure(21, bench.hpsearch, "status", "big")
    opened, extended = [], []
    for i in range(3):
        shutil.copytree(bench.study("big"), bench.study(f"big-{i}"))
        opened.append(resumed(bench, f"big-{i}"))
        extended.append(resumed(bench, f"big-{i}", "--more-trials", "2"))
    return [row("open a study of 10,000 trials and 1,000,000 reports: `resume`", opened),
            row("the same with a changed limit: `resume --more-trials 2`", extended),
            ("`hpsearch status` of that study", "<= 0.1 s; <= 300 MB",
             f"{status['wall_ms'] / 1e3:.3f} s; {status['rss_mb']:.0f} MB")]


if __name__ == "__main__":
    support.main([rows])
