"""CL-4: mistakes in the space file; machine-readable answers."""

import unittest

from case import Case, poll, strict_json

FAULTY = """\
{"metric":{"name":"loss","gaol":"minimize"},
 "params":{"opt":{"lr":{"type":"float","lwo":"1e-4","high":1e-1}},
           "n":{"type":"integer","low":1,"high":4},
           "d":{"type":"float","low":0,"high":1}},
 "command":"sh t.sh {x} {n}",
 "search":{"algo":"bayesian","trials":"10"}}
"""

GOOD = """\
{"metric": {"name": "loss", "goal": "minimize"},
 "params": {"d": {"type": "float", "low": 0, "high": 1}},
 "command": ["sh", "t.sh", "{d}"],
 "limits": {"trials": 1}}
"""

# What the trial of a good study does, by its number: completes, fails, is waited for.
TRIAL = """\
case $HPSEARCH_TRIAL in
  1) report final loss="$1" ;;
  2) echo wrong >&2; exit 4 ;;
  *) touch "$CHK/ran"; while [ ! -e "$CHK/go" ]; do sleep 0.02; done; report final loss="$1" ;;
esac
"""


class Mistakes(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial('echo "$@" > "$CHK/ran"\nreport final loss=1\n')

    def assert_told(self, space, *words):
        """Refused by validate and run alike, on the error stream; nothing ran. Gives back the lines."""
        self.place.write_space(space)
        results = [self.place.hpsearch("validate", "space.json"), self.place.run()]
        for result in results:
            self.assert_refused(result, *words)
        self.assertEqual(self.place.studies(), [])
        self.assertFalse((self.place.chk / "ran").exists())
        self.assertEqual(results[0].err, results[1].err)
        return results[0].err.removeprefix("hpsearch: ").splitlines()

    def assert_accepted(self, space):
        """The warnings of validate; the file runs."""
        self.place.write_space(space)
        result = self.place.hpsearch("validate", "space.json")
        self.assert_ended(result)
        self.assert_ended(self.place.run())
        self.assertTrue((self.place.chk / "ran").exists())
        return result.err

    def test_all_faults_are_told_at_once_each_with_line_and_path(self):
        lines = self.assert_told(FAULTY)
        for place, *words in (
            ("space.json:1: metric.gaol: ", "unknown key", 'did you mean "goal"?'),
            ("space.json:2: params.opt: ", "group"),
            ("space.json:2: params.opt.lr.lwo: ", 'did you mean "low"?'),
            ("space.json:2: params.opt.lr.lwo: ", "must be a number", '"1e-4" is text'),
            ("space.json:3: params.n.type: ", '"integer"', 'did you mean "int"?'),
            ("space.json:5: command: ", "must be a list"),
            ("space.json:5: command: ", "{x} is neither a parameter nor a setting"),
            ("space.json:6: search.algo: ", 'did you mean "sampler"?'),
            ("space.json:6: search.algo: ", '"bayesian"', "available: "),
            ("space.json:6: search.trials: ", '"limits.trials"', '"10" is text'),
        ):
            told = [line for line in lines if line.startswith(place) and all(word in line for word in words)]
            self.assertEqual(len(told), 1, (place, words, lines))

    def test_a_key_given_twice(self):
        self.assert_told(GOOD.replace('"low": 0', '"low": 0, "low": 0.5'), "space.json:2:46: params.d.low: key given twice")

    def test_a_comma_after_the_last_item(self):
        self.assert_told(GOOD.replace("1}}\n", "1},}\n"), "space.json:4:25:", "comma after the last item")

    def test_comments_are_allowed(self):
        self.assertEqual(self.assert_accepted("// one\n" + GOOD.replace('"d":', '/* two */ "d":')), "")

    def test_a_byte_order_mark_is_allowed(self):
        self.assertEqual(self.assert_accepted("\ufeff" + GOOD), "")

    def test_an_empty_file(self):
        self.assert_told("", "space.json:1:1: the file is empty")

    def test_a_folder_in_place_of_a_file(self):
        (self.place.work / "space.json").mkdir()
        self.assert_refused(self.place.run(), "space.json: is a folder, not a file")

    def test_a_parameter_that_the_command_does_not_use_is_a_warning(self):
        unused = GOOD.replace('"params": {', '"params": {"u": [1, 2], ')
        self.assertRegex(self.assert_accepted(unused), "warning: params.u: not in the command")

    def test_a_name_that_is_not_defined(self):
        self.assert_told(GOOD.replace('"{d}"', '"{d}", "{x}"'), "space.json:3: command[3]: {x} is neither a parameter nor a setting")

    def test_literal_braces_are_doubled(self):
        self.assertEqual(self.assert_accepted(GOOD.replace('"{d}"', '"{{x}}", "{d}"')), "")
        self.assertTrue(self.place.lines("ran")[0].startswith("{x} "))
        fresh = self.place = self.fresh()
        fresh.write_trial("exit 0\n")
        self.assert_told(GOOD.replace('"{d}"', '"{d}", "{x"'), "space.json:3: command[3]:", 'a literal brace is written "{{"')

    def test_nan_as_a_bound(self):
        self.assert_told(GOOD.replace('"low": 0', '"low": NaN'), "space.json:2:43: params.d.low: NaN")

    def test_a_file_that_breaks_off(self):
        self.assert_told(GOOD[:90], "space.json:2:")


class MachineReadableAnswers(Case):
    def answers(self):
        """Every reading verb's answer to --json; a strict parser takes each, and nothing else is on the output."""
        verbs = (["trials"], ["show", "1"], ["show", "2"], ["show", "3"], ["best"], ["export"], ["status"],
                 ["status", "--rungs", "--rung-entries"], ["why", "1"], ["why", "2"], ["ps"])
        answers = {" ".join(words): self.place.json(*words) for words in verbs}
        answers["params"] = strict_json(self.place.hpsearch("show", "1", "--params").out)
        answers["reports"] = strict_json(self.place.hpsearch("export", "--reports", "--json").out)
        return answers

    def assert_same_names(self, trials, number):
        self.assertEqual([trial["number"] for trial in trials], list(range(1, number + 1)))
        for trial in trials:
            self.assertEqual(list(trial), list(trials[0]))

    def test_answers_parse_and_keep_their_names_in_every_state(self):
        self.place.write_space(GOOD.replace('"trials": 1', '"trials": 3').replace("}}\n", '}, "hosts": [{"local": true, "slots": 1}]}\n'))
        self.place.write_trial(TRIAL)
        process = self.place.start("run", "space.json")
        self.assertTrue(poll((self.place.chk / "ran").exists))
        self.assertTrue(poll(lambda: [trial["state"] for trial in self.place.trials()] == ["completed", "failed", "running"]))
        running = self.answers()
        (self.place.chk / "go").touch()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, out + err)
        ended = self.answers()
        for answers in (running, ended):
            for verb in ("trials", "export"):
                self.assert_same_names(answers[verb]["trials"], 3)
            self.assertEqual(list(answers["show 1"]), list(answers["show 2"]))
            self.assertEqual(list(answers["show 1"]), list(answers["show 3"]))
        for verb in running:
            self.assertEqual(set(running[verb]), set(ended[verb]), verb)

    def test_errors_are_on_the_error_stream(self):
        self.place.write_space(GOOD)
        self.place.write_trial("report final loss=1\n")
        for words in (["trials", "--json"], ["best", "--json"], ["export", "--json"], ["status", "--json"]):
            self.assert_refused(self.place.hpsearch(*words))
        self.assert_ended(self.place.run())
        for words in (["show", "9", "--json"], ["why", "9", "--json"], ["trials", "other", "--json"], ["best", "--jsno"]):
            result = self.place.hpsearch(*words)
            self.assert_refused(result)
            self.assertNotEqual(result.err, "")

    def test_validate_answers_in_json(self):
        self.place.write_space(GOOD)
        strict_json(self.place.hpsearch("validate", "space.json", "--json").out)
        self.place.write_space(FAULTY)
        result = self.place.hpsearch("validate", "space.json", "--json")
        self.assertEqual(result.code, 2)
        self.assertTrue(result.out == "" or strict_json(result.out))


if __name__ == "__main__":
    unittest.main()
