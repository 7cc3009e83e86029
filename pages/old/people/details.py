"""What opens below the three questions: all else that an expert looks at, each part behind its own line."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import final

import streamlit as st

from dpcore.sampling.sampler import SensitivitySample
from pages import jobs
from pages.old.charts import people
from pages.old.experiment.contributions.asked import Question
from pages.old.experiment.contributions.cap import Cap, Keeping
from pages.old.experiment.contributions.limit import Limit, taken
from pages.old.experiment.contributions.parts import dropped, rows_a_person
from pages.old.experiment.contributions.predict import by_size, levels
from pages.old.people import advice, caps_and_bounds, configurations, cost, drawing
from pages.old.shared import bounds_slider, picture
from pages.old.shared.widgets import while_open
from pages.old.state import place, unfolded
from pages.old.state.contributions import Analysis
from pages.server.jobs import Job


@final
@dataclass(frozen=True)
class Part:
    """``panel``: its chart, by which older links name it."""

    title: str
    icon: str
    show: Callable[[Analysis], None]
    panel: str = ""
    there: Callable[[Analysis], bool] = lambda _: True


def show(found: Analysis) -> None:
    """A line for each part that this question has."""
    _open_linked_panel()
    for key, part in PARTS.items():
        if part.there(found):
            _fold(key, part.title, part.icon, partial(part.show, found))


def _open_linked_panel() -> None:
    """A link that names the chart of a part has it open."""
    for key, part in PARTS.items():
        if part.panel and place.of("panel") == part.panel and key not in unfolded.opened(place.OPEN, _KEYS):
            unfolded.unfold(place.OPEN, key)


def _fold(key: str, title: str, icon: str, build: Callable[[], None]) -> None:
    while_open(unfolded.box(place.OPEN, _KEYS, key, title, icon), build)


def _in_words(found: Analysis) -> None:
    st.markdown(" ".join(cost.sentences(found)[1]))
    drawing.small(people.ADDS_UP)


def _rows(found: Analysis) -> None:
    """The histogram with the line s; or what each limit of a total takes away."""
    drawing.chart(found, first(found), "people_rows", PARTS["open_rows"].title)
    question = found.question
    if isinstance(question.cap, Limit):
        drawing.small("A person whose total is larger than the limit counts as the limit itself.")
    else:
        drawing.small(_right_of_the_line(question, question.cap))


def first(found: Analysis) -> people.Described:
    """Of whom the cap, or the limit, takes how much."""
    question = found.question
    if isinstance(question.cap, Limit):
        assert found.totals is not None
        return people.taken_by_limit(question.limits, taken(found.totals, question.limits), question.cap, unit=found.unit)
    (lost,) = dropped(question.rows, (question.cap,), question.bounds)
    return people.rows_a_person(rows_a_person(question.rows), question.cap, lost)


def _right_of_the_line(question: Question, cap: Cap) -> str:
    if cap.a_group:
        return "The line is s, which is a cap in each group; the bars count a person's rows in all groups together."
    if question.terms.keeping is Keeping.ROWS:
        return "Right of the line, s rows of a person count, and the others do not."
    return "Right of the line, a person's rows count only in part: together they weigh s."


def _map(found: Analysis) -> None:
    """s × bound as a map, and a button for its best cell."""
    drawn = people.bounds_and_caps(found.map, found.place, unit=found.unit)
    drawing.chart(found, drawn, "people_map", PARTS["open_map"].title)
    advised = advice.on_both(found)
    st.markdown(advised.sentence)
    if advised.better is not None:
        best = advised.better
        low, high = (f"{end:g}" for end in best.bounds)
        st.button(
            f"Take s = {best.cap.size:,} and values from {low} to {high}",
            key="take_best_pair",
            icon=":material/south_east:",
            on_click=_take,
            args=(found, best.cap.size, best.bounds),
        )


def _take(found: Analysis, cap: float, pair: tuple[float, float]) -> None:
    bounds_slider.take_bounds(found, pair)
    caps_and_bounds.take_cap(found, cap)


def _levels(found: Analysis) -> None:
    """Three noises at one ε."""
    question = found.question
    drawn = jobs.draws(jobs.question(found.scenario, found.table), found.scenario.m)
    sampled = drawn.at(found.scenario.point).order_statistic if isinstance(drawn, SensitivitySample) else 0.0
    usable = sampled if 0 < sampled < math.inf else None
    three = levels(question.rows, question.asked, question.terms, question.cap, question.bounds, usable)
    figure, alt = people.levels(three, unit=found.unit)
    picture.chart(figure, "people_levels", alt, drawing.of(found, PARTS["open_whom"].title), height="content")
    if isinstance(drawn, Job):
        drawing.small("The trials behind random DP are still to be made: Explore shows how far they are.")


def _groups(found: Analysis) -> None:
    """The relative error of each group by its size; a hint where nothing is asked by group."""
    if not found.groups:
        drawing.small("There is one answer for all. Choose a column under “Where, by” to see how far off each group's answer is.")
        return
    drawn = people.by_size(by_size(found.question.rows, found.chosen), found.groups)
    drawing.chart(found, drawn, "people_groups", PARTS["open_groups"].title)


PARTS = {
    "open_words": Part("What is lost, in words", "notes", _in_words),
    "open_rows": Part("How many rows do people have?", "bar_chart", _rows, "people_rows"),
    "open_way": Part(
        "Limit each person's total instead?", "compress", caps_and_bounds.way, there=lambda found: bool(found.question.limits)
    ),
    "open_map": Part(
        "Rows and bound together", "grid_on", _map, "people_map", there=lambda found: found.question.pairs is not None
    ),
    "open_whom": Part("Whom does the noise protect?", "shield_person", _levels, "people_levels"),
    "open_groups": Part("Which groups are told well?", "groups", _groups, "people_groups"),
    "open_table": Part("All configurations", "table", configurations.show, "people_table"),
}
_KEYS = tuple(PARTS)
