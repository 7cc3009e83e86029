"""Lessons: the list of them, and one step at a time. First a guess, then the answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import streamlit as st

from dpcore.errors import DpcoreError
from pages import jobs, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.words import filled as filled_texts
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of
from pages.figures.lessons import large, with_guess
from pages.lessons.contents import LESSONS, lesson_named
from pages.lessons.lesson import Choice, Lesson, Result, Slider, Step, filled
from pages.live import live
from pages.server.jobs import Job
from pages.server.page_list import pages
from pages.widgets import present, rail
from pages.widgets.charts import CONFIG, show_chart
from pages.widgets.notices import open_page

_SIZE, _HEIGHT = 15, 330  # pixels of a chart's type, and of its height
_TALL = 400  # pixels of a chart's height in a presentation
_STYLE = """<style>
[class*=st-key-to_lesson_] button { min-height: 2rem; padding: 0; }
[class*=st-key-to_lesson_] button p { font-size: 1rem; font-weight: 600; text-decoration: underline; }
</style>"""
_LIVE_CHARTS = {"epsilon": ANSWERS, "gamma": SENSITIVITY}
_EXPLORE = {"epsilon", "gamma", "m", "noise", "bound", ANSWERS, SENSITIVITY, ERROR, POINTS}  # parts of the component


def _revealed() -> dict[str, bool]:
    """Return the steps that this visitor has done, by name, each with whether its answer is shown."""
    revealed: dict[str, bool] = st.session_state.setdefault("revealed", {})
    return revealed


@final
@dataclass(frozen=True)
class Place:
    """A step of a lesson, as this visitor sees it."""

    lesson: Lesson
    step: Step

    @property
    def name(self) -> str:
        """Name of both, for keys."""
        return f"{self.lesson.name}_{self.step.name}"

    @property
    def result(self) -> Result:
        """The answer."""
        return result_of(self.lesson.name, self.step.name)

    def guess(self, *, presented: bool = False) -> Any:
        """Return the guess, which its widget holds; None without one. In a presentation, a slider has to be moved."""
        guess, how = st.session_state.get(f"guess_{self.name}"), self.step.guess
        return None if presented and isinstance(how, Slider) and guess == how.start else guess

    @property
    def revealed(self) -> bool:
        """True if the answer is shown."""
        return _revealed().get(self.name, False)

    def filled(self, text: str) -> str:
        """Return a text with its numbers."""
        return filled(text, self.result.numbers)

    def turn(self, *, revealed: bool) -> None:
        """Show the answer, or hide it again."""
        _revealed()[self.name] = revealed

    def words(self, value: float | str) -> str:
        """Return a guess, or the answer, in words."""
        if isinstance(self.step.guess, Slider):
            return self.step.guess.words(float(value))
        return self.filled(self.step.words.options[str(value)])


_WALK = [Place(lesson, step) for lesson in LESSONS for step in lesson.steps]


@st.cache_resource(show_spinner=False)
def result_of(lesson: str, step: str) -> Result:
    """Return the answer of a step. Seeds are fixed, so it is the same for everybody."""
    return next(one.step for one in _WALK if (one.lesson.name, one.step.name) == (lesson, step)).compute()


def _chosen() -> Place:
    """Return the lesson and the step in the address, or the first ones, with a sentence if the address names others."""
    name, step = st.query_params.get("lesson", ""), st.query_params.get("step", "")
    lesson = lesson_named(name)
    if name and lesson is None:
        st.warning(f"There is no lesson “{escaped(name[:60])}”. The first one is shown.")
    steps = [one for one in _WALK if one.lesson is (lesson or LESSONS[0])]
    found = next((one for one in steps if one.step.name == step), None)
    if step and found is None:
        st.warning(f"This lesson has no step “{escaped(step[:60])}”. The first one is shown.")
    return found or steps[0]


def _go(to: Place | None = None) -> None:
    """Go to a step, or to the list of lessons."""
    for name in ("lesson", "step"):
        st.query_params.pop(name, None)
    if to is not None:
        st.query_params.update({"lesson": to.lesson.name, "step": to.step.name})


def show(about: str) -> None:
    """Show the step in the address, or the list of lessons if the address names none.

    Args:
        about: Text above the list.
    """
    if "lesson" not in st.query_params and "step" not in st.query_params:
        st.markdown(about)
        _show_list()
        return
    place = _chosen()
    lesson, at = place.lesson, _WALK.index(place)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.markdown(f"# {LESSONS.index(lesson)}. {lesson.title}", width="content")
        st.button("All lessons", key="all_lessons", icon=":material/list:", on_click=_go)
        for label, to in (("Back", at - 1), ("Next", at + 1)):
            there = _WALK[to] if 0 <= to < len(_WALK) else None
            st.button(label, key=f"lesson_{label.lower()}", disabled=there is None, on_click=partial(_go, there))
        about = "Large type, one step at a time, with the arrow keys."
        st.button("Present", key="present_start", on_click=present.start_learn, help=about)
    where = f"Step {lesson.steps.index(place.step) + 1} of {len(lesson.steps)}."
    st.markdown(f":small[{where} {lesson.about}]\n## {place.filled(place.step.title)}")
    _show_step(place)


def _show_list() -> None:
    """Show the lessons, and how much of each one this visitor has done."""
    st.html(_STYLE)
    half = (len(LESSONS) + 1) // 2
    columns = st.columns(2, gap="large")
    for number, lesson in enumerate(LESSONS):
        steps = [one for one in _WALK if one.lesson is lesson]
        done = sum(one.name in _revealed() for one in steps)
        progress = f"**{done} of {len(steps)} steps done**" if done else f":small[{len(steps)} steps]"
        with columns[number // half].container(gap=None):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                act = partial(_go, steps[0])
                st.button(f"{number}. {lesson.title}", key=f"to_lesson_{lesson.name}", type="tertiary", on_click=act)
                all_done = ":green[:material/check_circle: **Done**]"
                st.markdown(all_done if done == len(steps) else progress, width="content")
            st.markdown(f":small[{lesson.about}]")


def _show_step(place: Place, *, presented: bool = False) -> None:
    """Show question and chart beside each other, and the answer once it is revealed.

    In a presentation the answer takes the place of the question.
    """
    words, revealed = place.step.words, place.revealed
    left, right = st.columns((1, 1) if presented else (2, 3), gap="large")
    with right:
        _show_chart(place, presented=presented)
        if not revealed:
            _show_slider(place)
        elif presented:
            st.markdown(f":material/bookmark: **{place.filled(words.keep)}**")
        if not revealed and not presented:
            missing = isinstance(place.step.guess, Choice) and place.guess() is None
            about, icon = "Choose one first." if missing else None, ":material/visibility:"
            st.button(
                "Reveal", key="reveal", icon=icon, disabled=missing, on_click=partial(place.turn, revealed=True), help=about
            )
    with left:
        if not (revealed and presented):
            st.markdown(place.filled(words.question))
        if not revealed:
            _show_options(place)
            return
        if not presented:
            st.button("Guess again", key="reveal", icon=":material/replay:", on_click=partial(place.turn, revealed=False))
        _show_comparison(place, presented=presented)
        if presented:
            st.markdown(place.filled(words.reveal))
            return
    why, keep = st.columns((3, 2), gap="large")
    why.markdown(place.filled(words.reveal))
    keep.container(border=True).markdown(f":material/bookmark: **To keep.** {place.filled(words.keep)}")
    if place.step is place.lesson.steps[-1]:
        _show_end(place)


def _show_chart(place: Place, *, presented: bool = False) -> None:
    """Show the chart with the guess, without or with the answer."""
    result, words, how = place.result, place.step.words, place.step.guess
    chart = result.after if place.revealed else result.before
    st.markdown(f"**{place.filled(words.after if place.revealed else words.before)}**")
    if isinstance(how, Slider):
        guess = place.guess(presented=presented)
        if guess is None and not place.revealed:
            guess = how.start
        at = None if guess is None else float(guess) * result.unit
        chart = with_guess(chart, how.axis, at, how.low * result.unit, how.high * result.unit)
    if presented:
        present.show_figure(large(chart, present.SIZE - 1, _TALL), f"lesson_{place.name}", chart.alt, _TALL)
    else:
        drawn = large(chart, _SIZE, _HEIGHT)
        st.plotly_chart(drawn, key=f"lesson_{place.name}", height=_HEIGHT, config=CONFIG, alt=chart.alt)


def _show_slider(place: Place) -> None:
    """Show the slider of a guess that is a number."""
    how = place.step.guess
    if isinstance(how, Slider):
        ends = float(how.low), float(how.high), float(how.start), float(how.step)
        label = f"Your guess. {place.filled(place.step.words.guess)}"
        st.slider(label, *ends, format="%.6g", key=f"guess_{place.name}", persist_state="session")


def _show_options(place: Place) -> None:
    """Show the options of a guess that is a choice."""
    words = {name: place.filled(option) for name, option in place.step.words.options.items()}
    if isinstance(place.step.guess, Choice):
        key = f"guess_{place.name}"
        st.radio("Your guess", list(words), None, format_func=words.__getitem__, key=key, persist_state="session")


def _show_comparison(place: Place, *, presented: bool) -> None:
    """Show the guess, if there is one, beside the answer."""
    answer, guess = f"**{place.words(place.result.truth)}**", place.guess(presented=presented)
    if guess is None:
        st.markdown(f"The answer: {answer}")
    else:
        st.markdown(f"| your guess | the answer |\n|---|---|\n| {place.words(guess)} | {answer} |")


def _show_end(place: Place) -> None:
    """Show the end of a lesson: something to try here, the scenario on its page, and the next lesson."""
    lesson = place.lesson
    st.markdown("## Now try it")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Open it on {pages()[lesson.opens].TITLE}", key="lesson_try", icon=":material/arrow_outward:"):
            open_page(lesson.opens, lesson.scenario())
        st.markdown(place.filled(lesson.to_try))
    if lesson.live:
        _show_live(lesson)
    for after in _WALK[_WALK.index(place) + 1 :][:1]:
        label, icon = f"Next lesson: {after.lesson.title}", ":material/arrow_forward:"
        st.button(label, key="lesson_onward", icon=icon, on_click=partial(_go, after))


def _show_live(lesson: Lesson) -> None:
    """Show one slider of Explore with its chart, for the scenario of the lesson. The scenario of Explore stays as it is."""
    scenario = st.session_state.setdefault(f"live_{lesson.name}", lesson.scenario())
    shown = jobs.view(scenario, state.tables()[scenario.table])
    if isinstance(shown, Job):  # cannot happen with a built-in mean
        return
    st.markdown("### Try it here")
    if sentence := st.session_state.pop("live_refused", ""):
        st.warning(escaped(sentence))
    charts, chart, texts = charts_of(shown), _LIVE_CHARTS[lesson.live], filled_texts(shown)
    if live.can_run():
        live.show(shown, charts, hidden=_EXPLORE - {lesson.live, chart}, receive=partial(_receive, lesson))
        return
    st.markdown(f"**{texts['headline']}**")
    rail.show_slider(lesson.live, shown, partial(_move, lesson))
    show_chart(charts[chart], chart, texts["line"])
    st.markdown(f"**{texts['promise']}** {texts['limits']}")


def _receive(lesson: Lesson, sent: dict[str, Any]) -> None:
    """Move the slider of a lesson as a message of the component says."""
    _move(lesson, sent[lesson.live] if sent["kind"] == "sliders" else sent.get("value"))


def _move(lesson: Lesson, value: Any) -> None:
    try:
        st.session_state[f"live_{lesson.name}"] = st.session_state[f"live_{lesson.name}"].with_(**{lesson.live: value})
    except DpcoreError as error:
        st.session_state["live_refused"] = f"{plain(error)} Nothing was changed."


def show_presented() -> None:
    """Present the step in the address: first the question, then the answer."""
    place = _chosen()
    lesson, at = place.lesson, _WALK.index(place)
    st.markdown(f"## {place.filled(place.step.title)}")
    _show_step(place, presented=True)
    after = _WALK[at + 1] if at + 1 < len(_WALK) else None
    back: Any = partial(_go, _WALK[at - 1]) if at else None
    onward: Any = partial(place.turn, revealed=True)
    label = "Reveal"
    if place.revealed:
        label = f"Next lesson: {after.lesson.title}" if after is not None and after.lesson is not lesson else "Next"
        back, onward = partial(place.turn, revealed=False), None if after is None else partial(_go, after)
    number = 2 * lesson.steps.index(place.step) + place.revealed
    present.show_buttons(number, 2 * len(lesson.steps), back, onward, present.leave_learn, label)
