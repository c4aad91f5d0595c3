#!/usr/bin/env python3
"""Where the next trial goes in a fleet of 200 hosts with 8 GPUs each."""

import json
import subprocess

import support

HOSTS, UNITS = 200, 8


def rows(bench):
    out = json.loads(subprocess.run([bench.program("placement"), str(HOSTS), str(UNITS)], check=True, capture_output=True, text=True).stdout)
    return [(f"placement of a trial, {HOSTS} hosts x {UNITS} GPUs, longest of {out['placed']}", "<= 1 ms",
             f"{out['most_us'] / 1e3:.3f} ms (p50 {out['p50_us']:.1f} us; news of a host {out['news_us']:.0f} us)")]


if __name__ == "__main__":
    support.main([rows])
