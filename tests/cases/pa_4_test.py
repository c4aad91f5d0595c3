"""PA-4: of many schedulers on one study one works and the others say at once who; readers never disturb.

HPSEARCH_CASES_FULL=1 reads 200 times and holds the foreign lock for 20 s.
"""

import os
import re
import signal
import socket
import sqlite3
import threading
import time
import unittest

from case import Case, poll, strict_json

FULL = os.environ.get("HPSEARCH_CASES_FULL") == "1"
SCHEDULERS = 32
TRIALS = 100
READS = 200 if FULL else 40
LOCK_SECONDS = 20 if FULL else 2

TRIAL = """
echo x >> "$CHK/n"
for s in 1 2 3 4 5; do report $s loss="$1"; done
report final loss="$1"
"""


class Pa4(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial(TRIAL)
        self.write(TRIALS)

    def write(self, trials):
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "random"},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": 1}]})

    @property
    def database(self):
        return self.place.work / "hpsearch-studies" / "space" / "study.db"

    def check_moment(self, trials):
        """One moment: all numbers up to the last, one trial under way at most, values where they belong."""
        self.assertEqual([trial["number"] for trial in trials], list(range(1, len(trials) + 1)))
        self.assertLessEqual(sum(trial["state"] != "completed" for trial in trials), 1)
        for trial in trials:
            if trial["state"] == "completed":
                self.assertEqual(trial["value"], trial["params"]["x"])
                self.assertEqual(trial["reports"], 6)

    def check_whole(self, trials):
        """Every trial complete, once."""
        self.assertEqual(len(self.place.lines("n")), trials)
        found = self.place.trials()
        self.assertEqual([trial["number"] for trial in found], list(range(1, trials + 1)))
        self.assertEqual({trial["state"] for trial in found}, {"completed"})

    def read(self, verb, faults, done):
        for _ in range(READS):
            result = self.place.hpsearch(*verb, "--json")
            try:
                self.assert_ended(result)
                self.check_moment(strict_json(result.out)["trials"])
            except (AssertionError, ValueError) as fault:
                faults.append(fault)
        done.append(verb)

    def test_many_schedulers_and_readers(self):
        begin = time.monotonic()
        schedulers = [self.place.start("run", "space.json") for _ in range(SCHEDULERS)]
        ends = {}

        def wait(process):
            out, err = process.communicate(timeout=120)
            ends[process.pid] = (process.returncode, err.decode(), time.monotonic() - begin)

        waiting = [threading.Thread(target=wait, args=[process]) for process in schedulers]
        for thread in waiting:
            thread.start()
        self.assertTrue(poll(lambda: self.place.begun("space")))
        faults, done = [], []
        readers = [threading.Thread(target=self.read, args=[verb, faults, done]) for verb in (["trials"], ["export"])]
        for thread in readers:
            thread.start()
        for thread in readers + waiting:
            thread.join()

        self.assertEqual(faults, [])
        self.assertEqual(len(done), 2)
        worked = [pid for pid, (code, _, _) in ends.items() if code == 0]
        self.assertEqual(len(worked), 1, ends)
        for pid, (code, err, seconds) in ends.items():
            self.assertNotIn("locked", err)
            if pid == worked[0]:
                continue
            self.assertEqual(code, 2, err)
            self.assertLess(seconds, 5)
            self.assertRegex(err, rf"pid {worked[0]}\b")
            self.assertIn(socket.gethostname(), err)
        self.check_whole(TRIALS)

    def test_a_foreign_lock_only_delays(self):
        self.write(150)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: len(self.place.lines("n")) >= 5))
        foreign = sqlite3.connect(self.database, timeout=10, isolation_level=None)
        foreign.execute("BEGIN IMMEDIATE")
        before = len(self.place.trials())
        time.sleep(LOCK_SECONDS)
        self.assertIsNone(scheduler.poll())
        self.assertLessEqual(len(self.place.trials()), before + 1)
        foreign.execute("ROLLBACK")
        foreign.close()
        out, err = scheduler.communicate(timeout=60)
        self.assertEqual(scheduler.returncode, 0, err.decode())
        self.assertNotIn("locked", err.decode())
        self.check_whole(150)

    def test_a_dead_holder_does_not_block(self):
        self.write(150)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: len(self.place.lines("n")) >= 5))
        refused = self.place.run("--resume")
        self.assert_refused(refused, f"pid {scheduler.pid}")
        scheduler.send_signal(signal.SIGKILL)
        scheduler.communicate()
        result = self.place.run("--resume")
        self.assert_ended(result)
        self.check_whole(150)


if __name__ == "__main__":
    unittest.main()
