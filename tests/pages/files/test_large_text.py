"""A large text file is read by a process of its own, to the very values that this one reads."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from dpcore.base.people import arranged
from dpcore.errors import TableError
from pages.files import forms, tables
from pages.files.csv_columns.format import Format
from pages.files.tables import people_again, read_again, read_csv, read_file

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


def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_HERE", 2**30)


@pytest.mark.slow
def test_a_large_file_gives_the_table_that_it_gives_here(asked: list[str]) -> None:
    there, here = read_file(_text(), "t", _FORM, public=False), read_csv(_text(), "t", public=False, form=_FORM)
    assert asked == ["text"]
    assert list(there.values) == list(here.values) == ["who", "x", "note", "cost"]
    for name, values in here.values.items():
        assert values.dtype == there.values[name].dtype
        assert np.array_equal(values, there.values[name], equal_nan=values.dtype.kind == "f")
    assert (there.digest, there.told_by, there.columns, there.unused) == (here.digest, here.told_by, here.columns, here.unused)


@pytest.mark.slow
def test_what_is_declared_is_read_there_as_it_is_here(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, words = frozenset({"cost", "note"}), {"who": 4}
    there = read_again(_text(), _FORM, numbers, words)
    _here(monkeypatch)
    here = read_again(_text(), _FORM, numbers, words)
    assert asked == ["declared text"]
    assert list(there) == list(here)
    assert all(np.array_equal(there[name], here[name], equal_nan=here[name].dtype.kind == "f") for name in here)


@pytest.mark.slow
def test_people_are_told_apart_there_as_they_are_here(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    content = _text(";2,5;ö;1.234,5")  # the last row is nobody's
    there = people_again(content, _FORM, "who", _ROWS)
    _here(monkeypatch)
    here = people_again(content, _FORM, "who", _ROWS)
    assert asked == ["people"]
    assert (there == here).all()
    names = np.array([f"p{i % 7_000}" for i in range(_ROWS - 1)] + [""])
    for left_out in (False, True):
        order, people = arranged(names, left_out=left_out)
        again = tables.Table("t", (), {"who": there}, public=False, persons=tables.Persons("who", 7_000, left_out=left_out))
        assert (again._arranged[0] == order).all()
        assert (again._arranged[1] == people).all()


@pytest.mark.slow
@pytest.mark.parametrize(("last", "says"), [("p" * 70 + ";1;x;1", "has more than 64 letters"), ('p1;1;"x;1', "quotation mark")])
def test_a_refusal_is_the_same_sentence(last: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content, said = _text(last), list[str]()
    for _ in range(2):
        with pytest.raises(TableError) as caught:
            people_again(content, _FORM, "who", _ROWS)
        said.append(str(caught.value))
        _here(monkeypatch)
    assert said[0] == said[1]
    assert says in said[0]


def test_a_small_file_needs_no_other_process(asked: list[str]) -> None:
    content = b"who,x\na,1\nb,2\n"
    assert len(read_file(content, "t", Format(), public=False)) == 2
    assert set(read_again(content, Format(), frozenset({"x"}), {})) == {"x"}
    assert len(people_again(content, Format(), "who", 2)) == 2
    assert asked == []


@pytest.mark.parametrize("kind", ["|O", "O", "O8", "V8", "<M8[s]", "i8,O", "[('a', 'O')]"])
def test_an_answer_can_hold_no_object(kind: str) -> None:
    with pytest.raises(TableError):
        forms._array(io.BufferedReader(io.BytesIO(b"\0" * 64)), kind, 2)  # type: ignore[arg-type]
