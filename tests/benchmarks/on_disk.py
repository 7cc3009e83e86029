"""A table larger than memory: questions of 10⁸ rows of Parquet, made anew in a temporary folder and deleted after."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpcore import L1, Column, Condition, Groups, Laplace, PureDP, targets
from dpcore.sql.parquet_table import ParquetTable

ROWS = 10**8
TITLE = "A table on disk"
NOTE = (
    f"{ROWS:,} rows of Parquet, 1 GB: a cost, an age and one of 12 wards. From the press to the response: the file's digest is "
    "taken while DuckDB reads it on two threads. Memory: of the process that reads, at its largest, and of the one that asks."
)
_WARDS = tuple(f"Ward {ward:02d}" for ward in range(12))
_COLUMNS = (
    Column("cost", bounds=(0.0, 100.0)),
    Column("age", bounds=(0.0, 120.0)),
    Column("ward", role="text", categories=_WARDS),
)
_BY, _ADULTS = Groups("ward", _WARDS), (Condition("age", interval=(18.0, 65.0)),)
_QUESTIONS = (
    ("a mean by ward", "≤ 10 s", targets.On(targets.KnownMean((0.0, 100.0)), ("cost",), by=_BY)),
    ("the same of adults", "", targets.On(targets.KnownMean((0.0, 100.0)), ("cost",), _ADULTS, _BY)),
    ("a sum", "", targets.On(targets.Sum((0.0, 100.0)), ("cost",))),
    ("a number of rows by ward", "", targets.On(targets.KnownCount(), ("ward",), by=_BY)),
)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, measured); in a process of its own, whose memory is that of these questions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stays.parquet"
        made(path, ROWS)
        said = subprocess.run([sys.executable, "-m", __name__, str(path)], check=True, capture_output=True, text=True).stdout
    return [tuple(line.split("\t")) for line in said.splitlines()]


def made(path: Path, many: int, at_once: int = 10**6) -> None:
    """So many rows, a million a row group."""
    rng = np.random.default_rng(1)
    wards = pa.array(_WARDS)
    schema = pa.schema([("cost", pa.float64()), ("age", pa.int32()), ("ward", pa.dictionary(pa.int32(), pa.string()))])
    with pq.ParquetWriter(path, schema) as file:
        for start in range(0, many, at_once):
            some = min(at_once, many - start)
            ward = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, len(_WARDS), some), pa.int32()), wards)
            age = pa.array(rng.integers(0, 100, some), pa.int32())
            file.write_table(pa.table({"cost": rng.random(some) * 100, "age": age, "ward": ward}, schema=schema))


def measured(path: Path) -> list[tuple[str, str, str]]:
    """How long it takes to open the table, and to release each question."""
    began = time.monotonic()
    table = ParquetTable.open(path, _COLUMNS)
    found = [("open it: its digest", "", f"{time.monotonic() - began:.1f} s")]
    for what, wanted, question in _QUESTIONS:
        proved = question.global_sensitivity(L1, table.n)
        assert proved is not None
        calibrated, began = Laplace().calibrate(proved, PureDP(1.0)), time.monotonic()
        calibrated.release_on_disk(table)
        found.append((what, wanted, f"{time.monotonic() - began:.1f} s"))
    largest = [resource.getrusage(of).ru_maxrss / 1024 for of in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    return [*found, ("memory", "≤ 1,000 MB", f"{largest[0]:.0f} MB and {largest[1]:.0f} MB")]


if __name__ == "__main__":
    for cells in measured(Path(sys.argv[1])):
        print("\t".join(cells))
