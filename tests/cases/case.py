"""What the acceptance cases share: a fresh folder with a space file and a trial, and the program run there from outside.

A case is a unittest.TestCase derived from `Case`, in a file of its own, run as a program. HPSEARCH_BINARY names hpsearch.
"""

import collections
import contextlib
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ.get("HPSEARCH_BINARY", "hpsearch")

# `report STEP name=value ...` sends one report, `report final name=value` a closing value; the text goes through unchanged.
SHIM = """\
report() {
  if [ "$1" = final ]; then shift; fi
  "$HPSEARCH_BINARY" report "$@"
}
"""

# Exit status, both streams as text, and wall time of one finished command.
Result = collections.namedtuple("Result", "code out err seconds")


def strict_json(text):
    """The parsed text; bare NaN and Infinity and doubled keys, which Python lets pass, are errors."""

    def refuse(word):
        raise ValueError("not JSON: " + word)

    def members(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a doubled key in " + repr([key for key, _ in pairs]))
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=members)


def poll(condition, seconds=30.0):
    """The first true answer of `condition`, asked until then; None when the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.02)
    return None


def processes_under(folder):
    """Pids of processes that work in the folder, name it in an argument or got it in their environment, this one aside."""
    folder = os.fsencode(str(folder))
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes() + b"\0" + (entry / "environ").read_bytes()
            if folder in words or os.fsencode(os.readlink(entry / "cwd")).startswith(folder):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


class Workplace:
    """A fresh folder: `work` holds space.json, t.sh, shim.sh and the studies; `chk` is what trials see as $CHK."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.work = self.root / "work"
        self.chk = self.root / "chk"
        self.work.mkdir(parents=True)
        self.chk.mkdir()
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("HPSEARCH_")}
        self.env.update(HPSEARCH_BINARY=BINARY, CHK=str(self.chk))
        (self.work / "shim.sh").write_text(SHIM)

    def cut_to_beginning(self, study):
        """Leaves the study as a scheduler that was killed right after its first event does: without any trial."""
        with contextlib.closing(sqlite3.connect(self.work / "hpsearch-studies" / study / "study.db")) as database:
            database.executescript("DELETE FROM event WHERE seq > 1; DELETE FROM report; DELETE FROM trial;"
                                   "UPDATE summary SET seq = 1, projected_seq = 0, best = NULL, ended = NULL;")

    def write_space(self, space, name="space.json"):
        """Writes the space file from a dict, or from text or bytes as they are."""
        if isinstance(space, dict):
            space = json.dumps(space, indent=1)
        if isinstance(space, str):
            space = space.encode()
        (self.work / name).write_bytes(space)

    def write_trial(self, body, name="t.sh"):
        """Writes the trial; it sources shim.sh first."""
        (self.work / name).write_text(". ./shim.sh\n" + body)

    def start(self, *words, env=None, **more):
        """A running hpsearch with both streams in pipes, unless told otherwise."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([BINARY, *map(str, words)], cwd=self.work, env={**self.env, **(env or {})}, **{**pipes, **more})

    def hpsearch(self, *words, env=None, timeout=120):
        """Runs hpsearch to its end; TimeoutExpired, with the process killed, if that takes too long."""
        begin = time.monotonic()
        process = self.start(*words, env=env)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"hpsearch {words} did not end in {timeout} s\n{out.decode()}\n{err.decode()}")
        return Result(process.returncode, out.decode(), err.decode(), time.monotonic() - begin)

    def run(self, *words, **more):
        """`hpsearch run space.json` and these words."""
        return self.hpsearch("run", "space.json", *words, **more)

    def json(self, *words):
        """The parsed answer of a reading verb to --json, which must end well."""
        result = self.hpsearch(*words, "--json")
        if result.code != 0:
            raise AssertionError(f"hpsearch {words} --json ended with {result.code}: {result.err}")
        return strict_json(result.out)

    def begun(self, study):
        """Whether there is something to read; a database lies there a moment before its first event."""
        return (self.work / "hpsearch-studies" / study / "study.db").exists() and self.hpsearch("trials", study).code == 0

    def trials(self, *words):
        """The list of trials, as dicts, in the order of their numbers."""
        return self.json("trials", *words)["trials"]

    def show(self, trial, *words):
        return self.json("show", trial, *words)

    def best(self, *words):
        """The best trial, or None."""
        found = self.json("best", *words)["best"]
        return found[0] if found else None

    def export(self, *words):
        """The trials of the JSON export."""
        return strict_json(self.hpsearch("export", "--format", "json", *words).out)["trials"]

    def export_csv(self, *words):
        """The rows of the CSV export, as dicts of text."""
        return list(csv.DictReader(io.StringIO(self.hpsearch("export", "--format", "csv", *words).out, newline="")))

    def lines(self, name):
        """The lines that trials appended to a file in $CHK; none where it is absent."""
        file = self.chk / name
        return file.read_text().splitlines() if file.exists() else []

    def studies(self):
        """The folders of the studies here."""
        folder = self.work / "hpsearch-studies"
        return sorted(folder.iterdir()) if folder.exists() else []


class Case(unittest.TestCase):
    """Gives every test a fresh `place`; at the end whatever still runs in its folders is killed and the folders go."""

    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="hpsearch-case-"))
        self.addCleanup(self._clear)
        self._places = 0
        self.place = self.fresh()

    def fresh(self):
        """Another empty workplace of this test."""
        self._places += 1
        return Workplace(self.root / str(self._places))

    def _clear(self):
        while True:
            left = processes_under(self.root)
            if not left:
                break
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)
        shutil.rmtree(self.root, ignore_errors=True)

    def assert_ended(self, result, code=0):
        self.assertEqual(result.code, code, f"\n--- output\n{result.out}\n--- errors\n{result.err}")

    def assert_refused(self, result, *words):
        """Exit 2, nothing on the output, every word on the error stream."""
        self.assert_ended(result, 2)
        self.assertEqual(result.out, "")
        for word in words:
            self.assertIn(word, result.err)
