"""The three questions of the page People, each with a chart, a control and a few sentences; and the rows that people have."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.base.facts import facts
from dpcore.guarantees.words import percent
from pages import state
from pages.experiment.scenario import MOST_EPSILON
from pages.old.charts import people
from pages.old.charts.people.errors import symbol_of
from pages.old.experiment.contributions.asked import Question
from pages.old.experiment.contributions.cap import Cap, Keeping
from pages.old.experiment.contributions.limit import Limit, taken
from pages.old.experiment.contributions.parts import dropped, rows_a_person
from pages.old.experiment.contributions.released import Added
from pages.old.people import advice, caps_and_bounds, drawing
from pages.old.shared import bounds_slider, frame, picture, widgets
from pages.old.shared.error_words import causes, with_unit
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import while_open
from pages.old.state import place, unfolded
from pages.old.state.contributions import Analysis

WHOSE, WHICH_BOUND = "Whose error is it?", "Up to which value should a row count?"
WHOSE_ROWS, _ROWS = "How many rows do people have?", "open_rows"  # the title and the key of the line that opens
_WHICH_S, _WHICH_LIMIT = "How many rows of a person should count?", "How large may one person's total be?"


def show(found: Analysis) -> None:
    """Show the three questions, and behind a line the rows, or totals, that people have."""
    _question(found, "people_causes", WHOSE, _whose, lambda: drawn_causes(found))
    _question(found, "people_error", title_of_cap(found), _which_cap, lambda: drawn_caps(found))
    _question(found, "people_bound", WHICH_BOUND, _which_bound, lambda: drawn_bounds(found))
    while_open(unfolded.box(place.OPEN, (_ROWS,), _ROWS, WHOSE_ROWS, "bar_chart"), lambda: _rows(found))


def drawn_causes(found: Analysis) -> people.Described:
    """The error at the chosen cap and bounds, and its causes."""
    return people.causes_of_error(found.chosen, unit=found.unit)


def drawn_caps(found: Analysis) -> people.Described:
    """The error against s, or against the limit of totals, split."""
    return people.error_by_cap([row[0] for row in found.line.table], found.question.cap.size, unit=found.unit)


def drawn_bounds(found: Analysis) -> people.Described | None:
    """The error against the bounds of a value at the chosen s, split; None where these change no noise."""
    line, chosen = found.of_bounds, found.question.bounds
    if line is None or chosen is None:
        return None
    values = found.table.column(found.scenario.columns[0]).unit
    return people.error_by_bound(line.table[0], chosen, unit=found.unit, of_values=values, lost=people.BY_THE_CAP)


def title_of_cap(found: Analysis) -> str:
    """What is asked of each person's rows, or of their total."""
    return _WHICH_LIMIT if isinstance(found.question.cap, Limit) else _WHICH_S


def _question(
    found: Analysis,
    key: str,
    title: str,
    asked: Callable[[Analysis], None],
    drawn: Callable[[], people.Described | None],
) -> None:
    """Words and control at the left, the chart beside them; an enlarged chart stands below them."""
    described = drawn()
    if described is None:
        st.markdown(f"## {title}")
        asked(found)
        return
    at = drawing.heading(key, title)
    left, right = (st.container(), st.container()) if frame.of(key, drawing.BESIDE).wide else st.columns([2, 3], gap="large")
    with left:
        asked(found)
    with right:
        drawing.chart(found, described, key, title, at)


def _whose(found: Analysis) -> None:
    said = [causes(found), *_cut(found)]
    st.markdown(" ".join(part for part in said if part))
    drawing.small(people.ADDS_UP)
    here = found.scenario.epsilon
    widgets.slider("epsilon", "ε, privacy loss", "ε", widgets.EPSILON_GRID, here, _take_epsilon, most=MOST_EPSILON)


def _take_epsilon(chosen: float) -> None:
    state.change(epsilon=chosen)


