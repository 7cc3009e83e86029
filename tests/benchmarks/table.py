"""``make bench``: every number of the project in one run, into ``results.md``.

``python -m tests.benchmarks.table ways engines`` prints only these sections, and writes nothing.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECTIONS = (
    "core",
    "mechanisms",
    "medians",
    "sql",
    "peers",
    "engines",
    "app",
    "live",
    "cancel",
    "load",
    "memory",
)
RESULTS = Path(__file__).with_name("results.md")
_HEADER = ("what", "wanted", "measured")


def main(names: list[str]) -> None:
    """Print each section as it is measured; write the page if all were."""
    if unknown := [name for name in names if name not in SECTIONS]:
        sys.exit(f"No section {', '.join(unknown)}: there are {', '.join(SECTIONS)}.")
    began = time.monotonic()
    lines = []
    for line in _page(names or list(SECTIONS)):
        print(line, flush=True)
        lines.append(line)
    if not names:
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"\nWritten to {RESULTS.relative_to(Path.cwd())} after {(time.monotonic() - began) / 60:.0f} minutes.")


def _page(names: list[str]) -> Iterator[str]:
    yield "# Benchmarks\n\n`make bench` writes this page, every number in one run.\n"
    yield _machine()
    for name in names:
        section: Any = importlib.import_module(f"tests.benchmarks.{name}")
        header = getattr(section, "HEADER", _HEADER)
        yield f"\n## {section.TITLE}\n"
        if note := getattr(section, "NOTE", ""):
            yield f"{note}\n"
        yield _line(header)
        yield "|---" * len(header) + "|"
        for row in section.rows():
            yield _line(row)


def _machine() -> str:
    """Its cores, and how busy it was: nothing else of it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"Python {platform.python_version()}, {cores} shared cores, load average {os.getloadavg()[0]:.1f} at the start."


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
