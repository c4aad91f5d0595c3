"""Studies on a machine with GPUs that others use too."""

import json
import os
import pathlib
import subprocess
import time
import unittest

from fleet_lab import BINARY, poll
from gpu_case import GpuCase

# Needs all of a GPU's memory: says so, as a framework does, where it finds another one at work on its GPU.
HEAVY = """\
mark="$CHK/at.$CUDA_VISIBLE_DEVICES"
echo "+ $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
touch "$mark.$HPSEARCH_TRIAL"
sleep 0.7
set -- "$1" "$mark".*
rm -f "$mark.$HPSEARCH_TRIAL"
echo "- $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
if [ $# -gt 2 ] || [ -n "$ALWAYS" ]; then
  echo "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB." >&2
  exit 1
fi
hpsearch report loss=$1
"""


class GpuTest(GpuCase):
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

    def test_a_trial_that_is_out_of_memory_is_tried_again_alone(self):
        self.cards(2)
        (self.lab.folder / "card.sh").write_text(HEAVY)
        done = self.lab.run("run", self.study(gpus=0.5, trials=6, trial={"retries": 0}), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        settled = self.lab.events("trial_settled")
        self.assertEqual(sorted(e["trial"] for e in settled if e["state"] == "completed"), [1, 2, 3, 4, 5, 6])
        again = [e for e in settled if e["state"] == "queued"]
        self.assertTrue(again)
        self.assertIn("CUDA out of memory. Tried to allocate 2.00 GiB", again[0]["detail"])
        plans = {(e["trial"], e["attempt"]): e["slot"] for e in self.lab.events("attempt_planned")}
        self.assertEqual({plans[e["trial"], e["attempt"] + 1]["share"] for e in again}, {1.0})
        self.assertEqual(plans[1, 1]["share"], 0.5)
        self.assertIn("CUDA out of memory", self.lab.run("why", str(again[0]["trial"])).stdout)
        self.assert_replays()

    def test_a_trial_that_is_out_of_memory_alone_has_failed(self):
        self.cards(1)
        (self.lab.folder / "card.sh").write_text(HEAVY)
        done = self.lab.run("run", self.study(gpus=0.5, trials=2, trial={"retry_on": [1], "env": {"ALWAYS": "1"}}), env=self.env)
        self.assertEqual(done.returncode, 3, done.stderr)
        last = {e["trial"]: (e["state"], e["failure"], e["attempt"]) for e in self.lab.events("trial_settled")}
        self.assertEqual(last, {1: ("failed", "out_of_memory", 2), 2: ("failed", "out_of_memory", 2)})
        self.assertIn("failed (out_of_memory)", self.lab.run("why", "1").stdout)

    def test_through_an_agent_it_is_alone_too(self):
        self.cards(1)
        (self.lab.folder / "card.sh").write_text(HEAVY)
        way = {"command": ["env"], "program": BINARY, "dir": str(self.dir / "there")}
        done = self.lab.run("run", self.study(gpus=0.5, trials=3, way=way, files=["card.sh"]), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = [e["trial"] for e in self.lab.events("trial_settled") if e["state"] == "queued"]
        self.assertTrue(again)
        self.assertEqual([e["slot"]["share"] for e in self.lab.events("attempt_planned") if e["attempt"] == 2], [1.0] * len(again))

    def test_a_wide_study_starts_beside_a_stream_of_narrow_trials(self):
        narrow = self.lab.start("run", self.study("narrow", trials=40, trial={"env": {"STEP": "0.9"}}), env=self.env)
        self.assertTrue(poll(lambda: len(self.lab.planned("narrow")) >= 4))
        began = time.monotonic()
        wide = self.lab.start("run", self.study("wide", gpus=4, trials=2), env=self.env)
        self.assertTrue(poll(lambda: self.lab.events("attempt_started", "wide"), 30))
        took = time.monotonic() - began
        self.assertIsNone(narrow.poll(), "it still has trials to start")
        self.assertLess(took, 10)  # About five seconds on a machine that does nothing else.
        for session in (wide, narrow):
            self.lab.finish(session)
            self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assert_disjoint()

    def test_a_resumed_study_keeps_the_cards_of_running_trials(self):
        first = self.lab.start("run", self.study(trials=4, trial={"env": {"STEP": "6"}}), env=self.env)
        self.assertTrue(poll(lambda: (self.chk / "cards").exists() and len(self.used()) == 4))
        first.kill()
        first.wait()
        done = self.lab.run("resume", "study", "--more-trials", "4", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_disjoint()
        self.assertEqual(len(self.used()), 16)

    def per_gpu(self, script, **more):
        (self.lab.folder / "ranks.sh").write_text(script)
        return self.study(trials=2, gpus=2, trial={"launch": "per_gpu"}, **{"command": ["sh", "ranks.sh", "{x}"], **more})

    def test_a_process_for_each_card_and_one_stream_of_reports(self):
        space = self.per_gpu("""\
echo "$HPSEARCH_TRIAL $RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR:$MASTER_PORT $CUDA_VISIBLE_DEVICES" >>"$CHK/ranks"
hpsearch report 1 loss=$1 || echo "told $RANK" >>"$CHK/ranks"
""")
        done = self.lab.run("run", space, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.chk / "ranks").read_text().splitlines()
        self.assertEqual(sorted(line for line in lines if line.startswith("told")), ["told 0", "told 0", "told 1", "told 1"])
        for trial in "12":
            ranks = sorted(line.split(" ", 1)[1] for line in lines if line.startswith(trial + " "))
            self.assertEqual([rank[:16] for rank in ranks], ["0 0 2 127.0.0.1:", "1 1 2 127.0.0.1:"])
            self.assertEqual(*(rank[16:] for rank in ranks))  # One port, the same cards.
            self.assertEqual(len(ranks[0].split(" ")[-1].split(",")), 2)
        self.assertEqual(self.lab.steps(), {(1, 1): [1.0], (2, 1): [1.0]})
        self.assert_replays()
        line = self.lab.run("show", "1", "--command").stdout  # Repeats both ranks.
        subprocess.run(line, shell=True, capture_output=True, env={**os.environ, **self.env}, timeout=30)
        again = (self.chk / "ranks").read_text().splitlines()[len(lines):]
        self.assertEqual(sorted(text.strip() for text in again if not text.startswith("told")),
                         ["1 0 0 2 127.0.0.1:29500", "1 1 1 2 127.0.0.1:29500"])

    def test_the_rank_that_fails_first_is_the_trials_end(self):
        space = self.per_gpu("""\
[ $RANK = 0 ] && { hpsearch report 0 loss=$1; echo waits; exec sleep 60; }
echo "rank one is lost" >&2; sleep 0.5; kill -SEGV $$
""", limits={"trials": 1})
        self.lab.run("run", space, seconds=40, env=self.env)
        shown = self.lab.run("show", "1").stdout
        self.assertIn("failed (signal SEGV)", shown)
        self.assertIn("rank 1:\nrank one is lost", shown)
        logs = self.lab.run("logs", "1")
        self.assertEqual((logs.stdout, "rank 1" in logs.stderr), ("rank one is lost\n", True))
        self.assertEqual(self.lab.run("logs", "1", "--rank=0").stdout, "waits\n")
        self.assertIn("has no rank 2", self.lab.run("logs", "1", "--rank=2").stderr)

    def test_try_starts_every_rank(self):
        tried = self.lab.run("try", self.per_gpu('echo "rank $RANK of $WORLD_SIZE"\nhpsearch report 1 loss=$1\n'), env=self.env)
        self.assertEqual(tried.returncode, 0, tried.stderr)
        self.assertIn("rank 0 of 2\n", tried.stderr)
        self.assertIn("rank 1 of 2\n", tried.stderr)

    def test_fashion_cnn_trains_on_two_cards(self):
        program = pathlib.Path(os.environ.get("HPSEARCH_FASHION_CNN") or "fashion_cnn")
        data = pathlib.Path("/usr/share/datasets/fashion-mnist")
        if not program.exists() or not data.exists():
            self.skipTest("fashion_cnn or its data are not there")
        space = self.per_gpu("", command=[str(program), f"--data={data}", "--subset=500", "--width=4", "--lr={x}"])
        document = json.loads((self.lab.folder / space).read_text())
        document.update(metric={"name": "val_accuracy", "goal": "maximize"}, resource={"name": "epoch", "max": 2}, limits={"trials": 1})
        document["params"]["x"].update(low=0.001, high=0.01)
        (self.lab.folder / space).write_text(json.dumps(document))
        done = self.lab.run("run", space, env=self.env)
        if "built without gloo" in self.lab.run("logs", "1").stdout:
            self.skipTest("fashion_cnn was built without gloo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.lab.steps(), {(1, 1): [1.0, 2.0, None]})
        self.assertTrue((self.lab.folder / "hpsearch-studies/study/trials/0001/attempts/1/stdout.1.log").exists())


if __name__ == "__main__":
    unittest.main()
