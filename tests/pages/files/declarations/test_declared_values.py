"""What a file's cells are under their holder's declarations, against pandas with the same declarations."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcore.base.columns import OTHER
from dpcore.errors import TableError
from pages.files.declarations.declaration import Declaration, WholeFile
from pages.files.declarations.declared_table import declared_table, problems
from pages.files.form import Format
from pages.files.persons import Persons
from pages.files.tables import Table, proposed, read_file

COST = Declaration(name="cost", type="number", lowest="0", highest="1000", codes=("-999", "k. A."))
WEIGHT = Declaration(name="weight", type="number", lowest="0", highest="300", unit="kg")
WARD = Declaration(
    name="ward", type="category", categories=("Chirurgie", "Innere"), spellings=(("Chirugie", "Chirurgie"), ("x", OTHER))
)
DECLARED = (COST, WEIGHT, WARD)
GERMAN = Format(delimiter=";", decimal=",")


def _read(content: bytes, *declared: Declaration, whole: WholeFile | None = None, **how: Any) -> Table:
    draft = read_file(content, "t", how.pop("form", None) or proposed(content)[0].form, public=False)
    return declared_table(draft, declared, public=how.pop("public", False), whole=whole or WholeFile(), **how)


_COSTS = st.sampled_from(["-999", "-999,0", "k. A.", "", "12,5", "7", "1000", "9999", "abc", "NA", "-9"])
_WEIGHTS = st.sampled_from(["67,0 kg", "67kg", "80", "80 lb", "kg", "", "-999 kg", "9999", "1,5  kg"])
_WARDS = st.sampled_from(["Chirurgie", "Chirugie", "Innere", "innere", "x", "n/a", "", "9999", "Summe"])
_ROWS = st.lists(
    st.tuples(st.sampled_from(["001", "002", "", "Summe", "n/a"]), _COSTS, _WEIGHTS, _WARDS), min_size=2, max_size=12
)
_WHOLE = st.builds(
    WholeFile,
    codes=st.sampled_from([(), ("n/a",), ("9999", "n/a")]),
    last=st.integers(0, 2),
    by=st.just("nr"),
    words=st.sampled_from([(), ("Summe",), ("Summe", "001")]),
) | st.builds(WholeFile, codes=st.sampled_from([(), ("9999",)]))


def _by_pandas(content: bytes, whole: WholeFile) -> pd.DataFrame:
    """The same by another road: all of it as text, then each rule in turn."""
    frame = pd.read_csv(io.BytesIO(content), sep=";", dtype=str, na_filter=False).apply(lambda column: column.str.strip())
    frame = frame.iloc[: len(frame) - whole.last].reset_index(drop=True)
    if whole.by:
        stands = frame[whole.by].where(~frame[whole.by].isin(whole.codes), "")
        out = stands.isin(whole.words) if whole.words else stands == ""
        frame.loc[out, :] = ""

    def numbers(column: pd.Series, codes: tuple[str, ...]) -> pd.Series:
        found = pd.to_numeric(column.str.replace(",", ".", regex=False), errors="coerce")
        known = pd.to_numeric(pd.Series([*codes, *whole.codes]), errors="coerce").dropna()
        return found.where(~found.isin(known))

    weight = frame["weight"].str.replace(r"\s*kg$", "", regex=True).where(frame["weight"] != "kg", "")
    ward = frame["ward"].where(~frame["ward"].isin(whole.codes), "").replace({"Chirugie": "Chirurgie", "x": OTHER})
    known = ["Chirurgie", "Innere", OTHER, ""]
    return pd.DataFrame(
        {
            "cost": numbers(frame["cost"], COST.codes),
            "weight": numbers(weight, ()),
            "ward": ward.where(ward.isin(known), OTHER),
        }
    )


@settings(max_examples=30, deadline=None)
@given(rows=_ROWS, whole=_WHOLE)
def test_what_is_read_is_what_pandas_reads_under_the_same_declarations(rows: list[tuple[str, ...]], whole: WholeFile) -> None:
    assume(any(row[0] not in ("", "n/a") for row in rows))  # else every row would be left out, which is refused
    content = ("nr;cost;weight;ward\n" + "".join(";".join(row) + "\n" for row in rows)).encode()
    if len(rows) - whole.last < 2:
        with pytest.raises(TableError, match="fewer than 2 rows are left"):
            _read(content, *DECLARED, whole=whole, form=GERMAN)
        return
    table = _read(content, *DECLARED, whole=whole, form=GERMAN)
    expected = _by_pandas(content, whole)
    assert len(table) == len(rows) - whole.last
    for name in ("cost", "weight"):
        assert np.array_equal(table.values[name], expected[name].to_numpy(float), equal_nan=True)
    assert table.values["ward"].tolist() == expected["ward"].tolist()


def test_a_code_is_the_same_number_however_it_is_written() -> None:
    content = b"cost;ward\n-999;Innere\n-999,00;Innere\n-9,99e2;Innere\n5;Innere\n"
    values = _read(content, replace(COST, codes=("\N{MINUS SIGN}999",)), form=GERMAN).values["cost"]
    assert np.array_equal(values, [np.nan, np.nan, np.nan, 5], equal_nan=True)


@pytest.mark.parametrize("changed", range(4))
@pytest.mark.parametrize("row", ["Summe;900;1 kg;Innere", ";1;2 kg;x", "004;3;4 kg;Innere"])
def test_a_replaced_row_changes_no_other_row_and_no_number_of_records(changed: int, row: str) -> None:
    """What a proof for replaced records rests on: the table is the file's rows, each read by itself."""
    rows = ["001;1;60 kg;Innere", "002;2;70 kg;Chirugie", "003;900;80 kg;n/a", "Summe;903;;"]
    whole = WholeFile(codes=("n/a",), by="nr", words=("Summe",))
    other = [row if i == changed else one for i, one in enumerate(rows)]
    tables = [
        _read(("nr;cost;weight;ward\n" + "\n".join(some) + "\n").encode(), *DECLARED, whole=whole, form=GERMAN)
        for some in (rows, other)
    ]
    assert len(tables[0]) == len(tables[1]) == 4
    kept = [i for i in range(4) if i != changed]
    for name in ("cost", "weight", "ward"):
        assert np.array_equal(*(table.values[name][kept].astype(str) for table in tables))


