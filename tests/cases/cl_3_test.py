"""CL-3: each trial has its own short folder, logs and parameter file, whatever the names and the path."""

import json
import os
import shutil
import threading
import unittest

from case import Case, Workplace, poll

LONG = "a.very/long name with blanks and \u6f22\u5b57 0123456789 0123456789 0123456789 0123456789 0123456789"

TRIAL = """
i=0
while [ $i -lt 300 ]; do echo "out $$ $i"; echo "err $$ $i" >&2; i=$((i+1)); done
report final loss="$$"
"""


class Cl3(Case):
    def setUp(self):
        super().setUp()
        self.place = Workplace(self.root / "\u041f\u0440\u043e\u0433\u043e\u043d 1" / "\u65e5\u672c e'x")
        self.place.write_trial(TRIAL)
        self.write("space.json")

    def write(self, name, trials=12, **more):
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {LONG: {"type": "float", "low": 0, "high": 1},
                       "b": {"type": "choice", "choices": ["x/../../y", "con", "."]}},
            "command": ["sh", "t.sh", "{b}"],
            "search": {"sampler": "random"},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": 6}], **more}, name)

    def check_study(self, name):
        study = self.place.work / "hpsearch-studies" / name
        folders = sorted(study.joinpath("trials").iterdir())
        self.assertEqual([folder.name for folder in folders], [f"{number:04}" for number in range(1, 13)])
        for number, trial in enumerate(self.place.trials(name), 1):
            attempt = folders[number - 1] / "attempts" / "1"
            pid = int(trial["value"])
            self.assertEqual((attempt / "stdout.log").read_text(), "".join(f"out {pid} {i}\n" for i in range(300)))
            self.assertEqual((attempt / "stderr.log").read_text(), "".join(f"err {pid} {i}\n" for i in range(300)))
            params = json.loads((attempt / "params.json").read_text())
            self.assertEqual(params, trial["params"])
            self.assertEqual(set(params), {LONG, "b"})

    def check_nothing_astray(self):
        """Everything new lies in folders of studies, under short names."""
        self.assertEqual({entry.name for entry in self.place.work.iterdir()} - {"hpsearch-studies"},
                         {"space.json", "other.json", "t.sh", "shim.sh"})
        for folder, folders, files in os.walk(self.place.work / "hpsearch-studies"):
            for name in folders + files:
                self.assertLess(len(name), 40, os.path.join(folder, name))
        self.assertEqual({entry.name for entry in self.place.root.iterdir()}, {"work", "chk"})

    def test_two_studies_at_once(self):
        self.write("other.json", study="other")
        results = {}

        def run(file):
            results[file] = self.place.hpsearch("run", file)

        threads = [threading.Thread(target=run, args=[file]) for file in ("space.json", "other.json")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results.values():
            self.assert_ended(result)
        self.check_study("space")
        self.check_study("other")
        self.check_nothing_astray()

    def test_the_same_name_is_never_mixed(self):
        self.place.write_trial('while [ ! -e "$CHK/go" ]; do sleep 0.05; done\nreport final loss=1\n')
        first = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: self.place.studies() and (self.place.studies()[0] / "trials").exists()))
        self.assert_refused(self.place.run(), f"pid {first.pid}")
        (self.place.chk / "go").touch()
        first.communicate(timeout=60)
        self.assertEqual(first.returncode, 0)
        again = self.place.run()
        self.assert_ended(again)
        self.assertIn("already finished", again.err)
        self.assertEqual(len(self.place.trials()), 12)

    def test_following_the_log_of_a_running_trial(self):
        self.place.write_trial('echo first; while [ ! -e "$CHK/go" ]; do sleep 0.05; done; echo last; report final loss=1\n')
        self.write("space.json", trials=1)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: self.place.hpsearch("trials").out.count("running")))
        follower = self.place.start("logs", 1, "-f")
        self.assertEqual(follower.stdout.readline(), b"first\n")
        self.assertIsNone(follower.poll())
        (self.place.chk / "go").touch()
        out, err = follower.communicate(timeout=30)
        self.assertEqual((follower.returncode, out), (0, b"last\n"), err)
        scheduler.communicate(timeout=30)
        self.assertEqual(scheduler.returncode, 0)

    def test_a_deleted_folder_touches_its_trial_only(self):
        self.assert_ended(self.place.run())
        before = self.place.trials()
        shutil.rmtree(self.place.work / "hpsearch-studies" / "space" / "trials" / "0005")
        self.assertEqual(self.place.trials(), before)
        self.assertEqual(len(self.place.export_csv()), 12)
        gone = self.place.hpsearch("logs", 5)
        self.assertNotEqual(gone.code, 0)
        self.assertIn("trial 5", gone.err)
        self.assertEqual(self.place.show(5)["value"], before[4]["value"])
        self.assertIn("out ", self.place.hpsearch("logs", 6).out)
        result = self.place.hpsearch("resume", "--more-trials", "1")
        self.assert_ended(result)
        self.assertEqual(len(self.place.trials()), 13)


if __name__ == "__main__":
    unittest.main()
