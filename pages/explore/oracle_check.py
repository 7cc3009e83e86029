"""Is the oracle like the table? For a public table the two side by side; for a confidential one what a look would cost.

It stands on Explore, where an oracle is chosen for the columns of a question, and not on Your data, where there is none yet.
"""

from __future__ import annotations

import math

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from pages import charts
from pages.experiment import oracle_compared
from pages.experiment.oracle_compared import OracleCheck, Sides
from pages.experiment.scenario import TableRecords
from pages.explore import wrong_oracle
from pages.shared import badges, picture
from pages.shared.escape import escaped
from pages.shared.widgets import control, while_open
from pages.state import doubts, draws
from pages.state.view import Shown, View
from pages.wording.sentences import plain

TITLE = "Is the oracle like the table?"
_CONFIDENTIAL = (
    "This table is confidential, so it is not compared with the oracle. Whoever looks at both, and then chooses another oracle, "
    "other bounds or another question, lets the table have a say in that choice. No guarantee covers what is released after it. "
    "So choose the oracle from what is publicly known: a published statistic, an earlier public table, or what the values can "
    "be. “What if the oracle is wrong?” says what being wrong would cost."
)
_ITSELF = "The oracle draws the rows of this very table, so there is nothing to compare. Choose another oracle to check it."
_SURE = 1.36  # two empirical distribution functions of one law are further apart than this over √n in 1 of 20 cases (Smirnov)


def show(view: View) -> None:
    """Behind a line that is built only while it is open."""
    box = doubts.box(doubts.ORACLE_CHECK, TITLE, "compare")
    while_open(box, lambda: _compare(view))


def _compare(view: View) -> None:
    if not view.table.public:
        st.markdown(_CONFIDENTIAL)
        return
    if view.scenario.oracle == TableRecords():
        st.markdown(_ITSELF)
        return
    try:
        check = draws.oracle_check(view.exploration)
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return
    st.markdown(_missed(view))
    left, right = st.columns(2, gap="medium")
    with left:
        _one_column(check)
    with right:
        _two_columns(check)
    badges.show(badges.PUBLIC_TABLE)


def _missed(view: View) -> str:
    """How many changes between the table's own records the noise does not cover."""
    if not isinstance(view, Shown):
        return "There is no private answer at this choice, so no changes of the table can be tried against its noise."
    try:
        world = oracle_compared.in_world(view.scenario, view.table, TableRecords())
        found = wrong_oracle.tried(view, world, "check")
    except DpcoreError as error:
        return escaped(f"Changes between the table's own rows were not tried. {plain(error)}")
    if found is None:
        return "To fit this answer takes long, so changes between the table's own rows are made once you ask for them."
    return (
        f"We made {found.pairs:,} random changes from this table's own {words.counted_in(view.scenario.adjacency)}. "
        f"{wrong_oracle.missed_words(found)} Promised was {wrong_oracle.promised(view)}. "
        f"{wrong_oracle.verdict(found, view, world, 'For this table')}"
    )


def _one_column(check: OracleCheck) -> None:
    st.markdown("### Column by column")
    by_name = {sides.column.name: sides for sides in check.columns}
    sides = by_name[_picked("Column of the check", "check_column", list(by_name), check)]
    alt = f"Shares of rows by {sides.column.words}: of the table as bars, of a made-up table as a line. {_gap(sides)}"
    picture.chart(charts.column_beside(sides), "check_column_chart", alt, picture.Picture(TITLE), height=300)
    st.markdown(f"{_gap(sides)}{_lost(sides)}")


def _gap(sides: Sides) -> str:
    """The largest difference, in records of a hundred."""
    if not len(sides.table) or not len(sides.made_up):
        return "One of the two has no known value."
    if sides.categorical:
        return f"To make the two alike, {words.percent(sides.gap)} of the rows would have to change."
    by_chance = _SURE * math.sqrt(1 / len(sides.table) + 1 / len(sides.made_up))
    usual = (
        "That is no more than chance makes of two tables from one source."
        if sides.gap <= by_chance
        else (f"Two tables from one source would be within {words.percent(min(1.0, by_chance))} in 19 of 20 cases.")
    )
    points = counted(words.figure(100 * sides.gap), " points")
    return f"At the value where they differ most, the shares of rows below it differ by {points}. {usual}"


def _lost(sides: Sides) -> str:
    if not any(sides.missing):
        return ""
    table, made_up = map(words.percent, sides.missing)
    return f" Missing are {table} of the table's values and {made_up} of the made-up ones."


def _two_columns(check: OracleCheck) -> None:
    names = list(check.table)
    st.markdown("### Two columns together")
    if len(names) < 2:
        st.markdown("The question uses fewer than two columns of numbers, so no two can hang together.")
        return
    with st.container(horizontal=True):
        one = _picked("Across", "check_across", names, check)
        other = _picked("Up", "check_up", [name for name in names if name != one], check)
    columns = {sides.column.name: sides.column for sides in check.columns}
    real, made = check.rank_correlations(one, other)
    said = f"Rank correlation: {words.figure(round(real, 3))} in the table, {words.figure(round(made, 3))} in the made-up one."
    chart = charts.pair_beside(check, columns[one], columns[other])
    alt = f"Rows of the table left, made-up ones right. {said}"
    picture.chart(chart, "check_pair_chart", alt, picture.Picture(f"{TITLE} Two columns together"), height=300)
    st.markdown(f"{said}{_unlike(real, made)}")


def _unlike(real: float, made: float) -> str:
    if abs(real - made) < 0.2:
        return ""
    return " A question that uses both columns can be more sensitive on the table than on what the oracle makes up."


def _picked(label: str, key: str, names: list[str], check: OracleCheck) -> str:
    """One of the names; what was picked before stays while it is among them."""
    words_of = {sides.column.name: sides.column.words for sides in check.columns}
    kept = st.session_state.get(f"{key}_kept")
    picked = control(
        st.selectbox,
        label,
        names,
        key=key,
        holds=kept if kept in names else names[0],
        act=lambda name: st.session_state.update({f"{key}_kept": name}),
        format_func=words_of.__getitem__,
    )
    return str(picked)
