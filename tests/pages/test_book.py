"""A press on the book itself: what fails is charged too, and however many threads press, one ticket is one release."""

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

from dpcore import targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1, L2
from dpcore.base.types import Oracle, Target
from dpcore.errors import DpcoreError, MethodMismatchError, TooManyRowsError
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.ledger.accounting import Event, Ledger
from dpcore.mechanisms import noise as release_noise
from dpcore.mechanisms.gaussian import GaussianMechanism
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


def fails_far_out(database: Database) -> FloatArray:
    """The mean of a table without a value above 1; no draw of a uniform oracle on [0, 1] has one."""
    if database.max() > 1:
        raise LookupError(f"a row of {database.max()}")
    return np.array([database.mean()])


def always_fails(database: Database) -> FloatArray:
    raise LookupError("no answer")


def swallows(database: Database) -> FloatArray:
    """An answer beyond the spacing of floats on a table with a value above 1, else its mean."""
    return np.array([1e18 if database.max() > 1 else database.mean()])


def _table(largest: float) -> Table:
    values = np.linspace(0, 1, N)
    values[-1] = largest
    return Table("t.csv", (Column("x", bounds=(0, 1)),), {"x": values}, public=False, digest=DIGEST)


def _scenario(target: object) -> Scenario:
    changes = {"table": "t.csv", "columns": ("x",), "target": target, "oracle": Uniform(0, 1), "n": N}
    return replace(state.example(), **changes)


def _pressed(book: Book, ticket: str, scenario: Scenario, table: Table, *, worst_case: bool = False) -> str:
    """A press, and the wait for its draws."""
    with ThreadPoolExecutor(1) as executor:
        said = press(book, of_one(ticket, scenario, table, worst_case=worst_case), executor)
        assert book.drawing is None or book.drawing.job.wait(20)
    return said


@pytest.mark.parametrize("target", [fails_far_out, swallows])
def test_a_release_that_fails_on_the_table_is_charged_in_full_and_quotes_no_record(target: object) -> None:
    book = Book()
    _pressed(book, "one", _scenario(target), _table(12345.678))
    (entry,), ledger = book.entries, account(book, DIGEST).ledger
    assert entry.release is None
    assert "charged in full" in entry.problem
    assert "12345" not in entry.problem
    assert [line.event for line in ledger.lines] == [Event.FAILED]
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)


def test_draws_without_a_sensitivity_are_charged_their_gamma() -> None:
    book = Book()
    _pressed(book, "one", _scenario(always_fails), _table(1))
    (entry,), ledger = book.entries, account(book, DIGEST).ledger
    assert "failed on 199 of 199 sampled pairs" in entry.problem
    assert [line.event for line in ledger.lines] == [Event.DRAWS]
    assert ledger.total() == RandomDP(0.0, 0.0, 0.05)


