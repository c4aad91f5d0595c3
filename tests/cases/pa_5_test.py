"""PA-5: the cost of a trial and the memory do not grow with their number; nothing leaks.

HPSEARCH_CASES_FULL=1 runs ten thousand trials and judges the wall time too.
"""

import os
import pathlib
import re
import time
import unittest

from case import Case, poll

FULL = os.environ.get("HPSEARCH_CASES_FULL") == "1"
TRIALS = 10000 if FULL else 1500
WINDOW = 500 if FULL else 250

TRIAL = """
report 1 loss="$1"
report final loss="$1"
"""


class Sample:
    """What a process has used and holds now."""

    def __init__(self, pid):
        proc = pathlib.Path("/proc") / str(pid)
        fields = (proc / "stat").read_text().rpartition(")")[2].split()
        self.cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.mib = int(re.search(r"VmHWM:\s+(\d+)", (proc / "status").read_text()).group(1)) / 1024
        self.descriptors = len(list((proc / "fd").iterdir()))
        self.children = len((proc / "task" / str(pid) / "children").read_text().split())
        self.wall = time.monotonic()


class Pa5(Case):
    def begun(self, trial):
        return (self.place.work / "hpsearch-studies" / "space" / "trials" / f"{trial:04}").exists()

    def sample_at(self, scheduler, trial):
        self.assertTrue(poll(lambda: scheduler.poll() is not None or self.begun(trial), 600))
        self.assertIsNone(scheduler.poll())
        return Sample(scheduler.pid)

    def test_many_trials(self):
        self.place.write_trial(TRIAL)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}, "y": {"type": "float", "low": 0, "high": 1},
                       "z": {"type": "int", "low": 1, "high": 1000}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "random"},
            "limits": {"trials": TRIALS},
            "hosts": [{"local": True, "slots": 8}]})
        # AddressSanitizer keeps freed memory; here only what is in use counts.
        sanitizer = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))
        scheduler = self.place.start("run", "space.json", "-q", env={"ASAN_OPTIONS": sanitizer})
        marks = [self.sample_at(scheduler, n) for n in (20, WINDOW, TRIALS - WINDOW, TRIALS - 20)]
        scheduler.communicate(timeout=60)
        self.assertEqual(scheduler.returncode, 0)

        cpu = [marks[1].cpu - marks[0].cpu, marks[3].cpu - marks[2].cpu]
        wall = [marks[1].wall - marks[0].wall, marks[3].wall - marks[2].wall]
        growth = marks[2].mib - marks[1].mib
        print(f"first and last {WINDOW - 20} trials: {cpu[0]:.2f} and {cpu[1]:.2f} s of CPU, {wall[0]:.1f} and "
              f"{wall[1]:.1f} s; memory +{growth:.1f} MiB to {marks[2].mib:.0f}; descriptors {marks[1].descriptors} and "
              f"{marks[2].descriptors}; children {marks[1].children} and {marks[2].children}")
        self.assertLess(cpu[1], 1.3 * cpu[0] + 0.1)
        if FULL:
            self.assertLess(wall[1], 1.3 * wall[0])
        self.assertLess(growth, 60)
        self.assertLess(marks[2].descriptors, marks[1].descriptors + 40)
        self.assertLess(marks[2].children, 20)
        self.check_answers()

    def check_answers(self):
        for verb, seconds in ((["best"], 1), (["trials", "--last", "20"], 1), (["export"], 5), (["status"], 1)):
            result = self.place.hpsearch(*verb)
            self.assert_ended(result)
            self.assertLess(result.seconds, seconds, verb)
        begin = time.monotonic()
        more = self.place.start("resume", "--more-trials", "1")
        self.assertTrue(poll(lambda: self.begun(TRIALS + 1), 10))
        seconds = time.monotonic() - begin
        self.assertLess(seconds, 1)
        more.communicate(timeout=60)
        self.assertEqual(more.returncode, 0)


if __name__ == "__main__":
    unittest.main()
