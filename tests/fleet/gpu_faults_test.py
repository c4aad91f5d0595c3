"""What others do to a machine's GPUs while a study runs there: another user, strangers, a driver that hangs; and dead trials."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import stat
import subprocess
import unittest

from fleet_lab import BINARY, FleetLab, poll
from gpu_case import GpuCase

# The second attempt says whether a process of the first one still lives.
VICTIM = """\
echo "+ $HPSEARCH_ATTEMPT" >>"$CHK/attempts"
[ $HPSEARCH_ATTEMPT = 1 ] || { for pid in $(cat "$CHK/pids"); do grep -q "^State:.[^ZX]" /proc/$pid/status && echo "left $pid" >>"$CHK/attempts"; done; }
setsid sh -c 'echo $$ >>"$CHK/pids"; trap "" TERM; while :; do sleep 0.1; done' &
echo $$ >>"$CHK/pids"
[ $HPSEARCH_ATTEMPT = 1 ] || exec hpsearch report loss=1
while :; do sleep 0.1; done
"""


class GpuFaults(GpuCase):
    def keepers(self):
        """Pids of the keepers of this test."""
        return [pid for pid, words in self.processes() if words[1:2] == ["keeper"] and words[2].startswith(str(self.dir))]

    def processes(self):
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                yield int(entry.parent.name), entry.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                pass

    def why_not(self):
        return json.loads(self.lab.run("hosts", "--json").stdout or "{}").get("hosts", [{}])[0].get("why_not", "")

    def test_two_users_never_share_a_card(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be two users")
        (self.dir / "locks").chmod(0o1777)
        self.chk.chmod(0o777)
        (self.chk / "cards").touch()
        (self.chk / "cards").chmod(0o666)
        other = FleetLab.__new__(FleetLab)
        other.folder, other.sessions = self.dir / "other", []
        shutil.copytree(self.lab.folder, other.folder)
        nobody = pwd.getpwnam("nobody")
        os.chown(other.folder, nobody.pw_uid, nobody.pw_gid)
        self.dir.chmod(0o755)
        program = self.dir / "hpsearch"  # The build folder may be closed to others.
        shutil.copy(BINARY, program)
        library = self.dir / "nvml"
        shutil.copytree(self.env["LD_LIBRARY_PATH"], library)
        env = {**os.environ, **self.env, "LD_LIBRARY_PATH": str(library), "HOME": str(other.folder), "XDG_RUNTIME_DIR": ""}
        self.cards(2)
        space = self.study(trials=50, trial={"env": {"STEP": "0.02"}})
        shutil.copy(self.lab.folder / space, other.folder / space)
        mine = self.lab.start("run", space, env=self.env)
        log = open(self.dir / "other.log", "w+")
        theirs = subprocess.Popen([program, "run", space], cwd=other.folder, env=env, stdout=log, stderr=log, user="nobody",
                                  group=nobody.pw_gid, extra_groups=[], start_new_session=True)
        self.addCleanup(lambda: theirs.poll() is None and os.killpg(theirs.pid, signal.SIGKILL))
        self.lab.finish(mine, 200)
        theirs.wait(200)
        log.seek(0)
        self.assertEqual((mine.returncode, theirs.returncode), (0, 0), mine.log.read_text() + log.read())
        self.assert_disjoint()
        self.assertEqual(len(self.used()), 200)
        owners = {file.stat().st_uid for file in (self.dir / "locks").iterdir()}
        self.assertLessEqual(owners, {0, nobody.pw_uid})
        self.assertTrue(all(stat.S_IMODE(file.stat().st_mode) & 0o666 == 0o666 for file in (self.dir / "locks").iterdir()))

    def test_a_stranger_that_comes_later_marks_the_trial_and_keeps_others_away(self):
        self.cards(1)
        stranger = subprocess.Popen(["sleep", "60"], user="nobody", group=pwd.getpwnam("nobody").pw_gid, extra_groups=[])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        session = self.lab.start("run", self.study(trials=2, trial={"env": {"STEP": "4"}}), env=self.env)
        self.assertTrue(poll(lambda: self.lab.events("attempt_started")))
        self.cards(1, gpu0=f"processes={stranger.pid}")
        self.assertTrue(poll(lambda: self.lab.events("contended")), "the trial is marked")
        self.assertIn(str(stranger.pid), self.lab.events("contended")[0]["text"])
        self.assertTrue(poll(lambda: self.lab.events("trial_settled")), "and goes on to its end")
        self.assertEqual(self.lab.events("trial_settled")[0]["state"], "completed")
        self.assertTrue(poll(lambda: f"pid {stranger.pid}" in self.why_not()), self.why_not())
        self.assertEqual(len(self.lab.events("attempt_started")), 1)
        self.cards(1)
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())

    def test_memory_that_nobody_owns_up_to_is_waited_for_and_told(self):
        (self.dir / "gpus").write_text("gpu GPU-0 memory=80000 used=9300\n")
        session = self.lab.start("run", self.study(trials=1), env=self.env)
        self.assertTrue(poll(lambda: "GB in use" in self.why_not()), self.why_not())
        self.assertFalse(self.lab.planned())
        self.cards(1)
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())

    def test_a_driver_that_hangs_keeps_running_trials_and_starts_no_others(self):
        hang = self.dir / "hang"
        self.cards(2, gpu0=f"hang={hang}", gpu1=f"hang={hang}")
        session = self.lab.start("run", self.study(trials=4, trial={"env": {"STEP": "3"}}), env=self.env)
        self.assertTrue(poll(lambda: len(self.lab.events("attempt_started")) == 2))
        hang.touch()
        self.assertTrue(poll(lambda: len(self.lab.events("trial_settled")) == 2), "their ends are not held up")
        self.assertTrue(poll(lambda: "does not answer" in self.why_not()), self.why_not())
        started = len(self.lab.events("attempt_started"))
        hang.unlink()
        self.lab.finish(session)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual(started, 2)
        self.assert_disjoint()

    def killed(self, victim):
        """A trial on the only card, killed once it runs; the second attempt must find the first one gone, at once."""
        (self.lab.folder / "victim.sh").write_text(VICTIM)
        self.cards(1)
        space = self.study(trials=1, trial={"grace": "1s"}, command=["sh", "victim.sh", "{x}"])
        session = self.lab.start("run", space, env=self.env)
        self.assertTrue(poll(lambda: (self.chk / "pids").exists() and len((self.chk / "pids").read_text().split()) == 2 and self.lab.events("attempt_started")))
        os.kill(victim(), signal.SIGKILL)
        self.lab.finish(session, 30)
        self.assertEqual(session.returncode, 0, session.log.read_text())
        self.assertEqual((self.chk / "attempts").read_text(), "+ 1\n+ 2\n")
        (at,) = self.lab.rows("SELECT at FROM event WHERE kind = 'attempt_ended' ORDER BY seq LIMIT 1")
        (again,) = self.lab.rows("SELECT max(at) FROM event WHERE kind = 'attempt_started'")
        self.assertLess(again[0] - at[0], 2000, "its card is free within 2 s")
        return self.lab.events("attempt_ended")[0]["end"]

    def test_a_killed_trials_card_is_free_again_at_once(self):
        end = self.killed(lambda: self.lab.events("attempt_started")[0]["pid"])
        self.assertEqual((end["kind"], end["code"]), ("signalled", signal.SIGKILL))

    def test_a_killed_keepers_card_is_free_once_its_trial_is_gone(self):
        end = self.killed(lambda: self.keepers()[0])
        self.assertEqual(end["kind"], "lost")

    def test_shares_and_odd_numbers_of_cards(self):
        for gpus, at_a_time in ((3, 1), (0.5, 8)):
            with self.subTest(gpus=gpus):
                (self.chk / "cards").unlink(missing_ok=True)
                name = f"s{at_a_time}"
                done = self.lab.run("run", self.study(name, trials=at_a_time + 1, gpus=gpus, trial={"env": {"STEP": "1"}}), env=self.env)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.most_at_a_time(), at_a_time)

    def test_threads_are_the_cores_of_a_trials_share(self):
        (self.lab.folder / "card.sh").write_text('echo $OMP_NUM_THREADS >>"$CHK/threads"; hpsearch report loss=1\n')
        self.lab.run("run", self.study(trials=4), env=self.env)
        cores = len(os.sched_getaffinity(0))
        self.assertEqual(set((self.chk / "threads").read_text().split()), {str(max(1, cores // 4))})

    def test_what_the_environment_grants(self):
        self.cards(5)
        (self.lab.folder / "card.sh").write_text('echo "+ $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER" >>"$CHK/cards"; hpsearch report loss=1\n')
        for number, (granted, gpus, seen) in enumerate((("GPU-2", None, {"GPU-2"}), ("4,1", [1], {"GPU-1"}), ("0, 1", None, {"GPU-0", "GPU-1"}))):
            with self.subTest(granted=granted):
                (self.chk / "cards").unlink(missing_ok=True)
                space = self.study(f"granted{number}", trials=4, host={"gpus": gpus} if gpus else {})
                done = self.lab.run("run", space, env={**self.env, "CUDA_VISIBLE_DEVICES": granted})
                self.assertEqual({cards for _, cards in self.used()}, {f"{card} PCI_BUS_ID" for card in seen}, done.stderr)
        (self.chk / "cards").unlink()
        for number, (granted, gpus, words) in enumerate((("", None, "is empty"), ("7", None, "GPUs 0 to 4"), ("NoDevFiles", None, "no GPU is to be used"),
                                                         ("-1", None, "no GPU is to be used"), ("4,1", [0], "no GPU in common"))):
            with self.subTest(granted=granted):
                space = self.study(f"refused{number}", trials=1, host={"gpus": gpus} if gpus else {})
                done = self.lab.run("run", space, env={**self.env, "CUDA_VISIBLE_DEVICES": granted})
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
        self.assertFalse((self.chk / "cards").exists())

    def test_slices_of_a_card_are_slots_and_never_two_of_a_trial(self):
        (self.dir / "gpus").write_text("gpu GPU-0 memory=80000 used=20\n" + "".join(f"mig MIG-{k} memory=20000 used=20\n" for k in "abc") +
                                       "gpu GPU-1 memory=80000 used=20\n")
        done = self.lab.run("run", self.study(trials=8, trial={"env": {"STEP": "1"}}), env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({cards for _, cards in self.used()}, {"MIG-a", "MIG-b", "MIG-c", "GPU-1"})
        self.assertEqual(self.most_at_a_time(), 4)
        (self.chk / "cards").unlink()
        done = self.lab.run("run", self.study("slices", trials=2), env={**self.env, "CUDA_VISIBLE_DEVICES": "MIG-a,MIG-b"})
        self.assertEqual({cards for _, cards in self.used()}, {"MIG-a", "MIG-b"}, done.stderr)


if __name__ == "__main__":
    unittest.main()
