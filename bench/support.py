"""What the benchmarks share: where programs and studies lie, running a study, quantiles, rows of the table."""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Bench:
    """The programs of one build, and a folder on the disk that is measured."""

    def __init__(self, build, folder):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.folder = pathlib.Path(folder).resolve()
        self.hpsearch = str(self.bin / "hpsearch")

    def program(self, name):
        return str(self.bin / name)

    def space(self, name, **fields):
        """Writes a space file for a study of one loss and one parameter, changed by `fields`."""
        space = {"study": name, "metric": {"name": "loss", "goal": "minimize"},
                 "params": {"x": {"type": "float", "low": 0, "high": 1}},
                 "search": {"sampler": "random", "seed": 1}, "trial": {"gpus": 0}, **fields}
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(space))
        return file

    def study(self, name):
        return self.folder / "hpsearch-studies" / name

    def run(self, *words):
        """Runs hpsearch to its end. Returns (wall seconds, CPU seconds of it and all it started)."""
        begin = time.perf_counter()
        process = subprocess.Popen([self.hpsearch, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        messages = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"hpsearch {' '.join(words)}: exit {process.returncode}\n{messages[-2000:]}")
        return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime

    def measure(self, runs, *command):
        """Median wall and CPU milliseconds, and largest resident MB, of `command` in the bench folder."""
        out = subprocess.run([self.program("measure"), str(runs), *command], cwd=self.folder, check=True,
                             capture_output=True, text=True).stdout
        return json.loads(out.splitlines()[-1])

    def fsync_ms(self, count=200):
        """Sorted milliseconds of an fsync of 8 KB appended to a file."""
        file = self.folder / "fsync.probe"
        times = []
        with open(file, "wb", buffering=0) as probe:
            for _ in range(count):
                probe.write(b"x" * 8192)
                begin = time.perf_counter()
                os.fsync(probe.fileno())
                times.append(1e3 * (time.perf_counter() - begin))
        file.unlink()
        return sorted(times)


@contextlib.contextmanager
def scratch(prefix, parent=None):
    """A fresh folder that goes with all that is in it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def quantile(values, q):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def median(values):
    return quantile(values, 0.5)


def table(rows):
    return "\n".join(["| what | goal | seen |", "|---|---|---|"] + [f"| {what} | {goal} | {seen} |" for what, goal, seen in rows])


def main(measured):
    """Runs one benchmark, or several, on a fresh folder and prints their rows."""
    parser = argparse.ArgumentParser(description=measured[0].__doc__)
    parser.add_argument("--build", default=ROOT / "build" / "release", help="build folder (default: build/release)")
    parser.add_argument("--dir", default=".", help="folder on the disk to measure (default: here)")
    arguments = parser.parse_args()
    with scratch("hpsearch-bench-", arguments.dir) as folder:
        bench = Bench(arguments.build, folder)
        rows = [row for rows_of in measured for row in rows_of(bench)]
        print(table(rows))
