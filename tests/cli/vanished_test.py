"""Files that go away or have a second name while a study runs."""

import shutil
import unittest

from case import Case, poll

WAITING = 'report 1 loss=1\ntouch "$CHK/here"\nwhile [ ! -e "$CHK/go" ]; do sleep 0.05; done\n'


class Vanished(Case):
    def write(self, trial):
        self.place.write_trial(trial)
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 2},
                                "hosts": [{"local": True, "slots": 1}]})

    def start(self, trial=WAITING):
        self.write(trial)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: (self.place.chk / "here").exists()))
        return scheduler

    def no_keepers(self):
        return str(self.place.work) not in self.place.hpsearch("ps").out

    def test_a_deleted_study_is_a_failure(self):
        scheduler = self.start()
        shutil.rmtree(self.place.work / "hpsearch-studies")
        (self.place.chk / "go").touch()
        _, err = scheduler.communicate(timeout=30)
        self.assertEqual(scheduler.returncode, 1)
        self.assertIn("was moved or deleted", err.decode())
        self.assertTrue(poll(self.no_keepers))

    def test_trials_of_another_machines_study_are_ended_by_its_name_only(self):
        scheduler = self.start()
        scheduler.kill()
        scheduler.wait()
        self.assertIn("none", self.place.hpsearch("ps").out)
        study = self.place.work / "hpsearch-studies/space"
        (study / "study.db").rename(study / "gone")
        self.assertIn("elsewhere", self.place.hpsearch("ps").out)
        self.assertIn("nothing to end", self.place.hpsearch("reap", "--all", "--yes").err)
        self.assertIn("ended trial 1", self.place.hpsearch("reap", "space", "--yes").out)
        self.assertTrue(poll(self.no_keepers))

    def test_a_trial_that_deletes_its_folder_leaves_no_keeper(self):
        self.write('report final loss=1\nrm -rf "$(dirname "$HPSEARCH_ARTIFACT_DIR")"\n')
        self.assert_ended(self.place.run())
        self.assertTrue(poll(self.no_keepers))

    def test_a_link_to_a_database_is_the_same_study(self):
        scheduler = self.start()
        alias = self.place.work / "alias"
        alias.mkdir()
        (alias / "study.db").symlink_to(self.place.work / "hpsearch-studies/space/study.db")
        self.assert_refused(self.place.hpsearch("resume", alias), "is held by pid")
        (self.place.chk / "go").touch()
        scheduler.communicate(timeout=30)
        self.assertEqual(scheduler.returncode, 0)


if __name__ == "__main__":
    unittest.main()
