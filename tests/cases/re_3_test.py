"""RE-3: number formats in a reported value."""

import os
import shutil
import subprocess
import unittest

from case import Case

NUMBERS = {"7.5e-05": 7.5e-05, "888": 888, "888.33": 888.33, ".98": 0.98, "+1E3": 1000, "-0.0": -0.0, "5.": 5}
TEXTS = ["12abc", "0,5", "", "--3", "1e5 2", "0x10"]

SPACE = {
    "metric": {"name": "loss", "goal": "maximize"},
    "params": {"v": [*NUMBERS, *TEXTS]},
    "command": ["sh", "t.sh", "{v}"],
    "hosts": [{"local": True, "slots": 1}],
    "search": {"sampler": "grid"},
    "limits": {"trials": 13},
}

# A locale of our own where none with a decimal comma is installed.
COMMA = 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'


def locale_with_comma(folder):
    """What to set in the environment for a decimal comma; None where the machine can't make such a locale."""
    if not shutil.which("localedef"):
        return None
    (folder / "comma").write_text(COMMA)
    subprocess.run(["localedef", "-c", "-i", folder / "comma", folder / "de_DE"], capture_output=True)
    if not (folder / "de_DE" / "LC_NUMERIC").exists():
        return None
    return {"LOCPATH": str(folder), "LC_NUMERIC": "de_DE", "LANG": "C"}


class NumberFormats(Case):
    def table(self, place, env):
        """(number, state, reason, detail, value) of every trial of a run in this environment."""
        place.env.pop("LC_ALL", None)
        place.env.update(env)
        place.write_space(SPACE)
        place.write_trial('report final loss="$1"\n')
        self.assert_ended(place.run())
        return [tuple(trial[key] for key in ("number", "state", "reason", "detail", "value")) for trial in place.trials()]

    def test_a_whole_token_is_taken_or_refused(self):
        self.table(self.place, {"LC_ALL": "C"})
        trials = {trial["params"]["v"]: trial for trial in self.place.trials()}
        self.assertEqual(len(trials), 13)
        for text, number in NUMBERS.items():
            self.assertEqual((trials[text]["state"], repr(trials[text]["value"])), ("completed", repr(float(number))))
        for text in TEXTS:
            self.assertEqual((trials[text]["state"], trials[text]["reason"]), ("failed", "no_metric"))
            self.assertIn(f'not a number: "{text}"', trials[text]["detail"])
            self.assertEqual(trials[text]["value"], text)
        self.assertEqual(self.place.best()["value"], 1000)

    def test_a_decimal_comma_in_the_locale_changes_nothing(self):
        env = locale_with_comma(self.root)
        if env is None:
            self.skipTest("no localedef here")
        comma = subprocess.run(["locale", "decimal_point"], env={**os.environ, **env, "LC_ALL": ""}, capture_output=True)
        self.assertEqual(comma.stdout, b",\n")
        self.assertEqual(self.table(self.fresh(), env), self.table(self.place, {"LC_ALL": "C"}))


if __name__ == "__main__":
    unittest.main()
