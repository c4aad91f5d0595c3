#!/usr/bin/env python3
"""Studies over three hosts reached by ssh: how fast words come and go, how busy slots are, and what is lost when a link is cut,
a host dies or the scheduler is killed. The hosts are small machines inside this one, each with a real sshd.

Needs root, openssh-server and iproute2; for the row with Slurm slurm-wlm and munge as well.
"""

import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

import support

sys.path.insert(0, str(support.ROOT / "tests/support"))
from slot_occupancy import occupancy  # noqa: E402
from slurm_cluster import SlurmCluster  # noqa: E402
from ssh_hosts import SshHosts  # noqa: E402

HOSTS, SLOTS = 3, 4
LOST_AFTER = 10

# Reports and saves its step five times a second up to STEPS, and notes each step that was answered.
COUNT = """\
n=0
[ -z "$HPSEARCH_RESUME_CHECKPOINT" ] || n=$(cat "$HPSEARCH_RESUME_DIR/$HPSEARCH_RESUME_CHECKPOINT")
while [ $n -lt $HPSEARCH_RESOURCE_MAX ]; do
  sleep 0.2; n=$((n + 1))
  echo $n >"$HPSEARCH_CHECKPOINT_DIR/e$n"
  hpsearch report $n loss=$1 --checkpoint=e$n || exit 0
  echo "$HPSEARCH_TRIAL $n" >>"$NOTES/$HPSEARCH_ATTEMPT_ID"
done
"""


class FleetBench:
    """The hosts, and studies over them in a folder that they see."""

    def __init__(self, bench, folder, hosts):
        self.bench, self.folder, self.hosts = bench, folder, hosts
        self.notes = folder / "notes"
        self.notes.mkdir()
        self.env = dict(os.environ)
        (folder / "count.sh").write_text(COUNT)

    def ssh(self, name, **more):
        return {"ssh": name, "ssh_options": ["-F", self.hosts.config], "slots": SLOTS, "dir": str(self.folder / name), **more}

    def all(self, **more):
        return [self.ssh(name, **more) for name in self.hosts.names]

    def space(self, name, trials, hosts, **fields):
        trial = {"env": {"NOTES": str(self.notes)}, **fields.pop("trial", {})}
        space = {"study": name, "metric": {"name": "loss", "goal": "minimize"}, "limits": {"trials": trials}, "hosts": hosts,
                 "params": {"x": {"type": "float", "low": 0, "high": 1}}, "search": {"sampler": "random", "seed": 1, "pruner": "none"},
                 "trial": trial, **fields}
        (self.folder / f"{name}.json").write_text(json.dumps(space))
        return f"{name}.json"

    def counting(self, name, trials, hosts, steps):
        return self.space(name, trials, hosts, command=["sh", "count.sh", "{x}"], files=["count.sh"],
                          resource={"name": "epoch", "max": steps}, trial={"checkpoint": True})

    def start(self, *words):
        log = open(self.folder / f"{words[-1]}.log", "a")
        return subprocess.Popen([self.bench.hpsearch, *words], cwd=self.folder, env=self.env, stdout=log, stderr=log)

    def run(self, *words):
        if self.start(*words).wait() != 0:
            raise SystemExit((self.folder / f"{words[-1]}.log").read_text()[-2000:])

    def study(self, name):
        return self.folder / "hpsearch-studies" / name

    def rows(self, name, query):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.study(name) / 'study.db'}?mode=ro", uri=True)) as database:
                return database.execute(query).fetchall()
        except sqlite3.OperationalError:  # Not made yet.
            return []

    def planned(self, name):
        """(time in s, body) of each attempt."""
        return [(at / 1e3, json.loads(body)) for at, body in
                self.rows(name, "SELECT at, body FROM event WHERE kind = 'attempt_planned' ORDER BY seq")]

    def wait_for_reports(self, name, least, trials):
        """Until each of the trials has reported so often."""
        while self.rows(name, f"SELECT count(*) FROM (SELECT trial FROM report GROUP BY trial HAVING count(*) >= {least})") != [(trials,)]:
            time.sleep(0.05)

    def accounts(self, name, trials, steps):
        """(trials restarted, answered reports that are lost, reports counted twice)."""
        logged = self.rows(name, "SELECT trial, step, count(*) FROM report GROUP BY trial, step")
        answered = {tuple(map(int, line.split())) for note in self.notes.iterdir() for line in note.read_text().splitlines()}
        known = {(trial, int(step)) for trial, step, _ in logged}
        complete = {(trial, step) for trial in range(1, trials + 1) for step in range(1, steps + 1)}
        return len(self.planned(name)) - trials, len((answered | complete) - known), sum(count - 1 for *_, count in logged)

    def clear_notes(self):
        for note in self.notes.iterdir():
            note.unlink()


