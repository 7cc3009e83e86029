"""SQL queries: many databases in one call, one call each, and how near the two are."""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Thread

import numpy as np

from dpcore import targets
from dpcore.base.arrays import Database
from tests.benchmarks.timing import seconds
from tests.dpcore.sql.hostile import HEAVY
from tests.dpcore.sql.tables import COLUMNS, drawn

TITLE = "SQL queries"
NOTE = (
    "1,000 databases of 1,000 records in one call of DuckDB's process, as the sampler makes it; *each*: one call, which starts a "
    "separate process. *differs*: the largest relative difference between the two, over 50 databases; wanted ≤ 1e-12."
)
HEADER = ("what", "wanted", "1,000 at once", "each", "differs")
QUERIES = (
    ("a mean", "≤ .3 s", "SELECT avg(cost) FROM data"),
    ("a sum with a condition", "", "SELECT sum(cost) FROM data WHERE age > 65"),
    ("median and standard deviation", "", "SELECT median(cost), stddev(cost) FROM data"),
    ("the mean of one ward", "", "SELECT avg(cost) FILTER (WHERE ward = 'Park') FROM data"),
    ("a window", "", "SELECT avg(r) FROM (SELECT rank() OVER (PARTITION BY ward ORDER BY cost) AS r FROM data)"),
)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, at once, each, differs)"""
    databases = drawn(1_000, databases=1_000)
    found = []
    for what, wanted, query in QUERIES:
        target = targets.SqlQuery(query, COLUMNS)
        together = seconds(lambda asked=target: asked.batch(databases), rounds=5)
        alone = seconds(lambda asked=target: asked(databases[0]), rounds=9)
        each, once = np.array([target(one) for one in databases[:50]]), target.batch(databases[:50])
        differs = float(np.max(np.abs(each - once) / np.abs(each)))
        found.append((what, wanted, f"{together:.2f} s", f"{1_000 * alone:.0f} ms", f"{differs:.1g}"))
    return [*found, *_heavy(databases[0])]


def _heavy(table: Database) -> list[tuple[str, ...]]:
    """Time of the longest heavy query, and the delay of another query meanwhile."""
    light = targets.SqlQuery(QUERIES[0][2], COLUMNS)
    alone, longest, beside = seconds(lambda: light(table), rounds=9), 0.0, 0.0
    for query in HEAVY:
        thread = Thread(target=_ends, args=(query, table))
        begun = time.monotonic()
        thread.start()
        later = [seconds(lambda: light(table), rounds=1) for _ in range(5)]
        beside = max(beside, min(later) - alone)
        thread.join()
        longest = max(longest, time.monotonic() - begun)
    return [
        ("the longest heavy query", "≤ 2 s", "", f"{1_000 * longest:.0f} ms", ""),
        ("a mean beside a heavy query, later by", "≤ 50 ms", "", f"{1_000 * beside:.0f} ms", ""),
    ]


def _ends(query: str, table: Database) -> None:
    """Answered, or refused before that."""
    with suppress(ValueError):
        targets.SqlQuery(query, COLUMNS)(table)
