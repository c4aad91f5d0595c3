"""configs/fleet_example.json as it stands, over this machine, two hosts reached by ssh and a Slurm cluster."""

import json
import os
import pathlib
import re
import unittest

from fleet_lab import BINARY, FleetTest
from slurm_cluster import SlurmCluster
from ssh_hosts import SshHosts

ROOT = pathlib.Path(__file__).resolve().parents[2]
FASHION_CNN = os.environ.get("HPSEARCH_FASHION_CNN", "")
DATA = "/usr/share/datasets/fashion-mnist"


def example():
    return json.loads(re.sub(r"^\s*//.*$", "", (ROOT / "configs/fleet_example.json").read_text(), flags=re.MULTILINE))


@unittest.skipUnless(os.path.exists(FASHION_CNN), "fashion_cnn is not built: there is no LibTorch")
@unittest.skipUnless(os.path.isdir(DATA), "dataset-fashion-mnist is not installed")
class FleetExample(FleetTest):
    def stands(self):
        # Folders that hosts have of their own, /tmp and the home, may hold the programs.
        shared = [self.dir, *{os.path.dirname(os.path.abspath(path)) for path in (BINARY, FASHION_CNN)}]
        self.hosts = SshHosts(2, self.dir / "ssh", shared=shared)
        self.cluster = SlurmCluster(2, 0, 1, self.dir / "slurm", shared=shared)
        for stand in (self.hosts, self.cluster):
            stand.__enter__()
            self.addCleanup(stand.__exit__, None, None, None)

    def adapted(self):
        """Smaller, and with this stand's particulars: how ssh finds gpu1 and gpu2, and where things lie."""
        space = example()
        space["limits"] = {"trials": 12}
        space["resource"]["max"] = 3
        space["settings"] = {"program": FASHION_CNN, "data": DATA, "subset": 1500}
        names = pathlib.Path(self.hosts.config)
        names.write_text("".join(f"Host gpu{k}\n  HostName {self.hosts.address(f'h{k}')}\n" for k in (1, 2)) + names.read_text())
        for host in space["hosts"]:
            if "ssh" in host:
                host |= {"ssh_options": ["-F", str(names)], "slots": 1, "vars": {key: space["settings"][key] for key in host["vars"]}}
            if "slurm" in host:
                host["slurm"]["max_jobs"] = 2
        (self.lab.folder / "fleet.json").write_text(json.dumps(space))
        return space["study"]

    def test_fashion_cnn_over_four_hosts_of_three_kinds(self):
        self.stands()
        study = self.adapted()
        done = self.lab.run("run", "fleet.json", seconds=400, env={"SLURM_CONF": self.cluster.env["SLURM_CONF"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        planned = self.lab.planned(study)
        self.assertEqual(set(planned.values()), {"local", "gpu1", "gpu2", "slurm"})
        states = [state for state, in self.lab.rows("SELECT state FROM trial", study)]
        self.assertEqual(len(states), 12)
        self.assertLessEqual(set(states), {"completed", "paused"}, done.stderr)
        self.assertIn("completed", states)
        self.assert_replays(study)
        ((best,),) = self.lab.rows("SELECT value FROM trial WHERE number = (SELECT best FROM summary)", study)
        self.assertGreater(best, 0.5)
        # A third of the trials went on, with their checkpoints, wherever there was room.
        again = [event for event in self.lab.events("attempt_planned", study) if event["attempt"] > 1]
        self.assertTrue(again)
        self.assertTrue(all(event.get("resume_checkpoint") for event in again))
        spent = self.lab.run("hosts", study).stdout
        for name in ("local", "gpu1", "gpu2", "slurm"):
            self.assertIn(name, spent)


if __name__ == "__main__":
    unittest.main()
