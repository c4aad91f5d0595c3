"""OU-2: any trial as a shell line that repeats it exactly, and as plain JSON."""

import subprocess
import unittest

from case import Case, strict_json

TRIAL = """
h=$(printf '%s|' "$MODE" "$@" | cksum | awk '{print $1}')
report final loss="$h"
"""

PRINTING_SHIM = 'report() { shift; echo "$@"; }\n'


class Ou2(Case):
    def write(self, trial=TRIAL, trials=30, slots=2):
        self.place.write_trial(trial)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"lr": {"type": "float", "low": 1e-7, "high": 1e-1, "log": True},
                       "act": {"type": "choice", "choices": ["relu", "leaky relu", "g'lu"]},
                       "b": {"type": "choice", "choices": [16, 512, 1024]},
                       "bn": {"type": "choice", "choices": [True, False]}},
            "command": ["sh", "t.sh", "--lr={lr}", "--act={act}", "-b", "{b}", "--bn={bn}"],
            "trial": {"env": {"MODE": "a b"}},
            "search": {"sampler": "random", "seed": 12},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": slots}]})

    def repeated(self, line):
        """The loss that the line's program prints in a clean shell."""
        result = subprocess.run(["env", "-i", "PATH=/usr/bin:/bin", "sh", "-c", line], cwd="/", capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return float(result.stdout.strip().partition("loss=")[2])

    def test_lines_and_json(self):
        self.write()
        self.assert_ended(self.place.run())
        trials = {trial["number"]: trial for trial in self.place.trials()}
        best = self.place.best()
        self.assertEqual(best["value"], min(trial["value"] for trial in trials.values()))
        (self.place.work / "shim.sh").write_text(PRINTING_SHIM)

        def line(*words):
            result = self.place.hpsearch(*words, "--command")
            self.assert_ended(result)
            self.assertEqual(len(result.out.splitlines()), 1)
            return result.out

        self.assertEqual(self.repeated(line("best")), best["value"])
        for number in (1, 7, 13, 19, 25, 30):
            self.assertEqual(self.repeated(line("show", number)), trials[number]["value"])
            params = strict_json(self.place.hpsearch("show", number, "--params").out)
            self.assertEqual(params, trials[number]["params"])
            self.assertIn(params["b"], [16, 512, 1024])
            self.assertIsInstance(params["bn"], bool)
            self.assertIn(params["act"], ["relu", "leaky relu", "g'lu"])
            stored = (self.place.work / f"hpsearch-studies/space/trials/{number:04}/attempts/1/params.json").read_text()
            self.assertEqual(params["lr"], strict_json(stored)["lr"])
        self.assertEqual(strict_json(self.place.hpsearch("best", "--params").out), best["params"])

        ranked = sorted(trials.values(), key=lambda trial: (trial["value"], trial["number"]))
        self.assertEqual([t["number"] for t in self.place.json("best", "--top", 3)["best"]], [t["number"] for t in ranked[:3]])
        lines = self.place.hpsearch("best", "--top", 3, "--command").out.splitlines()
        self.assertEqual([self.repeated(each) for each in lines], [trial["value"] for trial in ranked[:3]])
        self.assert_refused(self.place.hpsearch("show", 999), "999", "1 to 30")
        self.assert_refused(self.place.hpsearch("show", 999, "--command"), "999")

    def assert_no_best(self, *words):
        for more in ([], ["--json"], ["--command"], ["--params"], ["--top", 3]):
            result = self.place.hpsearch("best", *words, *more)
            self.assert_ended(result, 3)
            self.assertEqual(result.out, "")
            self.assertIn("no best trial", result.err)

    def test_only_failures(self):
        self.write("exit 5\n", trials=3)
        self.assert_ended(self.place.run(), 3)
        self.assert_no_best()

    def test_empty(self):
        self.write()
        self.assert_refused(self.place.hpsearch("best"), "no study")
        self.write(trials=1)
        self.assert_ended(self.place.run())
        self.place.cut_to_beginning("space")
        self.assert_no_best()
        self.assert_refused(self.place.hpsearch("show", 1, "--command"), "none yet")

    def test_tie(self):
        self.write("[ $HPSEARCH_TRIAL = 1 ] && { sleep 0.5; report final loss=4; exit; }\n"
                   "[ $HPSEARCH_TRIAL = 2 ] && { sleep 1; report final loss=3; exit; }\nreport final loss=3\n", trials=4, slots=4)
        self.assert_ended(self.place.run())
        self.assertEqual(self.place.best()["number"], 2)
        self.assertEqual([trial["number"] for trial in self.place.json("best", "--top", 4)["best"]], [2, 3, 4, 1])


if __name__ == "__main__":
    unittest.main()
