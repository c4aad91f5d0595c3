"""IN-2: the scheduler is killed hard, again and again; the study always opens and nothing is lost or run twice."""

import os
import pathlib
import random
import shutil
import signal
import sqlite3
import tempfile
import time
import unittest

from case import Case, poll

TRIALS = 60
KILLS = 15

# A second process for the same trial finds the lock taken.
TRIAL = """
exec 9>"$CHK/lock.$HPSEARCH_TRIAL"
flock -n 9 || echo "$HPSEARCH_TRIAL" >> "$CHK/doubles"
for s in 1 2 3; do report "$s" loss="$1"; sleep 0.2; done
report final loss="$1"
echo "$HPSEARCH_TRIAL" >> "$CHK/done"
"""


def integrity(database):
    """What SQLite says of a copy of the database as the killed scheduler left it."""
    with tempfile.TemporaryDirectory() as folder:
        for file in database.parent.glob("study.db*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, folder)
        connection = sqlite3.connect(pathlib.Path(folder) / "study.db")
        try:
            return connection.execute("PRAGMA integrity_check").fetchone()[0]
        finally:
            connection.close()


class In2(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial(TRIAL)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"seed": 9},
            "limits": {"trials": TRIALS},
            "hosts": [{"local": True, "slots": 4}]})

    def begin(self, *words):
        """A scheduler that has said its first line, and how long that took."""
        begin = time.monotonic()
        log = open(self.place.root / "scheduler.log", "wb")
        process = self.place.start(*words, stdout=log, stderr=log)
        log.close()
        self.assertTrue(poll(lambda: (self.place.root / "scheduler.log").read_bytes() or process.poll() is not None))
        return process, time.monotonic() - begin

    def completed(self):
        return {trial["number"] for trial in self.place.trials() if trial["state"] == "completed"}

    def test_fifteen_kills(self):
        seed = int(os.environ.get("HPSEARCH_SEED", random.randrange(10**6)))
        print("seed", seed)
        pauses = random.Random(seed)
        process, _ = self.begin("run", "space.json")
        known = set()
        for kill in range(KILLS):
            time.sleep(pauses.uniform(0.02, 0.45))
            self.assertIsNone(process.poll(), "the study ended before kill %d" % (kill + 1))
            process.send_signal(signal.SIGKILL)
            process.wait()
            database = self.place.studies()[0] / "study.db"
            if database.exists():
                self.assertEqual(integrity(database), "ok")
                now = self.completed()
                self.assertLessEqual(known, now)
                known = now
            process, seconds = self.begin("run", "space.json", "--resume")
            self.assertLess(seconds, 2)
        self.assertEqual(process.wait(timeout=60), 0)

        trials = self.place.trials()
        self.assertEqual([trial["number"] for trial in trials], list(range(1, TRIALS + 1)))
        self.assertEqual({trial["state"] for trial in trials}, {"completed"})
        self.assertEqual(self.place.lines("doubles"), [])
        self.assertEqual(sorted(map(int, self.place.lines("done"))), list(range(1, TRIALS + 1)))
        reports = [[report["step"] for report in self.place.show(trial["number"])["report_list"]] for trial in trials[:60:6]]
        self.assertEqual(reports, [[1, 2, 3, None]] * 10)
        self.assert_ended(self.place.hpsearch("replay", "--verify"))


if __name__ == "__main__":
    unittest.main()
