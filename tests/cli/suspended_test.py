"""A keeper that is suspended holds nothing up for ever: the third Ctrl-C ends it, and `stop` in between is no trap."""

import os
import pathlib
import signal
import time
import unittest

from case import Case, poll


class Suspended(Case):
    def keeper(self):
        rows = self.place.json("ps", "space")["keepers"]
        return rows[0]["pid"] if rows else None

    def test_third_interrupt_ends_it(self):
        self.place.write_trial('report 1 loss=1\nwhile :; do sleep 0.1; done\n')
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 1}})
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: "running" in self.place.hpsearch("trials").out))
        keeper = self.keeper()
        os.kill(keeper, signal.SIGSTOP)
        for _ in range(3):
            scheduler.send_signal(signal.SIGINT)
            time.sleep(0.2)
        self.assert_ended(self.place.hpsearch("stop", "--trial", 1, "--now"))
        resident = pathlib.Path(f"/proc/{scheduler.pid}/status").read_text().split("VmRSS:")[1].split()[0]
        self.assertLess(int(resident), 200_000)  # kB
        scheduler.communicate(timeout=30)
        self.assertEqual(scheduler.returncode, 130)
        self.assertTrue(poll(lambda: self.keeper() is None))
        self.assertEqual(self.place.trials()[0]["state"], "cancelled")
        self.assertEqual(len(self.place.show(1)["report_list"]), 1)
        self.assert_ended(self.place.hpsearch("replay", "--verify"))


if __name__ == "__main__":
    unittest.main()
