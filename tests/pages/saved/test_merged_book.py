"""A file joined to a tab's book: every case of own ledger, file, plan and word, against rules that were written down apart."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pages.reports.saved.everything import read
from pages.state.saved import plans_and_views

from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.ledger.accounting import Event, Standing
from dpcore.oracles import Uniform
from pages.state import state
from pages.state.book import Book, line_of
from tests.pages.saved.books import DIGEST, TABLE, TABLES, ask, draws, enter, file_of, lines, load, mean, median, offered, plan


@dataclass(frozen=True)
class Side:
    """What one side did: medians that it planned, those of them that it made, others that it made, and proved answers."""

    planned: tuple[float, ...] = ()
    made: tuple[float, ...] = ()
    proved: bool = False

    @property
    def answered(self) -> bool:
        return bool(self.made) or self.proved

    def do(self, book: Book, ticket: str) -> None:
        for q in self.planned:
            plan(book, q)
        for q in self.made:
            ask(book, f"{ticket} {q}", median(q))
        if self.proved:
            ask(book, f"{ticket} proved", mean(), worst_case=True)


OWN = {
    "nothing": Side(),
    "a plan": Side((0.1, 0.2)),
    "a sampled answer": Side((), (0.1,)),
    "a proved answer": Side((), (), True),
    "a plan and one of it": Side((0.1, 0.2), (0.1,)),
}
FILE = {
    "nothing": Side(),
    "a plan": Side((0.3, 0.4)),
    "a sampled answer": Side((), (0.3,)),
    "a proved answer": Side((), (), True),
    "a plan and one of it": Side((0.3, 0.4), (0.3,)),
    "a plan and a proved answer": Side((0.3, 0.4), (), True),
}


def _stands(own: Side, file: Side, *, word: bool, changed: bool) -> dict[str, set[Standing]]:
    """The rules in words: whoever sampled after answers that may have come first has nothing, but for the word on a plan; what
    comes from a file stands on a word; a changed file's samples stand apart, its plan is none, and it may lack an answer."""
    none, fixed, held, apart = ({one} for one in (Standing.NONE, Standing.FIXED, Standing.HELD, Standing.APART))
    of_plan = bool(set(file.made) & set(file.planned))
    answered = file.answered or changed
    met = own.answered and answered
    said: dict[str, set[Standing]] = {}
    if own.made:
        said["own sampled"] = none if answered else fixed
    if file.made:
        said["file sampled"] = apart if changed else held if not own.answered or (of_plan and word) else none
    said["own plan, next"] = none if answered else fixed
    answers = own.answered or answered
    if not answers:
        said["file plan, next"] = fixed
    elif changed or (own.answered and not word):
        said["file plan, next"] = none
    else:
        said["file plan, next"] = held
    said["new, next"] = none if answers else fixed
    assert not met or said.get("own sampled", none) == none
    return said


CASES = [
    (own, file, word, changed)
    for own, file, word, changed in itertools.product(OWN, FILE, (False, True), (False, True))
    if not (word and changed)
]


@pytest.mark.parametrize(("own", "file", "word", "changed"), CASES)
def test_every_case_stands_as_the_rules_say(own: str, file: str, word: bool, changed: bool) -> None:
    mine, other = Book(), Book()
    here, there = OWN[own], FILE[file]
    here.do(mine, "own")
    there.do(other, "file")
    before = {line.charge: line for line in lines(mine)}
    content = file_of(other)
    load(mine, _changed(content) if changed else content, first=word)
    expected = _stands(here, there, word=word, changed=changed)
    after = lines(mine)
    assert {line.charge for line in after} == {line.charge for book in (mine, other) for line in lines(book)} >= set(before)
    sampled = [line for line in after if line.gamma]
    assert {one.standing for one in sampled if one.charge in before} == expected.get("own sampled", set())
    assert {one.standing for one in sampled if one.charge not in before} == expected.get("file sampled", set())
    assert all(one.standing is Standing.PROVED for one in after if not one.gamma)
    if here.planned:
        assert _next(mine, 0.2) == expected["own plan, next"]
    if there.planned:
        assert _next(mine, 0.4) == expected["file plan, next"]
        if 0.3 in there.made:  # its place was taken
            assert _next(mine, 0.3) == {Standing.NONE}
    assert _next(mine, 0.7) == expected["new, next"]


