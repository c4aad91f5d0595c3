"""IN-4: reports of a C++ program arrive while it runs, whatever its output streams do."""

import os
import re
import time
import unittest

from case import Case, poll

PAUSE_MS = 500
STEPS = 10


def resident_mib(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024


class In4(Case):
    def test_reports_arrive_at_once_and_output_is_drained(self):
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": [os.environ["HPSEARCH_NOISY_TRIAL"], str(PAUSE_MS), "{x}"],
            "limits": {"trials": 2},
            "hosts": [{"local": True, "slots": 2}]})
        # AddressSanitizer keeps freed memory; here only what is in use counts.
        sanitizer = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))
        begin = time.monotonic()
        scheduler = self.place.start("run", "space.json", env={"ASAN_OPTIONS": sanitizer})
        self.assertTrue(poll(lambda: self.reports() > 0, 10))
        first = time.monotonic() - begin
        memory = resident_mib(scheduler.pid)

        seen = {}
        while scheduler.poll() is None and len(seen) < STEPS + 1:
            count = self.reports()
            seen.setdefault(count, time.monotonic() - begin)
            if count == STEPS:
                last_memory = resident_mib(scheduler.pid)
            time.sleep(0.05)
        scheduler.communicate(timeout=60)
        self.assertEqual(scheduler.returncode, 0)

        self.assertLess(first, 3)
        times = [seen.get(count) for count in range(1, STEPS + 1)]
        self.assertNotIn(None, times, seen)
        self.assertLess(max(abs(at - times[0] - i * PAUSE_MS / 1000) for i, at in enumerate(times)), 1.5, times)
        self.assertLess(last_memory - memory, 8)

        for trial in (1, 2):
            attempt = self.place.studies()[0] / "trials" / f"{trial:04}" / "attempts" / "1"
            self.assertEqual((attempt / "stderr.log").read_text(), "noise on the error stream\n" * 200000)
            self.assertEqual((attempt / "stdout.log").read_text(), "".join(f"epoch {s}\n" for s in range(1, STEPS + 1)))
            self.assertEqual([r["step"] for r in self.place.show(trial)["report_list"]], [*range(1, STEPS + 1), None])

    def reports(self):
        """How many reports of the first trial are in the study now."""
        if not self.place.studies() or not (self.place.studies()[0] / "study.db").exists():
            return 0
        result = self.place.hpsearch("trials", "--json")
        return int(re.search(r'"reports":\s*(\d+)', result.out + '"reports": 0').group(1)) if result.code == 0 else 0


if __name__ == "__main__":
    unittest.main()
