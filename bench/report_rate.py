#!/usr/bin/env python3
"""One trial reporting in a loop: reports a second from the start of `hpsearch run` to its end, all committed."""

import sqlite3

import support

REPORTS = 300_000


def rows(bench):
    rates = []
    for i in range(3):
        space = bench.space(f"rate-{i}",
                            command=[bench.program("reporting_trial"), str(REPORTS), str(bench.folder / "rate")],
                            resource={"name": "step", "min": 1, "max": REPORTS + 1},
                            search={"sampler": "random", "seed": 1, "pruner": "none"}, limits={"trials": 1},
                            hosts=[{"local": True, "slots": 1}])
        wall, _ = bench.run("run", "-q", str(space))
        stored = sqlite3.connect(bench.study(f"rate-{i}") / "study.db").execute("SELECT count(*) FROM report").fetchone()[0]
        if stored != REPORTS:
            raise SystemExit(f"{stored} of {REPORTS} reports are in the log")
        rates.append(REPORTS / wall)
    return [("one trial reporting in a loop, all committed", ">= 20,000 reports/s", f"{support.median(rates):,.0f} reports/s")]


if __name__ == "__main__":
    support.main([rows])
