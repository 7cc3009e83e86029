"""Releases on the book itself: failures are charged, and one ticket is one release however many threads click."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1
from dpcore.base.types import Oracle, Target
from dpcore.errors import DpcoreError, MethodMismatchError, TooManyRowsError
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import Adjacency, PureDP, RandomDP
from dpcore.ledger.accounting import Event, Ledger, Line
from dpcore.mechanisms import noise as release_noise
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile, Sum, Variance
from pages import state
from pages.experiment import cost
from pages.experiment.scenario import Scenario
from pages.files.persons import Persons
from pages.files.tables import Column, Table
from pages.ledger import press as pressing
from pages.ledger.book import Account, Book
from pages.ledger.press import AskedLine, Press, press
from tests.pages.pressed import account, charged, of_one

N = 40
DIGEST = "0f"
MEDIAN, MEAN, VARIANCE = Quantile(0.5, (0, 1)), Mean((0, 1)), Variance((0, 1))


def fails_far_out(database: Database) -> FloatArray:
    """The mean of a table without a value above 1; no draw of a uniform oracle on [0, 1] has one."""
    if database.max() > 1:
        raise LookupError(f"a row of {database.max()}")
    return np.array([database.mean()])


def always_fails(database: Database) -> FloatArray:
    raise LookupError("no answer")


def swallows(database: Database) -> FloatArray:
    """An answer beyond the spacing of floats on a table with a value above 1, otherwise its mean."""
    return np.array([1e18 if database.max() > 1 else database.mean()])


@dataclass(frozen=True)
class Breaking(Oracle):
    """An oracle that fails in the middle of its draws."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        raise LookupError("no more")


def _raises(error: BaseException) -> Callable[..., Any]:
    def raising(*_: object, **__: object) -> None:
        raise error

    return raising


def _table(largest: float = 1.0) -> Table:
    values = np.linspace(0, 1, N)
    values[-1] = largest
    columns = (Column("x", bounds=(0, 1)), Column("y", bounds=(0, 1)))
    return Table("t.csv", columns, {"x": values, "y": values[::-1].copy()}, public=False, digest=DIGEST)


def _scenario(target: object, **changes: Any) -> Scenario:
    fixed = {"table": "t.csv", "columns": ("x",), "target": target, "oracle": Uniform(0, 1), "n": N}
    return replace(state.example(), **(fixed | changes))


def _listed(*asked: tuple[Target, bool], ticket: str = "list", table: Table | None = None) -> Press:
    """One click on several questions, each with whether its noise is proved."""
    lines = tuple(
        AskedLine(ticket, _scenario(target), table or _table(), worst, number=place)
        for place, (target, worst) in enumerate(asked, 1)
    )
    return Press(ticket, lines)


def _make(book: Book, asked: Press) -> str:
    """Click, and wait for the draws."""
    with ThreadPoolExecutor(1) as executor:
        said = press(book, asked, executor)
        for _ in asked.lines:
            assert book.drawing is None or book.drawing.job.wait(20)
    return said


def _pressed(book: Book, ticket: str, scenario: Scenario, table: Table | None = None, *, worst_case: bool = False) -> str:
    return _make(book, of_one(ticket, scenario, table or _table(), worst_case=worst_case))


def _lines(book: Book) -> tuple[Line, ...]:
    return account(book, DIGEST).ledger.lines


def _events(book: Book) -> list[Event]:
    return [line.event for line in _lines(book)]


def _total(book: Book) -> Any:
    return account(book, DIGEST).total


# Clicks at once.


def test_press_many_threads_one_ticket_releases_once() -> None:
    book = Book()
    with ThreadPoolExecutor(16) as clicks:
        list(clicks.map(lambda _: _pressed(book, "one", _scenario(fails_far_out)), range(16)))
    assert len(book.entries) == len(_lines(book)) == 1


def test_press_several_tabs_at_once_samples_once() -> None:
    """Each tab has a receipt and a ticket of its own."""
    book = Book()
    with ThreadPoolExecutor(8) as tabs:
        said = list(tabs.map(lambda ticket: _pressed(book, f"tab {ticket}", _scenario(MEDIAN)), range(8)))
    assert sorted(map(bool, said)) == [False] + [True] * 7
    assert all("Nothing was drawn or charged" in one for one in said if one)
    assert len(book.entries) == len(_lines(book)) == 1


# The first release.