def _cut(found: Analysis) -> list[str]:
    """How many people the cap, or the limit, takes something from."""
    question, cap = found.question, found.question.cap
    if isinstance(cap, Limit):
        assert found.totals is not None
        share = float(taken(found.totals, [cap]).people[0])
        return [f"The limit clips the total of {percent(share)} of the people." if share else "The limit clips nobody's total."]
    (lost,) = dropped(question.rows, (cap,), question.bounds)
    return [f"The cap cuts {percent(lost.people)} of the people." if lost.people else "The cap cuts nobody."]


def _which_cap(found: Analysis) -> None:
    symbol, cap, advised = symbol_of(found.question.cap), found.question.cap, advice.on_cap(found)
    costs = (_without_noise(found), advised.sentence, advice.on_other_way(found))
    st.markdown(" ".join(filter(None, costs)))
    if found.question.limits:
        caps_and_bounds.way(found)
    if isinstance(cap, Cap):
        figure, said = people.rows_of_one_person(found.question, cap)
        picture.chart(figure, "people_one", said, drawing.of(found, said), height=people.PERSON_HEIGHT)
        drawing.small(said)
    caps_and_bounds.cap(found)
    if advised.better is not None:
        better = advised.better.cap.size
        st.button(
            f"Take {symbol} = {better:,.10g}",
            key="take_best_cap",
            on_click=caps_and_bounds.take_cap,
            args=(found, better),
            icon=":material/south_east:",
        )


def _without_noise(found: Analysis) -> str:
    """Return the answer that the noise is added to, and the noise's scale; empty unless the answer is one sum."""
    chosen, question = found.chosen, found.question
    if not isinstance(question.asked.released, Added) or question.rows.groups > 1 or facts(found.scenario.target).each_once:
        return ""
    answer, exact = (with_unit(found, float(each[0])) for each in (chosen.errors.answer, chosen.errors.truth))
    where = " of the simulated people" * found.simulated
    scale = with_unit(found, chosen.scale)
    return f"Without noise, the answer{where} is {answer} (exact: {exact}). The noise has the scale {scale}."


def _which_bound(found: Analysis) -> None:
    if isinstance(found.question.cap, Limit):
        st.markdown("The noise depends on the limit B alone. So the bounds of a value stay as they are.")
        return
    advised = advice.on_bounds(found)
    if advised is not None:
        st.markdown(advised.sentence)
    bounds_slider.show(found)
    if advised is not None and advised.better is not None:
        low, high = (escaped(f"{end:g}") for end in advised.better.bounds)
        st.button(
            f"Take {low} to {high}",
            key="take_best_bound",
            on_click=bounds_slider.take_bounds,
            args=(found, advised.better.bounds),
            icon=":material/south_east:",
        )


def _rows(found: Analysis) -> None:
    """Show how many rows people have, with s as a line; or what each limit of a total takes away."""
    drawing.chart(found, _drawn_rows(found), "people_rows", WHOSE_ROWS)
    question = found.question
    if isinstance(question.cap, Limit):
        drawing.small("A person whose total is larger than the limit counts as the limit itself.")
    else:
        drawing.small(_right_of_the_line(question, question.cap))


def _drawn_rows(found: Analysis) -> people.Described:
    question = found.question
    if isinstance(question.cap, Limit):
        assert found.totals is not None
        return people.taken_by_limit(question.limits, taken(found.totals, question.limits), question.cap, unit=found.unit)
    (lost,) = dropped(question.rows, (question.cap,), question.bounds)
    return people.rows_a_person(rows_a_person(question.rows), question.cap, lost)


def _right_of_the_line(question: Question, cap: Cap) -> str:
    if cap.a_group:
        return "The line is s in each group. The bars count a person's rows in all groups together."
    if question.terms.keeping is Keeping.ROWS:
        return "Right of the line, s rows of a person count, and the others do not."
    return "Right of the line, a person's rows count only in part: together they weigh s."
