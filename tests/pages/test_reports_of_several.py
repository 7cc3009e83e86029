"""Reports of answers with several guarantees: each is said of whom it is about, and nothing sounds stronger than it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.guarantees.unit import Unit
from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.book import CLOSED, Book
from pages.ledger.press import press
from pages.old.reports.document import Notice, Points, Section, Text
from pages.old.reports.document import Table as Cells
from pages.old.shared.reports import taking
from pages.old.shared.reports.release import report
from tests.pages.pressed import of_one
from tests.pages.test_book import _cancelled_in_the_second as cancelled_in_the_second
from tests.pages.test_book import _Held as Held
from tests.pages.test_book import _table as asked_table

N = 40
TABLE = Table(
    "t.csv",
    (Column("x", bounds=(0.0, 1.0)),),
    {"x": np.linspace(0, 1, N)},
    public=False,
    digest="0d",
    title="t.csv",
    unit=Unit("patient", several=True),
)


def _scenario(**changes: Any) -> Scenario:
    base = {"table": "t.csv", "columns": ("x",), "target": targets.Mean((0.0, 1.0)), "oracle": oracles.Uniform(0, 1), "n": N}
    return replace(state.example(), **(base | changes))


def _asked(book: Book, scenario: Scenario, *, worst_case: bool, table: Table = TABLE) -> None:
    with ThreadPoolExecutor(1) as pool:
        said = press(book, of_one(f"a{len(book.entries)}", scenario, table, worst_case=worst_case), pool)
    assert said == ""
    assert book.entries[-1].release is not None


def _said(book: Book, table: Table = TABLE) -> str:
    made = report(book, table, tuple(book.entries))
    return "\n".join(_of(section) for section in made.sections)


def _of(section: Section) -> str:
    lines = [section.title]
    for block in section.blocks:
        if isinstance(block, (Text, Notice)):
            lines.append(block.said)
        elif isinstance(block, Points):
            lines += block.said
        elif isinstance(block, Cells):
            lines += [" | ".join(row) for row in block.rows]
    return "\n".join([*lines, *map(_of, section.inner)])


def test_the_line_beside_several_answers_is_about_all_of_them_and_about_a_row_and_not_a_person() -> None:
    book = Book()
    for _ in range(4):
        _asked(book, _scenario(epsilon=0.5), worst_case=True)
    said = _said(book)
    assert (
        "Print this line beside each answer: “With random noise, all answers together under pure differential privacy, ε = 2,"
        in said
    )
    assert "for one patient (one row), and not for all rows of one person.”" in said
    assert "ε = 0.5, for one" not in said


def test_a_row_and_a_person_are_told_apart() -> None:
    book = Book()
    _asked(book, _scenario(epsilon=1.0), worst_case=True)
    other = replace(TABLE, unit=Unit("stay", several=False))
    _asked(book, _scenario(epsilon=1.0), worst_case=True, table=other)
    said = _said(book)
    assert "for one patient (one row), and not for all rows of one person.”" in said
    assert "for one stay (one row).”" in said
    assert said.count("Who is protected? (pure DP, ε = 1, of “") == 2
    assert said.count("What does one row stand for? (of “") == 2


def test_an_answer_without_noise_stays_out_of_a_table_that_was_confidential_or_is_declared_anew() -> None:
    book = Book()
    _asked(book, _scenario(), worst_case=True)
    assert "Without noise" not in _said(book, table=replace(TABLE, public=True))
    assert "Without noise" not in _said(book)
    book, public = Book(), replace(TABLE, public=True)
    _asked(book, _scenario(), worst_case=True, table=public)
    assert "Without noise it is 0.5." in _said(book, table=public)
    anew = replace(public, columns=(Column("x", bounds=(0.0, 2.0)),))
    assert "Without noise" not in _said(book, table=anew)


def test_asking_again_with_trials_is_refused_and_with_a_worst_case_adds_up() -> None:
    book = Book(budgets={"0d": RandomDP(5.0, 0.0, 0.9)})
    _asked(book, _scenario(target=targets.Quantile(0.5, (0.0, 1.0))), worst_case=False)
    assert "Noise sized by trials is not offered for it any more, because these answers may have led to it." in _said(book)
    proved = Book(budgets={"0d": PureDP(1.5)})
    _asked(proved, _scenario(epsilon=1.0), worst_case=True)
    said = _said(proved)
    assert "All together would then come to pure DP, ε = 2." in said
    assert "The budget has no room for that." in said


def test_a_table_that_is_closed_may_not_be_published() -> None:
    book = Book()
    _asked(book, _scenario(target=targets.Quantile(0.5, (0.0, 1.0))), worst_case=False)
    book.closed.add("0d")
    book.entries[0] = replace(book.entries[0], caveats=(CLOSED,))
    said = _said(book)
    assert "No, not as a private answer." in said
    assert CLOSED in said
    assert "No one guarantee covers all answers in this ledger." in said


def test_a_question_whose_trials_were_charged_is_not_said_to_have_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its trials were complete when those of the next question were cancelled."""
    book = Book()
    cancelled_in_the_second(book, Held(monkeypatch))
    said = _said(book, asked_table(1))
    assert "What was drawn for it, if anything, is in the ledger below." in said
    assert "Nothing was drawn" not in said
    assert [line.gamma for line in book.ledgers["0f"].lines] == [0.05, 0.05]


def test_what_is_left_is_rounded_down() -> None:
    book = Book(budgets={"0d": PureDP(1.4996)})
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    assert "Of it ε = 0.999 is left." in _said(book)


def test_a_loaded_ledger_has_a_report_of_its_lines_which_says_that_it_may_not_be_whole() -> None:
    book = Book()
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    loaded = Book(ledgers=book.ledgers, files={"0d": "2026-01-02 10:00 UTC"})
    made = taking._of_a_loaded_ledger(loaded, TABLE)
    text = "\n".join(map(_of, made.sections))
    assert book.ledgers["0d"].lines[0].answer in text
    assert "pure DP, ε = 0.5" in text
    assert made.note.startswith("This ledger was loaded from a file of 2026-01-02 10:00 UTC.")
