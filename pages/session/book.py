"""What one tab has released, and the press that adds to it.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import dataclass, field
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
from dpcore.polynomials import BernsteinPolynomial
from dpcore.privacy import Guarantee, RandomDP
from dpcore.sampler import sample_sensitivity
from dpcore.scenario import Scenario
from dpcore.tables import Table

RELEASE_SECONDS = 60.0  # the longest that a press may draw


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

    def charge(self, table: Table, item: Any, *, failed: Calibrated[Any] | None = None, n: int = 0) -> None:
        """Add to the table's first ledger that it adds up with, else to a new one."""
        self.titles[table.digest] = table.title or table.name
        ledgers = self.ledgers.setdefault(table.digest, [])
        for i, ledger in enumerate(ledgers):
            try:
                ledgers[i] = ledger.add(item) if failed is None else ledger.add_failed(failed, n=n)
            except IncompatibleReleasesError:
                continue
            return
        new = Ledger(after_responses=any(line.event is not Event.DRAWS for ledger in ledgers for line in ledger.lines))
        ledgers.append(new.add(item) if failed is None else new.add_failed(failed, n=n))


def press(
    current: Book, ticket_name: str, scenario: Scenario, table: Table, *, worst_case: bool, caveats: tuple[str, ...]
) -> None:
    """One release, once a ticket: fresh draws under a seed from the system, noise, ledger."""
    with current.lock:
        if ticket_name in current.spent or refusal(current, scenario, table, worst_case=worst_case):
            return
        current.spent.add(ticket_name)
        release, problem = _released(current, scenario, table, worst_case=worst_case)
        title = (
            f"{defaults.title(defaults.kind_of(scenario.target))} of {', '.join(scenario.columns)} in {table.title or table.name}"
        )
        current.entries.append(Entry(ticket_name, title, preview.labels(scenario, table), release, problem, caveats))


def _released(current: Book, scenario: Scenario, table: Table, *, worst_case: bool) -> tuple[Release[Any] | None, str]:
    try:
        database = table.prepare(scenario.columns).database
        calibrated = _calibrated(current, scenario, table, worst_case=worst_case)
    except DpcoreError as error:
        return None, str(error)
    try:
        release = calibrated.release(database)
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        current.charge(table, None, failed=calibrated, n=len(database))
        if isinstance(error, DpcoreError):
            return None, str(error)
        raise
    current.charge(table, release)
    return release, ""


def _calibrated(current: Book, scenario: Scenario, table: Table, *, worst_case: bool) -> Calibrated[Any]:
    if worst_case:
        proved = preview.calibrated_worst_case(scenario)
        assert proved is not None
        return proved
    preview.refuse_slow(scenario.target, scenario.n, scenario.m, RELEASE_SECONDS)
    sample = sample_sensitivity(
        scenario.target, scenario.resolved_oracle(table), norm=scenario.norm, n=scenario.n, at=scenario.point,
        seed=secrets.randbits(64),
    )  # fmt: skip
    try:
        return scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy)
    except BaseException:
        current.charge(table, sample)  # redrawing until pleased is looking: these draws cost their γ
        raise


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
        return (
            f"Beyond the budget of {words.name(budget)}: this release would add {words.name(wanted)} to what the ledgers hold. "
            "Nothing is drawn or charged. Raise the budget, or ask for less."
        )
    return ""
