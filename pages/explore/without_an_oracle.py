"""And without an oracle? What each way to make the answer private costs and promises, on public or made-up tables alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import Database, Oracle
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from pages.charts.rivals import rivals as charts_of
from pages.experiment import rivals
from pages.experiment.rivals import BLOCKS, Rivals, Way
from pages.experiment.scenario import Scenario
from pages.explore import attacked
from pages.shared import asked_for, badges, frame
from pages.shared.escape import escaped
from pages.shared.escape import table as table_of
from pages.shared.picture import Picture
from pages.shared.widgets import while_open
from pages.state import doubts, draws
from pages.state.draws import Exploration
from pages.state.view import Shown, View
from pages.wording.sentences import plain

TITLE = "And without an oracle?"
_PROPER, _SAMPLED = "DP: nobody is left out", "Random DP: some changes are left out"
_WAITING = "There is no private answer at this choice yet. So there is nothing to compare."
_TOO_FEW = "At this ε the blocks have too few rows to answer this question. Take a larger ε, or a table with more rows."
_BESIDE = frame.Frame(320)
_NEAR, _FREE, _NEARLY_FREE = 0.95, 1.05, 1.5  # times as far off as sampled noise
_ONLY_COMPARED = " The smooth sensitivity is here to compare with: Release does not offer it."
_ON = 1e-9  # of the ±, below which two answers are one


def show(view: View) -> None:
    """Behind a line that is built only while it is open."""
    while_open(doubts.box(doubts.NO_ORACLE, TITLE, "balance"), partial(_opened, view))


def _opened(view: View) -> None:
    """What the ways cost and promise, and an attack on them that is run."""
    if isinstance(view, Shown):
        _ways(view)
        attacked.show(view)
    else:
        st.markdown(_WAITING)


def _ways(view: Shown) -> None:
    missing = rivals.lacks(view.scenario, view.columns)
    if missing:
        st.markdown(missing)
        return
    try:
        found = _found(view)
    except DpcoreError as error:
        st.markdown(escaped(f"The ways cannot be compared. {plain(error)}"))
        return
    if found is not None and not found.answered:
        st.markdown(_TOO_FEW)
    elif found is not None:
        _beside(view, found)


def _found(view: Shown) -> Rivals | None:
    """At once, or where that takes longer once a button was pressed; until then None, and the button or a sentence."""
    of = view.exploration
    key, seconds = of.key("epsilon"), rivals.seconds(view.scenario, of.oracle)
    if seconds <= rivals.AT_ONCE:
        return _kept(key, of)
    if seconds > rivals.LONGEST:
        about = counted(f"{math.ceil(seconds / 60):,}", " minutes")
        st.markdown(f"Asking blocks again and again would take about {about} here. That is too long for this page.")
        return None
    why, key = st.empty(), f"{key} {of.table.digest} {of.table.public}"
    found = asked_for.found("no_oracle", key, "Compare the ways", seconds, lambda: rivals.comparing(*_compared(of)))
    if found is None:
        why.markdown("This question takes long to answer, so the ways are compared once you ask for it.")
    return found


@draws.kept(8)
def _kept(key: str, _of: Exploration) -> Rivals:
    return rivals.rivals(*_compared(_of))


def _compared(of: Exploration) -> tuple[Scenario, Oracle, Database | None]:
    """Of a confidential table the oracle's made-up tables alone."""
    scenario, table = of.scenario, of.table
    public = table.prepare(scenario.columns, scenario.target).database if table.public else None
    return scenario, of.oracle, public if public is not None and len(public) == scenario.n else None


def _beside(view: Shown, found: Rivals) -> None:
    """In a sentence, as two charts with one scale, and as a table."""
    ways = rivals.ways(found, view.noise, view.worst_noise)
    unit = view.answer.after.strip()
    st.markdown(f"{_verdict(ways)} {_whose(found)}")
    badge = badges.of_chart(view.table)
    panels = zip((_PROPER, _SAMPLED), charts_of(found, ways, unit), ("no_oracle_proper", "no_oracle_sampled"), strict=True)
    for box, (heading, (drawn, alt), key) in zip(st.columns(2, gap="medium"), panels, strict=True):
        with box:
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(f"### {heading}", width="content")
                at = st.container(width="content")
            _BESIDE.chart(drawn, key, alt, Picture(f"{TITLE} {heading}", badge, at=at))
    table_of([*(_row(way, view) for way in ways), _without_noise(view)], "without-an-oracle")
    st.markdown(_dealt(view, found))
    badges.show(badge)


def _row(way: Way, view: Shown) -> dict[str, str]:
    around = " around the blocks' median" if way.name == BLOCKS else ""
    return _cells(view, f"{way.name}: {way.says}", way.promise, _in_unit(way.near, view) + around, way.calls)


def _without_noise(view: Shown) -> dict[str, str]:
    return _cells(view, "no noise: the answer itself", "nothing", "0", "1")


def _cells(view: Shown, way: str, promise: str, near: str, calls: str) -> dict[str, str]:
    near_at = f"± at ε = {view.scenario.epsilon:.3g}, 95 in 100"
    return {"way": way, "promised, to whom": promise, near_at: near, "times the question is asked": calls}


def _in_unit(value: float, view: Shown) -> str:
    return counted(figure(value), view.answer.after)


def _verdict(ways: Sequence[Way]) -> str:
    """Whether DP itself is nearly free here: by the way that is nearest, and by blocks."""
    sampled, *proper = ways
    best, blocks = proper[0], next(way for way in proper if way.name == BLOCKS)
    times = best.error / sampled.error
    free = "costs nothing" if times <= _FREE else "is nearly free" if times <= _NEARLY_FREE else "is not free"
    name = best.says[0].upper() + best.says[1:]
    said = f"**Here differential privacy itself {free}.** {name} would be {_as_far(times)}, and nobody is left out."
    return said if best is blocks else f"{said} Blocks would be {_as_far(blocks.error / sampled.error)}."


def _as_far(times: float) -> str:
    if times < _NEAR:
        return "nearer than sampled noise"
    return "as far off as sampled noise" if times <= _FREE else f"{times:.2g} times as far off as sampled noise"


def _whose(found: Rivals) -> str:
    """Which tables all of it is about."""
    if found.simulated:
        return f"**All of this is about {rivals.TABLES} made-up tables from the oracle, not about yours.**"
    return f"The errors are those of this public table, whose rows were dealt {rivals.TABLES} times."


def _dealt(view: Shown, found: Rivals) -> str:
    """How many blocks there are and why, and what no ± tells."""
    n, k, apart = view.scenario.n, found.k, float(found.apart[found.here])
    dealt = f"The {n:,} rows are dealt to k = {k:,} blocks. That number hangs on n, ε and made-up tables of the oracle alone."
    far = f"lies about {_in_unit(apart, view)} from" if apart > _ON * found.near else "lies on"
    return (
        f"{dealt} The question is asked of each block, and a private median of the answers is published. That median without "
        f"noise {far} the whole table's own answer, which no ± tells.{_ONLY_COMPARED * bool(found.smooth)}"
    )
