"""The stands that other tests stand on: hosts to reach by ssh, and a Slurm cluster."""

import contextlib
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import unittest

from machines import wait_for
from slurm_cluster import SlurmCluster
from ssh_hosts import SshHosts

HERE = pathlib.Path(__file__).resolve().parent


def run(*argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, **options)


class Stand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def traces(self):
        """Links, mounts and processes that a stand in the folder has left."""
        network = self.folder / "network"
        found = [line for line in run("ip", "-o", "address").stdout.splitlines()
                 if network.exists() and network.read_text() + "." in line]
        found += [line for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines() if str(self.folder) in line]
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and os.fsencode(str(self.folder)) in (entry / "cmdline").read_bytes():
                    found.append(entry.name)
        return found


class Ssh(Stand):
    def hosts(self, n=2, **options):
        return self.enterContext(SshHosts(n, self.folder, **options))

    def command(self, hosts, name, *argv, seconds=20):
        return ["ssh", "-F", hosts.config, "-o", "BatchMode=yes", "-o", f"ConnectTimeout={seconds}", name, *argv]

    def ssh(self, hosts, name, *argv, **options):
        return run(*self.command(hosts, name, *argv, **options), stdin=subprocess.DEVNULL)

    def assert_unreachable(self, hosts, name):
        refused = self.ssh(hosts, name, "true", seconds=1)
        self.assertEqual((refused.returncode, "timed out" in refused.stderr), (255, True), refused.stderr)

    def answer(self, hosts, name, *argv):
        ended = self.ssh(hosts, name, *argv)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return ended.stdout.strip()

    def test_each_host_has_its_own_name_places_and_processes(self):
        hosts = self.hosts()
        for name in hosts.names:
            self.assertEqual(self.answer(hosts, name, "hostname"), name)
            self.answer(hosts, name, f"echo {name} | tee word /tmp/word /run/lock/word; setsid sleep 987 >&- 2>&- <&- &")
        for name in hosts.names:
            self.assertEqual(self.answer(hosts, name, "cat word /tmp/word /run/lock/word").split(), [name] * 3)
            self.assertEqual((hosts.home(name) / "word").read_text().strip(), name)
            self.assertEqual(self.answer(hosts, name, "pgrep --count --exact sleep"), "1")
            self.assertEqual([process.args for process in hosts.processes(name) if "sleep" in process.args], ["sleep 987"])
        boot_ids = [hosts.run(name, ["cat", "/proc/sys/kernel/random/boot_id"]).stdout for name in hosts.names]
        self.assertNotEqual(*boot_ids)

    def test_a_session_outlasts_a_cut(self):
        hosts = self.hosts()
        session = self.enterContext(subprocess.Popen(self.command(hosts, "h1", "cat"), bufsize=0, stdin=subprocess.PIPE,
                                                     stdout=subprocess.PIPE))
        session.stdin.write(b"before\n")
        self.assertEqual(session.stdout.readline(), b"before\n")
        hosts.cut("h1")
        session.stdin.write(b"meanwhile\n")
        self.assert_unreachable(hosts, "h1")
        self.assertEqual(select.select([session.stdout], [], [], 0)[0], [])
        self.answer(hosts, "h2", "true")
        hosts.heal("h1")
        self.assertEqual(session.stdout.readline(), b"meanwhile\n")
        session.stdin.close()
        self.assertEqual(session.wait(10), 0)

    def test_a_session_that_is_hung_up_leaves_its_programs(self):
        hosts = self.hosts(1)
        session = self.enterContext(subprocess.Popen(self.command(hosts, "h1", "echo; exec sleep 987"), stdout=subprocess.PIPE,
                                                     stderr=subprocess.DEVNULL))
        session.stdout.readline()
        hosts.hang_up("h1")
        self.assertEqual(session.wait(10), 255)
        self.assertIn("sleep 987", [process.args for process in hosts.processes("h1")])

    def test_a_reboot_ends_every_process_and_keeps_the_files(self):
        hosts = self.hosts(1)
        boot_id = "/proc/sys/kernel/random/boot_id"
        before = self.answer(hosts, "h1", f"cat {boot_id}; touch kept /tmp/kept /run/lost; setsid sleep 987 >&- 2>&- <&- &")
        hosts.reboot("h1")
        after = self.answer(hosts, "h1", f"cat {boot_id}; ls kept /tmp/kept /run/lost 2>&-; pgrep --exact sleep; true").split()
        self.assertNotEqual(after[0], before)
        self.assertEqual(after[1:], ["/tmp/kept", "kept"])

    def test_a_killed_host_stays_away_until_it_is_booted(self):
        hosts = self.hosts()
        hosts.kill("h1")
        self.assertEqual(hosts.processes("h1"), [])
        self.assert_unreachable(hosts, "h1")
        self.answer(hosts, "h2", "true")
        hosts.boot("h1")
        self.answer(hosts, "h1", "true")

    def test_hosts_that_are_not_as_they_should(self):
        hosts = self.hosts(4, noisy={"h1"}, locked={"h2"}, unknown={"h3"}, changed={"h4"})
        noisy = self.ssh(hosts, "h1", "hostname")
        self.assertEqual((noisy.stdout, noisy.stderr), ("Welcome to h1\nh1\n", "the disk is nearly full\n"))
        for name, words in {"h2": "Permission denied (publickey,password", "h3": "Host key verification failed",
                            "h4": "REMOTE HOST IDENTIFICATION HAS CHANGED"}.items():
            refused = self.ssh(hosts, name, "hostname")
            self.assertEqual(refused.returncode, 255)
            self.assertIn(words, refused.stderr)

    def test_hosts_see_a_shared_folder_under_tmp_and_no_other(self):
        shared, other = (self.enterContext(tempfile.TemporaryDirectory()) for _ in range(2))
        hosts = self.hosts(1, shared=[shared])
        self.answer(hosts, "h1", f"touch {shared}/word; [ ! -e {other} ]")
        self.assertEqual(os.listdir(shared), ["word"])

    def test_nothing_is_left(self):
        with contextlib.suppress(InterruptedError), SshHosts(2, self.folder) as hosts, SshHosts(1, self.folder / "second"):
            self.answer(hosts, "h1", "setsid sleep 987 >&- 2>&- <&- &")
            self.assertNotEqual(self.traces(), [])
            raise InterruptedError
        self.assertEqual(self.traces(), [])

    def test_nothing_is_left_after_kill_9(self):
        program = "import os, sys, ssh_hosts\nssh_hosts.SshHosts(2, sys.argv[1]).__enter__(); os.kill(os.getpid(), 9)"
        killed = run(sys.executable, "-B", "-c", program, self.folder, cwd=HERE)
        if "SkipTest" in killed.stderr:
            self.skipTest(killed.stderr.splitlines()[-1])
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        wait_for(lambda: self.traces() == [], "an end without traces")

    def test_hosts_by_hand(self):
        def by_hand(*words):
            return run(sys.executable, "-B", HERE / "ssh_hosts.py", *words, self.folder)

        self.hosts(0).stop()  # skips where there can be none
        try:
            started = by_hand("start", "1")
            self.assertEqual(started.stdout, f"ssh -F {self.folder}/ssh_config h1\n")
            hosts = SshHosts(1, self.folder)
            for verb in ("cut", "heal", "kill", "boot", "reboot"):
                self.assertEqual(by_hand(verb, "h1").returncode, 0)
                if verb in ("cut", "kill"):
                    self.assert_unreachable(hosts, "h1")
                else:
                    self.answer(hosts, "h1", "true")
        finally:
            by_hand("stop")
        self.assertEqual(self.traces(), [])
        self.assertIn("by hand", by_hand("cut", "h2").stderr)


