"""`--detach`: success is said once the session has begun, and every refusal before that reaches the terminal."""

import unittest

from case import Case, poll


class Detach(Case):
    def write(self, **more):
        self.place.write_trial('report 1 loss=1\nwhile [ ! -e "$CHK/go" ]; do sleep 0.05; done\nreport final loss=1\n')
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 2},
                                "hosts": [{"local": True, "slots": 2}], **more})

    def test_runs_in_the_background(self):
        self.write()
        result = self.place.run("--detach")
        self.assert_ended(result)
        self.assertIn("runs in the background", result.err)
        self.assertIn("running", self.place.hpsearch("status").out)
        self.assert_refused(self.place.hpsearch("resume", "space", "--detach"), "held by")
        (self.place.chk / "go").touch()
        self.assertTrue(poll(lambda: "finished" in self.place.hpsearch("status").out))
        self.assertIn("best: trial", (self.place.work / "hpsearch-studies/space/scheduler.log").read_text())
        done = self.place.hpsearch("resume", "space", "--detach")
        self.assert_ended(done)
        self.assertIn("nothing to do", done.err)

    def test_refused_changes_are_told(self):
        self.write()
        (self.place.chk / "go").touch()
        self.assert_ended(self.place.run())
        self.write(metric={"name": "loss", "goal": "maximize"})
        self.assert_refused(self.place.hpsearch("resume", "space.json", "--detach"), "metric.goal")


if __name__ == "__main__":
    unittest.main()
