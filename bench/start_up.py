#!/usr/bin/env python3
"""The whole process of `hpsearch --version`: wall time and resident memory."""

import support


def rows(bench):
    seen = bench.measure(101, bench.hpsearch, "--version")
    return [("`hpsearch --version`, whole process", "<= 10 ms, <= 15 MB",
             f"{seen['wall_ms']:.1f} ms, {seen['rss_mb']:.1f} MB")]


if __name__ == "__main__":
    support.main([rows])
