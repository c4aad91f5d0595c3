#!/usr/bin/env python3
"""All benchmarks that need no LibTorch, as one table; the disk's fsync is measured in the same run."""

import os

import big_study
import many_trials
import placement
import report_rate
import simulated_asha
import start_up
import support
import verdict_latency


def conditions(bench):
    times = bench.fsync_ms()
    load = os.getloadavg()[0]
    return [("fsync of 8 KB appended, on this disk", "", f"p50 {support.quantile(times, 0.5):.2f} ms, p99 {support.quantile(times, 0.99):.2f} ms"),
            ("load before the run, cores", "", f"{load:.1f}, {os.cpu_count()}")]


if __name__ == "__main__":
    support.main([conditions, start_up.rows, many_trials.rows, verdict_latency.rows, report_rate.rows, big_study.rows,
                  simulated_asha.rows, placement.rows])