def test_many_threads_with_one_ticket_make_one_release() -> None:
    book, scenario, table = Book(), replace(_scenario(fails_far_out)), _table(1)
    threads = [threading.Thread(target=_pressed, args=(book, "one", scenario, table)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [entry.ticket for entry in book.entries] == ["one"]
    assert len(account(book, DIGEST).ledger.lines) == 1


def test_tabs_that_press_at_once_get_one_sampled_release() -> None:
    """Each has a receipt of its own, with a ticket of its own."""
    book, scenario, table = Book(), _scenario(Quantile(0.5, (0, 1))), _table(1)
    with ThreadPoolExecutor(8) as tabs:
        said = list(tabs.map(lambda ticket: _pressed(book, f"tab {ticket}", scenario, table), range(8)))
    assert sorted(map(bool, said)) == [False] + [True] * 7
    assert all("Nothing was drawn or charged" in one for one in said if one)
    assert len(book.entries) == len(account(book, DIGEST).ledger.lines) == 1


MEDIAN, MEAN, VARIANCE = Quantile(0.5, (0, 1)), Mean((0, 1)), Variance((0, 1))
BEFORE: dict[str, Callable[[Book, Table], object]] = {
    "a sampled answer": lambda book, table: _pressed(book, "before", _scenario(MEDIAN), table),
    "a proved answer": lambda book, table: _pressed(book, "before", _scenario(MEAN), table, worst_case=True),
    "a failure on the table": lambda book, table: _pressed(book, "before", _scenario(fails_far_out), _table(7.0)),
    "draws that sized no noise": lambda book, table: _pressed(book, "before", _scenario(always_fails), table),
    "trials that broke": lambda book, table: _pressed(book, "before", replace(_scenario(MEDIAN), oracle=Breaking()), table),
    "what a server forgot": lambda book, table: setattr(book, "lost", True),
    "a file": lambda book, table: setattr(account(book, DIGEST), "ledger", Ledger.from_json(_proved_ledger().to_json())),
}


@dataclass(frozen=True)
class Breaking(Oracle):
    """An oracle that fails in the middle of its draws."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        raise LookupError("no more")


def _proved_ledger() -> Ledger:
    book = Book()
    _pressed(book, "one", _scenario(MEAN), _table(1), worst_case=True)
    return account(book, DIGEST).ledger


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("target", [MEDIAN, MEAN], ids=["a median", "a mean"])
def test_nothing_sampled_is_released_later(before: str, target: Target) -> None:
    book, table = Book(), _table(1)
    BEFORE[before](book, table)
    count = len(book.entries)
    said = _pressed(book, "later", _scenario(target), table)
    assert said.startswith("Nothing was drawn or charged.")
    assert "has no guarantee after" in said or "another oracle" in said
    assert len(book.entries) == count
    assert "later" not in book.spent
    assert _pressed(book, "proved", _scenario(MEAN), table, worst_case=True) == ""
    assert book.entries[-1].covered
    assert book.entries[-1].line is not None
    assert book.entries[-1].line.guarantee == PureDP(1.0)


def test_a_table_that_is_declared_anew_has_the_same_ledger() -> None:
    """Another column, other bounds, another label, public now: an answer about any of them is one about the table."""
    book, table = Book(), _two_columns()
    _pressed(book, "one", _scenario(MEDIAN), table)
    for anew in (
        table.declared(Column("x", bounds=(0, 7))),
        table.declared(Column("x", label="X", bounds=(0, 1))),
        replace(table, public=True),
        replace(table, name="another.csv"),
    ):
        for column in ("x", "y"):
            assert "has no guarantee" in _pressed(book, "two", replace(_scenario(MEDIAN), columns=(column,)), anew)
    assert len(book.entries) == 1


def _listed(*asked: tuple[Target, bool], oracle: Oracle | None = None) -> Press:
    """One press of several questions, each with whether its noise is sized to the worst case."""
    lines = tuple(
        AskedLine(f"list.{place}", replace(_scenario(target), oracle=oracle or Uniform(0, 1)), _table(1), worst, number=place)
        for place, (target, worst) in enumerate(asked, 1)
    )
    return Press("list", lines)


def _make(book: Book, asked: Press) -> str:
    with ThreadPoolExecutor(1) as executor:
        said = press(book, asked, executor)
        for _ in asked.lines:
            assert book.drawing is None or book.drawing.job.wait(20)
    return said


@pytest.mark.parametrize("quick", [1.0, 0.0], ids=["quick", "long"])
def test_one_press_answers_several_questions_that_were_all_sized_before_the_first(
    quick: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "QUICK", quick)
    order: list[str] = []
    for name in ("calibrate", "respond"):
        real = getattr(pressing, name)
        monkeypatch.setattr(pressing, name, lambda *given, name=name, real=real: [order.append(name), real(*given)][1])
    book = Book()
    assert _make(book, _listed((MEDIAN, False), (MEAN, True), (VARIANCE, False))) == ""
    assert order == ["calibrate", "calibrate", "respond", "respond", "respond"]
    assert [entry.problem for entry in book.entries] == ["", "", ""]
    assert account(book, DIGEST).ledger.total() == RandomDP(3.0, 0.0, 0.1)
    assert account(book, DIGEST).ledger.fixed_beforehand
    assert account(book, DIGEST).ledger.pending == ()
    assert "has no guarantee" in _make(book, replace(_listed((MEDIAN, False), (VARIANCE, False)), ticket="again"))
    assert "has no guarantee" in _make(book, replace(_listed((MEAN, True), (MEDIAN, False)), ticket="mixed"))
    assert len(book.entries) == 3
    assert _make(book, replace(_listed((MEAN, True), (MEAN, True)), ticket="proved")) == ""
    assert account(book, DIGEST).ledger.total() == RandomDP(5.0, 0.0, 0.1)
    assert not account(book, DIGEST).ledger.fixed_beforehand


def test_a_list_that_names_a_refused_question_is_refused_as_a_whole() -> None:
    book = Book()
    _pressed(book, "one", _scenario(MEAN), _table(1), worst_case=True)
    said = _make(book, _listed((MEAN, True), (MEDIAN, False)))
    assert said.startswith("Nothing was drawn or charged. “Quantile 0.5 of x”: Sampled noise has no guarantee")
    assert len(book.entries) == 1


def test_all_sampled_questions_of_a_press_share_one_oracle() -> None:
    asked = _listed((MEDIAN, False), (VARIANCE, False))
    other = replace(asked.lines[1], scenario=replace(asked.lines[1].scenario, oracle=Uniform(0, 0.5)))
    book = Book()
    assert "another oracle" in _make(book, replace(asked, lines=(asked.lines[0], other)))
    assert (book.entries, charged(book)) == ([], set())


@pytest.mark.parametrize("failing", [fails_far_out, always_fails], ids=["on the table", "in its trials"])
def test_a_question_of_a_list_that_fails_is_charged_and_the_others_are_answered(failing: Target) -> None:
    asked = _listed((MEDIAN, False), (failing, False), (VARIANCE, False))
    far = replace(asked, lines=tuple(replace(one, table=_table(7.0)) for one in asked.lines))
    book = Book()
    assert _make(book, far) == ""
    assert [entry.release is None for entry in book.entries] == [False, True, False]
    events = [Event.RELEASE, Event.FAILED if failing is fails_far_out else Event.DRAWS, Event.RELEASE]
    assert [line.event for line in account(book, DIGEST).ledger.lines] == events
    total = account(book, DIGEST).ledger.total()
    assert isinstance(total, RandomDP)
    assert total.gamma == pytest.approx(0.15)


class _Held:
    """Draws that take long, and wait until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cost, "QUICK", 0.0)
        self.may_end = threading.Event()
        real = Scenario.sample

        def sample(scenario: Scenario, *given: Any, **how: Any) -> Any:
            if scenario.target == VARIANCE:
                assert self.may_end.wait(20)
            return real(scenario, *given, **how)

        monkeypatch.setattr(Scenario, "sample", sample)


def _cancelled_in_the_second(book: Book, held: _Held, *, cancel: bool = True) -> None:
    """A list whose second question is cancelled while its draws are made."""
    with ThreadPoolExecutor(1) as executor:
        assert press(book, _listed((MEDIAN, False), (VARIANCE, False)), executor) == ""
        while book.drawing is None or book.drawing.scenario.target != VARIANCE:
            time.sleep(0.01)
        drawing = book.drawing
        said = press(book, of_one("meanwhile", _scenario(MEAN), _table(1), worst_case=True), executor)
        assert "is being drawn" in said
        assert book.entries == []
        if cancel:
            drawing.cancel()
        held.may_end.set()
        assert drawing.job.wait(20)


def test_a_press_that_is_cancelled_in_the_middle_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question's draws were complete, so they end sampling; nothing was answered of it."""
    book = Book()
    _cancelled_in_the_second(book, _Held(monkeypatch))
    assert all(entry.release is None for entry in book.entries)
    assert len(book.entries) == 2
    assert [line.event for line in account(book, DIGEST).ledger.lines] == [Event.DRAWS] * 2
    assert account(book, DIGEST).ledger.plan == ()
    total = account(book, DIGEST).ledger.total()
    assert isinstance(total, RandomDP)
    assert total.gamma == pytest.approx(0.1)
    assert "has no guarantee" in _pressed(book, "again", _scenario(MEDIAN), _table(1))


def _of_another_press() -> Ledger:
    proved = MEAN.global_sensitivity(L1, N)
    assert proved is not None
    return Ledger().holding(LaplaceMechanism().calibrate(proved, PureDP(0.5)))


MEANWHILE: dict[str, tuple[Callable[[Book], object], str, list[float]]] = {
    "an answer": (lambda book: setattr(account(book, DIGEST), "ledger", _of_another_press()), "the table was not asked", [0.5]),
    "a lower budget": (
        lambda book: setattr(account(book, DIGEST), "budget", RandomDP(0.5, 0.0, 0.5)),
        "This needs ε = 1; 0.5 is left",
        [0.0],
    ),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_an_answer_or_a_lower_budget_that_comes_while_a_press_is_drawn_ends_it(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where two uploads become one table meanwhile, of which the other has an answer."""
    comes, said, spent = MEANWHILE[what]
    book, held = Book(), _Held(monkeypatch)
    with ThreadPoolExecutor(1) as executor:
        assert press(book, of_one("slow", _scenario(VARIANCE), _table(1), worst_case=False), executor) == ""
        with book.lock:
            comes(book)
        held.may_end.set()
        assert book.drawing is not None
        assert book.drawing.job.wait(20)
    (entry,) = book.entries
    assert entry.release is None
    assert said in entry.problem
    lines = account(book, DIGEST).ledger.lines
    assert [(line.event, line.epsilon) for line in lines] == [(Event.RELEASE if one else Event.DRAWS, one) for one in spent]


def test_a_release_that_cannot_be_charged_is_charged_as_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong between the answer and the ledger, no answer is shown that the ledger does not hold."""

    def refuses(*_: object, **__: object) -> Ledger:
        raise LookupError("no room")

    monkeypatch.setattr(Ledger, "add", refuses)
    book = Book()
    _pressed(book, "one", _scenario(MEAN), _table(1), worst_case=True)
    (entry,) = book.entries
    assert entry.release is None
    assert [line.event for line in account(book, DIGEST).ledger.lines] == [Event.FAILED]


def test_what_a_server_forgot_is_said_of_each_ledger() -> None:
    book = Book(lost=True)
    assert "The server forgot earlier answers" in book.incomplete(_table(1))
    _pressed(book, "one", _scenario(MEAN), _table(1), worst_case=True)
    assert "The server forgot earlier answers" in book.entries[0].incomplete
    assert book.entries[0].covered


def test_a_release_in_another_tab_is_met_before_anything_is_drawn() -> None:
    """Two tabs of one book: the other one released meanwhile, so this line would be chosen after a response."""
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    asked = of_one("one", scenario, table, worst_case=False)
    shown, _ = book.foresee(table, [one.line for one in asked.lines])
    _pressed(book, "other tab", scenario, table)
    with ThreadPoolExecutor(1) as executor:
        said = press(book, asked.showing(shown), executor)
    assert "Nothing was drawn or charged" in said
    assert len(book.entries) == 1
    assert "one" not in book.spent


def test_a_guarantee_that_changed_since_the_receipt_is_said_before_anything_is_asked() -> None:
    """An added or removed row counts twice once a replaced one was answered about."""
    book, table = Book(), _table(1)
    removed = replace(table, stated=N)
    asked = of_one("one", replace(_scenario(Sum((0, 1))), adjacency=removed.adjacency), removed, worst_case=True)
    lines = [one.line for one in asked.lines]
    shown = asked.showing(book.foresee(removed, lines)[0])
    _pressed(book, "other tab", _scenario(MEAN), table, worst_case=True)
    assert "Read the receipt again" in _make(book, shown)
    assert _make(book, asked.showing(book.foresee(removed, lines)[0])) == ""
    assert [line.epsilon for line in account(book, DIGEST).ledger.lines] == [1.0, 2.0]
    assert book.entries[-1].line is not None
    assert "one row" in book.entries[-1].promise
    assert json.loads(book.entries[-1].as_json())["adjacency"] == Adjacency.REPLACE_ONE_RECORD.value


def test_the_first_release_fixes_the_unit_and_the_neighbours() -> None:
    book, table = Book(), _table(1)
    removed = replace(table, stated=N)
    added = replace(_scenario(Sum((0, 1))), adjacency=removed.adjacency)
    _pressed(book, "one", added, removed, worst_case=True)
    assert "another adjacency" in _pressed(book, "two", _scenario(MEAN), table, worst_case=True)
    assert "another adjacency" in _pressed(book, "three", _scenario(MEDIAN), table)
    assert _pressed(book, "four", added, removed, worst_case=True) == ""
    assert account(book, DIGEST).ledger.total() == PureDP(2.0)
    stated = replace(table, stated=2 * N)
    assert "another number of rows" in _pressed(book, "five", replace(added, n=2 * N), stated, worst_case=True)


def test_a_press_beyond_the_budget_keeps_its_ticket() -> None:
    book = Book(accounts={DIGEST: Account(budget=RandomDP(0.5, 0.0, 0.5))})
    _pressed(book, "one", _scenario(fails_far_out), _table(1))
    assert (book.entries, charged(book)) == ([], set())
    account(book, DIGEST).budget = RandomDP(1.0, 0.0, 0.05)
    _pressed(book, "one", _scenario(fails_far_out), _table(1))
    assert len(book.entries) == 1


def test_a_budget_on_the_average_over_the_draws_refuses_a_low_confidence() -> None:
    book = Book(accounts={DIGEST: Account(budget=RandomDP(1.0, 0.0, 0.05))})
    low = replace(_scenario(fails_far_out), bound=Bound.TOLERANCE, confidence=0.5, m=14)
    assert low.point.joint_gamma > 0.05
    _pressed(book, "one", low, _table(1))
    assert (book.entries, charged(book)) == ([], set())


def test_a_table_that_cannot_be_read_draws_nothing_and_charges_nothing() -> None:
    book, table = Book(), replace(_table(1), columns=(Column("x"),))
    _pressed(book, "one", _scenario(fails_far_out), table)
    assert "bounds of “x”" in book.entries[0].problem
    assert not charged(book)


@pytest.mark.parametrize("quick", [0.0, 1.0], ids=["long", "quick"])
def test_an_error_of_the_machine_after_the_table_was_asked_is_charged_in_full(
    quick: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(release_noise, "add_laplace", full)
    monkeypatch.setattr(cost, "QUICK", quick)
    book = Book()
    with pytest.raises(MemoryError) if quick else nullcontext():  # quick draws are made in the press itself
        _pressed(book, "one", _scenario(fails_far_out), _table(0.5))
    assert all("charged in full" in entry.problem for entry in book.entries)
    assert [line.event for line in account(book, DIGEST).ledger.lines] == [Event.FAILED]


@pytest.mark.parametrize(
    ("where", "name", "quick"),
    [(LaplaceMechanism, "calibrate", 0.0), (LaplaceMechanism, "calibrate", 1.0), (Scenario, "sample", 1.0)],
)
def test_an_error_of_the_machine_in_or_behind_the_trials_ends_sampling(
    where: type, name: str, quick: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draws can have been complete: to draw again would be to choose between two Δ̂."""

    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cost, "QUICK", quick)
    book = Book()
    with monkeypatch.context() as broken:
        broken.setattr(where, name, full)
        with pytest.raises(MemoryError) if quick else nullcontext():
            _pressed(book, "one", _scenario(MEDIAN), _table(1))
    assert [line.event for line in account(book, DIGEST).ledger.lines] == [Event.DRAWS]
    assert "has no guarantee" in _pressed(book, "two", _scenario(MEDIAN), _table(1))


@pytest.mark.parametrize(
    ("error", "charged"), [(TooManyRowsError(9, 9, 1), True), (MethodMismatchError("pair", 1.0, 2.0), False)]
)
def test_trials_that_are_refused_before_the_first_cost_nothing_and_others_are_charged(
    error: DpcoreError, charged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Scenario, "sample", refuses)
    book = Book()
    _pressed(book, "one", _scenario(MEDIAN), _table(1))
    assert ("charged their γ" in book.entries[0].problem) is charged
    assert bool(book.ledger(_table(1)).sampling_ended_by) is charged


def _two_columns() -> Table:
    values = np.linspace(0, 1, N)
    columns = (Column("x", bounds=(0, 1)), Column("y", bounds=(0, 1)))
    return Table("t.csv", columns, {"x": values, "y": values[::-1].copy()}, public=False, digest=DIGEST)


def test_a_press_on_a_table_that_protects_people_now_draws_nothing() -> None:
    book, table = Book(), _table(1)
    people = replace(table, persons=Persons("x"))
    with ThreadPoolExecutor(1) as one:
        said = press(book, of_one("one", _scenario(Mean((0, 1))), people, worst_case=True), one)
    assert "anew whose its rows are" in said
    assert not book.entries
    assert not charged(book)


def test_a_budget_of_a_table_sees_twice_the_epsilon_of_a_row_that_is_added_or_removed() -> None:
    """0.5 and 0.5 come to 1.5; approximate DP joins in no way, and is refused beside a replaced row."""
    counted, database = targets.Count(category=1.0), np.array([1.0, 0.0, 1.0, 3.0])

    def noise(adjacency: Adjacency) -> Any:
        proved = counted.global_sensitivity(L1, 4, adjacency)
        assert proved is not None
        return LaplaceMechanism().calibrate(proved, PureDP(0.5))

    first, second = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD
    book, table = Book(), _table(1)
    account(book, book.name_of(table)).budget = PureDP(1.4)
    assert book.foresee(table, [Ledger().foresee(noise(first))])[1] == ""
    book.charge(table, lambda ledger: ledger.add(noise(first).release(database)))
    assert "This needs ε = 1;" in book.foresee(table, [Ledger().foresee(noise(second))])[1]
    account(book, book.name_of(table)).budget = PureDP(1.5)
    assert book.foresee(table, [Ledger().foresee(noise(second))])[1] == ""
    removed = counted.global_sensitivity(L2, 4, Adjacency.ADD_OR_REMOVE_ONE_RECORD)
    assert removed is not None
    account(book, book.name_of(table)).budget = ApproxDP(9.0, 1e-3)
    _, said = book.foresee(table, [Ledger().foresee(GaussianMechanism().calibrate(removed, ApproxDP(0.1, 1e-9)))])
    assert "another adjacency" in said


# A new demonstration on a public table.


def test_a_new_demonstration_empties_the_ledger_of_a_public_table() -> None:
    book, table = Book(), replace(_table(1), public=True)
    _pressed(book, "one", _scenario(MEDIAN), table)
    assert book.start_demonstration(table) == ""
    assert (charged(book), book.entries) == (set(), [])
    assert "no guarantee covers its answers together" in book.incomplete(table)
    assert _pressed(book, "two", _scenario(MEDIAN), table) == ""
    assert "no guarantee covers its answers together" in book.entries[0].incomplete
    assert "has no guarantee" in _pressed(book, "three", _scenario(MEDIAN), table)


def test_no_confidential_table_gets_its_sampled_release_back_by_a_demonstration() -> None:
    confidential = _table(1)
    public = replace(confidential, public=True)
    book = Book()
    _pressed(book, "one", _scenario(MEDIAN), confidential)
    assert "confidential" in book.start_demonstration(confidential)
    assert "confidential" in book.start_demonstration(public)  # declared anew since
    assert len(account(book, DIGEST).ledger.lines) == 1
    other = Book()
    _pressed(other, "one", _scenario(MEDIAN), public)
    assert other.start_demonstration(public) == ""
    assert "has no guarantee" in _pressed(other, "two", _scenario(MEDIAN), confidential)
    assert _pressed(other, "three", _scenario(MEAN), confidential, worst_case=True) == ""
    assert "This table was public before" in other.incomplete(confidential)
    assert "confidential" in other.start_demonstration(public)


def test_no_demonstration_starts_while_a_release_is_drawn_or_on_a_loaded_ledger() -> None:
    book, table = Book(), replace(_table(1), public=True)
    _pressed(book, "one", _scenario(MEDIAN), table)
    drawing: Any = SimpleNamespace(open=True)
    book.drawing = drawing
    assert "is being drawn" in book.start_demonstration(table)
    book.drawing = None
    account(book, DIGEST).saved = "2026-01-31 09:30 UTC"
    assert "confidential" in book.start_demonstration(table)
    assert len(account(book, DIGEST).ledger.lines) == 1
