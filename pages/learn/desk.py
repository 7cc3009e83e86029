"""What moves under the hand at the end of a lesson: the same on the page and in the lesson's file."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from pages import charts
from pages.charts import live
from pages.experiment import cost, preview
from pages.experiment.lessons import tables
from pages.experiment.no_cost import costs_no_accuracy
from pages.experiment.scenario import Scenario, TableRecords
from pages.learn.found import Lesson, lessons
from pages.reports.document import Block, Live, Part
from pages.shared import answer, figures, how_far_off
from pages.shared.live import mounts, parts
from pages.shared.reports.view import picture, said
from pages.state import live_sliders
from pages.state.view import Shown, Trials

# What the end of a lesson shows under the hand: its scenario on a table that is public, the same for everybody.


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


_IN_A_ROW = 3


def of_file(one: Lesson) -> Live | None:
    """With what stands still in its place; None where the lesson opens another page than Explore, or its answer has no charts
    that move."""
    return _made(one.name) if one.opens == "explore" else None


def show(one: Lesson) -> None:
    """On the page, where the lesson is about what moves, and the browser draws it."""
    made = of_file(one) if one.live and live_sliders.offered() else None
    if made is None:
        return
    unseen = [part for part in made.parts if part.name in ("hand", "tables")]
    sliders = [part for part in made.parts if part.name == "slider"]
    words = [part for part in made.parts if part.name == "words"]
    drawn = [part for part in made.parts if part.high]
    st.markdown(":small[Or move γ and ε here. The charts and the sentence follow.]")
    mounts.heed()
    with st.container(key="laid_tables"):
        _row(made.desk, unseen, 1)
    _row(made.desk, sliders[:2], 2)
    _row(made.desk, words, 1)
    _row(made.desk, drawn[:_IN_A_ROW], _IN_A_ROW)


def _row(desk: str, row: list[Part], columns: int) -> None:
    places = st.columns(columns, gap="medium") if columns > 1 else [st.container()]
    for number, part in enumerate(row):
        with places[number % columns]:
            if part.title:
                st.markdown(f":small[{part.title}]")
            mounts.alone(desk, part, number)


@st.cache_resource(show_spinner=False)
def _made(name: str) -> Live | None:
    """It is the same for everybody, and made once."""
    (one,) = (one for one in lessons() if one.name == name)
    try:
        view = shown(one.to_try())
    except DpcoreError:
        return None
    if not live.has_charts(view.headline):
        return None
    off = how_far_off.usual_distance(view)
    moving = (
        *parts.ground(view),
        parts.gamma(),
        parts.epsilon(),
        parts.sentences(view),
        parts.sensitivity(view),
        parts.trials(view),
        parts.epsilon(),
        *parts.answers(view, off),
    )
    return Live(f"lesson_{name}", moving, _still(view, off))


def _still(view: Shown, off: float) -> tuple[Block, ...]:
    """The same at the scenario's own γ and ε."""
    scenario = view.scenario
    at = f"At γ = {figure(scenario.gamma)} and ε = {figure(scenario.epsilon)}"
    possible = charts.as_dots(view.headline, view.leading, off) or figures.answers(view)
    moved = figures.sensitivity(view, second_axis=True)
    shown = [one for one in (moved, figures.operating_points(view), possible) if one is not None]
    return (*said(f"{at}: {answer.sentences(view)[0]}", answer.sentences(view)[1]), *map(picture, shown))
