"""What moves under the hand at the end of a lesson: its scenario on a public table, with the charts of Explore."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages.experiment import cost, tables
from pages.experiment.scenario import Scenario, TableRecords
from pages.old.charts import live
from pages.old.experiment import preview
from pages.old.experiment.no_cost import costs_no_accuracy
from pages.old.learn.found import Lesson, lessons
from pages.old.reports.document import Part
from pages.old.shared import how_far_off
from pages.old.shared.live import mounts, parts
from pages.old.state import live_sliders
from pages.old.state.view import Shown, Trials

_IN_A_ROW = 3


def shown(scenario: Scenario) -> Shown:
    """All of it, made anew. DpcoreError where there is no answer."""
    table = tables.table(scenario.table)
    assert table.public, "a lesson speaks of a table that everybody may see"
    oracle, columns = scenario.resolved_oracle(table), table.taken(scenario.columns, scenario.target)
    sample = preview.exploration(scenario, oracle).at(scenario.point)
    proved = preview.worst_case(scenario)
    worst = preview.calibrated_to(scenario, proved)
    fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
    headline = preview.headline(
        scenario, columns, preview.answer(scenario, table), preview.calibrated(scenario, sample), worst=worst, fresh=fresh
    )
    reference = preview.reference(scenario, oracle, cost.a_draw(scenario, oracle))
    return Shown(
        scenario=scenario,
        table=table,
        columns=columns,
        worst_case=proved,
        made=Trials(sample, reference),
        headline=headline,
        free=costs_no_accuracy(headline),
    )


def show(one: Lesson) -> None:
    """Draw it where the lesson is about what moves, and the browser draws it; nothing if its answer has no charts that move."""
    moving = _parts(one.name) if one.live and one.opens == "explore" and live_sliders.offered() else ()
    if not moving:
        return
    desk = f"lesson_{one.name}"
    unseen = [part for part in moving if part.name in ("hand", "tables")]
    sliders = [part for part in moving if part.name == "slider"]
    words = [part for part in moving if part.name == "words"]
    drawn = [part for part in moving if part.high]
    st.markdown(":small[Or move γ and ε here. The charts and the sentence follow.]")
    mounts.heed()
    with st.container(key="laid_tables"):
        _row(desk, unseen, 1)
    _row(desk, sliders, 2)
    _row(desk, words, 1)
    _row(desk, drawn[:_IN_A_ROW], _IN_A_ROW)


def _row(desk: str, row: list[Part], columns: int) -> None:
    places = st.columns(columns, gap="medium") if columns > 1 else [st.container()]
    for number, part in enumerate(row):
        with places[number % columns]:
            if part.title:
                st.markdown(f":small[{part.title}]")
            mounts.alone(desk, part, number)


@st.cache_resource(show_spinner=False)
def _parts(name: str) -> tuple[Part, ...]:
    """They are the same for everybody, and made once."""
    (one,) = (one for one in lessons() if one.name == name)
    try:
        view = shown(one.to_try())
    except DpcoreError:
        return ()
    if not live.views(view.headline):
        return ()
    return (
        *parts.ground(view),
        parts.slider("gamma"),
        parts.slider("epsilon"),
        parts.sentences(view),
        parts.sensitivity(view),
        parts.trials(view),
        *parts.answers(view, how_far_off.usual_distance(view)),
    )
