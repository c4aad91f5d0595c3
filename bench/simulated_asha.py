#!/usr/bin/env python3
"""Simulated ASHA in virtual time, both variants: seconds of one core, and the cost of a decision as the study grows."""

import re
import subprocess

import support


def rows(bench):
    out = subprocess.run([bench.program("simulated_asha"), "100000", "500"], check=True, capture_output=True, text=True).stdout
    found, costs = [], []
    for line in out.splitlines():
        if cost := re.match(r"\s+\d+ trials: +([\d.]+) us", line):
            costs.append(cost[1])
        elif total := re.match(r"asha (\w+) .*?: ([\d.]+) s", line):
            found.append((f"simulated ASHA ({total[1]}), 100,000 trials x 500 workers",
                          "<= 60 s on one core, cost a decision flat in n",
                          f"{total[2]} s; {', '.join(costs)} us a decision by fifths of the study"))
            costs = []
    return found


if __name__ == "__main__":
    support.main([rows])
