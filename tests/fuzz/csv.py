"""CSVs that were damaged at random: each is read or refused in a sentence, soon, within little memory.

    python -m tests.fuzz.csv --seed 1 --count 100000
    python -m tests.fuzz.csv --large

The first damages small files; the second reads 50 MB of one thing after another, each in a process of its own. The same seed
gives the same files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas  # noqa: F401  (as in the app, where the first file does not wait for it)

from dpcore.errors import TableError
from pages.files.tables import read_csv
from tests.fuzz.large import LARGE, cost

MOST_SECONDS, MOST_MEGABYTES, MOST_LETTERS = 5.0, 600.0, 700
_WHOLE = (
    b"a,b,c\n1,2.5,x\n3,4.5,y z\n,,\n-1e5,NA,\n",
    b"name;born\r\nAda;1815\r\nEmmy;1882\r\n\xc3\x89va;1903\r\n",
    b'id\tnote\n1\t"two\nlines"\n2\t"a ""word"""\n3\t\n',
    b"\xef\xbb\xbfincome\n10\n20\n\n30\n",
    b"t|u\nTrue|1\nFalse|2\n",
    "cost;größe\n1.234,5;x\n2,5;é\n;\n1.234.567;y\n".encode("windows-1252"),
    "cost\tb\n1 234,5\tx\n2,5\té\n".encode("utf-16"),
    b'a,b\n1\'234.5,"1,234"\n2.5,"2,345,678.5"\n',
    b",".join(b"c%d" % i for i in range(300)) + b"\n" + (b"1," * 299 + b"x\n") * 3,
)
_PIECES = (
    b",",
    b";",
    b"\t",
    b"|",
    b'"',
    b'""',
    b"'",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b" ",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    "é".encode(),
    "🙂".encode(),
    "\u2028".encode(),
    "\u202e".encode(),
    b"\x1c",
    b"\x0b",
    b"\x1a",
    b"\\",
    b"#",
    b"=1+1",
    b"<b>",
    b"![x](http://a.b)",
    b"$x$",
    b"NA",
    b"nan",
    b"inf",
    b"-0",
    b"1e999",
    b"1e-999",
    b"9" * 30,
    b"0x10",
    b"1_000",
    b"True",
    b"{",
    b"1.234,5",
    b"1 234",
    b"1'234.5",
    b"1,2",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\x81",
    b"\xa0",
    b"\0\xd8",
    b"," * 40,
    b"x" * 500,
    b'"' * 9,
    b"\n" * 50,
    b"PK\x03\x04",
    b"%PDF",
)


def damaged(rng: np.random.Generator) -> bytes:
    """One of the files above with up to eight pieces put in, cut out, doubled or exchanged."""
    content = _WHOLE[rng.integers(len(_WHOLE))]
    for _ in range(rng.integers(0, 9)):
        start, end = sorted(rng.integers(0, len(content) + 1, 2).tolist())
        piece = _PIECES[rng.integers(len(_PIECES))]
        content = (
            content[:start] + piece + content[start:],
            content[:start] + content[min(end, start + 5) :],
            content[:start] + piece + content[min(end, start + 3) :],
            content[:end] + content[start:end] + content[end:],
            content[:start] + content[start : start + 1] * int(rng.integers(2, 400)) + content[start:],
        )[rng.integers(5)]
    return content


def complaint(content: bytes) -> str:
    """What is wrong with how the file was taken; empty where it was read or refused as it should be."""
    begun = time.perf_counter()
    try:
        table = read_csv(content, "damaged.csv", public=False)
    except TableError as error:
        said = str(error)
        if len(said) > MOST_LETTERS or not said.endswith("."):
            return f"a refusal that is no short sentence: {said[:200]!r}"
    except Exception:
        return traceback.format_exc(limit=-3)
    else:
        sizes = {len(values) for values in table.values.values()}
        if sizes != {len(table)} or len(table) < 2 or [column.name for column in table.columns] != list(table.values):
            return f"a table whose columns do not fit together: {sizes}"
    seconds = time.perf_counter() - begun
    return f"{seconds:.1f} s" if seconds > MOST_SECONDS else ""


def files(seed: int, count: int) -> Iterator[bytes]:
    """So many damaged files."""
    rng = np.random.default_rng(seed)
    return (damaged(rng) for _ in range(count))


def fuzz(seed: int, count: int) -> list[tuple[bytes, str]]:
    """Return damaged files that were not read or refused properly, with complaints."""
    return [(content, said) for content in files(seed, count) if (said := complaint(content))]


def _large() -> int:
    beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, content in LARGE.items():
            took = cost(content(), Path(folder))
            too_much = took.seconds > MOST_SECONDS or took.megabytes > MOST_MEGABYTES
            beyond += too_much
            mark = "  <-- beyond" if too_much else ""
            print(
                f"{name:44}{took.seconds:7.2f} s{took.processor:7.2f} s of work{took.megabytes:6.0f} MB  {took.said[:60]}{mark}"
            )
    return beyond


def main() -> int:
    """Print complaints, and return their number."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=100_000)
    arguments.add_argument("--large", action="store_true")
    given = arguments.parse_args()
    if given.large:
        return _large()
    found = fuzz(given.seed, given.count)
    for content, said in found[:20]:
        print(f"{content[:400]!r}\n{said}\n")
    print(f"{given.count:,} files, seed {given.seed}: {len(found)} complaints.")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
