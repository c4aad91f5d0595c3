"""The programs of the manual run as it shows them."""

import json
import pathlib
import re
import tempfile
import unittest

from manual import ROOT, blocks, hpsearch


def named_files(page):
    """The blocks of a page that its text gives a file name: the last `name.ext` in backquotes before each block."""
    text = page.read_text().splitlines()
    files, begin = {}, 0
    for block in blocks(page):
        before = "\n".join(text[begin:block.line - 1])
        begin = block.line + block.text.count("\n") + 1
        names = re.findall(r"`([\w-]+\.(?:json|py|sh))`", before)
        if names:
            files[names[-1]] = block.text
    return files


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, files):
        for name, text in files.items():
            (self.folder / name).write_text(text)

    def run_whole(self, space):
        """Tries and runs a study; the tried trial's report and the study's status."""
        tried = hpsearch("try", space, "--json", folder=self.folder)
        self.assertEqual(tried.returncode, 0, tried.stderr)
        result = hpsearch("run", space, folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("warning", result.stderr)
        status = hpsearch("status", pathlib.Path(space).stem, "--json", folder=self.folder)
        return json.loads(tried.stdout), json.loads(status.stdout)

    def test_three_ways_to_report(self):
        self.write(named_files(ROOT / "README.md"))
        for space, trials, stops in (("mine.json", 30, True), ("shell.json", 12, True), ("unchanged.json", 20, False)):
            with self.subTest(space=space):
                tried, status = self.run_whole(space)
                self.assertEqual(tried["told_to_stop"], stops)
                self.assertEqual(status["trials"]["total"], trials)
                self.assertEqual(status["trials"]["failed"], 0)
                self.assertEqual(status["trials"]["stopped"] > 0, stops)
                self.assertGreater(status["trials"]["completed"], 0)

    def test_a_program_that_saves_goes_on(self):
        files = named_files(ROOT / "README.md")
        space = json.loads(files["shell.json"])
        space.update(trial={"checkpoint": True}, search={"seed": 1})
        self.write({"train.sh": files["resumable.sh"], "space.json": json.dumps(space)})
        tried, status = self.run_whole("space.json")
        self.assertTrue(tried["told_to_stop"])
        self.assertGreater(status["trials"]["paused"], 0)
        best = json.loads(hpsearch("show", str(status["best"]["number"]), "--json", folder=self.folder).stdout)
        self.assertEqual([report["step"] for report in best["report_list"]], list(range(1, 10)))
        self.assertGreater(best["attempts"], 1)

    def test_checkpoints_go_on(self):
        (program,) = (block.text for block in blocks(ROOT / "docs/trial-protocol.md") if block.language == "python")
        space = {
            "command": ["python3", "t.py"],
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "resource": {"name": "epoch", "max": 9},
            "trial": {"checkpoint": True},
            "limits": {"trials": 9},
        }
        self.write({"t.py": program, "space.json": json.dumps(space)})
        _, status = self.run_whole("space.json")
        self.assertGreater(status["trials"]["completed"], 0)
        self.assertGreater(status["trials"]["paused"], 0)
        best = json.loads(hpsearch("show", str(status["best"]["number"]), "--json", folder=self.folder).stdout)
        self.assertEqual([report["step"] for report in best["report_list"]], list(range(1, 10)))
        self.assertAlmostEqual(best["value"], 0.8**9)


if __name__ == "__main__":
    unittest.main()
