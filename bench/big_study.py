#!/usr/bin/env python3
"""A study of 10,000 trials and 1,000,000 reports: how soon `resume` suggests, what `status` takes, and memory."""

import sqlite3
import subprocess
import time

import support

TRIALS, REPORTS = 10_000, 100


def first_suggestion_s(bench, study):
    """Seconds from the start of `hpsearch resume` to the moment in the log of its first suggestion; and MB."""
    database = bench.study(study) / "study.db"
    query = "SELECT min(at) FROM event WHERE kind = 'trial_suggested' AND seq > ?"
    last = sqlite3.connect(database).execute("SELECT max(seq) FROM event").fetchone()[0]
    begin = time.time()
    seen = bench.measure(1, bench.hpsearch, "resume", "-q", study, "--more-trials", "2")
    return sqlite3.connect(database).execute(query, (last,)).fetchone()[0] / 1e3 - begin, seen["rss_mb"]


def rows(bench):
    space = bench.space("big", command=["sh", "-c", "echo hpsearch: step=100 loss={x}"],
                        resource={"name": "step", "min": 1, "max": REPORTS},
                        search={"sampler": "random", "seed": 1, "pruner": "none"}, limits={"trials": TRIALS + 100},
                        hosts=[{"local": True, "slots": 2}])
    subprocess.run([bench.program("big_study"), str(space), str(bench.study("big")), str(TRIALS)], check=True,
                   stdout=subprocess.DEVNULL)
    status = bench.measure(21, bench.hpsearch, "status", "big")
    opened = [first_suggestion_s(bench, "big") for _ in range(5)]
    return [("open a study of 10,000 trials and 1,000,000 reports", "first suggestion <= 2 s; <= 300 MB",
             f"{support.median([seconds for seconds, _ in opened]):.2f} s; {max(mb for _, mb in opened):.0f} MB"),
            ("`hpsearch status` of that study", "<= 0.1 s; <= 300 MB",
             f"{status['wall_ms'] / 1e3:.3f} s; {status['rss_mb']:.0f} MB")]


if __name__ == "__main__":
    support.main([rows])
