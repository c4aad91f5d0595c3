"""Studies on a machine with GPUs that others use too. The driver's library is a stand-in that reads a text file."""

import json
import os
import pathlib
import unittest

from fleet_lab import FleetTest, poll

FAKE = os.environ["HPSEARCH_FAKE_NVML"]  # The folder of the stand-in's libnvidia-ml.so.1.

TRIAL = """\
echo "+ $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
sleep ${STEP:-0.3}
hpsearch report loss=$1
echo "- $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
"""


class GpuTest(FleetTest):
    def setUp(self):
        super().setUp()
        self.chk = self.dir / "chk"
        self.chk.mkdir()
        (self.dir / "locks").mkdir()
        (self.lab.folder / "card.sh").write_text(TRIAL)
        self.cards(4)
        self.env = {"LD_LIBRARY_PATH": FAKE, "FAKE_NVML": str(self.dir / "gpus"), "CHK": str(self.chk),
                    "HPSEARCH_LOCK_DIR": str(self.dir / "locks")}

    def cards(self, n, **more):
        lines = [f"gpu GPU-{k} memory=80000 used=400 {more.get(f'gpu{k}', '')}" for k in range(n)]
        (self.dir / "gpus").write_text("\n".join(lines) + "\n")

    def study(self, name="study", trials=8, gpus=1, **more):
        return self.lab.space([{"local": True, **more.pop("host", {})}], name=name, trials=trials, files=[], resource={"name": "epoch", "max": 1},
                              command=["sh", "card.sh", "{x}"], trial={"gpus": gpus, **more.pop("trial", {})}, **more)

    def used(self):
        """The sets of cards that were in use at a time, checked on the way never to overlap beyond `share`."""
        return [line.split(" ", 1) for line in (self.chk / "cards").read_text().splitlines()]

    def assert_disjoint(self, share=1):
        taken = {}
        for sign, cards in self.used():
            for card in cards.split(","):
                taken[card] = taken.get(card, 0) + (1 if sign == "+" else -1)
                self.assertLessEqual(taken[card], share, self.used())

    def test_one_trial_a_card_by_default_where_there_are_cards(self):
        done = self.lab.run("run", self.study(gpus="auto"), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({cards for _, cards in self.used()}, {f"GPU-{k}" for k in range(4)})
        self.assert_disjoint()
        self.assert_replays()

    def test_several_cards_a_trial_and_several_trials_a_card(self):
        done = self.lab.run("run", self.study(gpus=2), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(all(len(cards.split(",")) == 2 for _, cards in self.used()))
        self.assert_disjoint()
        (self.chk / "cards").unlink()
        done = self.lab.run("run", self.study("halves", gpus=0.5, trials=16), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_disjoint(2)

    def test_more_cards_than_there_are_is_refused_at_once(self):
        done = self.lab.run("run", self.study(gpus=5), env=self.env)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("too few GPUs", done.stderr)

    def test_given_sets_are_kept_to(self):
        done = self.lab.run("run", self.study(host={"gpus": [0, 3]}), env=self.env)
        self.assertEqual({cards for _, cards in self.used()}, {"GPU-0", "GPU-3"}, done.stderr)
        (self.chk / "cards").unlink()
        done = self.lab.run("run", self.study("visible"), env={**self.env, "CUDA_VISIBLE_DEVICES": "2,1"})
        self.assertEqual({cards for _, cards in self.used()}, {"GPU-1", "GPU-2"}, done.stderr)

    def test_cpu_trials_see_no_card(self):
        done = self.lab.run("run", self.study(gpus=0, trials=2), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({cards for _, cards in self.used()}, {""})

    def test_indices_for_programs_that_want_them(self):
        done = self.lab.run("run", self.study(trial={"device_env": "index"}), env=self.env)
        self.assertEqual({cards for _, cards in self.used()}, {"0", "1", "2", "3"}, done.stderr)

    def test_a_card_in_use_is_waited_for_and_the_reason_is_told(self):
        self.cards(1, gpu0="processes=4242")
        session = self.lab.start("run", self.study(trials=1), env=self.env)
        reason = lambda: json.loads(self.lab.run("hosts", "--json").stdout or "{}").get("hosts", [{}])[0].get("why_not", "")
        self.assertTrue(poll(lambda: "in use by pid 4242" in reason()), reason())
        self.assertFalse(self.lab.planned())
        self.cards(1)
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())

    def test_two_studies_never_share_a_card(self):
        sessions = [self.lab.start("run", self.study(name, trials=40, trial={"env": {"STEP": "0.05"}}), env=self.env) for name in ("one", "two")]
        for session in sessions:
            self.lab.finish(session, 200)
            self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assert_disjoint()
        self.assertEqual(len(self.used()), 160)

    def test_a_resumed_study_keeps_the_cards_of_running_trials(self):
        first = self.lab.start("run", self.study(trials=4, trial={"env": {"STEP": "6"}}), env=self.env)
        self.assertTrue(poll(lambda: (self.chk / "cards").exists() and len(self.used()) == 4))
        first.kill()
        first.wait()
        done = self.lab.run("resume", "study", "--more-trials", "4", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_disjoint()
        self.assertEqual(len(self.used()), 16)


if __name__ == "__main__":
    unittest.main()
