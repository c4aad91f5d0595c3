"""What the tests of GPUs share: a machine with some, whose driver's library is a stand-in that reads a text file."""

import os

from fleet_lab import FleetTest

FAKE = os.environ["HPSEARCH_FAKE_NVML"]  # The folder of the stand-in's libnvidia-ml.so.1.

TRIAL = """\
echo "+ $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
sleep ${STEP:-0.3}
hpsearch report loss=$1
echo "- $CUDA_VISIBLE_DEVICES" >>"$CHK/cards"
"""


class GpuCase(FleetTest):
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
        host = {**more.pop("way", {"local": True}), **more.pop("host", {})}
        return self.lab.space([host], name=name, trials=trials, files=more.pop("files", []), resource={"name": "epoch", "max": 1},
                              command=more.pop("command", ["sh", "card.sh", "{x}"]), trial={"gpus": gpus, **more.pop("trial", {})}, **more)

    def used(self):
        """The sets of cards that were in use at a time, checked on the way never to overlap beyond `share`."""
        return [line.split(" ", 1) for line in (self.chk / "cards").read_text().splitlines()]

    def assert_disjoint(self, share=1):
        taken = {}
        for sign, cards in self.used():
            for card in cards.split(","):
                taken[card] = taken.get(card, 0) + (1 if sign == "+" else -1)
                self.assertLessEqual(taken[card], share, self.used())

    def most_at_a_time(self):
        running = most = 0
        for sign, _ in self.used():
            running += 1 if sign == "+" else -1
            most = max(most, running)
        return most