class Slurm(Stand):
    def cluster(self, *size, **options):
        return self.enterContext(SlurmCluster(*size, self.folder, **options))

    def sbatch(self, cluster, *words):
        submitted = run("sbatch", "--parsable", "--output=%j.out", *words, env=cluster.env, cwd=self.folder)
        self.assertEqual((submitted.returncode, submitted.stderr), (0, ""))
        return submitted.stdout.strip()

    def output(self, job):
        file = self.folder / (job + ".out")
        return file.read_text() if file.exists() else ""

    def test_jobs_get_the_devices_that_they_ask_for(self):
        cluster = self.cluster(3, 2, 4)
        both = self.sbatch(cluster, "--wait", "--nodelist=n2", "--gres=gpu:2", "--wrap", "hostname; echo $CUDA_VISIBLE_DEVICES")
        self.assertEqual(self.output(both), "n2\n0,1\n")
        jobs = [self.sbatch(cluster, "--nodelist=n1", "--gres=gpu:1", "--wrap", "echo $CUDA_VISIBLE_DEVICES; sleep 60")
                for _ in range(3)]
        wait_for(lambda: sum(job.state == "RUNNING" for job in cluster.squeue()) == 2, "two of three jobs")
        wait_for(lambda: sorted(self.output(job) for job in jobs[:2]) == ["0\n", "1\n"], "a device each")
        self.assertEqual([job.reason for job in cluster.squeue() if job.id == jobs[2]], ["Resources"])

    def test_a_job_outlasts_its_controller(self):
        cluster = self.cluster(1, 0, 1)
        job = self.sbatch(cluster, "--partition=short", "--wrap", "while [ ! -e go ]; do sleep 0.1; done; echo done")
        wait_for(lambda: [job.state for job in cluster.squeue()] == ["RUNNING"], "the job")
        cluster.save(job)
        cluster.kill_controller()
        self.assertIn("DOWN", run("scontrol", "ping", env=cluster.env).stdout)
        cluster.start_controller()
        wait_for(lambda: [job.state for job in cluster.squeue()] == ["RUNNING"], "the job")
        (self.folder / "go").touch()
        wait_for(lambda: cluster.squeue() == [], "its end")
        self.assertEqual(self.output(job), "done\n")

    def test_a_killed_node_takes_its_jobs_with_it(self):
        cluster = self.cluster(1, 0, 1)
        self.sbatch(cluster, "--wrap", "sleep 987")
        wait_for(lambda: any("sleep 987" in process.args for process in cluster.processes("n1")), "the job")
        cluster.kill_node("n1")
        self.assertEqual(cluster.processes("n1"), [])
        cluster.start_node("n1")
        self.assertNotEqual(cluster.processes("n1"), [])

    def test_clusters_exist_side_by_side_and_leave_nothing(self):
        with SlurmCluster(1, 0, 1, self.folder) as first, SlurmCluster(1, 0, 1, self.folder / "second") as second:
            self.sbatch(first, "--wrap", "sleep 987")
            wait_for(lambda: len(first.squeue()) == 1, "the job")
            self.assertEqual(second.squeue(), [])
        self.assertEqual(self.traces(), [])


if __name__ == "__main__":
    unittest.main()
