"""Files of 50 MB of one thing each, and what reading one costs, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pages.files.limits import MOST_BYTES

_ROOT = Path(__file__).parents[2]
_CODE = """
import sys, time
from pathlib import Path
import pandas
from dpcore.errors import TableError
from pages.files.tables import read_csv
content = Path(sys.argv[1]).read_bytes()
begun, worked = time.perf_counter(), time.process_time()
try:
    table = read_csv(content, "large.csv", public=False)
    said = f"read: {len(table)} records, {len(table.columns)} columns"
except TableError as error:
    said = str(error)
seconds, processor = time.perf_counter() - begun, time.process_time() - worked
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(seconds, processor, int(peak.split()[1]) / 1024, said)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one file: seconds of reading, those of the processor, megabytes of the process at its largest, and what came of it."""

    seconds: float
    processor: float
    megabytes: float
    said: str


def cost(content: bytes, folder: Path) -> Cost:
    """Read it in a fresh process, imports made before; RuntimeError with its traceback where that fails."""
    file = folder / "large.csv"
    file.write_bytes(content)
    done = subprocess.run([sys.executable, "-c", _CODE, str(file)], cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2_000:])
    seconds, processor, megabytes, said = done.stdout.strip().split(" ", 3)
    return Cost(float(seconds), float(processor), float(megabytes), said)


def _filled(start: bytes, record: bytes, end: bytes = b"") -> bytes:
    return start + record * ((MOST_BYTES - len(start) - len(end)) // len(record)) + end


def _names(columns: int) -> bytes:
    return ",".join(f"c{i}" for i in range(columns)).encode() + b"\n"


def _wide(cell: bytes, columns: int = 2_000, end: bytes = b"") -> bytes:
    return _filled(_names(columns), b",".join([cell] * columns) + b"\n", end)


def _distinct(width: int, columns: int = 1) -> bytes:
    """Records of different text."""
    codes = np.random.default_rng(1).integers(97, 123, (MOST_BYTES // (width + 1) - 10_000, width + 1), dtype=np.uint8)
    codes[:, -1] = ord(",")
    codes[columns - 1 :: columns, -1] = ord("\n")
    return _names(columns) + codes[: len(codes) // columns * columns].tobytes()


def _distinct_of_two_bytes() -> bytes:
    letters = np.random.default_rng(1).integers(0xC0, 0x24F, (MOST_BYTES // 5 - 10, 3), dtype=np.uint32)
    letters[:, -1] = ord("\n")
    return b"a\n" + letters.tobytes().decode("utf-32-le").encode()


LARGE: dict[str, Callable[[], bytes]] = {
    "ones": lambda: _filled(b"a\n", b"1\n"),
    "numbers with a point": lambda: _filled(b"a\n", b"1.25371\n"),
    "numbers of 17 digits": lambda: _filled(b"a,b\n", b"0.12345678901234567,1e-300\n"),
    "ones, then a word": lambda: _filled(b"a\n", b"1\n", b"x\n"),
    "a word and ones": lambda: _filled(b"a\n", b"1\n" * 2**20 + b"x\n"),
    "one letter": lambda: _filled(b"a\n", b"x\n"),
    "one letter of two bytes": lambda: _filled(b"a\n", "é\n".encode()),
    "distinct words of three letters": lambda: _distinct(3),
    "distinct words of six letters": lambda: _distinct(6),
    "distinct words of 50 letters": lambda: _distinct(50),
    "distinct words of two letters of two bytes": _distinct_of_two_bytes,
    "words with spaces": lambda: _filled(b"a\n", b" x \n"),
    "truth values": lambda: _filled(b"a,b\n", b"True,False\n"),
    "blank lines": lambda: _filled(b"a\n", b"\n"),
    "blank lines of two columns": lambda: _filled(b"a,b\n1,2\n3,4\n", b"\n"),
    "commas": lambda: _filled(b"", b","),
    "commas below a header": lambda: _filled(b"a,b\n", b","),
    "commas below a header, in quotes": lambda: _filled(b"a,b\n", b",", b'"'),
    "rows of commas": lambda: _filled(_names(50), b"," * 49 + b"\n"),
    "wide rows of commas": lambda: _wide(b""),
    "wide ones": lambda: _wide(b"1"),
    "wide words": lambda: _wide(b"x"),
    "wide ones, then words": lambda: _wide(b"1", end=b",".join([b"x"] * 2_000)),
    "wide distinct words": lambda: _distinct(4, 2_000),
    "a hundred columns of distinct words": lambda: _distinct(5, 100),
    "wide short rows": lambda: _filled(_names(2_000), b"1\n"),
    "40,000 columns": lambda: _wide(b"1", 40_000),
    "names alone": lambda: _names(6_000_000)[:MOST_BYTES],
    "quoted names alone": lambda: b",".join(b'"%d"' % i for i in range(5_000_000))[:MOST_BYTES],
    "one line": lambda: _filled(b"", b"x"),
    "one value": lambda: _filled(b"a,b\n1,2\n", b"x", b",2\n"),
    "one value with an emoji": lambda: _filled(b"a,b\n1,2\n", b"x", "🙂,2\n".encode()),
    "emojis": lambda: _filled(b"a,b\n", "🙂,🙂🙂\n".encode()),
    "a quotation mark that never closes": lambda: _filled(b'a,b\n1,"2\n', b"3,4\n"),
    "a quotation mark in the header": lambda: _filled(b'"a,b\n', b"3,4\n"),
    "a quotation mark in each value": lambda: _filled(b"a,b\n", b'1","2\n'),
    "quotation marks": lambda: _filled(b"a,b\n", b'"'),
    "quoted ones": lambda: _filled(b"a,b\n", b'"1","2"\n'),
    "quoted words": lambda: _filled(b"a,b\n", b'"x","y"\n'),
    "quoted, and surplus at the end": lambda: _filled(b"a,b\n", b'"1","2"\n', b"1,2,3\n"),
    "lines in quotes": lambda: _filled(b"a,b\n", b'"' + b"\n" * 1_000 + b'",1\n'),
    "carriage returns": lambda: _filled(b"a\r", b"1\r"),
    "two kinds of line ends": lambda: _filled(b"a,b\r\n", b"1,2\r\n"),
    "a zero byte at the end": lambda: _filled(b"a\n", b"1\n", b"\0"),
    "latin-1 at the end": lambda: _filled(b"a\n", "é\n".encode(), b"\xe9\n"),
    "a mark of byte order, then spaces": lambda: _filled(b"\xef\xbb\xbf", b" "),
    "spaces": lambda: _filled(b"a,b\n", b" "),
    "spaces before each value": lambda: _filled(b"a,b\n", b"          1,          2\n"),
    "surplus at the end": lambda: _filled(b"a,b\n", b"1,2\n", b"1,2,3\n"),
    "a separator behind each record": lambda: _filled(b"a,b\n", b"1,2,\n"),
    "a long word in each part": lambda: _filled(b"a,b\n", b"x,1\n" * 200_000 + b"y" * 100 + b",1\n"),
    "a long word in each column": lambda: _filled(
        _names(2_000), (b",".join([b"x"] * 2_000) + b"\n") * 500 + b",".join([b"y" * 1_000] * 2_000) + b"\n"
    ),
    "numbers of many digits": lambda: _filled(b"a\n", b"9" * 400 + b"\n"),
    "one number of many digits": lambda: _filled(b"a\n1\n", b"9"),
    "backslashes": lambda: _filled(b"a,b\n", b"\\,\\\n"),
}
