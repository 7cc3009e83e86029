"""Saved declarations: read back, for the next file with the same columns, and refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dpcore.errors import TableError
from dpcore.guarantees.privacy import Unit
from pages.declaring.saved import difference, read, write
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration, Settings, WholeFile
from pages.files.form import Format
from pages.files.persons import Guesses, Persons
from pages.files.tables import Form, Parquet, Sheet

COLUMNS = (
    Declaration(name="cost", type="number", lowest="0", highest="100000", unit="€", label="Kosten"),
    Declaration(name="ward; a", type="category", categories=("a, b", "ü"), spellings=(("x", "other"),), codes=("n/a",)),
    Declaration(name="id", type="text", used=False),
)
GERMAN = Settings(Format("windows-1252", ";", ",", "."), False, Unit("stay", several=True), COLUMNS)
ALL = replace(
    GERMAN,
    persons=Persons("id", 70),
    guesses=Guesses(2.5, 0.7),
    stated=300,
    whole=WholeFile(codes=("-999", "k. A."), last=2, by="id", words=("Summe",)),
)


@pytest.mark.parametrize("form", [GERMAN.form, Sheet("Stays"), Parquet()], ids=["text", "sheet", "parquet"])
@pytest.mark.parametrize("settings", [GERMAN, ALL], ids=["few", "all"])
def test_what_was_saved_is_read_back(settings: Settings, form: Form) -> None:
    settings = replace(settings, form=form)
    assert read(write(settings).encode()) == (settings, None)
    assert read(write(settings, {"questions": []}).encode()) == (settings, {"questions": []})


def test_every_type_is_known_to_the_file() -> None:
    columns = tuple(Declaration(name=kind, type=kind) for kind in TYPES)
    assert read(write(replace(GERMAN, columns=columns)).encode())[0].columns == columns


def _changed(**values: Any) -> bytes:
    said = json.loads(write(ALL))
    said["settings"] |= values
    return json.dumps(said).encode()


def _column(**values: Any) -> bytes:
    said = json.loads(write(ALL))
    said["settings"]["columns"][0] |= values
    return json.dumps(said).encode()


def _file(**values: Any) -> bytes:
    return json.dumps(json.loads(write(ALL)) | values).encode()


PERSONS: list[Any] = [
    "id",
    {"column": "", "stated": None},
    {"column": "id", "stated": 0},
    {"column": "id", "stated": 2**24 + 1},
    {"column": "id", "stated": 5, "more": 1},
]
OF_COLUMNS: list[dict[str, Any]] = [
    {"type": "formula"},
    {"type": ["number"]},
    {"lowest": 0},
    {"lowest": "1" * 300},
    {"strange": 1},
    {"categories": "a"},
    {"codes": ["n/a"] * 101},
    {"used": 1},
    {"spellings": [["a"]]},
    {"spellings": [["a", "b"], ["a", "c"]]},
]
OF_SETTINGS: list[dict[str, Any]] = [
    {"public": "no"},
    {"more": 1},
    {"form": {"kind": "pickle"}},
    {"form": {"kind": "Format", "encoding": "utf-7", "delimiter": ",", "decimal": ".", "thousands": ""}},
    {"unit": "stay"},
    {"columns": []},
    {"columns": [json.loads(write(ALL))["settings"]["columns"][0]] * 2},
    {"stated": 0},
    {"stated": 1.5},
    {"whole": None},
    {"whole": {"codes": [], "last": True, "by": "", "words": []}},
    {"guesses": {"rows": 0, "known": None}},
    *({"persons": persons} for persons in PERSONS),
]


CHANGED = [*(_changed(**values) for values in OF_SETTINGS), *(_column(**values) for values in OF_COLUMNS)]


@pytest.mark.parametrize("content", CHANGED)
def test_a_file_that_was_changed_is_a_sentence(content: bytes) -> None:
    with pytest.raises(TableError, match="was changed") as caught:
        read(content)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no declarations"),
        (b"{", "holds no declarations"),
        (b"\xff\xfe", "holds no declarations"),
        (b"[" * 100_000, "nests more than"),
        (b'{"a": 1}', "holds no declarations"),
        (b'{"kind": "ledger of a table"}', "holds no declarations"),
        (b" " * (2**22 + 1), "have at most 4 MB"),
        (_file(kind="declarations of a table, version 2"), "of another version of this app"),
        (_file(more=1), "was changed"),
    ],
)
def test_another_file_is_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(TableError) as caught:
        read(content)
    assert words in caught.value.problem


def test_other_columns_are_said_and_another_table_is_refused() -> None:
    assert difference(GERMAN, ["cost", "ward; a", "id"]) == "The columns are declared as in the file."
    said = difference(GERMAN, ["cost", "new"])
    assert "has no “ward; a” and “id”" in said
    assert "say nothing about “new”" in said
    with pytest.raises(TableError, match="of another table"):
        difference(GERMAN, ["x"])
