"""Reports of answers with several guarantees: each is said of whom it is about, and nothing sounds stronger than it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Bound, Laplace, OperatingPoint, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Standing
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.document import Edition, Notice, Points, Section, Text
from pages.reports.document import Table as Cells
from pages.shared.reports import taking
from pages.shared.reports.answers import answered
from pages.shared.reports.release import report
from pages.state import state
from pages.state.book import Book
from pages.state.press import of_one, press

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


def _said(book: Book, table: Table = TABLE, edition: Edition = Edition.SHARING, **more: Any) -> str:
    made = report(book, table, tuple(book.entries), edition, **more)
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


def test_where_one_answer_stands_apart_the_others_sum_is_said_and_each_line_is_its_answers_own() -> None:
    book = Book()
    _asked(book, _scenario(target=targets.Quantile(0.5, (0.0, 1.0)), epsilon=1.0), worst_case=False)
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    _asked(book, _scenario(target=targets.Quantile(0.25, (0.0, 1.0)), epsilon=1.0), worst_case=False)  # asked after answers
    assert book.entries[-1].line is not None
    assert book.entries[-1].line.standing is Standing.NONE
    said = _said(book)
    assert "No one guarantee covers all of them together." in said
    assert "Those that add up come together to random DP, ε = 2, γ = 0.05." in said
    assert "Each of these answers has, by itself, this guarantee: pure DP, ε = 0.5." in said
    assert "An answer without a guarantee adds to none" in said
    assert "It is not shown: no guarantee covers it, so it may not be published." in said
    number = answered(book.entries[-1])[0].rows[0][1]
    assert number not in said
    assert number in _said(book, edition=Edition.HOLDER)


def test_a_line_that_rests_on_a_word_is_in_no_sum() -> None:
    book = Book()
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    (ledger,) = book.ledgers["0d"]
    held = replace(ledger.lines[0], standing=Standing.HELD)
    book.ledgers["0d"] = [replace(ledger, lines=(held, ledger.lines[1]))]
    book.entries[0] = replace(book.entries[0], line=held)
    said = _said(book)
    assert "No one guarantee covers all of them together." in said
    assert "Those that add up come together to pure DP, ε = 0.5." in said
    assert "This holds by its holder's word alone" in said


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


def test_an_answer_without_noise_of_a_table_that_was_confidential_stays_out_though_it_is_declared_public_now() -> None:
    book = Book()
    _asked(book, _scenario(), worst_case=True)
    public = replace(TABLE, public=True)
    assert "Without noise" not in _said(book, table=public)
    assert "Without noise" not in _said(book, table=TABLE, edition=Edition.HOLDER)


def test_of_a_table_that_was_declared_anew_nothing_is_compared() -> None:
    book = Book()
    public = replace(TABLE, public=True)
    _asked(book, _scenario(), worst_case=True, table=public)
    assert "Without noise it is 0.5." in _said(book, table=public)
    anew = replace(public, columns=(Column("x", bounds=(0.0, 2.0)),))
    assert "Without noise" not in _said(book, table=anew)


@pytest.mark.parametrize("bound", [Bound.RANK, Bound.TIME_UNIFORM])
def test_asking_again_is_judged_as_a_press_with_draws_of_its_own(bound: Bound) -> None:
    confidence = None if bound is Bound.RANK else 0.9
    m = 199 if confidence is None else OperatingPoint.for_gamma(0.2, bound=bound, confidence=confidence).m
    median = targets.Quantile(0.5, (0.0, 1.0))
    asked = _scenario(target=median, bound=bound, confidence=confidence, m=m, gamma=0.2, mechanism=Laplace())
    book = Book(budgets={"0d": RandomDP(5.0, 0.0, 0.9)})
    _asked(book, asked, worst_case=False)
    said = _said(book)
    assert "It would have no guarantee, because these answers may have led to it." in said
    assert "The budget has no room for that." in said


def test_what_is_left_is_rounded_down_and_a_budget_without_hold_has_nothing_left() -> None:
    book = Book(budgets={"0d": PureDP(1.4996)})
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    assert "Of it ε = 0.999 is left." in _said(book)
    sampled = Book(budgets={"0d": RandomDP(5.0, 0.0, 0.5)})
    _asked(sampled, _scenario(), worst_case=True)
    sampled.budgets.clear()
    _asked(sampled, _scenario(target=targets.Quantile(0.5, (0.0, 1.0))), worst_case=False)
    sampled.budgets["0d"] = RandomDP(5.0, 0.0, 0.5)
    assert "so it holds no longer, and nothing is left of it." in _said(sampled)


def test_a_loaded_ledger_has_a_report_of_its_lines_which_says_that_it_may_not_be_whole() -> None:
    book = Book()
    _asked(book, _scenario(epsilon=0.5), worst_case=True)
    _asked(book, _scenario(target=targets.Quantile(0.5, (0.0, 1.0))), worst_case=False)  # asked after an answer
    book.enter(TABLE, N, PureDP(0.1), made="2026-01-01", note="what its holder wrote", first=False)
    loaded = Book(ledgers=book.ledgers, files={"0d": ("2026-01-02 10:00 UTC",)})
    shared, own = (taking._of_a_loaded_ledger(loaded, TABLE, edition) for edition in (Edition.SHARING, Edition.HOLDER))
    text, all_of_it = ("\n".join(map(_of, made.sections)) for made in (shared, own))
    answers = [line.answer for line in book.ledgers["0d"][0].lines]
    assert answers[0] in text
    assert answers[1] not in text
    assert answers[1] in all_of_it
    assert "what its holder wrote" not in text
    assert "what its holder wrote" in all_of_it
    assert "pure DP, ε = 0.5" in text
    assert shared.note.startswith("This ledger was loaded from a file of 2026-01-02 10:00 UTC.")
