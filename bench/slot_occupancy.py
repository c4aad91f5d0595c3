#!/usr/bin/env python3
"""How busy a study's slots were: attempts' running time over the time of all slots, from the first start of a trial to
the start of the last one.

Usage: slot_occupancy.py STUDY_DIR

A slot is busy from the start of its attempt's process to its end. Reads the study's log; looks at its last session.
"""

import json
import pathlib
import sqlite3
import sys

import support


def last_session(database):
    """(slots, [(attempt, start, end)] in ms), of the last session in which a trial started."""
    slots, spans, begun = set(), [], {}
    for at, kind, body in database.execute("SELECT at, kind, body FROM event ORDER BY seq"):
        event = json.loads(body)
        if kind == "session_started":
            slots, spans, begun = set(), [], {}
        elif kind == "attempt_planned":
            slots.add((event["slot"]["host"], event["slot"]["index"]))
        elif kind == "attempt_started":
            begun[event["trial"], event["attempt"]] = at
        elif kind == "attempt_ended" and (event["trial"], event["attempt"]) in begun:
            spans.append((event["attempt"], begun.pop((event["trial"], event["attempt"])), event["ended_at"]))
    return len(slots), spans


def occupancy(study):
    """(part of the slots' time that was busy, seconds looked at, slots, attempts)."""
    slots, spans = last_session(sqlite3.connect(f"file:{pathlib.Path(study) / 'study.db'}?mode=ro", uri=True))
    first = min(start for _, start, _ in spans)
    last = max(start for attempt, start, _ in spans if attempt == 1)  # After it slots may have nothing left to run.
    busy = sum(max(0, min(end, last) - start) for _, start, end in spans)
    return busy / (slots * (last - first)), (last - first) / 1e3, slots, len(spans)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: slot_occupancy.py STUDY_DIR")
    part, seconds, slots, attempts = occupancy(sys.argv[1])
    print(support.table([(f"slots busy, {slots} slots, {attempts} attempts, {seconds:.0f} s from the first to the last trial's start",
                          ">= 98 %", f"{100 * part:.1f} %")]))
