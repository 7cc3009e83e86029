"""Whole documents that a stranger can give the app: links with a list and pins, and the file of a ledger."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

from dpcore.guarantees.privacy import RandomDP
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages import state
from pages.experiment.question_list import QuestionList
from pages.exports.list_link import to_plain
from pages.files.tables import Column, Table, read_csv
from pages.ledger import ledger_file
from pages.ledger.book import Book
from pages.ledger.press import Press, press
from pages.ledger.released_line import AskedLine
from pages.old.state.link import PLAIN, from_query
from tests.fuzz.mutations import CHOICES, REAL
from tests.pages.pressed import of_one

Tree = dict[str, Any]
_ROWS = ((i, "ab"[i % 2], i % 7, i % 28 + 1) for i in range(40))
CSV = b"income,ward,person,born\n" + "".join("{}.5,{},p{},2024-01-{:02}\n".format(*row) for row in _ROWS).encode()


def links() -> dict[str, Tree]:
    """One of each kind of question, with two pins; those whose table has room for it with a list."""
    found = {}
    for place, real in enumerate(REAL):
        said = json.loads(json.dumps(CHOICES | real))
        query = {"v": "1"} | {name: value if name in PLAIN else json.dumps(value) for name, value in said.items()}
        shown, _ = from_query(query, state.catalog(), state.example())
        empty = replace(QuestionList.of(shown), questions=())
        made, _ = empty.with_question(shown, state.catalog()[shown.table])
        found[f"link {place + 1}"] = said | {"list": to_plain(made), "pins": {"B": {"epsilon": 0.5}, "C": dict(said)}}
    return found


def table() -> Table:
    """An upload with one column, as a tab has it that knows none of its values otherwise."""
    read = read_csv(CSV, "wards.csv", public=False)
    return replace(read, columns=(Column("income", bounds=(0.0, 100.0)),))


@cache
def files() -> dict[str, Tree]:
    """The ledger of a table with a list of sampled and proved answers, draws, and a budget."""
    book, asked = Book(), table()
    scenario = replace(
        state.example(), table=asked.name, columns=("income",), target=Quantile(0.2, (0.0, 100.0)), oracle=Uniform(0, 100), n=40
    )
    mean = replace(scenario, target=Mean((0.0, 100.0)))
    lines = tuple(AskedLine(f"one.{place}", one, asked, one is mean) for place, one in enumerate((scenario, mean)))
    with ThreadPoolExecutor(1) as executor:
        assert press(book, Press("one", lines), executor) == ""
        assert press(book, of_one("two", mean, asked, worst_case=True), executor) == ""
    book.budgets[asked.digest] = RandomDP(20.0, 0.0, 0.5)
    return {"ledger file": json.loads(ledger_file.write(book, asked))}