BEFORE: dict[str, Callable[[Book], object]] = {
    "a sampled answer": lambda book: _pressed(book, "before", _scenario(MEDIAN)),
    "a proved answer": lambda book: _pressed(book, "before", _scenario(MEAN), worst_case=True),
    "a failure on the table": lambda book: _pressed(book, "before", _scenario(fails_far_out), _table(7.0)),
    "draws without a sensitivity": lambda book: _pressed(book, "before", _scenario(always_fails)),
    "draws that broke": lambda book: _pressed(book, "before", _scenario(MEDIAN, oracle=Breaking())),
    "a restart": lambda book: setattr(book, "lost", True),
    "a file": lambda book: setattr(account(book, DIGEST), "ledger", Ledger.from_json(_proved_ledger().to_json())),
}


def _proved_ledger() -> Ledger:
    book = Book()
    _pressed(book, "one", _scenario(MEAN), worst_case=True)
    return account(book, DIGEST).ledger


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("target", [MEDIAN, MEAN], ids=["a median", "a mean"])
def test_press_later_refuses_sampled_and_releases_proved(before: str, target: Target) -> None:
    book = Book()
    BEFORE[before](book)
    count = len(book.entries)
    said = _pressed(book, "later", _scenario(target))
    assert said.startswith("Nothing was drawn or charged.")
    assert "has no guarantee after" in said or "another oracle" in said
    assert len(book.entries) == count
    assert "later" not in book.spent
    assert _pressed(book, "proved", _scenario(MEAN), worst_case=True) == ""
    last = book.entries[-1]
    assert last.covered
    assert last.line is not None
    assert last.line.guarantee == PureDP(1.0)
    assert last.incomplete == book.incomplete(_table())
    assert ("The server forgot earlier answers" in last.incomplete) == (before == "a restart")


def test_press_on_table_declared_anew_has_same_ledger() -> None:
    book, table = Book(), _table()
    _pressed(book, "one", _scenario(MEDIAN))
    for anew in (
        table.declared(Column("x", bounds=(0, 7))),
        table.declared(Column("x", label="X", bounds=(0, 1))),
        replace(table, public=True),
        replace(table, name="another.csv"),
    ):
        for column in ("x", "y"):
            assert "has no guarantee" in _pressed(book, "two", _scenario(MEDIAN, columns=(column,)), anew)
    assert len(book.entries) == 1


def test_first_release_fixes_unit_and_neighbours() -> None:
    book, table = Book(), _table()
    removed = replace(table, stated=N)
    added = replace(_scenario(Sum((0, 1))), adjacency=removed.adjacency)
    _pressed(book, "one", added, removed, worst_case=True)
    assert "another adjacency" in _pressed(book, "two", _scenario(MEAN), worst_case=True)
    assert "another adjacency" in _pressed(book, "three", _scenario(MEDIAN))
    assert _pressed(book, "four", added, removed, worst_case=True) == ""
    assert _total(book) == PureDP(2.0)
    stated = replace(table, stated=2 * N)
    assert "another number of rows" in _pressed(book, "five", replace(added, n=2 * N), stated, worst_case=True)


def test_receipt_is_shown_again_if_guarantee_changed() -> None:
    """An added or removed row counts twice once a replaced one was answered about, for the budget too."""
    book = Book()
    removed = replace(_table(), stated=N)
    asked = of_one("one", replace(_scenario(Sum((0, 1))), adjacency=removed.adjacency), removed, worst_case=True)
    lines = [one.line for one in asked.lines]
    shown = asked.showing(book.foresee(removed, lines)[0])
    _pressed(book, "other tab", _scenario(MEAN), worst_case=True)
    assert "Read the receipt again" in _make(book, shown)
    account(book, DIGEST).budget = PureDP(2.9)
    assert "This needs ε = 2; 1.9 is left of the budget's 2.9" in _make(book, asked)
    account(book, DIGEST).budget = PureDP(3.0)
    assert _make(book, asked.showing(book.foresee(removed, lines)[0])) == ""
    assert [line.epsilon for line in _lines(book)] == [1.0, 2.0]
    assert "one row" in book.entries[-1].promise
    assert json.loads(book.entries[-1].as_json())["adjacency"] == Adjacency.REPLACE_ONE_RECORD.value


