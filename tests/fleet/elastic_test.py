"""Hosts that commands bring up and take down, with the hosts of a stand as the cloud."""

import json
import os
import signal
import unittest

from fleet_lab import FleetTest, poll
from ssh_hosts import SshHosts

# Hands out what is free. The folder of a machine holds the name of its instance; cloud.log, all that was asked.
UP = """#!/bin/sh
echo "up $1" >>cloud.log
if [ -e broken ]; then rm broken; echo "no capacity left" >&2; exit 3; fi
[ -e slow ] && sleep 3
for host in h1 h2 h3; do
  [ -e "dead/$host" ] && continue
  mkdir "cloud/$host" 2>/dev/null || continue
  echo "$1" >"cloud/$host/name"; echo "making $1 ..."; echo "$host"; echo; exit 0
done
exit 4
"""

DOWN = """#!/bin/sh
echo "down $1 $2" >>cloud.log
for host in cloud/*; do
  [ -e "$host/name" ] && [ "$(cat "$host/name")" = "$1" ] && rm -r "$host"
done
exit 0
"""


class ElasticTest(FleetTest):
    def setUp(self):
        super().setUp()
        self.stand = SshHosts(3, self.dir / "stand").__enter__()
        self.addCleanup(self.stand.__exit__, None, None, None)
        for name, text in (("up.sh", UP), ("down.sh", DOWN)):
            (self.lab.folder / name).write_text(text)
            (self.lab.folder / name).chmod(0o755)
        for name in ("cloud", "dead"):
            (self.lab.folder / name).mkdir()

    def entry(self, max=2, idle="10m", **more):
        elastic = {"launch": ["./up.sh", "{instance}"], "release": ["./down.sh", "{instance}", "{host}"], "max": max, "idle": idle}
        return {"elastic": elastic, "ssh": "{host}", "ssh_options": ["-F", str(self.stand.config)], "name": "cloud", "slots": 1,
                "price_per_hour": 3600, **more}

    def asked(self, what):
        log = self.lab.folder / "cloud.log"
        return [line.split() for line in (log.read_text().splitlines() if log.exists() else []) if line.startswith(what)]

    def taken(self):
        return sorted(path.name for path in (self.lab.folder / "cloud").iterdir())

    def seen(self, state):
        return [event for event in self.lab.events("host_seen") if event["state"] == state]

    def hosts(self):
        return json.loads(self.lab.run("hosts", "study", "--json").stdout)

    def reports(self):
        return sum(len(steps) for steps in self.lab.steps().values())

    def test_instances_come_when_trials_wait_and_go_at_the_end(self):
        session = self.lab.start("run", self.lab.space([self.entry()], trials=4, steps=5))
        self.assertTrue(poll(lambda: len(self.seen("up")) == 2))
        shown = self.hosts()["hosts"]
        self.assertEqual([(host["host"], host["state"]) for host in shown], [("cloud-1", "up"), ("cloud-2", "up")])
        self.assertEqual(sorted(host["address"] for host in shown), ["h1", "h2"])
        messages = self.lab.finish(session)
        self.assertEqual(session.returncode, 0, messages)
        self.assert_exactly_once(4, 5)
        self.assertEqual(len(self.asked("up")), 2, "no more than may be up, and no more than once each")
        self.assertEqual(sorted(down[2] for down in self.asked("down")), ["h1", "h2"])
        self.assertEqual(self.taken(), [])
        after = self.hosts()
        self.assertEqual([host["state"] for host in after["hosts"]], ["off", "off"])
        self.assertGreater(after["spent"]["by_host"]["cloud-1"]["cost"], 1, "of a machine that costs 1 a second")
        self.assert_replays()

    def test_any_command_may_reach_them(self):
        (self.lab.folder / "enter.sh").write_text(
            f"#!/bin/sh\nread pid _ <{self.stand.folder}/$1/pid; shift\n"
            'exec nsenter --target "$pid" --net --uts --mount --root --wd --pid=/proc/$pid/ns/pid_for_children "$@"\n')
        (self.lab.folder / "enter.sh").chmod(0o755)
        entry = self.entry(max=1, command=[str(self.lab.folder / "enter.sh"), "{host}"])
        del entry["ssh"], entry["ssh_options"]
        done = self.lab.run("run", self.lab.space([entry], trials=1, steps=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.lab.planned(), {(1, 1): "cloud-1"})
        self.assertEqual(self.taken(), [])

    def test_one_that_is_idle_goes_and_no_more_come_than_trials_wait(self):
        local = {"local": True, "slots": 1}
        space = self.lab.space([local, self.entry(max=3, idle="1s")], trials=2, steps=30)
        session = self.lab.start("run", space)
        self.assertTrue(poll(lambda: len(self.lab.planned()) == 2))
        elsewhere = [trial for (trial, _), host in self.lab.planned().items() if host == "cloud-1"]
        self.assertEqual(self.lab.run("stop", "study", "--trial", str(elsewhere[0])).returncode, 0)
        self.assertTrue(poll(lambda: self.asked("down")), "idle while another trial runs")
        self.assertIsNone(session.poll())
        self.assertEqual(len(self.asked("up")), 1)
        messages = self.lab.finish(session)
        self.assertEqual(session.returncode, 0, messages)
        self.assertEqual(len(self.asked("down")), 1)
        self.assert_replays()

    def test_a_preempted_instance_gives_its_trial_to_another_from_its_checkpoint(self):
        session = self.lab.start("run", self.lab.space([self.entry(max=1, lost_after="1s")], trials=1, steps=30))
        self.assertTrue(poll(lambda: self.lab.events("checkpoint_saved")))
        (self.lab.folder / "dead/h1").touch()
        self.stand.kill("h1")
        messages = self.lab.finish(session)
        self.assertEqual(session.returncode, 0, messages)
        self.assertEqual([down[2] for down in self.asked("down")], ["h1", "h2"], "a lost one is released all the same")
        self.assertGreater(self.lab.steps()[(1, 2)][0], 1)
        self.assertEqual(self.taken(), [])
        self.assert_replays()

    def test_a_killed_scheduler_takes_up_what_is_up(self):
        first = self.lab.start("run", self.lab.space([self.entry(max=2)], trials=2, steps=15))
        self.assertTrue(poll(lambda: self.reports() > 4 and len(self.seen("up")) == 2))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.steps()), {(1, 1), (2, 1)})
        self.assert_exactly_once(2, 15)
        self.assertEqual(len(self.asked("up")), 2)
        self.assertEqual(self.taken(), [])
        self.assert_replays()

    def test_one_whose_launch_was_cut_off_is_released_by_its_name_once_it_is_made(self):
        (self.lab.folder / "slow").touch()
        first = self.lab.start("run", self.lab.space([self.entry(max=1)], trials=1, steps=2))
        self.assertTrue(poll(lambda: self.asked("up")))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([words[0] for words in self.asked("")], ["up", "down", "up", "down"])
        self.assertEqual(len({words[1] for words in self.asked("")}), 1)
        self.assertEqual(self.taken(), [])

    def test_a_launch_that_fails_is_said_and_tried_again(self):
        (self.lab.folder / "broken").touch()
        done = self.lab.run("run", self.lab.space([self.entry(max=1)], trials=1, steps=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no capacity left", done.stderr)
        self.assertEqual(len(self.asked("up")), 2)
        self.assertEqual(self.taken(), [])

    def test_what_can_not_be_taken_down_is_said(self):
        (self.lab.folder / "down.sh").write_text("#!/bin/sh\necho 'not now' >&2\nexit 1\n")
        done = self.lab.run("run", self.lab.space([self.entry(max=1)], trials=1, steps=2))
        self.assertIn("may still cost money: hp-study-", done.stderr)
        self.assertIn("at h1", done.stderr)
        self.assertEqual(self.hosts()["hosts"][0]["state"], "releasing")
        (self.lab.folder / "down.sh").write_text(DOWN)
        resumed = self.lab.run("resume", "study")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(self.taken(), [])
        self.assertEqual(self.hosts()["hosts"][0]["state"], "off")

    def test_what_the_best_trials_made_comes_home_before_their_machines_go(self):
        space = self.lab.space([self.entry(max=2)], trials=4, steps=3, trial={"checkpoint": True, "keep_checkpoints": 2})
        done = self.lab.run("run", space)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("did not come home", done.stderr)
        trials = self.lab.folder / "hpsearch-studies/study/trials"
        at_home = sorted(int(folder.parent.parent.parent.name) for folder in trials.glob("*/attempts/1/stdout.log"))
        best = [row["number"] for row in json.loads(self.lab.run("best", "study", "--top", "2", "--json").stdout)["best"]]
        self.assertTrue(set(best) <= set(at_home), f"{best} of {at_home}")
        for number in best:
            kept = [path.name for path in (trials / f"{number:04d}/attempts/1/checkpoint").iterdir()]
            self.assertEqual(kept, ["e3"], "the last one and none before it")

    def test_an_interrupted_session_takes_its_machines_down_and_the_next_goes_on(self):
        session = self.lab.start("run", self.lab.space([self.entry(max=2)], trials=2, steps=40))
        self.assertTrue(poll(lambda: self.reports() > 4))
        os.kill(session.pid, signal.SIGINT)
        messages = self.lab.finish(session)
        self.assertEqual(session.returncode, 130, messages)
        self.assertEqual(self.taken(), [])
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_exactly_once(2, 40)
        self.assertEqual(min(self.lab.steps()[(1, 2)][0], self.lab.steps()[(2, 2)][0]) > 1, True, "from checkpoints at home")
        self.assertEqual(self.taken(), [])
        self.assert_replays()

    def test_a_detached_session_leaves_them_to_the_next(self):
        session = self.lab.start("run", self.lab.space([self.entry(max=1)], trials=1, steps=15))
        self.assertTrue(poll(lambda: self.reports() > 1))
        os.kill(session.pid, signal.SIGTERM)
        messages = self.lab.finish(session)
        self.assertEqual(session.returncode, 130, messages)
        self.assertIn("cloud-1 at h1", messages)
        self.assertEqual(self.taken(), ["h1"])
        done = self.lab.run("resume", "study")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.lab.steps()), {(1, 1)})
        self.assertEqual(self.taken(), [])

    def test_no_other_host_takes_the_name_of_one_that_is_up(self):
        session = self.lab.start("run", self.lab.space([self.entry(max=1)], trials=1, steps=10))
        self.assertTrue(poll(lambda: self.reports() > 1))
        os.kill(session.pid, signal.SIGTERM)
        self.lab.finish(session)
        refused = self.lab.run("resume", self.lab.space([{"local": True, "name": "cloud-1"}], trials=1, steps=10))
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn('"cloud-1" is an elastic host\'s instance that is still there', refused.stderr)
        done = self.lab.run("resume", self.lab.space([{"local": True, "slots": 1}], trials=1, steps=10))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.taken(), [], "one that has left the space file goes when its trials have ended")

    def test_a_release_that_hangs_can_be_left(self):
        (self.lab.folder / "down.sh").write_text("#!/bin/sh\necho \"down $1 $2\" >>cloud.log\nsleep 60\n")
        session = self.lab.start("run", self.lab.space([self.entry(max=1)], trials=1, steps=2))
        self.assertTrue(poll(lambda: self.asked("down")))
        os.kill(session.pid, signal.SIGTERM)
        messages = self.lab.finish(session, seconds=10)
        self.assertIn("elastic hosts are still there", messages)


if __name__ == "__main__":
    unittest.main()
