"""A study over hosts reached by ssh: what a cut link, a dead agent, scheduler or host, and a wrong set-up do to it."""

import json
import os
import signal
import time
import unittest

from fleet_lab import poll
from ssh_case import SshCase


class SshTest(SshCase):
    def test_one_study_over_this_machine_and_two_others(self):
        hosts = self.hosts(2)
        space = self.lab.space([*hosts, {"local": True, "slots": 1}], trials=15, steps=3)
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.planned().values()), {"h1", "h2", "local"})
        self.assert_exactly_once(15, 3)
        self.assert_replays()
        ((number,),) = self.lab.rows("SELECT best FROM summary")
        kept = list((self.lab.folder / f"hpsearch-studies/study/trials/{number:04}/attempts").glob("*/stdout.log"))
        self.assertTrue(kept, "the best trial's logs came home")

    def test_promotions_go_on_from_checkpoints_wherever_they_run(self):
        hosts = self.hosts(2)
        space = self.lab.space(hosts, trials=18, steps=9, search={"pruner": "asha", "seed": 2}, trial={"checkpoint": True, "env": {"STEP": "0.05"}})
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = [e for e in self.lab.events("attempt_planned") if e["attempt"] > 1]
        self.assertTrue(again)
        self.assertTrue(all(e.get("resume_checkpoint") for e in again))
        for (trial, attempt), steps in self.lab.steps().items():
            if attempt > 1:
                self.assertGreater(steps[0], 1, "it went on, it did not begin anew")
        self.assert_replays()
        # The last word of all may be cut off by the end of the study.
        self.assertLessEqual(len(self.outlived_checkpoints()), 1, self.outlived_checkpoints())

    def outlived_checkpoints(self):
        """Folders on the hosts that a later attempt has gone on from, wherever it did."""
        last = {trial: attempt for trial, attempt in sorted(self.lab.planned())}
        folders = [path for name in self.stand.names for path in self.stand.home(name).glob("hpsearch-studies/*/trials/*/attempts/*/checkpoint")]
        return [path for path in folders if int(path.parent.name) < last[int(path.parents[2].name)]]

    def test_a_cut_link_costs_nothing(self):
        hosts = self.hosts(2)
        session = self.lab.start("run", self.lab.space(hosts, trials=4, steps=40))
        self.assertTrue(poll(lambda: self.reports() > 12))
        self.stand.cut("h1")
        time.sleep(4)
        self.stand.heal("h1")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(set(self.lab.steps()), {(trial, 1) for trial in range(1, 5)})
        self.assert_exactly_once(4, 40)

    def test_hung_up_sessions_and_a_killed_agent_are_taken_up_again(self):
        hosts = self.hosts(1)
        session = self.lab.start("run", self.lab.space(hosts, trials=2, steps=40))
        self.assertTrue(poll(lambda: self.reports() > 4))
        self.stand.hang_up("h1")
        self.assertTrue(poll(lambda: any(e["state"] == "unreachable" for e in self.lab.events("host_seen"))))
        self.assertTrue(poll(lambda: self.lab.events("host_seen")[-1]["state"] == "up"))
        self.stand.run("h1", ["pkill", "-9", "-f", "agent --stdio"])
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(set(self.lab.steps()), {(1, 1), (2, 1)})
        self.assert_exactly_once(2, 40)

    def test_a_killed_scheduler_adopts_what_runs_on_hosts(self):
        hosts = self.hosts(2)
        first = self.lab.start("run", self.lab.space(hosts, trials=4, steps=30))
        self.assertTrue(poll(lambda: self.reports() > 8))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        time.sleep(2)
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.steps()), {(trial, 1) for trial in range(1, 5)})
        self.assert_exactly_once(4, 30)
        self.assert_replays()

    def test_a_rebooted_host_gives_its_trials_back_from_their_checkpoints(self):
        hosts = self.hosts(2)
        session = self.lab.start("run", self.lab.space(hosts, trials=4, steps=30))
        self.assertTrue(poll(lambda: self.reports() > 20))
        self.stand.reboot("h1")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        again = [e for e in self.lab.events("attempt_planned") if e["attempt"] > 1]
        self.assertTrue(again)
        self.assertTrue(all(e.get("resume_attempt") for e in again), again)
        self.assert_replays()

    def test_a_host_that_stays_away_gives_its_trials_back_once(self):
        self.hosts(2)
        hosts = [self.entry("h1", lost_after="3s"), self.entry("h2")]
        session = self.lab.start("run", self.lab.space(hosts, trials=4, steps=30))
        saved = lambda: {e["trial"] for e in self.lab.events("checkpoint_saved")}
        self.assertTrue(poll(lambda: saved() == {1, 2, 3, 4}))
        self.stand.kill("h1")
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        lost = [e for e in self.lab.events("attempt_ended") if e["end"]["kind"] == "lost"]
        self.assertEqual(len(lost), 2)
        again = {key for key in self.lab.planned() if key[1] > 1}
        self.assertEqual(len(again), 2)
        for key in again:
            self.assertEqual(self.lab.planned()[key], "h2")
            self.assertGreater(self.lab.steps()[key][0], 1, "from the checkpoint that had come home")

    def test_a_host_that_comes_back_has_its_given_up_trials_ended(self):
        self.hosts(2)
        hosts = [self.entry("h1", lost_after="1s", slots=1), self.entry("h2", slots=1)]
        session = self.lab.start("run", self.lab.space(hosts, trials=2, steps=60))
        self.assertTrue(poll(lambda: self.reports() > 6))
        self.stand.cut("h1")
        self.assertTrue(poll(lambda: [e for e in self.lab.events("attempt_ended") if e["end"]["kind"] == "lost"], 60))
        self.stand.heal("h1")
        running = lambda: [p for p in self.stand.processes("h1") if "train.sh" in p.args]
        self.assertTrue(running())
        self.assertTrue(poll(lambda: not running(), 60), "what ran on beside its successor")
        os.killpg(session.pid, signal.SIGKILL)

    def test_hosts_that_would_ask_or_differ_are_refused_with_the_reason(self):
        hosts = self.hosts(4, noisy={"h1"}, locked={"h2"}, unknown={"h3"}, changed={"h4"})
        hosts.append({"ssh": "nowhere.invalid", "ssh_options": ["-F", str(self.stand.config)]})
        done = self.lab.run("run", self.lab.space(hosts, trials=3, steps=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.planned().values()), {"h1"})
        reasons = {e["host"]: e.get("reason", "") for e in self.lab.events("host_seen") if e["state"] == "refused"}
        self.assertIn("Permission denied", reasons["h2"])
        self.assertIn("host key", reasons["h3"])
        self.assertIn("host key", reasons["h4"])
        self.assertIn("resolve", reasons["nowhere.invalid"])

    def test_with_no_usable_host_the_study_says_why_and_nothing_is_started(self):
        self.hosts(1, locked={"h1"})
        done = self.lab.run("run", self.lab.space([self.entry("h1")]))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("h1: refused: ", done.stderr)

    def test_a_setup_line_makes_the_environment(self):
        self.hosts(4)
        for name in ("h1", "h2", "h3", "h4"):
            tools = self.stand.home(name) / "tools"
            tools.mkdir()
            if name != "h3":
                (tools / "trainer").write_text("#!/bin/sh\nhpsearch report 1 loss=$1\necho \"$DATA|$2\"\n")
                (tools / "trainer").chmod(0o755)
        hosts = [self.entry("h1", setup='PATH=$HOME/tools:$PATH; export DATA="d one"', vars={"data": "d two"}),
                 self.entry("h2", setup="exit 1"), self.entry("h3", setup="PATH=$HOME/tools:$PATH"),
                 self.entry("h4", setup="PATH=$HOME/tools:$PATH; . ~/no/activate")]
        space = self.lab.space(hosts, trials=2, steps=1, command=["trainer", "{x}", "{data}"], settings={"data": "d"})
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        reasons = {e["host"]: e.get("reason", "") for e in self.lab.events("host_seen") if e["state"] == "refused"}
        self.assertIn("setup line", reasons["h2"])
        self.assertIn("command not found", reasons["h3"])
        self.assertIn("no/activate", reasons["h4"], "a line that fails is not passed over")
        self.assertEqual(set(self.lab.planned().values()), {"h1"})
        best = json.loads(self.lab.run("best", "--json").stdout)["best"][0]["number"]
        told = self.lab.run("logs", str(3 - best))
        self.assertEqual(told.returncode, 1, "the best trial's alone are here")
        self.assertIn(f"on host h1, its logs are there: hpsearch fetch {3 - best}", told.stderr)
        self.lab.run("fetch", "1")
        output = self.lab.folder / "hpsearch-studies/study/trials/0001/attempts/1/stdout.log"
        self.assertEqual(output.read_text(), "d one|d two\n")

    def test_odd_parameters_arrive_byte_for_byte(self):
        hosts = self.hosts(1)
        odd = "a 'b' \"c\" $(touch /tmp/owned) `x`\n-ä;|&"
        (self.lab.folder / "show.py").write_text("import sys, subprocess\nopen('/tmp/seen', 'w').write(sys.argv[1])\n"
                                                 "subprocess.run(['hpsearch', 'report', 'loss=1'])\n")
        space = self.lab.space(hosts, trials=1, command=["python3", "show.py", "{word}"], params={"word": odd}, files=["*.py"],
                               resource={"name": "epoch", "max": 1})
        self.assertEqual(self.lab.run("run", space).returncode, 0)
        self.assertEqual((self.stand.place("h1", "/tmp") / "seen").read_text(), odd)
        self.assertFalse((self.stand.place("h1", "/tmp") / "owned").exists())

    def test_trials_move_with_their_checkpoints_to_other_hosts(self):
        hosts = self.hosts(2)
        session = self.lab.start("run", self.lab.space(hosts[:1], trials=2, steps=20))
        self.assertTrue(poll(lambda: self.reports() > 6))
        os.kill(session.pid, signal.SIGINT)
        self.lab.finish(session)
        self.assertEqual(session.returncode, 130)
        (self.lab.folder / "other.json").write_text(json.dumps(hosts[1:]))
        done = self.lab.run("resume", "study", "--hosts", "other.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({self.lab.planned()[(t, 2)] for t in (1, 2)}, {"h2"})
        self.assert_exactly_once(2, 20)


if __name__ == "__main__":
    unittest.main()