def test_press_on_table_that_protects_people_now_draws_nothing() -> None:
    book = Book()
    assert "with other people or neighbours" in _pressed(book, "one", _scenario(MEAN), replace(_table(), persons=Persons("x")))
    assert (book.entries, charged(book)) == ([], set())


# Several questions.


@pytest.mark.parametrize("quick", [1.0, 0.0], ids=["quick", "long"])
def test_list_is_calibrated_whole_before_first_answer(quick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "QUICK", quick)
    order: list[str] = []
    for name in ("calibrate", "respond"):
        real = getattr(pressing, name)
        monkeypatch.setattr(pressing, name, lambda *given, name=name, real=real: [order.append(name), real(*given)][1])
    book, ledger = Book(), lambda: account(book, DIGEST).ledger
    assert _make(book, _listed((MEDIAN, False), (MEAN, True), (VARIANCE, False))) == ""
    assert order == ["calibrate", "calibrate", "respond", "respond", "respond"]
    assert [entry.problem for entry in book.entries] == ["", "", ""]
    assert _total(book) == RandomDP(3.0, 0.0, 0.1)
    assert ledger().fixed_beforehand
    assert ledger().pending == ()
    assert "has no guarantee" in _make(book, _listed((MEDIAN, False), (VARIANCE, False), ticket="again"))
    assert "“Quantile 0.5 of x”: Sampled noise has no" in _make(book, _listed((MEAN, True), (MEDIAN, False), ticket="mixed"))
    assert len(book.entries) == 3
    assert _make(book, _listed((MEAN, True), (MEAN, True), ticket="proved")) == ""
    assert _total(book) == RandomDP(5.0, 0.0, 0.1)
    assert not ledger().fixed_beforehand


def test_list_with_two_oracles_is_refused() -> None:
    asked, book = _listed((MEDIAN, False), (VARIANCE, False)), Book()
    other = replace(asked.lines[1], scenario=_scenario(VARIANCE, oracle=Uniform(0, 0.5)))
    assert "another oracle" in _make(book, replace(asked, lines=(asked.lines[0], other)))
    assert (book.entries, charged(book)) == ([], set())


@pytest.mark.parametrize("failing", [fails_far_out, always_fails], ids=["on the table", "in its draws"])
def test_list_with_failing_question_answers_others(failing: Target) -> None:
    book = Book()
    assert _make(book, _listed((MEDIAN, False), (failing, False), (VARIANCE, False), table=_table(7.0))) == ""
    assert [entry.release is None for entry in book.entries] == [False, True, False]
    assert _events(book) == [Event.RELEASE, Event.FAILED if failing is fails_far_out else Event.DRAWS, Event.RELEASE]
    assert _total(book).gamma == pytest.approx(0.15)
    assert account(book, DIGEST).ledger.pending == ()


def test_plan_ends_with_its_release_after_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    real = pressing.respond

    def fails_on_variance(book: Book, ready: Any, calibrated: Any) -> None:
        if ready.asked.scenario.target == VARIANCE:
            raise MemoryError
        real(book, ready, calibrated)

    book = Book()
    with monkeypatch.context() as broken:
        broken.setattr(pressing, "respond", fails_on_variance)
        with pytest.raises(MemoryError):
            _make(book, _listed((MEDIAN, False), (VARIANCE, False), (MEAN, True)))
    assert [entry.number for entry in book.entries if entry.covered] == [1, 3]
    assert account(book, DIGEST).ledger.pending == ()
    assert "has no guarantee" in _pressed(book, "again", _scenario(VARIANCE))


@pytest.mark.parametrize("quick", [0.0, 1.0], ids=["long", "quick"])
def test_release_draws_from_new_seed_each_time(quick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "QUICK", quick)
    books = [Book() for _ in range(3)]
    for book in books:
        assert _pressed(book, "one", _scenario(MEDIAN)) == ""
    provenance = [entry.release.provenance for book in books for entry in book.entries if entry.release is not None]
    assert len({one["seed"] for one in provenance} - {_scenario(MEDIAN).seed}) == 3


# Draws that take long.