def _next(book: Book, q: float) -> set[Standing]:
    """How another release of this median would stand."""
    return {book.foresee(TABLE, line_of(median(q), TABLE, worst_case=False)).standing}


def _changed(content: str, change: Callable[[Any], None] = lambda parts: parts.__setitem__("looked", True)) -> str:
    """Edited by hand, under the old checksum."""
    said = json.loads(content)
    change(said["parts"])
    return json.dumps(said, ensure_ascii=False)


def _twice(*sides: Side) -> Book:
    book = Book()
    for number, side in enumerate(sides):
        side.do(book, str(number))
    return book


def test_the_same_file_twice_counts_each_release_once() -> None:
    book, content = Book(), file_of(_twice(Side((0.3, 0.4), (0.3,), True)))
    load(book, content)
    first, plans = lines(book), book.plans[DIGEST]
    again = load(book, content)
    assert (lines(book), book.plans[DIGEST], again.lines, again.planned) == (first, plans, (), ())


def test_a_tabs_own_file_changes_nothing_of_it_and_an_older_one_loses_nothing() -> None:
    book = _twice(Side((0.3, 0.4), (0.3,)))
    old = file_of(book)
    ask(book, "later", median(0.4))
    before, plans, ledgers = lines(book), book.plans[DIGEST], book.ledgers[DIGEST]
    for content in (old, file_of(book)):
        found = load(book, content)
        assert (found.lines, found.planned, found.late, found.asks) == ((), (), False, False)
    assert (lines(book), book.plans[DIGEST]) == (before, plans)
    assert [one.after_responses for one in ledgers] == [one.after_responses for one in book.ledgers[DIGEST]]
    assert [line.standing for line in lines(book)] == [Standing.FIXED] * 2


def test_a_newer_file_of_the_same_tab_goes_on_from_an_older_one() -> None:
    """It knows of all that the older one holds, so that nothing is taken to have come first."""
    tab = _twice(Side((0.3, 0.4), (0.3,)))
    monday = file_of(tab)
    ask(tab, "later", median(0.4))
    book = Book()
    load(book, monday)
    found = load(book, file_of(tab))
    assert (len(found.lines), found.late, found.asks) == (1, False, False)
    assert [line.standing for line in lines(book)] == [Standing.HELD] * 2
    assert _next(book, 0.4) == {Standing.NONE}


def test_a_plan_of_this_tab_falls_where_the_file_has_answers_that_it_did_not_know_of() -> None:
    """It may have been made in view of yesterday's answers."""
    book = _twice(Side((0.1,)))
    load(book, file_of(_twice(Side((), (), True))))
    assert DIGEST not in book.plans
    assert _next(book, 0.1) == {Standing.NONE}


def test_a_response_says_what_holds_of_it_once_its_line_lost_its_guarantee() -> None:
    book = _twice(Side((), (0.1,)))
    assert book.entries[0].covered
    load(book, file_of(_twice(Side((), (0.3,)))))
    assert not book.entries[0].covered
    assert book.entries[0].line in lines(book)


def test_a_file_that_knows_of_an_earlier_answer_takes_the_guarantee_away_here_too() -> None:
    tab = _twice(Side((), (0.1,)))
    other = Book()
    load(other, file_of(tab))
    enter(other, 0.3)
    load(tab, file_of(other))
    assert [line.standing for line in lines(tab) if line.drawn] == [Standing.NONE]


def test_a_plan_from_another_oracle_stands_in_a_ledger_that_knows_of_the_answers_here() -> None:
    """It is a ledger of its own, without a line: what is asked under its oracle, and not planned, was asked after them too."""
    narrow, other = median(0.3).with_(oracle=Uniform(0, 0.5)), Book()
    assert other.plan(narrow, TABLE, line_of(narrow, TABLE, worst_case=False), worst_case=False) == ""
    book = _twice(Side((), (0.1,)))
    load(book, file_of(other), first=True)
    unplanned = narrow.with_(target=median(0.7).target)
    assert book.foresee(TABLE, line_of(narrow, TABLE, worst_case=False)).standing is Standing.HELD
    assert book.foresee(TABLE, line_of(unplanned, TABLE, worst_case=False)).standing is Standing.NONE


