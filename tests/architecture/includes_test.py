"""Reads every #include and holds it against the table of docs/design.md: which folder may include which."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

MAY_INCLUDE = {
    "trials": set(),
    "search": {"trials"},
    "store": {"trials"},
    "scheduler": {"trials", "search", "store"},
    "dashboard": {"trials"},
    "objectives": {"trials"},
    "cli": {"trials", "search", "scheduler", "store", "dashboard"},
}

# Third-party headers by prefix: where each may stand.
THIRD_PARTY = {
    "re2/": {"trials"},
    "nlohmann/": {"trials", "objectives"},
    "Eigen/": {"search"},
    "nlopt": {"search"},
    "boost/math": {"search"},
    "boost/random": {"search"},
    "boost/": {"scheduler/hosts", "cli"},
    "sha2.h": {"scheduler/hosts"},
    "sqlite3": {"store"},
    "CLI/": {"cli", "objectives"},
    "torch/": {"objectives"},
    "ATen/": {"objectives"},
    "c10/": {"objectives"},
    "zlib": {"objectives"},
}

# What decides is pure: no clock, file, process, thread or global random generator.
PURE = ["search", "trials", "scheduler/decide", "scheduler/settle"]
IMPURE_HEADERS = {"fstream", "thread", "mutex", "random", "unistd.h", "sys/socket.h", "poll.h", "ctime"}
PURE_EXCEPTIONS = {"trials/reporter.cpp", "trials/report_channel.cpp", "trials/report_channel.h", "trials/reporter.h",
                   "trials/spec_file.cpp"}

IMPURE_CALLS = re.compile(r"::now\(|\bgetenv\b|\brandom_device\b|\bstd::filesystem::(exists|create|remove)")

INCLUDE = re.compile(r'^\s*#include\s+(["<])([^">]+)[">]', re.M)


def sources():
    for folder in MAY_INCLUDE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu"):
                yield folder, path.relative_to(ROOT).as_posix(), path.read_text()


def pure(name):
    return name not in PURE_EXCEPTIONS and any(name.startswith((p + "/", p + ".")) for p in PURE)


def faults_of(folder, name, header, quoted):
    top = header.split("/")[0]
    if quoted and top in MAY_INCLUDE and top != folder and top not in MAY_INCLUDE[folder]:
        yield f"{name}: {folder}/ must not include {header}"
    if quoted and "/" not in header:
        yield f"{name}: {header}: our headers are named by their path from the root"
    for prefix, places in THIRD_PARTY.items():
        if header.startswith(prefix):
            if not any(name.startswith(place + "/") for place in places):
                yield f"{name}: {header} belongs into {', '.join(sorted(places))} only"
            break
    if header in IMPURE_HEADERS and pure(name):
        yield f"{name}: {header}: this part is pure"


def main():
    count, faults = 0, []
    for folder, name, text in sources():
        count += 1
        if pure(name):
            faults += [f"{name}: {call.group(0)}: this part is pure" for call in IMPURE_CALLS.finditer(text)]
        for bracket, header in INCLUDE.findall(text):
            faults += faults_of(folder, name, header, bracket == '"')
    print("\n".join(faults))
    print(f"{count} files, {len(faults)} faults")
    return 1 if faults or count < 50 else 0


sys.exit(main())