def variances_wait(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Make draws of a variance take long, until the event is set."""
    monkeypatch.setattr(cost, "QUICK", 0.0)
    event, real = threading.Event(), Scenario.sample

    def sample(scenario: Scenario, *given: Any, **how: Any) -> Any:
        assert scenario.target != VARIANCE or event.wait(20)
        return real(scenario, *given, **how)

    monkeypatch.setattr(Scenario, "sample", sample)
    return event


@pytest.fixture
def may_end(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    return variances_wait(monkeypatch)


def cancel_second_question(book: Book, may_end: threading.Event) -> None:
    """Release two questions, and cancel while the second one is drawn."""
    with ThreadPoolExecutor(1) as executor:
        assert press(book, _listed((MEDIAN, False), (VARIANCE, False)), executor) == ""
        while book.drawing is None or book.drawing.scenario.target != VARIANCE:
            time.sleep(0.01)
        meanwhile = of_one("meanwhile", _scenario(MEAN), _table(), worst_case=True)
        assert "is being drawn" in press(book, meanwhile, executor)
        assert book.entries == []
        book.drawing.cancel()
        may_end.set()
        assert book.drawing.job.wait(20)


def test_list_cancelled_in_second_question_answers_nothing(may_end: threading.Event) -> None:
    """The first question's draws were complete, so they end sampling."""
    book = Book()
    cancel_second_question(book, may_end)
    assert [entry.release for entry in book.entries] == [None, None]
    assert _events(book) == [Event.DRAWS] * 2
    assert account(book, DIGEST).ledger.plan == ()
    assert _total(book).gamma == pytest.approx(0.1)
    assert "has no guarantee" in _pressed(book, "again", _scenario(MEDIAN))


def _other_answer(book: Book) -> None:
    proved = MEAN.global_sensitivity(L1, N)
    assert proved is not None
    account(book, DIGEST).ledger = Ledger().holding(LaplaceMechanism().calibrate(proved, PureDP(0.5)))


def _lower_budget(book: Book) -> None:
    account(book, DIGEST).budget = RandomDP(0.5, 0.0, 0.5)


@pytest.mark.parametrize(
    ("comes", "said", "lines"),
    [
        (_other_answer, "the table was not asked", [(Event.RELEASE, 0.5)]),
        (_lower_budget, "This needs ε = 1; 0.5 is left", [(Event.DRAWS, 0.0)]),
    ],
)
def test_change_while_release_is_drawn_ends_it(
    comes: Callable[[Book], None], said: str, lines: list[Any], may_end: threading.Event
) -> None:
    """An answer comes meanwhile if two uploads become one table."""
    book = Book()
    with ThreadPoolExecutor(1) as executor:
        assert press(book, of_one("slow", _scenario(VARIANCE), _table(), worst_case=False), executor) == ""
        with book.lock:
            comes(book)
        may_end.set()
        assert book.drawing is not None
        assert book.drawing.job.wait(20)
    (entry,) = book.entries
    assert entry.release is None
    assert said in entry.problem
    assert [(line.event, line.epsilon) for line in _lines(book)] == lines


# Budgets.


def test_press_beyond_budget_keeps_its_ticket() -> None:
    book = Book(accounts={DIGEST: Account(budget=RandomDP(0.5, 0.0, 0.5))})
    _pressed(book, "one", _scenario(fails_far_out))
    assert (book.entries, charged(book)) == ([], set())
    account(book, DIGEST).budget = RandomDP(1.0, 0.0, 0.05)
    _pressed(book, "one", _scenario(fails_far_out))
    assert len(book.entries) == 1


def test_budget_refuses_low_confidence_on_average() -> None:
    book = Book(accounts={DIGEST: Account(budget=RandomDP(1.0, 0.0, 0.05))})
    low = _scenario(fails_far_out, bound=Bound.TOLERANCE, confidence=0.5, m=14)
    assert low.point.joint_gamma > 0.05
    assert "on average over the draws" in _pressed(book, "one", low)
    assert (book.entries, charged(book)) == ([], set())


# Failures.


@pytest.mark.parametrize("target", [fails_far_out, swallows])
def test_press_failing_on_table_is_charged_in_full(target: object) -> None:
    book = Book()
    _pressed(book, "one", _scenario(target), _table(12345.678))
    (entry,) = book.entries
    assert entry.release is None
    assert "charged in full" in entry.problem
    assert "12345" not in entry.problem
    assert _events(book) == [Event.FAILED]
    assert _total(book) == RandomDP(1.0, 0.0, 0.05)


def test_press_on_unreadable_table_charges_nothing() -> None:
    book = Book()
    _pressed(book, "one", _scenario(fails_far_out), replace(_table(), columns=(Column("x"),)))
    assert "bounds of “x”" in book.entries[0].problem
    assert not charged(book)


def test_release_that_cannot_be_charged_is_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is shown that the ledger does not hold."""
    monkeypatch.setattr(Ledger, "add", _raises(LookupError("no room")))
    book = Book()
    _pressed(book, "one", _scenario(MEAN), worst_case=True)
    assert [entry.release for entry in book.entries] == [None]
    assert _events(book) == [Event.FAILED]


@pytest.mark.parametrize("quick", [0.0, 1.0], ids=["long", "quick"])
def test_machine_error_after_asking_is_charged_in_full(quick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_noise, "add_laplace", _raises(MemoryError()))
    monkeypatch.setattr(cost, "QUICK", quick)
    book = Book()
    with pytest.raises(MemoryError) if quick else nullcontext():  # quick draws are made in the click itself
        _pressed(book, "one", _scenario(fails_far_out), _table(0.5))
    assert all("charged in full" in entry.problem for entry in book.entries)
    assert _events(book) == [Event.FAILED]


@pytest.mark.parametrize(
    ("where", "name", "quick"),
    [(LaplaceMechanism, "calibrate", 0.0), (LaplaceMechanism, "calibrate", 1.0), (Scenario, "sample", 1.0)],
)
def test_machine_error_in_draws_ends_sampling(where: type, name: str, quick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws can have been complete: to draw again would be to choose between two Δ̂."""
    monkeypatch.setattr(cost, "QUICK", quick)
    book = Book()
    with monkeypatch.context() as broken:
        broken.setattr(where, name, _raises(MemoryError()))
        with pytest.raises(MemoryError) if quick else nullcontext():
            _pressed(book, "one", _scenario(MEDIAN))
    assert _events(book) == [Event.DRAWS]
    assert "has no guarantee" in _pressed(book, "two", _scenario(MEDIAN))


@pytest.mark.parametrize(
    ("error", "is_charged"), [(TooManyRowsError(9, 9, 1), True), (MethodMismatchError("pair", 1.0, 2.0), False)]
)
def test_draws_refused_before_first_cost_nothing(error: DpcoreError, is_charged: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scenario, "sample", _raises(error))
    book = Book()
    _pressed(book, "one", _scenario(MEDIAN))
    assert ("charged their γ" in book.entries[0].problem) is is_charged
    assert _events(book) == [Event.DRAWS] * is_charged
    assert bool(book.ledger(_table()).sampling_ended_by) is is_charged


# New demonstrations on public tables.


def test_demonstration_empties_ledger_of_public_table() -> None:
    book, table = Book(), replace(_table(), public=True)
    _pressed(book, "one", _scenario(MEDIAN), table)
    assert book.start_demonstration(table) == ""
    assert (charged(book), book.entries) == (set(), [])
    assert _pressed(book, "two", _scenario(MEDIAN), table) == ""
    assert "no guarantee covers its answers together" in book.entries[0].incomplete
    assert "has no guarantee" in _pressed(book, "three", _scenario(MEDIAN), table)


def test_demonstration_gives_confidential_table_no_sampled_release() -> None:
    confidential, public = _table(), replace(_table(), public=True)
    book = Book()
    _pressed(book, "one", _scenario(MEDIAN), confidential)
    assert "confidential" in book.start_demonstration(confidential)
    assert "confidential" in book.start_demonstration(public)  # declared anew since
    assert len(_lines(book)) == 1
    other = Book()
    _pressed(other, "one", _scenario(MEDIAN), public)
    assert other.start_demonstration(public) == ""
    assert "has no guarantee" in _pressed(other, "two", _scenario(MEDIAN), confidential)
    assert _pressed(other, "three", _scenario(MEAN), confidential, worst_case=True) == ""
    assert "This table was public before" in other.incomplete(confidential)
    assert "confidential" in other.start_demonstration(public)


def test_demonstration_waits_for_drawing_and_keeps_loaded_ledger() -> None:
    book, table = Book(), replace(_table(), public=True)
    _pressed(book, "one", _scenario(MEDIAN), table)
    drawing: Any = SimpleNamespace(open=True)
    book.drawing = drawing
    assert "is being drawn" in book.start_demonstration(table)
    book.drawing = None
    account(book, DIGEST).saved = "2026-01-31 09:30 UTC"
    assert "confidential" in book.start_demonstration(table)
    assert len(_lines(book)) == 1
