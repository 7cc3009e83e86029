"""What one tab has released, and the press that adds to it.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final

import numpy as np

from dpcore import defaults, preview, words
from dpcore.accounting import Event, Ledger
from dpcore.errors import (
    BudgetExceededError,
    DpcoreError,
    IncompatibleReleasesError,
)
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.norms import Norm
from dpcore.polynomials import BernsteinPolynomial
from dpcore.privacy import Guarantee, RandomDP
from dpcore.sampler import SensitivitySample, sample_sensitivity
from dpcore.scenario import Scenario
from dpcore.tables import Table
from dpcore.types import Database, Oracle
from pages.session.drawing import Drawing, Outcome

RELEASE_SECONDS = 900.0  # of draws that one press may ask the server for


@final
@dataclass(frozen=True, eq=False)
class Entry:
    """One press and what came of it: a response, or the sentence that says why there is none."""

    ticket: str
    title: str
    labels: tuple[str, ...]
    release: Release[Any] | None
    problem: str
    caveats: tuple[str, ...]

    def as_json(self) -> str:
        """For download: nothing confidential, because a release holds nothing confidential."""
        assert self.release is not None
        guarantee, response = self.release.guarantee, self.release.response
        if isinstance(response, BernsteinPolynomial):
            response = response.to_json()
        elif isinstance(response, np.ndarray):
            response = dict(zip(self.labels, response.tolist(), strict=True))
        return json.dumps(
            {
                "response": response,
                "guarantee": type(guarantee).__name__,
                "in_words": words.sentence(guarantee, self.release.adjacency),
                "caveats": list(self.caveats),
                "parameters": {name: getattr(guarantee, name) for name in guarantee.__dataclass_fields__},
                "adjacency": self.release.adjacency.value,
                "mechanism": self.release.mechanism,
                "scale": self.release.scale,
                "provenance": dict(self.release.provenance),
            },
            indent=2,
            ensure_ascii=False,
        )


@final
@dataclass(eq=False)
class Book:
    """What one tab has released: its entries, and by a table's digest its ledgers (those of one list do not add up)."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    spent: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    ledgers: dict[str, list[Ledger]] = field(default_factory=dict)
    budgets: dict[str, Guarantee] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)  # confidential tables that a comparison was ever switched on for
    titles: dict[str, str] = field(default_factory=dict)
    drawing: Drawing | None = None  # the press whose draws are being made, or were last
    joined: Book | None = None

    def charge(self, table: Table, add: Callable[[Ledger], Ledger]) -> None:
        """Add to the table's first ledger that it adds up with, else to a new one."""
        self.titles[table.digest] = table.title or table.name
        ledgers = self.ledgers.setdefault(table.digest, [])
        for i, ledger in enumerate(ledgers):
            try:
                ledgers[i] = add(ledger)
            except IncompatibleReleasesError:
                continue
            return
        new = Ledger(after_responses=any(line.event is not Event.DRAWS for ledger in ledgers for line in ledger.lines))
        ledgers.append(add(new))

    def write(self, asked: Press, release: Release[Any] | None, problem: str) -> None:
        """An entry for what came of a press."""
        scenario, table = asked.scenario, asked.table
        title = (
            f"{defaults.title(defaults.kind_of(scenario.target))} of {', '.join(scenario.columns)} in {table.title or table.name}"
        )
        labels = preview.labels(scenario, table)
        self.entries.append(Entry(asked.ticket, title, labels, release, problem, asked.caveats))

    def join(self, older: Book) -> None:
        """Give the tab's older book all that is here, and what is still to come."""
        with older.lock, self.lock:
            if self.joined is not None:
                return
            older.entries += self.entries
            older.spent |= self.spent
            older.looked |= self.looked
            older.budgets.update(self.budgets)
            older.titles.update(self.titles)
            for name, ledgers in self.ledgers.items():
                older.ledgers.setdefault(name, []).extend(ledgers)
            if older.drawing is None or not older.drawing.open:
                older.drawing = self.drawing or older.drawing
            self.joined = older


@final
@dataclass(frozen=True, eq=False)
class Press:
    """One press of the button Release: what was on the receipt, fixed before the first draw."""

    ticket: str
    scenario: Scenario
    table: Table
    worst_case: bool
    caveats: tuple[str, ...]


def press(current: Book, asked: Press, executor: Executor) -> None:
    """One release, once a ticket: fresh draws under a seed from the system, noise, ledger.

    Draws that take long are made on ``executor``, as the book's ``drawing``; the response follows them by itself.
    """
    with current.lock:
        if current.joined is None:
            _press(current, asked, executor)
            return
    press(current.joined, asked, executor)


