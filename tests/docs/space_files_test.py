"""Every space file that the manual shows whole is valid; every part of one is at least JSON."""

import json
import pathlib
import re
import tempfile
import unittest

from manual import PAGES, blocks, hpsearch, space_file, without_comments


class SpaceFiles(unittest.TestCase):
    def test_whole_ones_are_valid(self):
        whole = [block for page in PAGES for block in blocks(page) if space_file(block)]
        self.assertGreaterEqual(len(whole), 4)
        for block in whole:
            with self.subTest(page=block.page.name, line=block.line), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "space.json").write_text(block.text)
                for script in re.findall(r'"([\w-]+\.(?:py|sh))"', block.text):
                    pathlib.Path(folder, script).touch()
                result = hpsearch("validate", "space.json", folder=folder)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_parts_are_json(self):
        for page in PAGES:
            for block in blocks(page):
                if block.language not in ("json", "jsonc") or space_file(block):
                    continue
                with self.subTest(page=page.name, line=block.line):
                    json.loads("{" + without_comments(block.text).strip().rstrip(",") + "}")


if __name__ == "__main__":
    unittest.main()
