"""Release: a receipt, one press, one response with its guarantee, and the ledger."""

from __future__ import annotations

import runpy
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from dpcore import preview, words
from dpcore.fingerprint import describe
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.exponential import Exponential
from dpcore.operating_points import Bound
from dpcore.scenario import Scenario
from dpcore.tables import Table
from pages.components import books, notices, progress
from pages.components.escape import escaped
from pages.session import ledger, state
from pages.session.book import Press, guarantee_of, press, refusal
from pages.session.pool import lane

TITLE = "Release"
ORDER = 2
_SAMPLED, _WORST = "sampled sensitivity: random DP", "worst case: DP proper"


def show() -> None:
    """The receipt, then what was released, then the ledger."""
    ledger.follow_reload()
    scenario, table = state.scenario(), state.table()
    st.markdown("# Make one private release")
    notices.show()
    left, right = st.columns(2, gap="large")
    with left:
        drawing = ledger.book().drawing
        if drawing is not None and drawing.open:
            progress.of_release(drawing)
        else:
            _receipt(scenario, table)
    with right:
        books.entries()
        books.budget(table)
        books.ledgers(table)


def _receipt(scenario: Scenario, table: Table) -> None:
    proved = preview.worst_case(scenario)
    ways = [_SAMPLED, _WORST] if proved is not None else [_SAMPLED]
    way = st.radio("Calibrate noise to the", ways, key="way", help=None if proved else "This target has no finite worst case.")
    worst_case = way == _WORST
    st.markdown("## Receipt")
    st.markdown(_lines(scenario, table, worst_case=worst_case))
    caveats = ledger.caveats(table)
    for caveat in caveats:
        st.warning(caveat)
    ticket = ledger.ticket(scenario, way)
    book = ledger.book()
    spent = ticket in book.spent
    refused = "" if spent else refusal(book, scenario, table, worst_case=worst_case)
    if refused:
        st.warning(refused)
    st.button(
        "Released" if spent else "Release", key="release", disabled=spent or bool(refused), icon=":material/verified_user:",
        on_click=partial(press, book, Press(ticket, scenario, table, worst_case, caveats), lane()),
    )  # fmt: skip
    if spent:
        st.button("Another release of the same", key="another", on_click=ledger.another)


def _lines(scenario: Scenario, table: Table, *, worst_case: bool) -> str:
    columns = escaped(", ".join(table.column(name).words for name in scenario.columns))
    title = escaped(table.title or table.name)
    about = [
        f"**{escaped(describe(scenario.target))}** of {columns} over the {scenario.n:,} records of **{title}** "
        f"({'public' if table.public else 'confidential'})",
        _mechanism(scenario.mechanism),
    ]
    guarantee = guarantee_of(scenario, worst_case=worst_case)
    if worst_case:
        about.append("The proved worst case sets the scale: no draws, and no oracle")
    else:
        point = scenario.point
        seconds = preview.seconds(scenario.target, scenario.n, scenario.m)
        long = "" if preview.quick(scenario.target, scenario.n, scenario.m) else " of one core"
        early = ". While they are drawn you may end them: then Δ̂ is of the draws so far" if long and _may_end(scenario) else ""
        about.append(
            f"**{point.m:,} fresh draws** from the oracle **{escaped(describe(scenario.resolved_oracle(table)))}** under a new "
            f"seed (about {words.figure(max(seconds, 0.01))} s{long}); Δ̂ is number {point.k:,} of the distances in rising order, "
            f"under {point.bound.name}. You first see it with the response{early}"
        )
    about.append(f"The ledger will hold **{words.name(guarantee)}**, charged in full even if the target fails on the table")
    return "\n".join(f"- {line}" for line in about) + f"\n\n{words.sentence(guarantee)}"


def _may_end(scenario: Scenario) -> bool:
    return scenario.bound is Bound.TIME_UNIFORM


def _mechanism(mechanism: Mechanism[Any, Any]) -> str:
    fresh = "fresh from the system's entropy"
    if isinstance(mechanism, Exponential):
        way = "permute-and-flip" if mechanism.selection == "permute-and-flip" else "the exponential mechanism"
        return f"One of **{len(mechanism.candidates):,} candidates** by **{way}**, calibrated in {mechanism.norm!r}, {fresh}"
    return f"**{escaped(describe(mechanism))}** noise, {fresh}"


if __name__ == "__main__":  # a fresh server that is asked for this page's address first runs this file
    runpy.run_path(str(Path(__file__).parents[1] / "app.py"))
