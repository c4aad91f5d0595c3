"""IN-3: trials that hang, ignore TERM or leave children behind are ended whole, each for the limit it broke."""

import os
import unittest

from case import Case

TRIAL = """
echo $$ >> "$CHK/pids"
case "$1" in
1) trap '' TERM INT; while :; do sleep 1; done;;
2) (trap '' TERM; while :; do sleep 1; done) & echo $! >> "$CHK/pids"; report 1 loss=2; sleep 60;;
3) s=0; while :; do s=$((s+1)); report $s loss=3; sleep 1; done;;
4) setsid sh -c 'echo $$ >> "$CHK/pids"; sleep 60' &
   while [ "$(wc -l < "$CHK/pids")" -lt 6 ]; do sleep 0.05; done
   report final loss=4;;
esac
"""


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class In3(Case):
    def test_limits_end_whole_trees(self):
        self.place.write_trial(TRIAL)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "int", "low": 1, "high": 4}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "grid"},
            "trial": {"grace": "2s"},
            "limits": {"trials": 4, "trial_time": "5s", "silence": "3s"},
            "hosts": [{"local": True, "slots": 4}]})
        result = self.place.run()
        self.assert_ended(result)
        self.assertLess(result.seconds, 30)

        by_x = {trial["params"]["x"]: trial for trial in self.place.trials()}
        self.assertEqual([(by_x[x]["state"], by_x[x]["reason"]) for x in (1, 2, 3, 4)],
                         [("failed", "silent"), ("failed", "silent"), ("failed", "timed_out"), ("completed", None)])
        self.assertIn("3s", by_x[1]["detail"])
        self.assertIn("3s", by_x[2]["detail"])
        self.assertIn("5s", by_x[3]["detail"])

        pids = [int(line) for line in self.place.lines("pids")]
        self.assertEqual(len(pids), 6)
        self.assertEqual([pid for pid in pids if alive(pid)], [])
        self.assertIn("3 failed", result.out)


if __name__ == "__main__":
    unittest.main()