def round_trips(fleet, count=2000):
    """Milliseconds from a word to the agent of a host until its answer."""
    agent = subprocess.Popen(["ssh", "-F", fleet.hosts.config, "h1", fleet.bench.hpsearch, "agent", "--stdio"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if not agent.stdout.readline().startswith(b"hpsearch agent"):
        raise SystemExit("no agent at h1")
    times = []
    for number in range(count):
        begin = time.perf_counter()
        agent.stdin.write(b'{"ping":%d}\n' % number)
        agent.stdin.flush()
        if json.loads(agent.stdout.readline()) != {"pong": number}:
            raise SystemExit("a wrong answer")
        times.append(1e3 * (time.perf_counter() - begin))
    agent.stdin.close()
    agent.wait()
    return [(f"agent round trip over loopback ssh, p50 of {count}", "<= 1 ms", f"{support.quantile(times, 0.5):.2f} ms"),
            ("the same, p99", "<= 10 ms", f"{support.quantile(times, 0.99):.2f} ms")]


def verdicts(fleet, steps=400, trials=3):
    out = fleet.folder / "latency"
    fleet.run("run", "-q", fleet.space(
        "latency", trials, [fleet.ssh("h1", slots=1)], command=[fleet.bench.program("reporting_trial"), str(steps), f"{out}-{{trial}}"],
        files=[], resource={"name": "step", "min": 1, "max": steps},
        search={"sampler": "random", "seed": 1, "pruner": {"type": "asha", "variant": "stop", "n_min": 1000, "levels": list(range(1, steps + 1))}}))
    times = [float(line.split()[0]) for trial in range(1, trials + 1) for line in open(f"{out}-{trial}")]
    return [("report -> milestone verdict back in the trial, over ssh, p99", "<= 20 ms",
             f"{support.quantile(times, 0.99):.2f} ms (p50 {support.quantile(times, 0.5):.2f} ms)")]


def busy(fleet, trials=1200):
    fleet.run("run", "-q", fleet.space("busy", trials, fleet.all(), command=["sh", "-c", "sleep 1; echo hpsearch: loss=$0", "{x}"], files=[]))
    part, seconds, slots, _ = occupancy(fleet.study("busy"))
    return [(f"slots busy, {trials} trials of 1 s on {HOSTS} hosts x {SLOTS} slots", ">= 97 %", f"{100 * part:.1f} % ({slots} slots, {seconds:.0f} s)")]


def cut(fleet, steps=150, away=20):
    trials = HOSTS * SLOTS
    session = fleet.start("run", "-q", fleet.counting("cut", trials, fleet.all(), steps))
    fleet.wait_for_reports("cut", 5, trials)
    for name in fleet.hosts.names:
        fleet.hosts.cut(name)
    time.sleep(away)
    for name in fleet.hosts.names:
        fleet.hosts.heal(name)
    session.wait()
    restarted, lost, twice = fleet.accounts("cut", trials, steps)
    fleet.clear_notes()
    return [(f"links of all hosts cut for {away} s during {trials} running trials", "0 restarted, 0 reports lost, 0 counted twice",
             f"{restarted} restarted, {lost} lost, {twice} twice")]


def death(fleet, steps=100):
    """The first host loses power while its trials run; the others have room."""
    session = fleet.start("run", "-q", fleet.counting("death", SLOTS, fleet.all(lost_after=f"{LOST_AFTER}s"), steps))
    fleet.wait_for_reports("death", 10, SLOTS)
    died = time.time()
    fleet.hosts.kill("h1")
    while len(fleet.planned("death")) < 2 * SLOTS:
        time.sleep(0.05)
        if session.poll() is not None:
            raise SystemExit((fleet.folder / "death.json.log").read_text())
    session.wait()
    fleet.hosts.boot("h1")
    again = fleet.planned("death")[SLOTS:]
    late = max(at for at, _ in again) - died
    moved = sum(1 for _, plan in again if plan["slot"]["host"] != "h1" and plan.get("resume_checkpoint"))
    repeated = fleet.rows("death", "SELECT sum(n - 1) FROM (SELECT count(*) AS n FROM report GROUP BY trial, step)")[0][0]
    fleet.clear_notes()
    return [(f"a host dies with {SLOTS} trials; lost_after {LOST_AFTER} s", f"retried from the last checkpoint elsewhere within {LOST_AFTER + 5} s",
             f"{moved} of {SLOTS} elsewhere and from a checkpoint, after {late:.1f} s; {repeated} steps done again in all")]


def killed(fleet, steps=150):
    """The scheduler is killed with trials on all hosts and on Slurm."""
    slurm, trials = 4, HOSTS * SLOTS + 4
    with SlurmCluster(2, 0, 2, fleet.folder / "cluster", shared=[fleet.folder, fleet.bench.bin]) as cluster:
        fleet.env["SLURM_CONF"] = cluster.env["SLURM_CONF"]
        session = fleet.start("run", "-q", fleet.counting("killed", trials, [*fleet.all(), {"slurm": {"max_jobs": slurm}}], steps))
        fleet.wait_for_reports("killed", 5, trials)
        session.kill()
        session.wait()
        time.sleep(3)
        fleet.run("resume", "-q", "killed")
        del fleet.env["SLURM_CONF"]
    restarted, lost, twice = fleet.accounts("killed", trials, steps)
    fleet.clear_notes()
    return [(f"scheduler killed with {trials} trials on {HOSTS} hosts and Slurm, resumed after 3 s", "all adopted",
             f"{trials - restarted} of {trials} adopted, {lost} reports lost, {twice} twice")]


def measured(bench):
    with support.scratch("fleet-", bench.folder) as folder:
        with SshHosts(HOSTS, folder / "stand", shared=[folder, bench.bin]) as hosts:
            fleet = FleetBench(bench, folder, hosts)
            return [row for rows_of in (round_trips, verdicts, busy, cut, death, killed) for row in rows_of(fleet)]


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("needs root, for the hosts")
    support.main([measured])
