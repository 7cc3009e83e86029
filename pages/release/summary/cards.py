"""The answer of a summary as cards: a picture of each column, what is told of it, and what is too small to be told."""

from __future__ import annotations

import hashlib
from math import floor, inf, log10
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.guarantees.words import figure
from pages.charts.summary_bars import bars_of, cells_of
from pages.experiment.scenario import Scenario
from pages.experiment.summary.made_up import made_up, name_of
from pages.experiment.summary.quartiles import QUARTILES
from pages.experiment.summary.told import ColumnTold, PairTold, SummaryTold, told
from pages.release.after_an_answer import pressed
from pages.shared.escape import behind, escaped
from pages.shared.picture import Picture, chart
from pages.state.release_entry import Entry

_ON_A_PAGE = 12  # cards
_HEIGHT = 190  # pixels of a picture
COMPUTED = (
    "Computed from the noisy numbers alone, which costs nothing: bars are put to 0 or above and made to fit the count of known "
    "values, quartiles stand in order, and a mean stays between its bounds. What is not shown is decided by the released bars "
    "and the size of the noise, not by the table. The download has the noisy numbers as they were released."
)
MADE_UP = (
    "The rows of the made-up table are nobody's. They are drawn from the released numbers alone, each column by itself, so how "
    "columns hang together is lost. Its column “made up from” and the last digits of its numbers say where it comes from. It is "
    "no oracle: noise that is sized by its rows would promise nothing about this table."
)


def of_entry(entry: Entry) -> tuple[Scenario, SummaryTold] | None:
    """What is told of a response to a summary; None of another one."""
    scenario = pressed(entry)
    if scenario is None or entry.release is None or not facts(scenario.target).summarises:
        return None
    target: Any = scenario.target
    most = inf if scenario.adjacency.removes else scenario.n * target.rows  # a number that is stated bounds nothing
    return scenario, told(target, entry.release.response, entry.release.scale, most)


def show(entry: Entry, found: SummaryTold, made_from: str) -> None:
    """The cards, some at a time, and the pairs."""
    size = len(found.columns)
    first = 0
    if size > _ON_A_PAGE:
        pages = list(range(0, size, _ON_A_PAGE))
        first = st.selectbox(
            "Columns",
            pages,
            key=f"summary_page_{entry.ticket}",
            format_func=lambda start: f"{start + 1} to {min(start + _ON_A_PAGE, size)} of {size}",
        )
    for place, column in enumerate(found.columns[first : first + _ON_A_PAGE], first):
        with st.container(border=True):
            _card(column, f"{entry.ticket}_{place}", made_from)
    for place, pair in enumerate(found.pairs):
        with st.container(border=True):
            _pair(pair, f"{entry.ticket}_pair_{place}", made_from)
    st.markdown(f":material/calculate: {COMPUTED} {found.weighed}".rstrip())
    _offer_made_up(entry, found)


def _offer_made_up(entry: Entry, found: SummaryTold) -> None:
    """The made-up table, called that."""
    charge = hashlib.sha256(f"release {entry.ticket}".encode()).hexdigest()[:32]
    st.download_button(
        "Made-up table as CSV",
        lambda: made_up(found, entry.about.records, charge),
        name_of(charge),
        "text/csv",
        key=f"made_up_{entry.ticket}",
        on_click="ignore",
        icon=":material/table:",
        help=MADE_UP,
    )
    st.markdown(f":small[{MADE_UP}]")


def _card(column: ColumnTold, key: str, made_from: str) -> None:
    """The picture, and beside it what is told and what is too small to be told."""
    own = column.column
    name = own.label or own.name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escaped(name)}**")
        at = st.container(width="content")
    picture, beside = st.columns([3, 2]) if column.shown else (None, st.container())
    if picture is not None:
        with picture:
            drawn, said = bars_of(column)
            chart(drawn, f"summary_{key}", said, Picture(f"Summary of {name}", made_from, file="summary", at=at), height=_HEIGHT)
    with beside:
        st.markdown("  \n".join(_lines(column)))
        if column.untold:
            st.markdown("  \n".join(f":small[:material/visibility_off: {one}]" for one in column.untold))


def _lines(column: ColumnTold) -> list[str]:
    own, found = column.column, []
    after = " days" if own.since else behind(f" {own.unit}") if own.unit else ""
    if column.counted:
        found.append(f"Known values: **{round(column.known.value):,}** ± {figure(column.known.within)}")
    if column.mean is not None:
        mean = _rounded(own, column.mean.value, column.mean.within)
        found.append(f"Mean: **{mean}** ± {figure(column.mean.within)}{after}")
    for word, one in zip(QUARTILES, column.quartiles, strict=False):
        if one is not None:
            value = _rounded(own, one.value, (one.high - one.low) / 2)
            low, high = (own.shown(float(round(end))) if own.since else figure(end) for end in (one.low, one.high))
            found.append(f"{word}: **{value}**, from {low} to {high}{after * (not own.since)}")
    if column.shown:
        found.append(f"Each bar: ± {counted(figure(column.within), ' rows')}")
    return found


def _pair(pair: PairTold, key: str, made_from: str) -> None:
    names = " × ".join(column.label or column.name for column in pair.columns)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escaped(names)}**")
        at = st.container(width="content")
    if not pair.shown:
        st.markdown(":small[:material/visibility_off: ± is larger than any cell: not shown.]")
        return
    drawn, said = cells_of(pair)
    chart(drawn, f"summary_{key}", said, Picture(f"Summary of {names}", made_from, file="summary", at=at), height=240)
    st.markdown(
        f"Upwards: {escaped(pair.columns[0].label or pair.columns[0].name)}. Each cell: ± {counted(figure(pair.within), ' rows')}"
    )


def _rounded(column: Column, value: float, near: float) -> str:
    """A day of a column of days; a number with as many digits as its ± leaves."""
    if column.since:
        return column.shown(float(round(value)))
    if near <= 0:
        return escaped(figure(value))
    return escaped(f"{value:,.{max(0, 1 - floor(log10(near)))}f}")
