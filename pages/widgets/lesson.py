"""Lessons: the list of them, and one step at a time. First a guess, then the answer."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from pages import jobs, state
from pages.experiment.error_sentences import plain
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of
from pages.figures.lessons import large, with_guess
from pages.lessons.contents import LESSONS, lesson_named
from pages.lessons.lesson import Choice, Lesson, Slider, Step
from pages.live import live
from pages.server.jobs import Job
from pages.server.page_list import pages
from pages.widgets import present
from pages.widgets.charts import CONFIG
from pages.widgets.notices import open_page

_SIZE, _HEIGHT = 15, 330  # pixels of a chart's type, and of its height
_TALL = 400  # pixels of a chart's height in a presentation
_LIVE_CHARTS = {"epsilon": ANSWERS, "gamma": SENSITIVITY}
_EXPLORE = {"epsilon", "gamma", "m", "noise", "bound", ANSWERS, SENSITIVITY, ERROR, POINTS}  # parts of the component
_STEPS = [step for lesson in LESSONS for step in lesson.steps]


def _revealed() -> dict[str, bool]:
    """Return the steps that this visitor has done, by key, each with whether its answer is shown."""
    revealed: dict[str, bool] = st.session_state.setdefault("revealed", {})
    return revealed


def _turn(step: Step, revealed: bool) -> None:
    """Show the answer of a step, or hide it again."""
    _revealed()[step.key] = revealed


def _guess(step: Step) -> Any:
    """Return the guess, or None without one: a slider has to be moved."""
    guess, how = st.session_state.get(f"guess_{step.key}"), step.guess
    return None if isinstance(how, Slider) and guess == how.start else guess


def _beside(step: Step, by: int) -> Step | None:
    """Return the step so many steps further, or None."""
    at = _STEPS.index(step) + by
    return _STEPS[at] if 0 <= at < len(_STEPS) else None


def _chosen() -> tuple[Lesson, Step]:
    """Return the lesson and the step in the address, or the first ones."""
    name, at = st.query_params.get("lesson", LESSONS[0].name), st.query_params.get("step", "")
    lesson = lesson_named(name) or LESSONS[0]
    step = lesson.step(at) or lesson.steps[0]
    if lesson.name != name or at not in ("", step.name):
        st.warning("The address names a lesson or a step that does not exist. The first one is shown.")
    return lesson, step


def _go(to: Step | None) -> None:
    if to is not None:
        st.query_params.update({"lesson": to.lesson, "step": to.name})


def show(about: str) -> None:
    """Show the step in the address, or the list of lessons if the address names none.

    Args:
        about: Text above the list.
    """
    if not {"lesson", "step"} & set(st.query_params):
        st.markdown(about)
        _show_list()
        return
    lesson, step = _chosen()
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.markdown(f"# {LESSONS.index(lesson)}. {lesson.title}", width="content")
        st.button("All lessons", key="all_lessons", icon=":material/list:", on_click=st.query_params.clear)
        for label, to in (("Back", _beside(step, -1)), ("Next", _beside(step, 1))):
            st.button(label, key=f"lesson_{label.lower()}", disabled=to is None, on_click=_go, args=(to,))
        about = "Large type, one step at a time, with the arrow keys."
        st.button("Present", key="present_start", on_click=present.start_learn, help=about)
    where = f"Step {lesson.steps.index(step) + 1} of {len(lesson.steps)}."
    st.markdown(f":small[{where} {lesson.about}]\n## {step.filled(step.title)}")
    _show_step(step)
    if step is lesson.steps[-1] and _revealed().get(step.key):
        _show_end(lesson, step)


def _show_list() -> None:
    """Show the lessons, and how many steps of each one this visitor has done."""
    half = (len(LESSONS) + 1) // 2
    columns = st.columns(2, gap="large")
    for number, lesson in enumerate(LESSONS):
        done, all_steps = sum(step.key in _revealed() for step in lesson.steps), len(lesson.steps)
        progress = f":green[:material/check_circle:] {done} of {all_steps} steps done" if done else f"{all_steps} steps"
        with columns[number // half].container(gap=None):
            act = partial(_go, lesson.steps[0])
            st.button(f":primary[**{number}. {lesson.title}**]", key=f"to_lesson_{lesson.name}", type="tertiary", on_click=act)
            st.markdown(f":small[{progress}. {lesson.about}]")


def _show_step(step: Step, *, presented: bool = False) -> None:
    """Show question and chart beside each other. In a presentation the answer takes the place of the question."""
    revealed = _revealed().get(step.key, False)
    left, right = st.columns((1, 1) if presented else (2, 3), gap="large")
    with right:
        _show_chart(step, revealed, presented)
    if not (revealed and presented):
        left.markdown(step.filled(step.question))
    if revealed:
        left.markdown(f"{_comparison(step)}\n\n{step.filled(step.reveal)}")
        right.markdown(f":material/bookmark: **{step.filled(step.keep)}**")
    else:
        _ask(step, left, right)
    if not presented:
        label, icon = ("Guess again", ":material/replay:") if revealed else ("Reveal", ":material/visibility:")
        missing = not revealed and isinstance(step.guess, Choice) and _guess(step) is None
        act = partial(_turn, step, not revealed)
        right.button(label, key="reveal", icon=icon, disabled=missing, on_click=act)


def _show_chart(step: Step, revealed: bool, presented: bool) -> None:
    """Show the chart with the guess, without or with the answer."""
    result, how, guess = step.result, step.guess, _guess(step)
    chart, title = (result.after, step.after) if revealed else (result.before, step.before)
    st.markdown(f"**{step.filled(title)}**")
    if isinstance(how, Slider):
        if guess is None and not revealed:
            guess = how.start
        at = None if guess is None else float(guess) * result.unit
        chart = with_guess(chart, how.axis, at, how.low * result.unit, how.high * result.unit)
    key = f"lesson_{step.key}"
    if presented:
        present.show_figure(large(chart, present.SIZE - 1, _TALL), key, chart.alt, _TALL)
    else:
        st.plotly_chart(large(chart, _SIZE, _HEIGHT), key=key, height=_HEIGHT, config=CONFIG, alt=chart.alt)


def _ask(step: Step, left: Any, right: Any) -> None:
    """Show the slider of a guess below the chart, or its options below the question."""
    how, key = step.guess, f"guess_{step.key}"
    if isinstance(how, Slider):
        ends = float(how.low), float(how.high), float(how.start), float(how.step)
        right.slider(f"Your guess. {step.filled(step.prompt)}", *ends, format="%.6g", key=key, persist_state="session")
    else:
        options = step.options
        left.radio("Your guess", list(options), None, format_func=options.__getitem__, key=key, persist_state="session")


def _comparison(step: Step) -> str:
    """Return the answer as Markdown, beside the guess if there is one."""
    answer, guess = f"**{step.words(step.result.truth)}**", _guess(step)
    return (
        f"The answer: {answer}"
        if guess is None
        else f"| your guess | the answer |\n|---|---|\n| {step.words(guess)} | {answer} |"
    )


def _show_end(lesson: Lesson, step: Step) -> None:
    """Show the end of a lesson: something to try here, and the scenario on its page."""
    st.markdown("## Now try it")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Open it on {pages()[lesson.opens].TITLE}", key="lesson_try", icon=":material/arrow_outward:"):
            open_page(lesson.opens, lesson.scenario())
        st.markdown(step.filled(lesson.to_try))
    if lesson.live and live.can_run():
        _show_live(lesson)


def _show_live(lesson: Lesson) -> None:
    """Show one slider of Explore with its chart, for the scenario of the lesson. The scenario of Explore stays as it is."""
    scenario = st.session_state.setdefault(f"live_{lesson.name}", lesson.scenario())
    shown = jobs.view(scenario, state.tables()[scenario.table])
    if not isinstance(shown, Job):  # a mean of a table of the app takes no job
        hidden = _EXPLORE - {lesson.live, _LIVE_CHARTS[lesson.live]}
        live.show(shown, charts_of(shown), hidden=hidden, receive=partial(_receive, lesson))


def _receive(lesson: Lesson, sent: dict[str, Any]) -> None:
    """Move the slider of a lesson as a message of the component says."""
    state.begin()
    value = sent[lesson.live] if sent["kind"] == "sliders" else sent.get("value")
    try:
        st.session_state[f"live_{lesson.name}"] = st.session_state[f"live_{lesson.name}"].with_(**{lesson.live: value})
    except DpcoreError as error:
        state.say(f"{plain(error)} Nothing was changed.")


def show_presented() -> None:
    """Present the step in the address: first the question, then the answer."""
    lesson, step = _chosen()
    st.markdown(f"## {step.filled(step.title)}")
    _show_step(step, presented=True)
    revealed, back, onward = _revealed().get(step.key, False), _beside(step, -1), _beside(step, 1)
    acts: tuple[Any, Any] = back and partial(_go, back), partial(_turn, step, True)
    if revealed:
        acts = partial(_turn, step, False), onward and partial(_go, onward)
    number = 2 * lesson.steps.index(step) + revealed
    present.show_buttons(number, 2 * len(lesson.steps), *acts, present.leave_learn, "Next" if revealed else "Reveal")
