"""What a file does not say: answers that came first elsewhere, releases that a server forgot, lines that were taken out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pages.reports.saved.everything import read
from pages.state.saved import sentences

from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.ledger.accounting import Line, Standing
from pages.experiment.scenario import Scenario
from pages.state.book import Book, line_of
from tests.pages.saved.books import DIGEST, TABLE, ask, draws, enter, file_of, lines, load, mean, median, offered, plan

_IN_TOTAL = (Standing.FIXED, Standing.LARGER)


def _planned(*quantiles: float) -> Book:
    book = Book()
    for q in quantiles:
        plan(book, q)
    return book


def _proved(epsilon: float = 1.0) -> Scenario:
    return mean().with_(epsilon=epsilon)


def _next(book: Book, scenario: Scenario) -> Line:
    return book.foresee(TABLE, line_of(scenario, TABLE, worst_case=False))


def _edited(content: str, change: Callable[[Any], None]) -> str:
    """Edited by hand, under the old checksum."""
    said = json.loads(content)
    change(said["parts"])
    return json.dumps(said, ensure_ascii=False)


def test_a_plan_that_one_file_has_by_word_is_so_in_whatever_order_files_are_loaded() -> None:
    plan_alone = file_of(_planned(0.3))
    answered = Book()
    ask(answered, "first", mean(), worst_case=True)
    load(answered, plan_alone, first=True)
    both = file_of(answered)
    for files in ((both,), (plan_alone, both), (both, plan_alone)):
        book = Book()
        for content in files:
            load(book, content, first=True)
        assert _next(book, median(0.3)).standing is Standing.HELD
        assert [item.line.standing for item in book.plans[DIGEST]] == [Standing.HELD]
        assert ask(book, "now", median(0.3)).standing is Standing.HELD
        assert all(one.total() is None for one in book.ledgers[DIGEST])
        assert not any(one.fixed_beforehand for one in book.ledgers[DIGEST])


def test_a_sampled_line_that_another_tab_has_by_word_joins_no_total_with_that_tabs_answers() -> None:
    here = _planned(0.3, 0.4)
    ask(here, "here", median(0.3))
    there = Book()
    ask(there, "there", mean(), worst_case=True)
    load(there, file_of(here), first=True)
    load(here, file_of(there))
    assert [line.standing for line in lines(here) if line.drawn] == [Standing.HELD]
    assert here.entries[0].line in lines(here)
    assert _next(here, median(0.4)).standing is Standing.HELD
    assert all(one.total() is None for one in here.ledgers[DIGEST])


def test_what_a_server_forgot_is_not_made_up_for_by_a_file() -> None:
    before = Book()
    ask(before, "one", _proved(1.0), worst_case=True)
    content = file_of(before)
    ask(before, "three", _proved(3.0), worst_case=True)  # which the file does not have
    after = Book(lost=True)
    load(after, content)
    assert after.forgotten
    assert after.caveats(TABLE)
    assert _next(after, _proved()).standing not in _IN_TOTAL
    enter(after, 3.0, first=False)
    assert not after.forgotten
    assert after.caveats(TABLE) == ()


def test_a_larger_gamma_sums_no_ledger_that_came_from_a_file() -> None:
    before = Book()
    ask(before, "one", _proved(1.0), worst_case=True)
    assert _next(before, _proved()).standing is Standing.LARGER
    fresh = Book()
    load(fresh, file_of(before))
    assert _next(fresh, _proved()).standing is Standing.NONE


def test_draws_of_a_file_do_not_make_a_lost_book_whole() -> None:
    before = Book()
    draws(before, 0.3)
    after = Book(lost=True)
    load(after, file_of(before))
    assert ask(after, "now", median(0.4)).standing is Standing.HELD
    assert not after.entries[0].covered
    assert all(one.total() is None for one in after.ledgers[DIGEST])


@pytest.mark.parametrize("worst_case", [False, True])
def test_a_plan_of_a_lost_book_was_not_shown_to_come_first(worst_case: bool) -> None:
    """Not here, not after an entry behind it, and not in a tab that loads its file."""
    book, scenario = Book(lost=True), mean() if worst_case else median(0.3)
    assert book.plan(scenario, TABLE, line_of(scenario, TABLE, worst_case=worst_case), worst_case=worst_case) == ""
    fresh = Book()
    load(fresh, file_of(book))
    enter(book, 1.0, first=False)
    for one in (book, fresh):
        line = ask(one, f"{id(one)}", scenario, worst_case=worst_case)
        assert line.standing is (Standing.PROVED if worst_case else Standing.HELD)
        assert not any(ledger.fixed_beforehand for ledger in one.ledgers[DIGEST])


def _without_a_line(parts: Any) -> None:
    del parts["ledgers"][0]["lines"][-1]


def _without_ledgers(parts: Any) -> None:
    del parts["ledgers"]


@pytest.mark.parametrize("change", [_without_a_line, _without_ledgers])
@pytest.mark.parametrize("known", [False, True])
def test_a_changed_file_supports_nothing_that_is_sampled_later(change: Callable[[Any], None], known: bool) -> None:
    """Even where each of its lines is here already: what was taken out is not."""
    other = Book()
    ask(other, "one", _proved(1.0), worst_case=True)
    book = Book()
    if known:
        load(book, file_of(other))
    ask(other, "three", _proved(3.0), worst_case=True)
    content = _edited(file_of(other), change)
    load(book, content)
    for scenario in (_proved(), median(0.3)):
        assert _next(book, scenario).standing is Standing.NONE
    kept = lines(book)
    again = load(book, content)
    assert (lines(book), again.lines, again.late) == (kept, (), False)
    third = Book()
    load(third, file_of(book))
    assert _next(third, _proved()).standing is Standing.NONE


def test_a_changed_file_brings_no_budget_over_the_tabs_own() -> None:
    other = Book(budgets={DIGEST: PureDP(1.0)})
    ask(other, "one", _proved(0.5), worst_case=True)

    def raised(parts: Any) -> None:
        parts["budget"]["epsilon"] = 100.0

    content = _edited(file_of(other), raised)
    for own in (PureDP(2.0), ApproxDP(200.0, 1e-6)):
        book = Book(budgets={DIGEST: own})
        found = load(book, content)
        assert book.budgets[DIGEST] == own
        said = " ".join(sentences.of_accounts(found, read(content.encode()), "t.csv", own, []))
        assert "a changed file's budget is not taken" in said
    none = Book()
    found = load(none, content)
    assert none.budgets[DIGEST] == PureDP(100.0)
    said = " ".join(sentences.of_accounts(found, read(content.encode()), "t.csv", None, []))
    assert "Check it" in said
    assert "sampled from now on" in said


def test_a_tabs_own_samples_and_plan_end_where_a_changed_file_may_lack_an_answer() -> None:
    book = _planned(0.3, 0.4)
    ask(book, "one", median(0.3))
    found = offered(book, _edited(file_of(book), lambda parts: parts.__setitem__("looked", True)))
    assert found.late
    assert {line.standing for one in found.ledgers for line in one.lines} == {Standing.NONE}
    assert not found.plans
