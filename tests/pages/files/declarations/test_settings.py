"""The settings file: there and back, for the next file with the same columns, and in a sentence where it does not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dpcore.errors import TableError
from dpcore.guarantees.unit import Unit
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.settings import KIND, Settings, fitted, is_settings, read_settings
from pages.files.declarations.whole_file import WholeFile
from pages.files.persons import Persons
from pages.files.tables import Form, Parquet, Sheet

GERMAN, STAY = Format("windows-1252", ";", ",", "."), Unit("stay", several=True)
COLUMNS = (
    Declaration(name="cost", type="number", lowest="0", highest="100000", unit="€", label="Kosten"),
    Declaration(name="ward; a", type="category", categories=("a, b", "ü")),
    Declaration(name="id", type="text", used=False),
)


def _settings(form: Form = GERMAN, unit: Unit = STAY) -> Settings:
    return Settings(form, False, unit, COLUMNS)


def _json(settings: Settings) -> str:
    """As version 1 of the app wrote it."""
    return json.dumps({"settings": KIND, "version": 1} | settings.to_plain(), ensure_ascii=False)


@pytest.mark.parametrize("form", [GERMAN, Sheet("Stays"), Parquet()], ids=["text", "sheet", "parquet"])
@pytest.mark.parametrize("unit", [Unit(), STAY, Unit("order", answered=True)], ids=["open", "several", "none"])
def test_what_was_saved_is_read_back(form: Form, unit: Unit) -> None:
    settings = _settings(form, unit)
    assert read_settings(_json(settings).encode()) == settings
    assert is_settings(_json(settings).encode())
    assert not is_settings(b"a,b\n1,2\n")


@pytest.mark.parametrize("persons", [Persons("id"), Persons("id", 2**24), Persons("id", 70, left_out=True)], ids=repr)
def test_whose_the_rows_are_is_read_back(persons: Persons) -> None:
    settings = replace(_settings(), persons=persons)
    assert read_settings(_json(settings).encode()) == settings


BAD_PERSONS: list[Any] = [
    None,
    "id",
    {"column": "id"},
    {"column": "", "stated": None, "left_out": False},
    {"column": "id", "stated": 0, "left_out": False},
    {"column": "id", "stated": 1.5, "left_out": False},
    {"column": "id", "stated": 2**24 + 1, "left_out": False},
    {"column": "id", "stated": None, "left_out": True},
    {"column": "id", "stated": 5, "left_out": 1},
    {"column": 3, "stated": None, "left_out": False},
    {"column": "id", "stated": 5, "left_out": False, "more": 1},
]


@pytest.mark.parametrize("persons", BAD_PERSONS, ids=str)
def test_people_that_were_edited_by_hand_are_a_sentence(persons: object) -> None:
    said = json.loads(_json(_settings())) | {"persons": persons}
    with pytest.raises(TableError, match="was changed"):
        read_settings(json.dumps(said).encode())


def _changed(**values: Any) -> bytes:
    return json.dumps(json.loads(_json(_settings())) | values).encode()


def _column(**values: Any) -> bytes:
    said = json.loads(_json(_settings()))
    said["columns"][0] |= values
    return json.dumps(said).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no settings file"),
        (b"{", "no settings file"),
        (b"\xff\xfe", "no settings file"),
        (b"[" * 100_000, "no settings file"),
        (b'{"a": 1}', "no settings file"),
        (_changed(settings="a scenario"), "no settings file"),
        (_changed(version=2), "of version 2, and this app reads version 1"),
        (_changed(version=None), "of version None"),
        (_changed(public="no"), "was changed"),
        (_changed(more=1), "was changed"),
        (_changed(form={"kind": "pickle"}), "was changed"),
        (_changed(form={"kind": "text", "encoding": "utf-7", "delimiter": ",", "decimal": ".", "thousands": ""}), "was changed"),
        (_changed(unit={"name": "", "several": None, "answered": False}), "was changed"),
        (_changed(unit="stay"), "was changed"),
        (_changed(columns=[]), "was changed"),
        (_changed(columns=[json.loads(_json(_settings()))["columns"][0]] * 2), "was changed"),
        (_column(type="formula"), "was changed"),
        (_column(type=["number"]), "was changed"),
        (_column(lowest=0), "was changed"),
        (_column(lowest="1" * 300), "was changed"),
        (_column(strange=1), "was changed"),
        (_column(categories="a"), "was changed"),
        (_column(missing="average"), "was changed"),
    ],
)
def test_a_file_of_another_kind_or_version_or_edited_by_hand_is_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(TableError) as caught:
        read_settings(content)
    assert words in caught.value.problem
    assert len(str(caught.value)) < 400


def test_they_fit_the_next_file_with_the_same_columns_and_say_what_differs() -> None:
    same = tuple(Declaration(name=one.name, type="text") for one in COLUMNS)
    assert fitted(_settings(), same) == (COLUMNS, "")
    found, said = fitted(_settings(), (same[0], Declaration(name="new", type="number")))
    assert found == (COLUMNS[0], Declaration(name="new", type="number"))
    assert said == (
        "This file has no “ward; a” and “id”, of which the settings speak: questions about that cannot be asked of it. "
        "The settings say nothing of “new”: look at what is proposed."
    )


def test_settings_of_another_table_are_refused() -> None:
    with pytest.raises(TableError, match="of another table"):
        fitted(_settings(), (Declaration(name="x", type="number"),))


def test_every_type_is_known_to_a_settings_file() -> None:
    for kind in TYPES:
        settings = Settings(Format(), True, Unit(), (Declaration(name="x", type=kind),))
        assert read_settings(_json(settings).encode()) == settings


VALUES = replace(
    COLUMNS[1], codes=("n/a", "-9"), codes_count=True, unit_behind="kg", spellings=(("Chirugie", "a, b"), ("x", "other"))
)


@pytest.mark.parametrize(
    "whole", [WholeFile(), WholeFile(codes=("-999", "k. A."), last=2, by="id", words=("Summe",))], ids=["none", "all"]
)
def test_what_was_declared_of_values_and_rows_is_read_back(whole: WholeFile) -> None:
    settings = replace(_settings(), columns=(COLUMNS[0], VALUES), whole=whole)
    assert read_settings(_json(settings).encode()) == settings


def test_settings_that_say_nothing_of_values_are_as_they_were_before() -> None:
    """So an older file loads with what holds where nothing was said, and a new one that says nothing new is an older file."""
    said = json.loads(_json(_settings()))
    assert set(said) == {"settings", "version", "public", "form", "unit", "columns"}
    assert set(said["columns"][0]) == {
        *("name", "type", "used", "lowest", "highest", "categories", "unit", "label", "missing", "constant", "dates_as"),
    }
    assert read_settings(json.dumps(said).encode()).columns == COLUMNS


@pytest.mark.parametrize(
    "changed",
    [
        {"codes": "n/a"},
        {"codes": ["n/a"] * 51},
        {"codes": [""]},
        {"codes_count": 1},
        {"unit_behind": 3},
        {"spellings": [["a"]]},
        {"spellings": [["a", "b", "c"]]},
        {"spellings": [["a", "b"], ["a", "c"]]},
        {"spellings": [["", "b"]]},
        {"spellings": {"a": "b"}},
        {"other": 1},
    ],
    ids=str,
)
def test_a_columns_values_that_were_edited_by_hand_are_a_sentence(changed: dict[str, Any]) -> None:
    with pytest.raises(TableError, match="was changed"):
        read_settings(_column(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"looked": 1},
        {"whole": {"codes": [], "last": 1, "by": ""}},
        {"whole": {"codes": [], "last": -1, "by": "", "words": []}},
        {"whole": {"codes": [], "last": True, "by": "", "words": []}},
        {"whole": {"codes": [], "last": 0, "by": "", "words": ["x"]}},
        {"whole": {"codes": [], "last": 0, "by": "id", "words": [], "more": 1}},
        {"whole": None},
    ],
    ids=str,
)
def test_a_files_rows_that_were_edited_by_hand_are_a_sentence(changed: dict[str, Any]) -> None:
    with pytest.raises(TableError, match="was changed"):
        read_settings(_changed(**changed))
