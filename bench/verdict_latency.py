#!/usr/bin/env python3
"""From a report at a milestone to its verdict back in the trial.

Every step is a rung of ASHA's stop variant, so that each report waits for the scheduler's durable decision. Between
two reports the trial measures an fsync of its own on the same disk: the goal is told in fsyncs.
"""

import support

STEPS, TRIALS = 400, 3


def rows(bench):
    out = bench.folder / "latency"
    space = bench.space("latency", command=[bench.program("reporting_trial"), str(STEPS), f"{out}-{{trial}}", "probe"],
                        resource={"name": "step", "min": 1, "max": STEPS},
                        search={"sampler": "random", "seed": 1,
                                "pruner": {"type": "asha", "variant": "stop", "n_min": 1000,
                                           "levels": list(range(1, STEPS + 1))}},
                        limits={"trials": TRIALS}, hosts=[{"local": True, "slots": 1}])
    bench.run("run", "-q", str(space))
    report, fsync = [], []
    for trial in range(1, TRIALS + 1):
        lines = [line.split() for line in open(f"{out}-{trial}")]
        report += [float(line[0]) for line in lines]
        fsync += [float(line[1]) for line in lines]
    p50, p99 = support.quantile(report, 0.5), support.quantile(report, 0.99)
    f50, f99 = support.quantile(fsync, 0.5), support.quantile(fsync, 0.99)
    return [("report -> milestone verdict back in the trial, local, p50", f"<= one fsync + 1 ms = {f50 + 1:.2f} ms",
             f"{p50:.2f} ms (fsync p50 {f50:.2f} ms)"),
            ("the same, p99", f"<= two fsyncs + 3 ms = {2 * f99 + 3:.2f} ms", f"{p99:.2f} ms (fsync p99 {f99:.2f} ms)")]


if __name__ == "__main__":
    support.main([rows])
