"""Commands as targets: what a call costs, with a program that does next to nothing, and how much of it is the table."""

from __future__ import annotations

import sys
from contextlib import suppress

import numpy as np

from dpcore import Column
from dpcore.programs import Program
from tests.benchmarks.timing import seconds

TITLE = "Programs"
NOTE = "A call is a process of its own, and a pair is two calls. *1,000 rows*, *100,000 rows*: of two columns of numbers."
HEADER = ("what", "no table to speak of", "1,000 rows", "100,000 rows")
COLUMNS = (Column("cost", bounds=(0.0, 100.0)), Column("age", bounds=(0.0, 100.0)))
MEAN = "import sys; rows = sys.stdin.readlines()[1:]; print(sum(float(row.split(',')[0]) for row in rows) / len(rows))"
CASES: tuple[tuple[str, Program], ...] = (
    ("`true`, whose lack of a number is a failure", Program(("true",), COLUMNS)),
    ("a mean by awk", Program(("awk", "-F,", "NR > 1 { s += $1 } END { print s / (NR - 1) }"), COLUMNS)),
    ("a mean by Python", Program((sys.executable, "-I", "-S", "-c", MEAN), COLUMNS)),
    ("a table of Parquet, which Python leaves unread", Program((sys.executable, "-c", "print(1)"), COLUMNS, form="parquet")),
)


def rows() -> list[tuple[str, ...]]:
    """(what, seconds of a call with one row, with 1,000, with 100,000)"""
    rng, found = np.random.default_rng(1), []
    for what, target in CASES:
        cells = []
        for n, rounds in ((1, 21), (1_000, 21), (100_000, 5)):
            table = np.array(list(zip(*rng.uniform(0, 100, (2, n)), strict=True)), dtype=[("cost", float), ("age", float)])
            took = seconds(lambda asked=target, table=table: _asked(asked, table), rounds=rounds)
            cells.append(f"{1_000 * took:.1f} ms")
        found.append((what, *cells))
    return found


def _asked(target: Program, table: np.ndarray) -> None:
    with suppress(ValueError):  # of one that prints nothing
        target(table)
