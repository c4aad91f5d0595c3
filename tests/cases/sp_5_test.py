"""SP-5: choices of mixed kinds: null, bool, number, text, list. (The run with tpe comes with that sampler.)"""

import json
import unittest

from case import Case, poll

CHOICES = [None, True, False, 2, "2", "", [64, 32], "a b"]
# As the manual says that each is written on a command line.
WRITTEN = ["null", "true", "false", "2", "2", "", "[64,32]", "a b"]

# The fourth trial waits until it may go on, so that the study is stopped at a known place.
TRIAL = """\
printf '<%s>\\n' "$1" >> "$CHK/vals"
while [ "$HPSEARCH_TRIAL" = 4 ] && [ ! -e "$CHK/go" ]; do sleep 0.02; done
report final loss="${#1}"
"""


def space(choices):
    return {
        "metric": {"name": "loss", "goal": "minimize"},
        "params": {"v": {"type": "choice", "choices": choices}},
        "command": ["sh", "t.sh", "{v}"],
        "hosts": [{"local": True, "slots": 1}],
        "search": {"sampler": "grid"},
        "limits": {"trials": 50},
    }


def kinds(values):
    """JSON texts, which differ for 2, 2.0, "2" and true."""
    return sorted(json.dumps(value) for value in values)


class MixedChoices(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial(TRIAL)

    def stop_after_four(self):
        process = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: len(self.place.lines("vals")) == 4))
        self.assert_ended(self.place.hpsearch("stop"))
        (self.place.chk / "go").touch()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertEqual(len(self.place.lines("vals")), 4)

    def test_a_choice_keeps_its_kind_through_stop_resume_and_export(self):
        self.place.write_space(space(CHOICES))
        self.stop_after_four()
        self.assert_ended(self.place.hpsearch("resume"))
        self.assertEqual(sorted(self.place.lines("vals")), sorted(f"<{text}>" for text in WRITTEN))
        trials = self.place.export()
        self.assertEqual(len(trials), 8)
        self.assertEqual(kinds(trial["params"]["v"] for trial in trials), kinds(CHOICES))
        self.assertTrue(all(trial["state"] == "completed" for trial in trials))
        self.assertEqual(self.place.best()["params"], {"v": ""})

    def assert_choices_refused(self, choices, *words):
        self.place.write_space(space(choices))
        self.assert_refused(self.place.run(), "params.v", *words)
        self.assertEqual(self.place.studies(), [])

    def test_an_empty_list_is_refused(self):
        self.assert_choices_refused([], "empty")

    def test_a_repeated_choice_is_refused(self):
        self.assert_choices_refused(["a", "a"], '"a" is given twice')

    def test_a_whole_number_and_the_same_float_are_refused(self):
        self.assert_choices_refused([1, 1.0], "1 and 1.0 are the same number")

    def test_a_whole_number_and_the_same_float_are_refused_at_resume_too(self):
        (self.place.chk / "go").touch()
        self.place.write_space(space([1, "x"]))
        self.assert_ended(self.place.run())
        self.place.write_space(space([1, "x", 1.0]))
        self.assert_refused(self.place.hpsearch("resume", "space.json"), "1 and 1.0 are the same number")
        self.assertEqual(kinds(trial["params"]["v"] for trial in self.place.export()), kinds([1, "x"]))


if __name__ == "__main__":
    unittest.main()
