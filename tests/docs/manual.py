"""The manual as its tests read it, and the program that it describes. HPSEARCH_BINARY names hpsearch."""

import collections
import json
import os
import pathlib
import re
import subprocess

BINARY = pathlib.Path(os.environ.get("HPSEARCH_BINARY", "hpsearch")).absolute()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# One fenced block: its language, its text, and the line of its page at which it begins.
Block = collections.namedtuple("Block", "page line language text")


def blocks(page):
    text = page.read_text()
    return [Block(page, text.count("\n", 0, match.start()) + 1, match[1], match[2])
            for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)]


def without_comments(text):
    """JSON as the strict parser of Python reads it; no string of the manual's examples holds two slashes."""
    return re.sub(r"//[^\n]*", "", text)


def space_file(block):
    """The space file that a block shows whole, as JSON; None for a part of one."""
    if block.language not in ("json", "jsonc"):
        return None
    try:
        document = json.loads(without_comments(block.text))
    except ValueError:
        return None
    return document if isinstance(document, dict) and "command" in document else None


def hpsearch(*words, folder=None):
    """One finished command, run in `folder` with hpsearch on PATH."""
    env = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}", "HPSEARCH_DIR": ""}
    return subprocess.run([BINARY, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