def test_draws_without_a_response_keep_their_place_of_a_plan() -> None:
    other = _twice(Side((0.3, 0.4)))
    draws(other, 0.3)
    book = Book()
    load(book, file_of(other))
    ask(book, "first", mean(), worst_case=True)
    assert len([line for one in book.ledgers[DIGEST] for line in one.pending]) == len(
        [line for one in other.ledgers[DIGEST] for line in one.pending]
    )


def test_a_place_of_a_plan_that_was_made_here_is_not_made_again() -> None:
    """Its line lost its guarantee since: then it takes no place of a plan, and the file's plan may not lend it anew."""
    tab = _twice(Side((0.3, 0.4), (0.3,)))
    content = file_of(tab)
    enter(tab, 0.3)
    assert DIGEST not in tab.plans
    load(tab, content, first=True)
    assert _next(tab, 0.3) == {Standing.NONE}
    assert _next(tab, 0.4) == {Standing.HELD}


def test_what_is_made_for_a_loaded_plan_stands_apart_and_says_so() -> None:
    book = Book()
    load(book, file_of(_twice(Side((0.3, 0.4), (), True))))
    line = ask(book, "now", median(0.3))
    assert line.standing is Standing.HELD
    assert book.entries[-1].later.startswith("This holds by its holder's word alone")
    assert json.loads(book.entries[-1].as_json())["ledger"].startswith("This ledger was loaded from a file of 2026-01-01")
    assert book.ledgers[DIGEST][0].total() is None


def test_a_line_of_the_same_name_that_was_charged_more_is_counted_too_and_once() -> None:
    tab = _twice(Side((), (), True))
    content = file_of(tab)

    def more(parts: Any) -> None:
        parts["ledgers"][0]["lines"][0]["epsilon"] = 3.0

    for _ in range(2):
        load(tab, _changed(content, more))
        assert sum(line.epsilon for line in lines(tab)) == 4.0


def test_a_line_taken_out_or_an_epsilon_lowered_by_hand_makes_all_lines_entered_by_hand() -> None:
    content = file_of(_twice(Side((0.3, 0.4), (0.3,), True)))

    def less(parts: Any) -> None:
        parts["ledgers"][0]["lines"][0]["epsilon"] = 0.01

    def fewer(parts: Any) -> None:
        del parts["ledgers"][0]["lines"][0]

    for change in (less, fewer):
        book = Book()
        found = load(book, _changed(content, change))
        assert {line.event for line in lines(book)} == {Event.ENTERED}
        assert {line.standing for line in lines(book)} <= {Standing.APART, Standing.PROVED}
        assert not found.planned
        assert DIGEST not in book.plans


def test_the_smaller_budget_holds() -> None:
    other = _twice(Side((), (), True))
    other.budgets[DIGEST] = RandomDP(2.0, 0.0, 0.1)
    book = Book()
    book.budgets[DIGEST] = PureDP(3.0)
    load(book, file_of(other))
    assert book.budgets[DIGEST] == PureDP(2.0)


def test_a_ledger_beyond_its_budget_is_loaded_and_refuses_more() -> None:
    other = _twice(Side((), (), True))
    other.budgets[DIGEST] = PureDP(0.5)
    book = Book()
    assert load(book, file_of(other)).exceeded
    assert "0 is left of the budget's 0.5" in book.refusal(TABLE, line_of(mean(), TABLE, worst_case=True))


def test_a_planned_release_that_is_not_what_was_fixed_does_not_come_and_is_named() -> None:
    """Its scenario asks for another median than its line: whoever wrote that, it was never planned."""
    saved = read(file_of(_twice(Side((0.3, 0.4)))).encode())
    other = replace(saved.plan[0], scenario=median(0.9).to_json())
    fits, gone = plans_and_views.fitting(replace(saved, plan=(other, saved.plan[1])), TABLE, TABLES, state.example())
    assert [one.scenario for one in fits] == [median(0.4)]
    assert gone == ["Quantile 0.42 of x"]


def test_looking_ahead_changes_nothing() -> None:
    book = _twice(Side((0.1, 0.2), (0.1,)))
    before = deepcopy((book.ledgers, book.budgets)), list(book.plans[DIGEST]), list(book.entries)
    offered(book, file_of(_twice(Side((0.3,), (0.3,), True))), first=True)
    assert ((book.ledgers, book.budgets), book.plans[DIGEST], book.entries) == before
