"""RS-4: a damaged study file is noticed when it is opened, refused by name, left as it is, and can be rescued."""

import hashlib
import os
import shutil
import signal
import sqlite3
import unittest

from case import Case, poll

TRIALS = 60


def checksum(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Rs4(Case):
    def setUp(self):
        super().setUp()
        self.write(self.place, TRIALS)

    def write(self, place, trials):
        place.write_trial('report final loss="$1"\n')
        place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "random"},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": 2}]})

    @property
    def study(self):
        return self.place.work / "hpsearch-studies" / "space"

    @property
    def database(self):
        return self.study / "study.db"

    def visible(self):
        """What lies beside the database, and the studies there are; trial folders and the lock's file aside."""
        return {file.name for file in self.study.iterdir() if not file.name.endswith(".lock")} | \
               {folder.name for folder in self.place.studies()}

    def refused_by_all(self, *words):
        """Run, resume, list and export end without success, saying these words, and change nothing."""
        before, beside = checksum(self.database), self.visible()
        for verb in (["run", "space.json"], ["run", "space.json", "--resume"], ["resume"], ["trials"], ["export"]):
            with self.subTest(verb=verb):
                result = self.place.hpsearch(*verb)
                self.assertNotEqual(result.code, 0, result)
                self.assertEqual(result.out, "")
                self.assertIn(str(self.database), result.err)
                for word in words:
                    self.assertIn(word, result.err)
                self.assertLess(len(result.err.splitlines()), 4)
                self.assertEqual(checksum(self.database), before)
                self.assertEqual(self.visible(), beside)

    def test_damage(self):
        self.assert_ended(self.place.run())
        good = self.root / "good.db"
        shutil.copy(self.database, good)
        whole = good.read_bytes()

        with self.subTest("zeroed pages"):
            self.database.write_bytes(whole[:4096] + bytes(8192) + whole[12288:])
            self.refused_by_all("damaged", "hpsearch rescue")
            self.rescue_gives_trials()
        with self.subTest("half of it"):
            self.database.write_bytes(whole[:len(whole) // 2])
            self.refused_by_all("damaged", "hpsearch rescue")
        with self.subTest("empty"):
            self.database.write_bytes(b"")
            self.refused_by_all("not a study")
        with self.subTest("text"):
            self.database.write_text("a shopping list\n" * 500)
            self.refused_by_all("not a study")
        with self.subTest("another program's"):
            self.database.unlink()
            other = sqlite3.connect(self.database)
            other.execute("CREATE TABLE t (x)")
            other.commit()
            other.close()
            self.refused_by_all("not a study")
        with self.subTest("of a newer version"):
            shutil.copy(good, self.database)
            newer = sqlite3.connect(self.database)
            version = newer.execute("PRAGMA user_version").fetchone()[0]
            newer.execute(f"PRAGMA user_version = {version + 1}")
            newer.commit()
            newer.close()
            self.refused_by_all(f"format {version + 1}", f"up to {version}", "newer")

    def rescue_gives_trials(self):
        target = self.root / "rescued" / "space" / "study.db"
        before = checksum(self.database)
        result = self.place.hpsearch("rescue", self.database, target)
        self.assert_ended(result)
        self.assertEqual(checksum(self.database), before)
        trials = self.place.hpsearch("trials", "--json", "--dir", self.root / "rescued")
        self.assert_ended(trials)
        self.assertIn("trials", result.out)
        self.assertGreater(trials.out.count('"number"'), TRIALS // 2)

    def test_journal_gone_after_a_kill(self):
        self.write(self.place, 1000)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: self.place.begun("space") and len(self.place.trials()) > 20))
        scheduler.send_signal(signal.SIGKILL)
        scheduler.communicate()
        known = {trial["number"]: trial["value"] for trial in self.place.trials() if trial["state"] == "completed"}
        for suffix in ("-wal", "-shm"):
            (self.study / ("study.db" + suffix)).unlink(missing_ok=True)
        result = self.place.hpsearch("trials", "--json")
        if result.code == 0:
            left = {trial["number"]: trial["value"] for trial in self.place.trials()}
            self.assertEqual({number: left.get(number) for number in known}, known)
        else:
            self.refused_by_all("damaged", "journal")

    def test_read_only(self):
        self.assert_ended(self.place.run())
        self.write(self.place, TRIALS + 5)
        listed = self.place.trials()
        os.chmod(self.database, 0o444)
        os.chmod(self.study, 0o555)
        try:
            self.assertEqual(self.place.trials(), listed)
            self.assertEqual(len(self.place.export()), TRIALS)
            result = self.place.hpsearch("resume", "space.json")
            self.assertNotEqual(result.code, 0)
            self.assertIn("read-only", result.err)
            self.assertLess(result.seconds, 2)
        finally:
            os.chmod(self.study, 0o755)
        self.assertEqual(len(self.place.trials()), TRIALS)


if __name__ == "__main__":
    unittest.main()
