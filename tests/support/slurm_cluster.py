"""A real Slurm cluster for tests, of small machines: a controller and nodes n1, n2, ...

    with SlurmCluster(nodes=3, gpus=2, cpus=4, folder=folder) as cluster:
        subprocess.run(["sbatch", "--wait", "--wrap", "hostname"], env=cluster.env, cwd=folder)

Needs slurm-wlm, munge, iproute2 and procps.
"""

import collections
import os
import signal
import stat
import subprocess
import unittest

from machines import Machines, wait_for

Job = collections.namedtuple("Job", "id name state reason nodes")

# No cgroups and no accounting, nodes may claim more than this machine has, and everything that can wait is told not to.
CONFIG = """\
ClusterName=stand
SlurmctldHost=controller({controller})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CryptoType=crypto/munge
StateSaveLocation={folder}/controller/state
SlurmdSpoolDir={folder}/%n/spool
SlurmctldPidFile={folder}/controller/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
SlurmctldLogFile={folder}/controller/slurmctld.log
SlurmdLogFile={folder}/%n/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0
KillWait=2
SlurmdTimeout=10
SlurmctldTimeout=10
ReturnToService=2
GresTypes=gpu
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=ALL Default=NO MaxTime=00:01:00 State=UP
"""


class SlurmCluster(Machines):
    """A controller and some nodes; each can be cut, killed and entered as any machine. `env` is for Slurm's programs.

    The partitions are `main` and `short`, where a minute is the limit. Jobs find on their nodes what lies in the cluster's
    folder or a shared one, or outside /tmp and /run.
    """

    programs = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scontrol")

    def __init__(self, nodes, gpus, cpus, folder, **options):
        self.nodes = [f"n{number + 1}" for number in range(nodes)]
        super().__init__([*self.nodes, "controller"], folder, **options)
        self._gpus, self._cpus = gpus, cpus
        self._config = str(self.folder / "slurm.conf")
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}
        self.env["SLURM_CONF"] = self._config

    def start(self):
        super().start()
        self._write_config()
        self.boot("controller")
        self._start_munge()
        self.start_controller()
        for name in self.nodes:
            self.start_node(name)
        idle = ["sinfo", "-h", "-p", "main", "-t", "idle", "-o", "%D"]
        wait_for(lambda: self._ask(*idle) == str(len(self.nodes)), "start of all nodes")

    def kill_controller(self):
        """Ends slurmctld as by kill -9; its machine stays, so that calls are refused and not left without an answer."""
        for process in self._controllers():
            os.kill(process.pid, signal.SIGKILL)
        wait_for(lambda: not self._controllers(), "end of slurmctld")

    def start_controller(self):
        self._daemon("controller", "slurmctld", "-f", self._config)
        wait_for(lambda: "UP" in self._ask("scontrol", "ping"), "slurmctld")

    def kill_node(self, name):
        """The node loses power, and its jobs with it. Slurm notices 10 to 20 seconds later."""
        self.kill(name)

    def start_node(self, name):
        self.boot(name)
        self._daemon(name, "slurmd", "-f", self._config)

    def squeue(self):
        """The jobs that wait or run."""
        rows = self._ask("squeue", "-h", "-o", "%A|%j|%T|%r|%N", check=True)
        return [Job(*row.split("|")) for row in rows.splitlines()]

    def save(self, job):
        """Comes back when the controller has saved the state of the job, within some 5 seconds. One that is killed before
        knows an older state when it starts again, or no such job."""
        saved = self.folder / "controller/state/job_state"
        before = saved.stat().st_mtime_ns if saved.exists() else 0
        self._ask("scontrol", "update", f"JobId={job}", "Comment=saved", check=True)
        wait_for(lambda: saved.exists() and saved.stat().st_mtime_ns != before, f"saving of job {job}")

    def _controllers(self):
        return [process for process in self.processes("controller") if "slurmctld" in process.args]

    def _write_config(self):
        gres = f" Gres=gpu:{self._gpus}" if self._gpus else ""
        nodes = [f"NodeName={name} NodeAddr={self.address(name)} CPUs={self._cpus} RealMemory=4000{gres}"
                 for name in self.nodes]
        text = CONFIG.format(folder=self.folder, controller=self.address("controller"), nodes="\n".join(nodes))
        (self.folder / "slurm.conf").write_text(text)
        # Never used, but told: slurmd looks for the mounted kind otherwise, and fails where there is none.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        devices = [self.folder / f"nvidia{number}" for number in range(self._gpus)]
        for device in devices:
            try:
                os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))  # no file will do, but any device: /dev/null's
            except PermissionError as error:
                raise unittest.SkipTest(f"no devices can be made here: {error}") from None
        (self.folder / "gres.conf").write_text("".join(f"Name=gpu File={device}\n" for device in devices))

    def _start_munge(self):
        """One for all, as its socket works from every machine. It is forced to accept a folder that is closed to others."""
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(128))
        options = {"key-file": key, "socket": self.folder / "munge.sock"}
        options |= {f"{file}-file": self.folder / "controller" / f"munge.{file}" for file in ("pid", "log", "seed")}
        self._daemon("controller", "munged", "--force", *(f"--{name}={value}" for name, value in options.items()))

    def _daemon(self, name, *argv):
        started = self.run(name, argv)
        if started.returncode != 0:
            raise RuntimeError(f"{argv[0]} does not start on {name}, see the logs there: {started.stderr}")

    def _ask(self, *argv, check=False):
        return subprocess.run(argv, env=self.env, capture_output=True, text=True, timeout=30, check=check).stdout.strip()
