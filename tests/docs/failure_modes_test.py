"""failure-modes.md has every row, and every test that it names exists."""

import re
import unittest

from manual import ROOT

TESTS = ROOT / "tests"


def rows():
    """The first cell of each row of the tables -> the row."""
    text = (ROOT / "docs/failure-modes.md").read_text()
    return {match[1]: match[0] for match in re.finditer(r"^\| (\d+|[A-Z]+-\d) \|.*$", text, re.M)}


class FailureModes(unittest.TestCase):
    def test_every_mode_and_case_has_a_row_with_a_test(self):
        wanted = [str(number) for number in range(1, 45)] + ["GU-2", "GU-3", "GU-4", "GU-5", "RM-1", "RM-3", "RM-4"]
        self.assertEqual(list(rows()), wanted)
        for name, row in rows().items():
            self.assertRegex(row, r"`(tests/\S+\.py|\w+\.\w+)", name)

    def test_every_test_that_is_named_exists(self):
        known = {f"{suite}.{name}" for file in TESTS.rglob("*_test.cpp")
                 for suite, name in re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)", file.read_text(), re.M)}
        page = (ROOT / "docs/failure-modes.md").read_text().split("\n|", 1)[1]
        for named in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", page):
            self.assertTrue(named in known, named)
        for file, method in re.findall(r"`(tests/[\w/]+\.py)(?: (\w+))?`", page):
            text = (ROOT / file).read_text()
            self.assertTrue(f"def {method}(self" in text if method else text, f"{file} {method}")


if __name__ == "__main__":
    unittest.main()
