"""CL-2: a live view on a terminal only, plain lines elsewhere; quiet is quiet; results and talk on their own streams."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from case import BINARY, Case

TRIAL = """
printf '\\033[31mred from trial\\033[0m\\r'
report final loss="$1"
sleep "$PAUSE"
"""

COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def resize(terminal, columns, rows=24):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


class Screen:
    """A terminal as wide as told that knows what the live view uses: lines, cursor up, return, erase."""

    def __init__(self, columns):
        self.columns, self.rows, self.row, self.column = columns, [""], 0, 0
        self.wrapped = 0

    def feed(self, text):
        for control, up, plain in re.findall(r"(\x1b\[(\d*)[A-Za-z])|([^\x1b])", text):
            if control:
                self.control(control[-1], up)
            elif plain == "\n":
                self.row, self.column = self.row + 1, 0
                if self.row == len(self.rows):
                    self.rows.append("")
            elif plain == "\r":
                self.column = 0
            else:
                self.put(plain)

    def control(self, letter, number):
        if letter == "A":
            self.row = max(0, self.row - int(number or 1))
        elif letter in "JK":
            self.rows[self.row] = self.rows[self.row][:self.column]
            if letter == "J":
                del self.rows[self.row + 1:]

    def put(self, letter):
        if self.column == self.columns:
            self.wrapped += 1
            self.feed("\n")
        line = self.rows[self.row].ljust(self.column)
        self.rows[self.row] = line[:self.column] + letter + line[self.column + 1:]
        self.column += 1


class Cl2(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial(TRIAL)
        self.write(16)

    def write(self, trials, pause="0.1"):
        self.place.write_space({
            "metric": {"name": "loss", "goal": "minimize"},
            "params": {"x": {"type": "float", "low": 0, "high": 1}},
            "command": ["sh", "t.sh", "{x}"],
            "search": {"sampler": "random"},
            "trial": {"env": {"PAUSE": pause}},
            "limits": {"trials": trials},
            "hosts": [{"local": True, "slots": 8}]})

    def in_terminal(self, *words, columns=80, meanwhile=None, stdout_too=True, **env):
        """What the terminal got, the exit status and what went to the output if that is no terminal."""
        controller, terminal = pty.openpty()
        resize(controller, columns)
        out = terminal if stdout_too else open(self.place.root / "out", "wb")
        process = subprocess.Popen([BINARY, "run", "space.json", *words], cwd=self.place.work, stdin=terminal, stdout=out,
                                   stderr=terminal, start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0),
                                   env={**self.place.env, "TERM": "xterm", **env})
        os.close(terminal)
        got = b""
        while True:
            ready, _, _ = select.select([controller], [], [], 0.1)
            if ready:
                try:
                    got += os.read(controller, 65536)
                except OSError:
                    break
            elif process.poll() is not None:
                break
            if meanwhile:
                meanwhile(controller, got)
        os.close(controller)
        if not stdout_too:
            out.close()
        self.assertEqual(process.wait(timeout=60), 0, got.decode(errors="replace"))
        return got

    def check_plain(self, text):
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\r", text)
        self.assertNotIn("red from trial", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 200)

    def test_files(self):
        self.write(120, "0.02")
        result = self.place.run()
        self.assert_ended(result)
        self.check_plain(result.out)
        self.check_plain(result.err)
        lines = result.err.splitlines()
        ends = [line for line in lines if re.search(r" trial \d+ completed", line)]
        progress = [line for line in lines if " of 120: " in line]
        self.assertLessEqual(len(ends), 120)
        self.assertLessEqual(len(progress), 1 + result.seconds / 10)
        self.assertLessEqual(len(lines), len(ends) + len(progress) + 2)
        self.assertIn("best", lines[-1])
        self.assertRegex(result.out.splitlines()[-1], r"^best: trial \d+: loss ")

    def test_live_view_on_a_terminal(self):
        got = self.in_terminal()
        self.assertRegex(got, COLOUR)
        self.assertIn(b"\x1b[", got)
        self.assertNotIn(b"red from trial", got)

    def test_dumb_terminal(self):
        got = self.in_terminal(TERM="dumb")
        self.assertNotIn(b"\x1b", got)
        self.assertNotIn(b"\r", got.replace(b"\r\n", b"\n"))
        self.assertIn(b"trial 16 completed", got)

    def test_no_colour(self):
        for words, env in (([], {"NO_COLOR": "1"}), (["--no-color"], {})):
            with self.subTest(words=words, env=env):
                self.assertNotRegex(self.in_terminal("--new", *words, **env), COLOUR)

    def test_results_on_the_output_talk_on_the_error_stream(self):
        self.in_terminal(stdout_too=False)
        out = (self.place.root / "out").read_text()
        self.check_plain(out)
        self.assertRegex(out.splitlines()[-1], r"^best: trial \d+: loss ")

    def test_narrow_terminal(self):
        text = self.in_terminal(columns=40, stdout_too=False).decode().replace("\r\n", "\n")
        view = text.partition("\n")[2]  # After the start line, which wraps as any text does and is never redrawn.
        screen = Screen(40)
        screen.feed(view)
        self.assertEqual(screen.wrapped, 0, text)
        self.assertEqual(sum(row.startswith("trials") for row in screen.rows), 1, screen.rows)
        self.assertIn("16 of 16", "\n".join(screen.rows))

    def test_resized_while_running(self):
        self.write(48)
        widths = [70, 25, 100, 40, 1, 60]
        drawings = [0]

        def shrink(controller, got):
            if widths and got.count(b"\x1b[J") > drawings[0]:
                drawings[0] = got.count(b"\x1b[J")
                resize(controller, widths.pop(0))

        got = self.in_terminal(columns=80, meanwhile=shrink, stdout_too=False)
        self.assertLess(len(widths), 4, got)

    def test_quiet(self):
        quiet = self.place.run("-q")
        self.assert_ended(quiet)
        self.assertEqual(quiet.err, "")
        self.assertIn("best: trial", quiet.out)
        very_quiet = self.place.run("--new", "-qq")
        self.assert_ended(very_quiet)
        self.assertEqual((very_quiet.out, very_quiet.err), ("", ""))
        for again in (self.place.run("-qq"), self.place.hpsearch("resume", "space", "-qq"),
                      self.place.hpsearch("resume", "space", "-qq", "--more-trials", 1)):
            self.assert_ended(again)
            self.assertEqual((again.out, again.err), ("", ""))

    def test_verbose(self):
        result = self.place.run("-v")
        self.assert_ended(result)
        self.check_plain(result.err)
        for told in (r"trial 1 suggested by random", r"trial 1 attempt 1 given to \S+", r"trial 1 attempt 1 ended, exit 0"):
            self.assertRegex(result.err, told)

    def test_output_closed(self):
        process = self.place.start("run", "space.json")
        process.stdout.close()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err.decode())
        both = self.place.start("run", "space.json", "--new")
        both.stdout.close()
        both.stderr.close()
        self.assertEqual(both.wait(timeout=60), 0)
        for study in ("space", "space-2"):
            self.assertEqual(self.place.json("status", study)["trials"]["completed"], 16)

    def test_head_takes_the_first_line(self):
        command = f"'{BINARY}' run space.json 2>&1 | head -1; '{BINARY}' trials | head -1"
        result = subprocess.run(["bash", "-c", command], cwd=self.place.work, env=self.place.env, capture_output=True,
                                timeout=60)
        self.assertEqual(len(result.stdout.splitlines()), 2, result.stdout)
        self.assertEqual(result.stderr, b"")
        self.assertEqual(self.place.json("status")["trials"]["completed"], 16)

    def test_in_the_background_of_a_terminal(self):
        for words in (["nohup"], []):
            with self.subTest(words=words):
                self.assertEqual(self.background(words), 0)
        self.assertEqual({self.place.json("status", s)["trials"]["completed"] for s in ("space", "space-2")}, {16})

    def background(self, words):
        """The exit status of a run in a background group of a terminal."""
        script = f"set -m; {' '.join(words)} '{BINARY}' run space.json --new & wait $!; echo status $?"
        controller, terminal = pty.openpty()
        shell = subprocess.Popen(["bash", "-c", script], cwd=self.place.work, stdin=terminal, stdout=terminal,
                                 stderr=terminal, start_new_session=True,
                                 preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                                 env={**self.place.env, "TERM": "xterm"})
        os.close(terminal)
        got = b""
        end = time.monotonic() + 60
        while b"status" not in got and time.monotonic() < end:
            if select.select([controller], [], [], 0.1)[0]:
                try:
                    got += os.read(controller, 65536)
                except OSError:
                    break
        os.close(controller)
        shell.send_signal(signal.SIGKILL)
        shell.wait()
        found = re.search(rb"status (\d+)", got)
        self.assertTrue(found, got)
        return int(found.group(1))


if __name__ == "__main__":
    unittest.main()
