"""A file takes no longer because its cells are long: reading it, and the digests by which its table is known again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from dpcore.base import table_digests
from pages.files.tables import read_csv
from tests.yardstick import in_loops

MOST_LOOPS = 200  # three seconds on a machine on which a loop of the yardstick takes a sixtieth of one
_MB = 2**20


def _two_rows(cell: bytes) -> bytes:
    return b"a,b\n1," + cell + b"\n2,x\n"


def _wide(columns: int, rows: list[bytes]) -> bytes:
    return b"\n".join([b",".join(b"c%d" % i for i in range(columns)), *rows, b""])


FILES: dict[str, Callable[[], bytes]] = {
    "one cell": lambda: _two_rows(b"a" * (4 * _MB)),
    "letters with marks": lambda: _two_rows("e\u0301\u0316".encode() * _MB),
    "short letters with many marks": lambda: b"a,b\n" + b"".join(b"%d,e%s\n" % (i, _MARKS) for i in range(10_000)),
    "letters of Windows": lambda: _two_rows(b"\xe9" * (4 * _MB) + b" z"),
    "many long cells": lambda: b"a,b\n" + b"".join(b"%d,%s\n" % (i, b"w" * 65_536) for i in range(60)),
    "200 columns of 800 rows": lambda: _wide(200, [b",".join(b"%d" % (i % 90) for i in range(200))] * 800),
    "500 columns of different widths": lambda: _wide(500, [b",".join(b"w" * (5 * i) for i in range(1, 501))] * 2),
}
_MARKS = "\u0301\u0316".encode() * 45


@pytest.mark.parametrize("case", FILES)
def test_a_file_with_long_cells_is_read_within_seconds(case: str) -> None:
    content = FILES[case]()
    assert in_loops(lambda: read_csv(content, "t", public=False), 1) < MOST_LOOPS


@pytest.mark.parametrize("cell", ["a" * (4 * _MB), "a" * 300 + "\0" * _MB + "b", "🙂" * _MB])
def test_the_digests_of_a_long_cell_take_no_loop_over_its_characters(cell: str) -> None:
    values = {"text": np.array([cell, "x", "y"])}
    assert in_loops(lambda: table_digests.unordered(values), 1) < 60


def test_the_digests_of_a_table_with_shorter_texts_are_what_they_were() -> None:
    """A saved ledger holds them."""
    values = {
        "name": np.array([f"Süd {i * i % 47}" + "x" * (i % 7 * 80) for i in range(60)]),
        "note": np.array(["🙂é"[: i % 3] + "\0a" * (i % 2) for i in range(60)]),
        "income": np.arange(60.0) ** 2,
    }
    found = " ".join(sorted(table_digests.unordered(values)))
    assert hashlib.sha256(found.encode()).hexdigest() == "fc49065f1041b8d6ef2c19c1a4fae467000e531a9fd3e9c250584cdf9fa8f148"


@pytest.mark.parametrize("length", [1, 499, 500, 501, 3_000])
def test_the_digest_of_a_column_depends_on_its_texts_alone(length: int) -> None:
    texts = np.array([f"{i * i % 47}".rjust(length, "é") for i in range(60)])
    order = np.random.default_rng(1).permutation(60)
    known = table_digests.unordered({"text": texts})
    assert len(known) == 2  # the column's, and the table's
    assert table_digests.unordered({"text": texts[order]}) == known
    assert table_digests.unordered({"text": texts.astype(f"U{length + 700}")}) == known
    beside = {f"c{i}": np.array(["w" * (i * 50 + 1), "x", "y"] * 20) for i in range(20)}
    assert known & table_digests.unordered({"text": texts} | beside)
    changed = texts.copy()
    changed[7] = f"{changed[7][:-1]}_"
    assert not table_digests.unordered({"text": changed}) & known
