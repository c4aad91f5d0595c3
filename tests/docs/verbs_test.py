"""verbs.md has the verbs and options that --help has, and no others."""

import re
import unittest

from manual import ROOT, hpsearch

OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
# `report` reads its own words and explains them in the text below its help.
COMMON = {"-h", "--help"}


def help_of(*words):
    result = hpsearch(*words, "--help")
    assert result.returncode == 0, result.stderr
    return result.stdout


def options_of_help(text):
    lines = re.findall(r"^  (-[^\n]*)", text.partition("\nOptions:\n")[2].partition("\nSubcommands:")[0], re.M)
    return {option for line in lines for option in OPTION.findall(re.split(r"\s{2,}|Excludes|TEXT|INT|ENUM", line)[0])}


def options_of_table(section):
    cells = re.findall(r"^\| (`-.*?) \|", section, re.M)
    return {option for cell in cells for option in OPTION.findall(cell)}


def sections():
    parts = re.split(r"^### (\w+)\n", (ROOT / "docs/verbs.md").read_text(), flags=re.M)
    return parts[0], dict(zip(parts[1::2], parts[2::2]))


class Verbs(unittest.TestCase):
    def test_verbs(self):
        listed = re.findall(r"^  (\w+) ", help_of().partition("Subcommands:\n")[2], re.M)
        self.assertEqual(set(listed), set(sections()[1]))

    def test_common_options(self):
        self.assertEqual(options_of_table(sections()[0]), options_of_help(help_of()))

    def test_options_of_each_verb(self):
        for verb, section in sections()[1].items():
            with self.subTest(verb=verb):
                shown = help_of(verb)
                known = options_of_help(shown) - COMMON
                if verb == "report":
                    known |= {option for option in OPTION.findall(shown) if option.startswith("--")} - COMMON
                self.assertEqual(options_of_table(section), known)

    def test_positionals_of_each_verb(self):
        for verb, section in sections()[1].items():
            usage = help_of(verb).partition("[OPTIONS]")[2].partition("\n")[0].split()
            synopsis = re.search(rf"`hpsearch {verb}(.*?)`", section)[1]
            with self.subTest(verb=verb):
                self.assertTrue(all(word in synopsis for word in usage), (usage, synopsis))


if __name__ == "__main__":
    unittest.main()
