"""Whole documents that a stranger can give the app: links with a list and pins, settings files of both versions, releases."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from pages.state.saved import writing

from dpcore.base.declared import CATEGORY, CONSTANT
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.unit import Unit
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.settings import KIND, Settings
from pages.files.persons import Persons
from pages.files.tables import Format, Parquet, Sheet, Table, read_csv
from pages.state import state
from pages.state.book import Book
from pages.state.link import PLAIN, from_query
from pages.state.listed import changes
from pages.state.listed.link import to_plain
from tests.fuzz.mutations import CHOICES, REAL
from tests.pages.saved import books

Tree = dict[str, Any]
_ROWS = ((i, "ab"[i % 2], i % 7, i % 28 + 1) for i in range(40))
CSV = b"income,ward,person,born\n" + "".join("{}.5,{},p{},2024-01-{:02}\n".format(*row) for row in _ROWS).encode()


@cache
def draft() -> Table:
    """The file as it was read first."""
    return read_csv(CSV, "wards.csv", public=False)


def links() -> dict[str, Tree]:
    """One of each kind of question, with two pins; those whose table has room for it with a list."""
    found = {}
    for place, real in enumerate(REAL):
        said = json.loads(json.dumps(CHOICES | real))
        query = {"v": "1"} | {name: value if name in PLAIN else json.dumps(value) for name, value in said.items()}
        shown, _ = from_query(query, state.catalog(), state.example())
        made, _ = changes._begun(shown, state.catalog()[shown.table], worst_case=False)
        found[f"link {place + 1}"] = said | {"list": to_plain(made), "pins": {"B": {"epsilon": 0.5}, "C": dict(said)}}
    return found


def settings() -> Settings:
    """Of the table above."""
    declared = (
        Declaration(name="income", type="number", lowest="0", highest="100", unit="pounds", missing=CONSTANT, constant="5"),
        Declaration(name="ward", type="category", categories=("a", "b"), missing=CATEGORY),
        Declaration(name="born", type="date, as 2024-12-31", lowest="2020-01-01", highest="2025-01-01", used=False),
    )
    return Settings(Format(), False, Unit("visit", True), declared, Persons("person", 7, left_out=True))


def declarations() -> dict[str, Tree]:
    """How a table is read, for people and for rows, in a text file and in a sheet."""
    whole = settings()
    others = {"sheet": replace(whole, form=Sheet("S"), persons=None), "parquet": replace(whole, form=Parquet(), public=True)}
    return {f"declarations, {name}": {"declared": one.to_plain()} for name, one in ({"text": whole} | others).items()}


@cache
def _of_a_tab() -> Tree:
    """All that a tab can know of a table: answers, draws, a plan, what was entered, a budget, pins and a list."""
    book = Book()
    books.plan(book, 0.2)
    books.plan(book, 0.4)
    books.ask(book, "one", books.median(0.2))
    books.ask(book, "two", books.mean(), worst_case=True)
    books.draws(book, 0.9)
    books.enter(book, 0.5)
    books.ask(book, "three", books.median(0.7))
    book.budgets[books.DIGEST] = RandomDP(20.0, 0.0, 0.5)
    shown = next(iter(links().values()))
    seen = {"shown": state.example().to_json(), "pins": {"B": shown["pins"]["C"]}, "list": shown["list"]}
    found: Tree = json.loads(writing._written(book, books.TABLE, settings(), seen))
    return found


def files() -> dict[str, Tree]:
    """Settings files of versions 2 and 1."""
    whole = _of_a_tab()
    views = whole["parts"]["views"]
    return {
        "settings file": whole,
        "settings file of version 1, declarations": {"settings": KIND, "version": 1, **settings().to_plain()},
        "settings file of version 1, scenarios": {"settings": "scenarios side by side", "version": 1, **views},
    }


def releases() -> dict[str, Tree]:
    """The JSON of a release, as the page gives it."""
    said = {
        "release": "one",
        "response": {"x": 1.5},
        "guarantee": "RandomDP",
        "parameters": {"epsilon": 0.5, "delta": 0.0, "gamma": 0.1},
        "adjacency": "replace one record",
        "records": 500,
        "date": "2026-01-02 10:00 UTC",
        "table": "Loan defaults",
        "question": "Mean of x",
        "provenance": {"seed": 1},
        "caveats": [],
    }
    return {"release": said}
