"""Parquet files and workbooks that were damaged at random: each is read or refused in a sentence, and nothing else comes of one.

    python -m tests.fuzz.binary --seed 1 --count 100000
    python -m tests.fuzz.binary --seed 1 --count 2000 --as-the-app

A reader that crashes takes its process along, so files are read by a process that is started anew when it is gone: one that
ends is what the app makes a sentence of, and is counted. The second reads each file in the processes that the app starts for
it, which is slow. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import datetime
import io
import multiprocessing
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpcore.errors import TableError
from pages.files import parquet, parser_process, tables, workbook
from pages.files.parser_process import broken
from pages.files.tables import Parquet, proposed, read_file
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


def as_the_app(some: Iterable[bytes]) -> tuple[list[str], int]:
    """What is wrong with files that are read in processes of their own, and how many ended theirs without an exception."""
    found, ended = list[str](), 0
    for content in some:
        try:
            read_file(content, "damaged", proposed(content)[0].form, public=False)
        except TableError as error:
            found.append(_about_refusal(error.problem, error.remedy))
            if error.problem == broken().problem:  # a traceback there is not seen here
                again = _apart([content])
                ended += again is None
                found += again or []
        except Exception:
            found.append(traceback.format_exc(limit=-3))
    return [said for said in found if said], ended


def files(seed: int, count: int) -> Iterator[bytes]:
    """So many damaged files."""
    rng = np.random.default_rng(seed)
    return (damaged(rng) for _ in range(count))


def complaints(some: list[bytes], reader: Reader = read) -> list[str]:
    """Of some files, with the limit of memory that the app sets."""
    return [said for content in some if (said := complaint(reader, content))]


def fuzz(seed: int, count: int) -> tuple[list[str], int]:
    """What is wrong with so many files, and how many ended their process."""
    found, ended = list[str](), 0
    waiting = list(files(seed, count))
    while waiting:
        some, waiting = waiting[:_TOGETHER], waiting[_TOGETHER:]
        said = _apart(some)
        if said is None and len(some) == 1:
            ended += 1
        elif said is None:  # one of them did it: each gets a process of its own
            alone = [_apart([one]) for one in some]
            ended += alone.count(None)
            found += [line for lines in alone if lines for line in lines]
        else:
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
    """How many files were not taken as they should be."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--count", type=int, default=100_000)
    asked.add_argument("--as-the-app", action="store_true", help="each file in the processes that the app starts for it")
    given = asked.parse_args()
    found, ended = as_the_app(files(given.seed, given.count)) if given.as_the_app else fuzz(given.seed, given.count)
    for one in found[:20]:
        print(f"{one}\n")
    print(
        f"{given.count:,} files, seed {given.seed}: {len(found)} were not taken as they should be, {ended} ended their process."
    )
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
