"""`try` is in the foreground: what ends it ends its trial, and nothing is left behind."""

import json
import pathlib
import signal
import tempfile
import unittest

from case import Case, poll


class Try(Case):
    def scratch(self):
        return set(pathlib.Path(self.place.env.get("TMPDIR", tempfile.gettempdir())).glob("hpsearch-try-*"))

    def start(self):
        self.place.env["TMPDIR"] = str(self.place.chk)
        self.place.write_trial('report 1 loss=1\ntouch "$CHK/here"\nwhile :; do sleep 0.1; done\n')
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 2}})
        process = self.place.start("try", "space.json")
        self.assertTrue(poll(lambda: (self.place.chk / "here").exists()))
        return process

    def keepers(self):
        """Those of this place: other studies of the machine are none of its business."""
        keepers = json.loads(self.place.hpsearch("ps", "--json").out)["keepers"]
        return [keeper for keeper in keepers if pathlib.Path(keeper["folder"]).is_relative_to(self.place.chk)]

    def test_signals_end_the_trial(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=sent):
                process = self.start()
                self.assertEqual(len(self.scratch()), 1)
                self.assertEqual(len(self.keepers()), 1)
                process.send_signal(sent)
                process.communicate(timeout=30)
                self.assertEqual(process.returncode, 130)
                self.assertEqual(self.scratch(), set())
                self.assertTrue(poll(lambda: not self.keepers()))
                (self.place.chk / "here").unlink()

    def test_a_killed_try_can_be_reaped(self):
        process = self.start()
        self.assert_ended(self.place.hpsearch("reap", "--yes", "--dir", self.place.chk))  # Nothing is ended while somebody waits for it.
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()
        result = self.place.hpsearch("reap", "--yes", "--dir", self.place.chk)
        self.assert_ended(result)
        self.assertIn("ended trial 1", result.out)


if __name__ == "__main__":
    unittest.main()
