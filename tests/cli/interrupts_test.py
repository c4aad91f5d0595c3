"""What ends a study from outside: Ctrl-C once, twice and thrice, a terminal that goes, a scheduler killed while trials end, and
programs that all fail."""

import fcntl
import os
import pty
import termios
import time
import unittest

from case import Case, poll

# Deaf trials take no TERM; others go on until they are told to leave.
TRIAL = """\
echo $$ >>"$CHK/pids"
[ -z "$DEAF" ] || trap '' TERM
n=0
while [ $n -lt ${STEPS:-200} ]; do n=$((n+1)); report $n loss=$1 || exit 0; sleep 0.1; done
"""


class Interrupts(Case):
    def write(self, trials=2, **trial):
        self.place.write_trial(TRIAL)
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": trials},
                                "search": {"seed": 3}, "trial": trial, "hosts": [{"local": True, "slots": 2}]})

    def on_terminal(self):
        """A session on a terminal of its own, once its trials report."""
        terminal, other = pty.openpty()
        session = self.place.start("run", "space.json", stdin=other, stdout=other, stderr=other, start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(other)
        self.addCleanup(session.kill)
        self.assertTrue(poll(lambda: len(self.place.lines("pids")) == 2 and self.reports() > 2))
        return session, terminal

    def reports(self):
        result = self.place.hpsearch("trials", "--json")
        return sum(trial["reports"] for trial in self.place.trials()) if result.code == 0 else 0

    def alive(self):
        alive = []
        for pid in map(int, self.place.lines("pids")):
            try:
                state = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
                alive += [pid] if state != "Z" else []
            except OSError:
                pass
        return alive

    def end(self, session, terminal, seconds=20):
        """Its exit status; the terminal is read meanwhile, or it would stand still."""
        os.set_blocking(terminal, False)

        def ended():
            try:
                os.read(terminal, 1 << 16)
            except OSError:
                pass
            return session.poll() is not None

        self.assertTrue(poll(ended, seconds), "it does not end")
        return session.returncode

    def test_once_pauses_trials_with_checkpoints_at_their_next_report(self):
        self.write(checkpoint=True)
        session, terminal = self.on_terminal()
        os.write(terminal, b"\x03")
        self.assertEqual(self.end(session, terminal), 130)
        self.assertEqual({trial["state"] for trial in self.place.trials()}, {"queued"})
        self.assertEqual(self.alive(), [])

    def test_once_lets_others_run_to_their_end_and_twice_ends_them(self):
        self.write(trials=4)
        session, terminal = self.on_terminal()
        os.write(terminal, b"\x03")
        time.sleep(1)
        self.assertEqual(len(self.alive()), 2)
        os.write(terminal, b"\x03")
        self.assertEqual(self.end(session, terminal), 130)
        self.assertEqual(self.alive(), [])
        self.assertEqual(len(self.place.lines("pids")), 2, "nothing new was started")

    def test_thrice_kills(self):
        self.write(env={"DEAF": "1"}, grace="60s")
        session, terminal = self.on_terminal()
        for _ in range(3):
            os.write(terminal, b"\x03")
            time.sleep(0.5)
        self.assertEqual(self.end(session, terminal), 130)
        self.assertEqual(self.alive(), [])

    def test_a_terminal_that_goes_leaves_the_trials(self):
        self.write(env={"STEPS": "25"})
        session, terminal = self.on_terminal()
        os.close(terminal)
        session.wait(20)
        self.assertEqual(len(self.alive()), 2)
        self.assert_ended(self.place.hpsearch("resume"))
        self.assertEqual([(trial["state"], trial["reports"], trial["attempts"]) for trial in self.place.trials()], [("completed", 25, 1)] * 2)

    def test_a_scheduler_killed_while_trials_end_loses_no_result(self):
        self.write(trials=4, env={"STEPS": "5"})
        undisturbed, self.place = self.place, self.fresh()
        self.assert_ended(undisturbed.run())
        self.write(trials=4, env={"STEPS": "5"})
        session = self.place.start("run", "space.json")
        self.assertTrue(poll(lambda: len(self.place.lines("pids")) == 2 and self.reports() > 2))
        session.kill()
        session.communicate()
        self.assertTrue(poll(lambda: len(list(self.place.work.glob("hpsearch-studies/*/trials/*/attempts/1/exit.json"))) == 2),
                        "the trials end by themselves")
        self.assert_ended(self.place.hpsearch("resume"))
        self.assertEqual([trial["attempts"] for trial in self.place.trials()], [1] * 4)
        self.assertEqual((self.place.best()["number"], self.place.best()["value"]), (undisturbed.best()["number"], undisturbed.best()["value"]))

    def test_when_all_trials_fail_the_study_ends_and_shows_the_last_words(self):
        self.write(trials=50)
        self.place.write_trial("echo to no avail >&2; exit 1\n")
        result = self.place.run()
        self.assert_ended(result, 3)
        self.assertIn("to no avail", result.err)
        self.assertLessEqual(len(self.place.trials()), 7)  # Five, and what ran beside them.


if __name__ == "__main__":
    unittest.main()
