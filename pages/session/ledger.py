"""The tab's releases and ledgers. They survive a reload; a second tab or a link does not see them.

One press is one release: callbacks of one session can run at the same time and reruns can repeat, so a press carries a
ticket that is spent under a lock. A new ticket is issued only on request, or when the scenario is another.
"""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import dataclass, field
from typing import Any, final

import streamlit as st

from dpcore import preview, words
from dpcore.accounting import Ledger
from dpcore.errors import (
    DpcoreError,
    IncompatibleReleasesError,
    InfiniteSensitivityError,
    NoiseSwallowedError,
    ReleaseFailedError,
    ZeroSensitivityError,
)
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.privacy import Guarantee, RandomDP
from dpcore.sampler import sample_sensitivity
from dpcore.scenario import Scenario
from dpcore.tables import Table
from pages.session import state, tab

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
        guarantee = self.release.guarantee
        return json.dumps(
            {
                "response": dict(zip(self.labels, self.release.response.tolist(), strict=True)),
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
    """What one tab has released: its entries, and a list of ledgers for each table (those of one list do not add up)."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    spent: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    ledgers: dict[str, list[Ledger]] = field(default_factory=dict)
    budgets: dict[str, Guarantee] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)  # confidential tables that a comparison was ever switched on for

    def charge(self, table: str, item: Any, *, failed: Calibrated[Any] | None = None, n: int = 0) -> None:
        """Add to the table's first ledger that it adds up with, else to a new one."""
        ledgers = self.ledgers.setdefault(table, [])
        for i, ledger in enumerate(ledgers):
            try:
                ledgers[i] = ledger.add(item) if failed is None else ledger.add_failed(failed, n=n)
            except IncompatibleReleasesError:
                continue
            return
        ledgers.append(Ledger().add(item) if failed is None else Ledger().add_failed(failed, n=n))


@st.cache_resource(max_entries=1_000, show_spinner=False)
def _book(tab_name: str) -> Book:
    return Book()


def book() -> Book:
    """This tab's book."""
    return _book(tab.name())


def follow_reload() -> None:
    """Take up the book that this tab had before a reload, with anything released since."""
    remembered = tab.remember()
    if remembered is None:
        return
    old, new = _book(remembered), book()
    with old.lock, new.lock:
        old.entries += new.entries
        old.spent |= new.spent
        old.looked |= new.looked
        old.budgets.update(new.budgets)
        for name, ledgers in new.ledgers.items():
            old.ledgers.setdefault(name, []).extend(ledgers)
    st.session_state["tab"] = remembered
    st.rerun()


def compare(name: str, *, on: bool) -> None:
    """Switch the comparison with a confidential table; that it was ever on stays with the tab's book."""
    state.compare(name, on=on)
    if on:
        book().looked.add(name)


def ticket(scenario: Scenario, way: str) -> str:
    """The ticket of what is on the receipt; the same until the scenario is another, or another is asked for."""
    key = json.dumps([scenario.to_json(), way])
    if st.session_state.get("receipt", ("", ""))[0] != key:
        st.session_state["receipt"] = (key, secrets.token_hex(8))
    current: str = st.session_state["receipt"][1]
    return current


def another() -> None:
    """A fresh receipt for the same choices."""
    st.session_state.pop("receipt", None)


def press(
    current: Book, ticket_name: str, scenario: Scenario, table: Table, *, worst_case: bool, caveats: tuple[str, ...]
) -> None:
    """One release, once a ticket: fresh draws under a seed from the system, noise, ledger.

    Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
    """
    with current.lock:
        if ticket_name in current.spent:
            return
        current.spent.add(ticket_name)
        release, problem = _released(current, scenario, table, worst_case=worst_case)
        title = f"{type(scenario.target).__name__} of {', '.join(scenario.columns)} in {table.title or table.name}"
        current.entries.append(Entry(ticket_name, title, preview.labels(scenario, table), release, problem, caveats))


def caveats(table: Table) -> tuple[str, ...]:
    """What a release of this table must say beside its guarantee."""
    if not table.public and table.name in book().looked:
        return ("The confidential table was looked at before this release: no guarantee covers choices made in view of it.",)
    return ()


def _released(current: Book, scenario: Scenario, table: Table, *, worst_case: bool) -> tuple[Release[Any] | None, str]:
    budget = current.budgets.get(table.name)
    try:
        if budget is not None:
            _refuse_beyond(current, budget, scenario, table, worst_case=worst_case)
        calibrated = _calibrated(current, scenario, table, worst_case=worst_case)
        database = table.prepare(scenario.columns).database
    except DpcoreError as error:
        return None, str(error)
    try:
        release = calibrated.release(database)
    except (ReleaseFailedError, NoiseSwallowedError) as error:
        current.charge(table.name, None, failed=calibrated, n=len(database))
        return None, str(error)
    except DpcoreError as error:
        return None, str(error)
    current.charge(table.name, release)
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
        sensitivity = sample.sensitivity()
    except (ZeroSensitivityError, InfiniteSensitivityError):
        current.charge(table.name, sample)  # redrawing until pleased is looking: these draws cost their γ
        raise
    return scenario.mechanism.calibrate(sensitivity, scenario.privacy)


def _refuse_beyond(current: Book, budget: Guarantee, scenario: Scenario, table: Table, *, worst_case: bool) -> None:
    privacy = scenario.privacy
    guarantee: Any = privacy
    if not worst_case:
        point = scenario.point
        guarantee = RandomDP(privacy.epsilon, scenario.delta or 0.0, point.gamma, point.confidence)
    lines = tuple(line for ledger in current.ledgers.get(table.name, []) for line in ledger.lines)
    Ledger(budget, lines=lines).refuse_beyond(guarantee)
