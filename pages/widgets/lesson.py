"""Lessons: the list of them, and one step at a time. First a guess, then the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from pages import jobs, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.view import view
from pages.experiment.words import filled as filled_texts
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of
from pages.figures.lessons import large, with_guess
from pages.figures.theme import Chart
from pages.lessons.contents import LESSONS, lesson_named
from pages.lessons.lesson import Choice, Lesson, Result, Slider, Step, filled
from pages.live import live
from pages.server.jobs import Job
from pages.server.page_list import pages
from pages.widgets import present, rail
from pages.widgets.charts import CONFIG, show_chart
from pages.widgets.controls import control
from pages.widgets.opening import open_page

Place = tuple[Lesson, Step]
_SIZE, _HEIGHT = 15, 330  # pixels of a chart's type, and of its height
_TALL = 400  # pixels of a chart's height in a presentation
_STYLE = """<style>
[class*=st-key-to_lesson_] button { min-height: 2rem; padding: 0; }
[class*=st-key-to_lesson_] button p { font-size: 1rem; font-weight: 600; text-decoration: underline; }
</style>"""


@st.cache_resource(show_spinner=False)
def result_of(lesson: str, step: str) -> Result:
    """Return the answer of a step. Seeds are fixed, so it is the same for everybody."""
    of = lesson_named(lesson)
    assert of is not None
    found = of.step(step)
    assert found is not None
    return found.compute()


def _guesses() -> dict[str, float | str]:
    kept: dict[str, float | str] = st.session_state.setdefault("guesses", {})
    return kept


def _names(key: str) -> set[str]:
    kept: set[str] = st.session_state.setdefault(key, set())
    return kept


def _name(lesson: Lesson, step: Step) -> str:
    return f"{lesson.name}_{step.name}"


def show(about: str) -> None:
    """Show the step in the address, or the list of lessons if the address names none.

    Args:
        about: Text above the list.
    """
    if "lesson" not in st.query_params and "step" not in st.query_params:
        st.markdown(about)
        _show_list()
        return
    lesson, step = chosen()
    walk = [(each, one) for each in LESSONS for one in each.steps]
    at = walk.index((lesson, step))
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.markdown(f"# {LESSONS.index(lesson)}. {lesson.title}", width="content")
        st.button("All lessons", key="all_lessons", icon=":material/list:", on_click=go)
        for label, to in (("Back", at - 1), ("Next", at + 1)):
            there = walk[to] if 0 <= to < len(walk) else None
            st.button(label, key=f"lesson_{label.lower()}", disabled=there is None, on_click=partial(go, there))
        st.button(
            "Present",
            key="present_start",
            on_click=present.start_learn,
            help="Large type, one step at a time, with the arrow keys.",
        )
    result = result_of(lesson.name, step.name)
    where = f"Step {lesson.steps.index(step) + 1} of {len(lesson.steps)}."
    st.markdown(f":small[{where} {lesson.about}]\n## {filled(step.title, result.numbers)}")
    _show_step(lesson, step, result)


def chosen() -> Place:
    """Return the lesson and the step in the address, or the first ones, with a sentence if the address names others."""
    name, step = st.query_params.get("lesson", ""), st.query_params.get("step", "")
    lesson = lesson_named(name)
    if lesson is None:
        if name:
            st.warning(f"There is no lesson “{escaped(name[:60])}”. The first one is shown.")
        lesson = LESSONS[0]
    found = lesson.step(step)
    if step and found is None:
        st.warning(f"This lesson has no step “{escaped(step[:60])}”. The first one is shown.")
    return lesson, found or lesson.steps[0]


def go(to: Place | None = None) -> None:
    """Go to a step, or to the list of lessons."""
    for name in ("lesson", "step"):
        st.query_params.pop(name, None)
    if to is not None:
        st.query_params.update({"lesson": to[0].name, "step": to[1].name})


def _show_list() -> None:
    """Show the lessons, and how much of each one this visitor has done."""
    st.html(_STYLE)
    half = (len(LESSONS) + 1) // 2
    for first, column in zip((0, half), st.columns(2, gap="large"), strict=True):
        for number, lesson in enumerate(LESSONS[first : first + half], first):
            done = sum(_name(lesson, step) in _names("seen") for step in lesson.steps)
            progress = f"**{done} of {len(lesson.steps)} steps done**" if done else f":small[{len(lesson.steps)} steps]"
            with column.container(gap=None):
                with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                    title = f"{number}. {lesson.title}"
                    to = lesson, lesson.steps[0]
                    st.button(title, key=f"to_lesson_{lesson.name}", type="tertiary", on_click=partial(go, to))
                    done_all = done == len(lesson.steps)
                    st.markdown(":green[:material/check_circle: **Done**]" if done_all else progress, width="content")
                st.markdown(f":small[{lesson.about}]")


def _show_step(lesson: Lesson, step: Step, result: Result) -> None:
    """Show question and chart beside each other, and below them the answer once it is revealed."""
    revealed = _name(lesson, step) in _names("revealed")
    left, right = st.columns((2, 3), gap="large")
    with right:
        _show_chart(lesson, step, result)
        if not revealed:
            _show_slider(lesson, step, result)
            _show_reveal(lesson, step)
    with left:
        st.markdown(filled(step.words.question, result.numbers))
        if not revealed:
            _show_options(lesson, step, result)
            return
        _show_reveal(lesson, step)
        _compare(lesson, step, result)
    why, keep = st.columns((3, 2), gap="large")
    why.markdown(filled(step.words.reveal, result.numbers))
    keep.container(border=True).markdown(f":material/bookmark: **To keep.** {filled(step.words.keep, result.numbers)}")
    if step is lesson.steps[-1]:
        _show_end(lesson, result)


def _show_chart(lesson: Lesson, step: Step, result: Result, *, presented: bool = False) -> None:
    """Show the chart with the guess, without or with the answer."""
    revealed = _name(lesson, step) in _names("revealed")
    chart = result.after if revealed else result.before
    st.markdown(f"**{filled(step.words.after if revealed else step.words.before, result.numbers)}**")
    key = f"lesson_{_name(lesson, step)}"
    with_line = _with_guess(lesson, step, result, chart)
    if presented:
        present.show_figure(large(with_line, present.SIZE - 1, _TALL), key, chart.alt, _TALL)
    else:
        st.plotly_chart(large(with_line, _SIZE, _HEIGHT), key=key, height=_HEIGHT, config=CONFIG, alt=chart.alt)


def _with_guess(lesson: Lesson, step: Step, result: Result, chart: Chart) -> Chart:
    how, name = step.guess, _name(lesson, step)
    if isinstance(how, Choice):
        return chart
    start = None if name in _names("revealed") else how.start  # a presentation needs no guess
    guess = _guesses().get(name, start)
    at = None if guess is None else float(guess) * result.unit
    return with_guess(chart, how.axis, at, how.low * result.unit, how.high * result.unit)


def _show_slider(lesson: Lesson, step: Step, result: Result) -> None:
    """Show the slider of a guess that is a number."""
    how, name = step.guess, _name(lesson, step)
    if isinstance(how, Slider):
        control(
            st.slider,
            f"Your guess. {filled(step.words.guess, result.numbers)}",
            float(how.low),
            float(how.high),
            key=f"guess_{name}",
            holds=float(_guesses().get(name, how.start)),
            act=partial(_guess, name),
            step=float(how.step),
            format="%.6g",
        )


def _show_options(lesson: Lesson, step: Step, result: Result) -> None:
    """Show the options of a guess that is a choice."""
    name, options = _name(lesson, step), step.words.options
    if isinstance(step.guess, Choice):
        control(
            st.radio,
            "Your guess",
            list(options),
            key=f"guess_{name}",
            holds=_guesses().get(name),
            act=partial(_guess, name),
            format_func=lambda option: filled(options[option], result.numbers),
        )


def _guess(name: str, value: float | str) -> None:
    _guesses()[name] = value


def _show_reveal(lesson: Lesson, step: Step) -> None:
    """Show the button that reveals the answer, or that hides it again."""
    name = _name(lesson, step)
    if name in _names("revealed"):
        st.button("Guess again", key="reveal", icon=":material/replay:", on_click=partial(_names("revealed").discard, name))
        return
    missing = isinstance(step.guess, Choice) and name not in _guesses()
    help_text = "Choose one first." if missing else None
    act = partial(_reveal, lesson, step)
    st.button("Reveal", key="reveal", icon=":material/visibility:", disabled=missing, on_click=act, help=help_text)


def _reveal(lesson: Lesson, step: Step, *, guessed: bool = True) -> None:
    """Reveal the answer. A slider that was not moved is a guess, except in a presentation."""
    name = _name(lesson, step)
    if guessed and isinstance(step.guess, Slider):
        _guesses().setdefault(name, step.guess.start)
    _names("revealed").add(name)
    _names("seen").add(name)


def _compare(lesson: Lesson, step: Step, result: Result) -> None:
    """Show the guess, if there is one, beside the answer."""
    guess = _guesses().get(_name(lesson, step))
    if guess is None:
        st.markdown(f"The answer: **{_in_words(step, result, result.truth)}**")
        return
    cells = f"{_in_words(step, result, guess)} | **{_in_words(step, result, result.truth)}**"
    st.markdown(f"| your guess | the answer |\n|---|---|\n| {cells} |")


def _in_words(step: Step, result: Result, value: float | str) -> str:
    if isinstance(step.guess, Slider):
        return step.guess.words(float(value))
    return filled(step.words.options[str(value)], result.numbers)


def _show_end(lesson: Lesson, result: Result) -> None:
    """Show the end of a lesson: something to try here, the scenario on its page, and the next lesson."""
    st.markdown("## Now try it")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Open it on {pages()[lesson.opens].TITLE}", key="lesson_try", icon=":material/arrow_outward:"):
            open_page(lesson.opens, lesson.scenario())
        st.markdown(filled(lesson.to_try, result.numbers))
    if lesson.live:
        _show_live(lesson)
    after = LESSONS[LESSONS.index(lesson) + 1 :]
    if after:
        label, to = f"Next lesson: {after[0].title}", (after[0], after[0].steps[0])
        st.button(label, key="lesson_onward", icon=":material/arrow_forward:", on_click=partial(go, to))


_LIVE_CHARTS = {"epsilon": ANSWERS, "gamma": SENSITIVITY}
_EXPLORE = {"epsilon", "gamma", "m", "noise", "bound", ANSWERS, SENSITIVITY, ERROR, POINTS}  # parts of the component


def _show_live(lesson: Lesson) -> None:
    """Show one slider of Explore with its chart, for the scenario of the lesson. The scenario of Explore stays as it is."""
    scenario = st.session_state.setdefault(f"live_{lesson.name}", lesson.scenario())
    question = jobs.question(scenario, state.tables()[scenario.table])
    drawn = jobs.draws(question, scenario.m)
    if isinstance(drawn, Job):  # cannot happen with a built-in mean
        return
    st.markdown("### Try it here")
    if sentence := st.session_state.pop("live_refused", ""):
        st.warning(escaped(sentence))
    shown = view(scenario, question, drawn)
    charts, name = charts_of(shown), lesson.live
    if live.can_run():
        receive = partial(_receive, lesson)
        live.show(shown, charts, hidden=_EXPLORE - {name, _LIVE_CHARTS[name]}, receive=receive)
        return
    texts = filled_texts(shown)
    st.markdown(f"**{texts['headline']}**")
    rail.show_slider(name, shown, partial(_move, lesson))
    show_chart(charts[_LIVE_CHARTS[name]], _LIVE_CHARTS[name], texts["line"])
    st.markdown(f"**{texts['promise']}** {texts['limits']}")


def _receive(lesson: Lesson, sent: dict[str, Any]) -> None:
    """Move the slider of a lesson as a message of the component says."""
    _move(lesson, sent[lesson.live] if sent["kind"] == "sliders" else sent.get("value"))


def _move(lesson: Lesson, value: Any) -> None:
    try:
        moved = st.session_state[f"live_{lesson.name}"].with_(**{lesson.live: value})
    except DpcoreError as error:
        st.session_state["live_refused"] = f"{plain(error)} Nothing was changed."
    else:
        st.session_state[f"live_{lesson.name}"] = moved


def show_presented() -> None:
    """Present the step in the address: first the question, then the answer."""
    lesson, step = chosen()
    result, place = result_of(lesson.name, step.name), lesson.steps.index(step)
    revealed = _name(lesson, step) in _names("revealed")
    st.markdown(f"## {filled(step.title, result.numbers)}")
    left, right = st.columns((1, 1), gap="large")
    with left:
        if revealed:
            _compare(lesson, step, result)
            st.markdown(filled(step.words.reveal, result.numbers))
        else:
            st.markdown(filled(step.words.question, result.numbers))
            _show_options(lesson, step, result)
    with right:
        _show_chart(lesson, step, result, presented=True)
        if revealed:
            st.markdown(f":material/bookmark: **{filled(step.words.keep, result.numbers)}**")
        else:
            _show_slider(lesson, step, result)
    _show_presented_buttons(lesson, step, place, revealed)


def _show_presented_buttons(lesson: Lesson, step: Step, place: int, revealed: bool) -> None:
    walk = [(each, one) for each in LESSONS for one in each.steps]
    at = walk.index((lesson, step))
    back: Callable[[], None] | None
    onward: Callable[[], None] | None
    if revealed:
        back = partial(_names("revealed").discard, _name(lesson, step))
        onward = partial(go, walk[at + 1]) if at + 1 < len(walk) else None
    else:
        back = partial(go, walk[at - 1]) if at else None
        onward = partial(_reveal, lesson, step, guessed=False)
    label = "Next" if revealed else "Reveal"
    if revealed and place + 1 == len(lesson.steps) and onward is not None:
        label = f"Next lesson: {walk[at + 1][0].title}"
    present.show_buttons(2 * place + revealed, 2 * len(lesson.steps), back, onward, present.leave_learn, label)