def test_a_row_that_is_left_out_stays_its_persons_and_the_last_line_is_nobodys() -> None:
    """A person whose row is left out is still one person: else the number of people would tell what the row holds."""
    content = b"who;cost;status\na;1;ok\na;2;void\nb;3;void\n;6;ok\nTotal;12;ok\n"
    for words in (("void",), ("ok",)):
        whole = WholeFile(last=1, by="status", words=words)
        table = _read(content, COST, whole=whole, persons=Persons("who"))
        assert (len(table), table.size(())) == (4, 3)
    coded = _read(content, COST, whole=WholeFile(codes=("b", "Total")), persons=Persons("who"))
    assert coded.size(()) == 4, "b, Total and the blank are each a person of its own"


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        (COST, "999"),
        (WARD, "Innere"),
        (Declaration(name="s", type="yes or no"), "0"),
        (Declaration(name="d", type="date, as 31.12.2024", lowest="1900-01-01", highest="2024-12-31"), "01.01.1900"),
    ],
)
def test_code_of_file_that_is_also_a_value_is_refused(declared: Declaration, code: str) -> None:
    found = problems((declared,), WholeFile(codes=(code,)))[declared.name]
    assert f"“{code}” is a code for a missing value in every column" in found.problem
    assert not problems((replace(declared, codes=(code,)),), WholeFile(codes=(code,)))
    assert not problems((declared,), WholeFile(codes=("-999", "9999", "k. A.")))


def test_a_column_by_which_rows_are_left_out_has_to_be_there() -> None:
    content = b"nr,cost,blank\n1,2,\n3,4,\n"
    with pytest.raises(TableError, match="the file has no such column with values"):
        _read(content, COST, whole=WholeFile(by="patient"))
    with pytest.raises(TableError, match="the file has no such column with values"):
        _read(content, COST, whole=WholeFile(by="blank"))
    assert len(_read(content, COST, whole=WholeFile(by="blank", words=("x",)))) == 2


@pytest.mark.usefixtures("here")
def test_no_row_is_left_out_by_a_column_that_is_not_read() -> None:
    """Its last row would stay in silence."""
    file = io.BytesIO()
    pq.write_table(pa.table({"nr": [[1], [5], [7]], "cost": [1, 2, 3]}), file)
    with pytest.raises(TableError, match="left out by nr, and the file has no such column with values"):
        _read(file.getvalue(), COST, whole=WholeFile(by="nr", words=("Total",)))
