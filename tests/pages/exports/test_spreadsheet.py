"""CSV for spreadsheets: what it holds comes back, and nothing in it is computed."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pages.exports.spreadsheet import as_csv


def _read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "'=1",
        '"=1',
        "＝1",
        "\ufeff=1",
        "\u200b=cmd|' /C calc'!A0",
        "-",
        "+",
        "--1",
    ],
)
def test_what_a_spreadsheet_would_compute_begins_with_an_apostrophe(cell: str) -> None:
    assert _read(as_csv([{cell: cell}]))[1] == [f"'{cell}"]
    assert _read(as_csv([{cell: cell}]))[0] == [f"'{cell}"]


@pytest.mark.parametrize("cell", ["-0.002", "+3", "1e-05", "-1.5e10", "± 3 years", "a=b", "", "20-30", "γ = 0.05", "5 %"])
def test_numbers_and_other_words_stay_what_they_are(cell: str) -> None:
    assert _read(as_csv([{"a": cell}]))[1] == [cell]


@example([["'=", "''"]])
@given(st.lists(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=2, max_size=2), min_size=1, max_size=4))
def test_every_cell_comes_back_but_for_the_apostrophe(rows: list[list[str]]) -> None:
    made = as_csv([{"a": first, "b": second} for first, second in rows])
    for row, (first, second) in zip(_read(made)[1:], rows, strict=True):
        assert all(cell in (text, f"'{text}") for cell, text in zip(row, (first, second), strict=True))


def test_pandas_reads_it_with_its_numbers() -> None:
    frame = pd.read_csv(io.StringIO(as_csv([{"Δ̂": -1.5, "n": 3, "none": None}, {"Δ̂": 2.5, "n": 4, "none": None}])))
    assert frame["Δ̂"].tolist() == [-1.5, 2.5]
    assert frame["none"].isna().all()
    assert as_csv([]) == "\ufeff"
