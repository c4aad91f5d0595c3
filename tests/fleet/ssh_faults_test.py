"""What goes wrong around ssh hosts: firewalls, long cuts, odd accounts and shells, wrong clocks, full disks, other builds."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import sys
import time
import unittest

from fleet_lab import BINARY, ODD, SHOW, digests, poll
from ssh_case import SshCase

WALL_CLOCK = os.environ.get("HPSEARCH_WALL_CLOCK", "")  # The library that sets clocks wrong.

# Reports to the end, each half second, after a word from each; a silent one reports once, at its end.
TWO_KINDS = """\
for n in $(seq 50); do
  sleep 0.5
  [ $1 = chatty ] && echo line $n && { hpsearch report $n loss=1 || exit 0; }
done
[ $1 = chatty ] || hpsearch report 50 loss=2
"""


class SshFaults(SshCase):
    def test_a_firewall_that_resets_costs_nothing(self):
        self.hosts(1)
        session = self.lab.start("run", self.lab.space([self.relayed("h1")], trials=2, steps=30))
        self.assertTrue(poll(lambda: self.reports() > 4))
        self.relay.closed = True
        self.assertTrue(poll(lambda: self.lab.events("host_seen")[-1]["state"] == "unreachable"))
        time.sleep(3)
        self.assertLessEqual(self.relay.resets, 6, "it tries again with growing pauses")
        self.relay.closed = False
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(self.lab.events("host_seen")[-1]["state"], "up")
        self.assertEqual(set(self.lab.steps()), {(1, 1), (2, 1)})
        self.assert_exactly_once(2, 30)

    def test_a_chatty_and_a_silent_trial_outlast_a_cut_that_every_time_out_notices(self):
        hosts = self.hosts(1)
        (self.lab.folder / "kinds.sh").write_text(TWO_KINDS)
        space = self.lab.space(hosts, trials=2, steps=50, command=["sh", "kinds.sh", "{kind}"], files=["*.sh"], trial={},
                               params={"kind": {"type": "choice", "choices": ["chatty", "silent"]}}, search={"sampler": "grid", "pruner": "none"})
        session = self.lab.start("run", space)
        self.assertTrue(poll(lambda: self.reports() > 2))
        self.stand.cut("h1")
        unreachable = lambda: self.lab.events("host_seen")[-1]["state"] == "unreachable"
        self.assertTrue(poll(unreachable), "ssh and the agent's channel give up after 15 to 20 s")
        self.stand.heal("h1")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(self.lab.steps(), {(1, 1): [float(n) for n in range(1, 51)], (2, 1): [50.0]})

    def test_forty_trials_of_a_host_share_one_connection(self):
        self.hosts(1)
        space = self.lab.space([self.entry("h1", slots=40)], trials=40, steps=1, trial={"env": {"STEP": "3"}})
        session = self.lab.start("run", space)
        together = connections = 0
        while session.poll() is None:
            running = self.stand.processes("h1")
            together = max(together, sum("train.sh" in p.args for p in running))
            connections = max(connections, sum(p.args.startswith("sshd: ") and "@" in p.args for p in running))
            time.sleep(0.1)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertGreater(together, 10)  # More than MaxSessions and MaxStartups allow.
        self.assertEqual(connections, 1)
        self.assert_exactly_once(40, 1)

    def test_accounts_and_hosts_that_do_not_answer_hold_nobody_up(self):
        good, password, unknown, changed, silent = self.hosts(5, locked={"h2"}, unknown={"h3"}, changed={"h4"})
        wrong = {**self.entry("stranger@h1"), "name": "wrong-user"}
        nowhere = self.entry("nowhere.invalid")
        self.stand.cut("h5")
        begin = time.monotonic()
        space = self.lab.space([silent, password, unknown, changed, wrong, nowhere, good], trials=6, steps=1, trial={"gpus": 0, "env": {"STEP": "1"}})
        session = self.lab.start("run", space)
        self.assertTrue(poll(lambda: self.lab.events("attempt_started")))
        self.assertLess(time.monotonic() - begin, 5, "the first trial waits for no host but its own")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(set(self.lab.planned().values()), {"h1"})
        reasons = self.refusals()
        self.assertEqual(set(reasons), {"h2", "h3", "h4", "wrong-user", "nowhere.invalid"})
        self.assertIn("Permission denied", reasons["wrong-user"])
        said = session.log.read_text()
        for secret in ("key", "known_hosts", "authorized_keys"):
            self.assertNotIn(str(self.stand.folder / secret), said)

    def test_with_a_silent_host_only_the_study_ends_soon(self):
        self.hosts(1)
        self.stand.cut("h1")
        begin = time.monotonic()
        session = self.lab.start("run", self.lab.space([self.entry("h1", lost_after="2s")]))
        self.lab.finish(session, 40)
        self.assertNotEqual(session.returncode, 0)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn("h1", session.log.read_text())

    def test_noisy_slow_and_foreign_login_shells(self):
        if not os.path.exists("/bin/csh"):
            self.skipTest("tcsh is not installed")
        hosts = self.hosts(2, noisy={"h1", "h2"})
        (self.stand.home("h1") / ".bashrc").write_text("sleep 0.3\necho Welcome; printf 'no newline at the end'\n")
        accounts = self.stand.folder / "passwd"
        accounts.write_text("\n".join(line.rsplit(":", 1)[0] + ":/bin/csh" if line.startswith("root:") else line
                                      for line in pathlib.Path("/etc/passwd").read_text().splitlines()) + "\n")
        self.assertEqual(self.stand.run("h2", ["mount", "--bind", str(accounts), "/etc/passwd"]).returncode, 0)
        (self.stand.home("h2") / ".cshrc").write_text("echo Welcome to csh\nset prompt = '%'\n")
        done = self.lab.run("run", self.lab.space(hosts, trials=4, steps=1))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.planned().values()), {"h1", "h2"})
        self.assert_exactly_once(4, 1)

    def test_odd_parameters_and_a_folder_with_blanks(self):
        self.hosts(1)
        (self.lab.folder / "show.py").write_text(SHOW)
        space = self.lab.space([self.entry("h1", dir="~/it's my $HOME/a \"b\"")], trials=1, params=ODD, files=["*.py"],
                               command=["python3", "show.py", *("{%s}" % name for name in ODD)], resource={"name": "epoch", "max": 1})
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads((self.lab.folder / "hpsearch-studies/study/trials/0001/attempts/1/stdout.log").read_text())
        self.assertEqual(seen, digests(ODD.values()))
        self.assertFalse((self.stand.place("h1", "/tmp") / "owned").exists())
        self.assertTrue((self.stand.home("h1") / "it's my $HOME/a \"b\"").is_dir())

    @unittest.skipUnless(WALL_CLOCK, "HPSEARCH_WALL_CLOCK names no library")
    def test_a_hosts_clock_that_is_wrong_and_jumps_back_changes_nothing(self):
        self.hosts(1, shared=[os.path.dirname(BINARY), os.path.dirname(WALL_CLOCK)])
        home = self.stand.home("h1")
        clock = home / "clock"
        clock.write_text("3600")
        (home / "with-clock").write_text(f'#!/bin/sh\nWALL_CLOCK=$HOME/clock LD_PRELOAD={WALL_CLOCK} exec {BINARY} "$@"\n')
        (home / "with-clock").chmod(0o755)
        host = self.entry("h1", program=f"{os.path.expanduser('~root')}/with-clock", lost_after="1m")
        space = self.lab.space([host], steps=15, limits={"trials": 2, "trial_time": "40s", "silence": "20s"})
        session = self.lab.start("run", space)
        self.assertTrue(poll(lambda: self.reports() > 6))
        clock.write_text("-3600")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assert_exactly_once(2, 15)
        ends = [e["ended_at"] for e in self.lab.events("attempt_ended")]
        self.assertTrue(all(abs(at / 1000 - time.time() + 3600) < 60 for at in ends), "the clock was wrong")
        self.assertEqual({e["state"] for e in self.lab.events("trial_settled")}, {"completed"})
        self.assert_replays()

    def test_a_full_and_a_read_only_disk_fail_trials_with_the_reason(self):
        self.hosts(2)
        (self.lab.folder / "fill.sh").write_text('cat /dev/zero >"$HPSEARCH_ARTIFACT_DIR/big" || exit 9\n')
        for name in ("h1", "h2"):
            folder = self.stand.home(name) / "hpsearch-studies"
            folder.mkdir()
            at = f"{os.path.expanduser('~root')}/hpsearch-studies"
            self.assertEqual(self.stand.run(name, ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", at]).returncode, 0)
        self.assertEqual(self.stand.run("h2", ["mount", "-o", "remount,ro", at]).returncode, 0)
        hosts = [self.entry("h1", slots=1), self.entry("h2")]
        space = self.lab.space(hosts, trials=2, steps=1, command=["sh", "fill.sh", "{x}"], files=["*.sh"])
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Read-only file system", self.refusals()["h2"])
        filled, full = [e for e in self.lab.events("trial_settled") if e["state"] == "failed"]
        self.assertEqual((filled["failure"], filled["code"]), ("exit", 9))
        self.assertEqual(full["failure"], "launch")
        self.assertIn("No space left on device", full["detail"])
        self.assert_replays()

    def test_an_agent_of_another_protocol_is_refused(self):
        (self.lab.folder / "agent.py").write_text(
            "import sys\nprint('hpsearch agent, protocol 1', flush=True)\nsys.stdin.readline()\n"
            "print('{\"hello\": {\"protocol\": 0, \"dir\": \"/\", \"folder\": \"/\"}}', flush=True)\nsys.stdin.read()\n")
        (self.lab.folder / "older.py").write_text("import sys\nprint('hpsearch agent, protocol 0', flush=True)\nsys.exit(0)\n")
        hosts = [{"command": [sys.executable, str(self.lab.folder / name)], "name": name} for name in ("agent.py", "older.py")]
        session = self.lab.start("run", self.lab.space([{**host, "lost_after": "2s"} for host in hosts]))
        self.lab.finish(session, 30)
        self.assertNotEqual(session.returncode, 0)
        self.assertFalse(self.lab.planned())
        self.assertIn("another version", self.refusals()["agent.py"])
        self.assertIn("protocol 0", session.log.read_text())

    def test_keepers_of_an_older_build_finish_under_a_newer_scheduler(self):
        hosts = self.hosts(1)
        newer = self.dir / "newer"
        shutil.copy(BINARY, newer)
        with open(newer, "ab") as program:
            program.write(b"\nanother build\n")
        first = self.lab.start("run", self.lab.space(hosts, trials=3, steps=25))
        self.assertTrue(poll(lambda: self.reports() > 6))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        done = self.lab.run("resume", "study", program=newer)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.steps()), {(1, 1), (2, 1), (3, 1)})
        self.assert_exactly_once(3, 25)
        builds = list((self.stand.home("h1") / ".cache/hpsearch").iterdir())
        self.assertEqual(len(builds), 2, "each build has its own place there")

    def test_what_is_cut_while_it_is_sent_is_sent_again_and_an_edit_is_another_tree(self):
        self.hosts(1)
        model = os.urandom(6 << 20)
        (self.lab.folder / "model").write_bytes(model)
        (self.lab.folder / "sum.sh").write_text('echo $(sha256sum <model) one; hpsearch report 1 loss=1\n')
        host = self.relayed("h1", cuts=[1 << 20, os.path.getsize(BINARY) + (3 << 20)])
        space = self.lab.space([host], trials=2, steps=1, command=["sh", "sum.sh", "{x}"], files=["*.sh", "model"])
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(self.relay.resets, 4, "cut while the program and while the files were sent")
        (self.lab.folder / "sum.sh").write_text('echo $(sha256sum <model) two; hpsearch report 1 loss=1\n')
        done = self.lab.run("resume", space, "--more-trials", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the program has changed since trials 1 to 2 began", done.stderr)
        digest = hashlib.sha256(model).hexdigest()
        there = self.stand.home("h1") / "hpsearch-studies"
        outputs = sorted(log.read_text() for log in there.glob("study-*/trials/*/attempts/1/stdout.log"))
        self.assertEqual(outputs, [f"{digest} - one\n"] * 2 + [f"{digest} - two\n"])
        trees = [entry.name for entry in (there / "code").iterdir() if len(entry.name) == 64]
        self.assertEqual(len(trees), 2)
        ran_in = {json.loads(launch.read_text())["folder"].rsplit("/", 1)[-1] for launch in there.glob("study-*/trials/*/attempts/1/launch.json")}
        self.assertEqual(ran_in, set(trees), "each attempt says which tree it ran")

    def test_a_host_that_left_the_file_keeps_the_trials_it_runs(self):
        hosts = self.hosts(2)
        first = self.lab.start("run", self.lab.space(hosts, trials=4, steps=25))
        self.assertTrue(poll(lambda: self.reports() > 6))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        (self.lab.folder / "other.json").write_text(json.dumps(hosts[1:]))
        done = self.lab.run("resume", "study", "--hosts", "other.json", "--more-trials", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        planned = self.lab.planned()
        self.assertEqual(set(planned), {(trial, 1) for trial in range(1, 8)})
        self.assertEqual([planned[trial, 1] for trial in range(5, 8)], ["h2"] * 3)
        self.assertIn("h1", {planned[trial, 1] for trial in range(1, 5)})
        self.assert_exactly_once(7, 25)

    def test_a_stranger_with_a_dead_trials_number_is_left_alone(self):
        hosts = self.hosts(1)
        first = self.lab.start("run", self.lab.space([{**hosts[0], "slots": 1}], trials=1, steps=10))
        self.assertTrue(poll(lambda: self.reports() > 2))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        self.stand.run("h1", ["pkill", "-9", "-f", "hpsearch|train.sh"])
        number = self.lab.events("attempt_started")[0]["pid"]
        again = f"echo {number - 1} >/proc/sys/kernel/ns_last_pid; sleep 600 >&- 2>&- <&- & echo $!"
        self.assertTrue(poll(lambda: self.stand.run("h1", ["sh", "-c", again]).stdout.strip() == str(number), 10))
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.lab.planned()), 2)
        self.assertEqual(self.stand.run("h1", ["kill", "-0", str(number)]).returncode, 0)

    def test_setup_lines_that_talk_or_hang_and_folders_that_can_not_be_made(self):
        self.hosts(3)
        hosts = [self.entry("h1", setup="echo a banner; echo on both >&2"), self.entry("h2", setup="sleep 600"),
                 self.entry("h3", dir="/proc/nowhere")]
        done = self.lab.run("run", self.lab.space(hosts, trials=2, steps=1))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.planned().values()), {"h1"})
        self.assertEqual(poll(lambda: set(self.refusals()) == {"h2", "h3"}, 1), True, self.lab.events("host_seen"))
        self.assertIn("does not end", self.refusals()["h2"])
        self.assertIn("/proc/nowhere", self.refusals()["h3"])


if __name__ == "__main__":
    unittest.main()