def _press(current: Book, asked: Press, executor: Executor) -> None:
    scenario, table = asked.scenario, asked.table
    busy = current.drawing is not None and current.drawing.open
    if busy or asked.ticket in current.spent or refusal(current, scenario, table, worst_case=asked.worst_case):
        return
    current.spent.add(asked.ticket)
    try:
        database = table.prepare(scenario.columns).database
        if asked.worst_case:
            proved = preview.calibrated_worst_case(scenario)
            assert proved is not None
            _respond(current, asked, proved, database)
            return
        preview.refuse_slow(scenario.target, scenario.n, scenario.m, RELEASE_SECONDS)
        oracle = scenario.resolved_oracle(table)
        if preview.quick(scenario.target, scenario.n, scenario.m):
            sample = sample_sensitivity(
                scenario.target, oracle, norm=scenario.norm, n=scenario.n, at=scenario.point, seed=secrets.randbits(64)
            )  # fmt: skip
            _calibrate_and_respond(current, asked, sample, database)
        else:
            current.drawing = Drawing(scenario, oracle, executor, partial(_drawn, current, asked, oracle, database))
    except DpcoreError as error:
        current.write(asked, None, str(error))


def _drawn(book: Book, asked: Press, oracle: Oracle, database: Database, outcome: Outcome) -> None:
    """The end of a press whose draws took long; the book may have been joined to the tab's older one meanwhile."""
    with book.lock:
        if book.joined is None:
            _end(book, asked, oracle, database, outcome)
            return
    _drawn(book.joined, asked, oracle, database, outcome)


def _end(current: Book, asked: Press, oracle: Oracle, database: Database, outcome: Outcome) -> None:
    if outcome.sample is not None:
        _calibrate_and_respond(current, asked, outcome.sample, database)
        return
    if outcome.charged:
        scenario = asked.scenario
        current.charge(asked.table, lambda ledger: ledger.add_draws(scenario.target, oracle, n=scenario.n, at=scenario.point))
    current.write(asked, None, outcome.problem)


def _calibrate_and_respond(current: Book, asked: Press, sample: SensitivitySample[Norm], database: Database) -> None:
    try:
        calibrated = asked.scenario.mechanism.calibrate(sample.sensitivity(), asked.scenario.privacy)
    except BaseException as error:
        current.charge(asked.table, lambda ledger: ledger.add(sample))  # redrawing until pleased is looking
        current.write(asked, None, _sentence(error))
        if not isinstance(error, DpcoreError):
            raise
        return
    _respond(current, asked, calibrated, database)


def _respond(current: Book, asked: Press, calibrated: Calibrated[Any], database: Database) -> None:
    try:
        release = calibrated.release(database)
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        current.charge(asked.table, lambda ledger: ledger.add_failed(calibrated, n=len(database)))
        current.write(asked, None, _sentence(error))
        if not isinstance(error, DpcoreError):
            raise
        return
    current.charge(asked.table, lambda ledger: ledger.add(release))
    current.write(asked, release, "")


def _sentence(error: BaseException) -> str:
    """What an entry says of an error; nothing of the message of one that is not ours, for it could quote a record."""
    return str(error) if isinstance(error, DpcoreError) else "No response: the program failed. The attempt is charged in full."


def guarantee_of(scenario: Scenario, *, worst_case: bool) -> Guarantee:
    """What a release of the scenario will carry."""
    if worst_case:
        return scenario.privacy
    point = scenario.point
    return RandomDP(scenario.epsilon, scenario.delta or 0.0, point.gamma, point.confidence)


def refusal(current: Book, scenario: Scenario, table: Table, *, worst_case: bool) -> str:
    """Why the table's budget has no room for this release, in a sentence; empty where it has."""
    budget = current.budgets.get(table.digest)
    if budget is None:
        return ""
    lines = tuple(line for ledger in current.ledgers.get(table.digest, []) for line in ledger.lines)
    wanted = guarantee_of(scenario, worst_case=worst_case)
    try:
        Ledger(budget, lines=lines).refuse_beyond(wanted, joint_gamma=scenario.point.joint_gamma)
    except BudgetExceededError:
        joint = scenario.point.joint_gamma
        mean = f" (γ = {words.figure(joint)} on average over the draws)" * (not worst_case and joint > scenario.gamma)
        return (
            f"Beyond the budget of {words.name(budget)}: this release would add {words.name(wanted)}{mean} to what the ledgers "
            "hold. Nothing is drawn or charged. Raise the budget, or ask for less."
        )
    return ""
