"""A large text file is parsed by a process of its own, to the very values that this one reads."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dpcore.errors import TableError
from pages.files import forms, tables
from pages.files.csv_columns.format import Format
from pages.files.tables import read_csv, read_file

_ROWS = 60_000
_FORM = Format(delimiter=";", decimal=",", thousands=".")


def _text(last: str = "p1;2,5;ö;1.234,5") -> bytes:
    rows = (f"  p{i % 7_000};{i % 9};{'🙂é'[i % 2] if i % 5 else ''};{i % 3}.234,{i % 10}" for i in range(_ROWS - 1))
    return "\n".join(["who;x;note;cost", *rows, last, ""]).encode()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which readers of the other process were asked."""
    found: list[str] = []

    def parsed(content: bytes, reader: str, *options: Any) -> Any:
        found.append(reader)
        return forms.parsed(content, reader, *options)

    monkeypatch.setattr(tables, "parsed", parsed)
    return found


@pytest.mark.slow
def test_a_large_file_gives_the_table_that_it_gives_here(asked: list[str]) -> None:
    there, here = read_file(_text(), "t", _FORM, public=False), read_csv(_text(), "t", public=False, form=_FORM)
    assert asked == ["text"]
    assert list(there.values) == list(here.values) == ["who", "x", "note", "cost"]
    for name, values in here.values.items():
        assert values.dtype == there.values[name].dtype
        assert np.array_equal(values, there.values[name], equal_nan=values.dtype.kind == "f")
    assert there.cells is not None
    assert here.cells is not None
    assert there.cells.names == here.cells.names
    assert all(there.cells.columns[name].equals(column) for name, column in here.cells.columns.items())
    assert (there.digest, there.told_by, there.columns, there.unused) == (here.digest, here.told_by, here.columns, here.unused)


@pytest.mark.slow
def test_a_refusal_is_the_same_sentence() -> None:
    content, said = _text('p1;1;"x;1'), list[str]()
    for read in (lambda: read_file(content, "t", _FORM, public=False), lambda: read_csv(content, "t", public=False, form=_FORM)):
        with pytest.raises(TableError) as caught:
            read()
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "quotation mark" in said[0]


def test_a_small_file_needs_no_other_process(asked: list[str]) -> None:
    content = b"who,x\na,1\nb,2\n"
    assert len(read_file(content, "t", Format(), public=False)) == 2
    assert asked == []


_OF_NUMBERS = pa.table({"a": [1, 2]})
_OF_OBJECTS = pa.table({"a": pa.array([b"x", b"y"]).view(pa.binary())})


def _stream(table: Any, cut: int | None = None) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return out.getvalue()[:cut]


@pytest.mark.parametrize(
    "stream",
    [
        _stream(_OF_NUMBERS),
        _stream(_OF_OBJECTS),
        _stream(pa.table({"a": ["x", "y"]}), -20),
        _stream(pa.table({"a": pa.array([b"\xff", b"x"]).view(pa.string())})),
        b"",
        b"no stream",
    ],
    ids=["numbers", "objects", "cut off", "no text", "nothing", "no stream"],
)
def test_an_answer_can_hold_nothing_but_text(stream: bytes) -> None:
    with pytest.raises(TableError):
        forms._cells(pa.py_buffer(stream))
