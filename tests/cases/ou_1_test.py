"""OU-1: an export holds every trial of every state, and every report, exactly."""

import csv
import io
import os
import subprocess
import unittest

from case import BINARY, Case, poll, strict_json

CHOICES = ["a,b", 'q"q', "l1\nl2", "=1+1", "\u00e9", "ok"]

TRIAL = """
report 1 loss=1e-17 extra=0.1
report 2 loss=0.30000000000000004
[ "$2" = 2 ] && exit 7
report final loss=0.1
"""


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


class Ou1(Case):
    def write(self, trial=TRIAL, trials=40, **limits):
        self.place.write_trial(trial)
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"k": {"type": "choice", "choices": CHOICES},
                       "m": {"type": "float", "low": 0, "high": 1, "when": {"k": "ok"}},
                       "z": {"type": "int", "low": 1, "high": 2}},
            "command": ["sh", "t.sh", "{k}", "{z}"],
            "search": {"sampler": "random", "seed": 1},
            "limits": {"trials": trials, "failures_in_a_row": 40, **limits}})

    def csv(self, *words):
        result = self.place.hpsearch("export", *words)
        self.assert_ended(result)
        self.assertEqual(result.err, "")
        return result.out

    def check_params(self, table, exported):
        self.assertEqual([int(row["number"]) for row in table], list(range(1, len(exported) + 1)))
        for row, trial in zip(table, exported):
            self.assertEqual(row["params.k"], trial["params"]["k"])
            self.assertIn(row["params.k"], CHOICES)
            self.assertEqual(row["params.m"] == "", row["params.k"] != "ok")
            self.assertEqual("m" in trial["params"], row["params.k"] == "ok")
            if row["params.m"]:
                self.assertEqual(float(row["params.m"]), trial["params"]["m"])

    def test_finished(self):
        self.write()
        self.assert_ended(self.place.run())
        table, exported = rows(self.csv()), self.place.export()
        self.assertEqual(len(table), 40)
        self.check_params(table, exported)
        self.assertEqual({row["params.k"] for row in table}, set(CHOICES))
        for row, trial in zip(table, exported):
            failed = row["params.z"] == "2"
            self.assertEqual(row["state"], "failed" if failed else "completed")
            self.assertEqual(row["reason"], "exit 7" if failed else "")
            self.assertEqual(trial["reason"], "exit 7" if failed else None)
            self.assertTrue(row["started"] and row["ended"] and row["host"])

        reports = rows(self.csv("--reports"))
        with_step = [row for row in reports if row["step"]]
        self.assertEqual(len(with_step), 80)
        for row in with_step:
            self.assertEqual(float(row["metrics.loss"]), 1e-17 if row["step"] == "1" else 0.30000000000000004)
            self.assertEqual(row["metrics.extra"], "0.1" if row["step"] == "1" else "")
        self.assertEqual(len(reports) - 80, sum(row["state"] == "completed" for row in table))
        as_json = strict_json(self.csv("--reports", "--format", "json"))["reports"]
        self.assertEqual(len(as_json), len(reports))
        self.assertEqual({row["metrics"]["loss"] for row in as_json if row["step"] == 2}, {0.30000000000000004})

        self.check_targets()
        self.check_closed_pipe()

    def check_targets(self):
        target = self.place.root / "table.csv"
        self.csv("-o", target)
        self.assertEqual(target.read_bytes().decode(), self.csv())
        target.write_text("precious")
        self.assert_refused(self.place.hpsearch("export", "-o", target), str(target))
        self.assertEqual(target.read_text(), "precious")
        self.csv("-o", target, "--force")
        self.assertEqual(target.read_bytes().decode(), self.csv())
        nowhere = self.place.root / "no folder" / "table.csv"
        result = self.place.hpsearch("export", "-o", nowhere)
        self.assertNotEqual(result.code, 0)
        self.assertIn(str(nowhere), result.err)
        self.assertEqual(sorted(file.name for file in self.place.root.iterdir()), ["chk", "table.csv", "work"])

    def check_closed_pipe(self):
        for words in ("", "--reports", "--format json", "--reports --format json"):
            command = f"'{BINARY}' export {words} | head -1 > /dev/null; exit ${{PIPESTATUS[0]}}"
            result = subprocess.run(["bash", "-c", command], cwd=self.place.work, env=self.place.env, capture_output=True)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))

    def test_while_running(self):
        self.write('report 1 loss=1\nwhile [ ! -e "$CHK/go" ]; do sleep 0.05; done\nreport final loss=1\n', trials=4)
        scheduler = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: self.place.hpsearch("trials").out.count("running") >= 1))
        slots = min(4, len(os.sched_getaffinity(0)))
        self.assertTrue(poll(lambda: len(rows(self.csv("--reports"))) >= slots))
        running = self.csv()
        self.check_params(rows(running), self.place.export())
        self.assertIn("running", [row["state"] for row in rows(running)])
        self.assertEqual({row["ended"] for row in rows(running)}, {""})
        (self.place.chk / "go").touch()
        scheduler.communicate(timeout=60)
        self.assertEqual(scheduler.returncode, 0)
        self.assertEqual(self.csv().splitlines()[0], running.splitlines()[0])

    def test_no_trials(self):
        self.write(trials=1)
        self.assert_ended(self.place.run())
        self.place.cut_to_beginning("space")
        self.assertEqual(self.place.trials(), [])
        columns = self.csv()
        self.assertEqual(len(columns.splitlines()), 1)
        self.assertEqual(len(self.csv("--reports").splitlines()), 1)
        self.assertEqual(self.place.export(), [])
        self.assertEqual(strict_json(self.csv("--reports", "--format", "json"))["reports"], [])
        self.write(trials=1)
        self.assert_ended(self.place.run("--new"))
        self.assertEqual(self.csv("space-2").splitlines()[0], columns.strip())


if __name__ == "__main__":
    unittest.main()
