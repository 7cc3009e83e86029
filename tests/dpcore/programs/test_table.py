"""What a program reads is the table as it was declared, whoever reads it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Column
from dpcore.programs.table import as_csv, as_parquet

TEXTS = ("plain", "a, b", 'say "no"', "two\nlines", "\r", " blank", "blank ", "ñandú", "", '"', "'", ";", "\u2028")
NOTE = Column("a note, or “none”", role="text")
WARD = Column("ward", role="text", categories=("Park", "Hill, low"))
COST = Column("cost", bounds=(0.0, 100.0))
CODE = Column("code", categories=(1.0, 2.0))


def _table(**columns: Any) -> Any:
    arrays = {name: np.array(values) for name, values in columns.items()}
    made = np.empty(len(next(iter(arrays.values()))), dtype=[(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        made[name] = array
    return made


def _read(said: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(said.decode(), newline=""), strict=True))


def test_it_is_a_line_of_names_and_one_for_each_record() -> None:
    table = _table(cost=[900.0, 0.1, np.nan, -np.inf], ward=["Park", "Hill, low", "Gone", ""], code=[1, 3, 2, 1])
    said = 'cost,ward,code\n100.0,Park,1.0\n0.1,"Hill, low",\n,,2.0\n0.0,,1.0\n'
    assert as_csv((COST, WARD, CODE), table).decode() == said
    others = replace(WARD, categories=("Park", "other"))
    assert as_csv((others,), table).decode() == 'ward\nPark\nother\nother\n""\n'  # what is missing is no other, and no empty line
    assert as_csv((COST,), table[:0]) == b"cost\n"
    assert as_csv((NOTE,), _table(**{NOTE.name: [" a", "b ", "c d"]})).decode() == '"a note, or “none”"\n" a"\n"b "\nc d\n'


def test_texts_are_read_back_whole() -> None:
    table = _table(**{NOTE.name: TEXTS, "cost": np.arange(len(TEXTS)) / 3})
    rows = _read(as_csv((NOTE, Column("cost")), table))
    assert rows[0] == [NOTE.name, "cost"]
    assert [text for text, _ in rows[1:]] == list(TEXTS)
    assert [float(number) for _, number in rows[1:]] == table["cost"].tolist()
    assert [row[0] for row in _read(as_csv((NOTE,), table))[1:]] == list(TEXTS)


@pytest.mark.parametrize("columns", [(COST, WARD, CODE, NOTE), (NOTE,), (COST,)], ids=len)
def test_both_forms_are_one_table(columns: tuple[Column, ...]) -> None:
    """Of random tables, as pandas reads them: as many rows, the same bits, and missing in the same places."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        drawn = {
            "cost": np.where(rng.random(30) < 0.2, np.nan, rng.normal(50, 60, 30)),
            "ward": rng.choice(["Park", "Hill, low", "Gone", ""], 30),
            "code": rng.choice([1.0, 2.0, 3.0, np.nan], 30),
            NOTE.name: rng.choice(TEXTS, 30),
        }
        table = _table(**drawn)
        texts = {column.name: str for column in (WARD, NOTE)}
        one = pd.read_csv(
            io.BytesIO(as_csv(columns, table)),
            keep_default_na=False,
            na_values=[""],
            dtype=texts,
            lineterminator="\n",
        )
        other = pd.read_parquet(io.BytesIO(as_parquet(columns, table)))
        assert list(one.columns) == list(other.columns) == [column.name for column in columns]
        for name in one.columns:
            assert one[name].isna().tolist() == other[name].isna().tolist()
            assert one[name].dropna().tolist() == other[name].dropna().tolist()
            assert len(one) == len(other) == 30
