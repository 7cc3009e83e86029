"""Read Parquet files and workbooks that were damaged at random: each is read or refused in a sentence.

    python -m tests.fuzz.binary --seed 1 --count 100000

A reader that crashes ends its process, so files are read by a process that is replaced if it ended. The app turns this into a
sentence, and the script counts it. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import datetime
import io
import itertools
import multiprocessing
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.errors import TableError
from pages.files import parquet, parser_process, tables, workbook
from pages.files.tables import Parquet
from tests.pages.files.binary_workbooks import xls, xlsb
from tests.pages.files.workbooks import ods, packed, xlsx_parts

_TOGETHER = 50
_WORKBOOKS = (b"PK", b"\xd0\xcf")
Reader = Callable[[bytes], Any]


def _parquet(**how: Any) -> bytes:
    out = io.BytesIO()
    table = pa.table({"a": [1.5, None, 3], "b": ["x", "é", None], "c": pa.array([1, 2, 3]), "d": [[1], None, [2, 3]]})
    pq.write_table(table, out, **how)
    return out.getvalue()


_ROWS = [["a", "b", "c"], [1.5, "x", True], [None, "é", datetime.date(2024, 1, 31)], [-2, None, False]]
_PLAIN = [["ward", "seen"], ["A", 45356.0], ["é", 45357.25], ["B", -1.5]]
_PARTS = xlsx_parts({"S": _ROWS, "T": [["a"], [1], [2]]})
WHOLE = (
    _parquet(),
    _parquet(compression="none", use_dictionary=False),
    _parquet(compression="zstd", data_page_version="2.0"),
    packed(_PARTS),
    ods({"S": [row[:2] for row in _ROWS]}),
    xls(_PLAIN, frozenset({1})),
    xlsb(_PLAIN),
)
_XML = (
    "<c/>",
    "</row>",
    "<row>",
    'r="XFD1048576"',
    'r="A0"',
    't="s"',
    't="e"',
    's="99"',
    "<v>1e999</v>",
    "<v>-1</v>",
    "&#0;",
    "&x;",
)


def read(content: bytes) -> Any:
    """As the app reads it, sheet and all."""
    if content.startswith(_WORKBOOKS):
        return workbook.read(content, workbook.seen(content)[0]["sheets"][0]["name"])
    return parquet.read(content)


def damaged(rng: np.random.Generator) -> bytes:
    """One of the files above with bytes exchanged, cut out or doubled in up to eight places, or so a part of a workbook."""
    if rng.random() < 0.4:
        name = list(_PARTS)[rng.integers(len(_PARTS))]
        return packed(_PARTS | {name: _damaged_text(rng, _PARTS[name])})
    content = WHOLE[rng.integers(len(WHOLE))]
    for _ in range(rng.integers(0, 9)):
        start, end = sorted(rng.integers(0, len(content) + 1, 2).tolist())
        piece = bytes(rng.integers(0, 256, rng.integers(1, 9), dtype=np.uint8))
        content = (
            content[:start] + piece + content[start + len(piece) :],
            content[:start] + piece[:1] + content[start + 1 :],
            content[:start] + content[min(end, start + 20) :],
            content[:end] + content[start : min(end, start + 200)] + content[end:],
        )[rng.choice(4, p=(0.4, 0.4, 0.1, 0.1))]
    return content


def _damaged_text(rng: np.random.Generator, text: str) -> str:
    for _ in range(rng.integers(1, 5)):
        start, end = sorted(rng.integers(0, len(text) + 1, 2).tolist())
        piece = _XML[rng.integers(len(_XML))] if rng.random() < 0.6 else chr(rng.integers(1, 0x3000))
        cut = min(end, start + int(rng.integers(0, 20)))
        text = (text[:start] + piece + text[cut:], text[:end] + text[start:cut] + text[end:])[rng.integers(2)]
    return text


def complaint(reader: Reader, content: bytes) -> str:
    """What is wrong with how the file was taken; empty where it was read or refused as it should be."""
    try:
        said, cells = parser_process.answer(reader, content)
        if "problem" in said:
            return _about_refusal(said["problem"], said["remedy"])
        tables._table("damaged", tables._cells(said, cells), public=False, form=Parquet())
    except TableError as error:
        return _about_refusal(error.problem, error.remedy)
    except Exception:
        return traceback.format_exc(limit=-3)
    return ""


def _about_refusal(problem: str, remedy: str) -> str:
    whole = problem.endswith(".") and remedy.endswith(".") and len(problem) < 700
    return "" if whole else f"a refusal that is no short sentence: {problem} {remedy}"


def files(seed: int, count: int) -> Iterator[bytes]:
    """So many damaged files."""
    rng = np.random.default_rng(seed)
    return (damaged(rng) for _ in range(count))


def complaints(some: list[bytes], reader: Reader = read) -> list[str]:
    """Of some files, with the limit of memory that the app sets."""
    return [said for content in some if (said := complaint(reader, content))]


def _batches(some: Iterator[bytes]) -> Iterator[list[bytes]]:
    return iter(lambda: list(itertools.islice(some, _TOGETHER)), [])


def fuzz(seed: int, count: int) -> tuple[list[str], int]:
    """Return complaints about many damaged files, and how many of the files ended their process."""
    found, ended = list[str](), 0
    waiting = list(_batches(files(seed, count)))
    while waiting:
        some = waiting.pop()
        said = _apart(some)
        if said is None and len(some) > 1:  # one of them did it: each gets its own process
            waiting += [[one] for one in some]
        ended += said is None and len(some) == 1
        found += said or []
    return found, ended


_pool: list[ProcessPoolExecutor] = []


def _apart(some: list[bytes]) -> list[str] | None:
    """In another process; None where that ended."""
    if not _pool:
        context = multiprocessing.get_context("spawn")
        _pool.append(ProcessPoolExecutor(1, context, initializer=parser_process.limit_memory))
    try:
        return _pool[0].submit(complaints, some).result()
    except BrokenProcessPool:
        _pool.pop().shutdown()
        return None


def main() -> int:
    """Print complaints, and return their number."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=100_000)
    given = arguments.parse_args()
    found, ended = fuzz(given.seed, given.count)
    print(*found[:20], sep="\n\n")
    print(f"{given.count:,} files, seed {given.seed}: {len(found)} complaints, {ended} ended their process.")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
