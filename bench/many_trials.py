#!/usr/bin/env python3
"""1,000 trials of `sh -c` with one report each on two slots: trials a second, and CPU a trial.

The CPU is that of the scheduler and all that it waited for (keepers, and through them the shells), less that of the
same shells started and waited for alone.
"""

import os
import subprocess

import support

TRIALS = 1000
SCRIPT = "echo hpsearch: loss={}"


def shell_cpu_ms():
    """Median CPU milliseconds of one shell that prints a report."""
    times = []
    for i in range(200):
        with subprocess.Popen(["sh", "-c", SCRIPT.format(0.5)], stdout=subprocess.PIPE) as shell:
            shell.stdout.read()
            _, status, usage = os.wait4(shell.pid, 0)
            shell.returncode = os.waitstatus_to_exitcode(status)
            times.append(1e3 * (usage.ru_utime + usage.ru_stime))
    return support.median(times)


def rows(bench):
    rates, costs = [], []
    for i in range(3):
        space = bench.space(f"many-{i}", command=["sh", "-c", SCRIPT.format("{x}")], limits={"trials": TRIALS},
                            hosts=[{"local": True, "slots": 2}])
        wall, cpu = bench.run("run", "-q", str(space))
        rates.append(TRIALS / wall)
        costs.append(1e3 * cpu / TRIALS)
    shell = shell_cpu_ms()
    seen = (f"{support.median(rates):.0f} trials/s, {support.median(costs) - shell:.1f} ms "
            f"(and {shell:.1f} ms for the shell)")
    return [("1,000 trials of `sh -c` with one report each, 2 slots, durable",
             ">= 100 trials/s, <= 8 ms CPU a trial for scheduler + keeper", seen)]


if __name__ == "__main__":
    support.main([rows])
