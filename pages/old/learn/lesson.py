"""One step of a lesson: a guess first, on the figure, then what is so, then a sentence to keep."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.escape import escaped
from pages.old.charts.lessons import guessed
from pages.old.experiment.lessons.step import Choice, Found, Mark
from pages.old.learn import contents, guess, opening
from pages.old.learn.found import Lesson, StepWords, filled, lessons
from pages.old.shared import frame
from pages.old.state import place

_BESIDE, _ON_A_WALL, _PANEL = frame.Frame(320, named=True), frame.Frame(380, 690), "figure"
_log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def computed(lesson: str, step: str) -> Found:
    """What is found at a step: its seed is fixed, so it is the same for everybody."""
    (one,) = (one for one in lessons() if one.name == lesson)
    return one.steps[step].find()


def _computed(one: Lesson, step: str) -> Found | None:
    """What is found, with every number that the text says; None, and a line in the log, where a module fails at it."""
    try:
        found = computed(one.name, step)
    except Exception as error:  # whatever somebody's file does
        _log.warning(f"The lesson {one.name} failed at its step {step}: {type(error).__name__}, {error}")
        return None
    if missing := sorted(one.numbers(step) - set(found.numbers)):
        _log.warning(f"The lesson {one.name} computes no {', '.join(missing)}, which its text says at the step {step}.")
        return None
    return found


def show() -> None:
    """The step that the address names; the list of lessons where it names none."""
    known = {one.name: one for one in lessons()}
    if not known:
        st.warning("There are no lessons here. The server's log says why.")
        return
    if opening.at_the_list():
        contents.show(tuple(known.values()), _go)
        return
    one, step = _chosen(known)
    if place.presenting():
        _step(one, step, _on_a_wall)
        walk = [(one.name, name) for name in one.steps]
        frame.ways_on_a_wall(walk, (one.name, step), _go, onward=_onward(one))
        return
    _ways(tuple(known.values()), one, step)
    _step(one, step, _on_the_page)


def _chosen(known: dict[str, Lesson]) -> tuple[Lesson, str]:
    """Where the address leads; a sentence, and the first, where it leads nowhere."""
    name, step = place.of("lesson"), place.of("step")
    if name and name not in known:
        st.warning(f"The link speaks of the lesson “{escaped(name)}”, which is not here. The first is shown instead.")
        return _first(known), next(iter(_first(known).steps))
    one = known.get(name, _first(known))
    first = next(iter(one.steps))
    if step and step not in one.steps:
        st.warning(f"The link speaks of the step “{escaped(step)}”, which this lesson does not have. Its first is shown instead.")
    return one, step if step in one.steps else first


def _first(known: dict[str, Lesson]) -> Lesson:
    return next(iter(known.values()))


def _onward(one: Lesson) -> tuple[str, opening.Place] | None:
    """The lesson after this one, and where it begins; None after the last."""
    _, after = frame.before_and_after(lessons(), one)
    return None if after is None else (f"Next lesson: {after.words.title}", (after.name, next(iter(after.steps))))


def _ways(every: tuple[Lesson, ...], one: Lesson, step: str) -> None:
    """To the list, and a step back and forth, on into the next lesson."""
    walk = [(each.name, name) for each in every for name in each.steps]
    st.markdown(f"# {every.index(one) + 1}. {one.words.title}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("All lessons", key="all_lessons", icon=":material/list:", on_click=_go, args=(("", ""),))
        opening.steps("lesson", walk, (one.name, step), _go)


def _go(to: opening.Place) -> None:
    place.go_to({"lesson": to[0], "step": to[1], "panel": ""})


def _step(one: Lesson, name: str, arranged: Callable[[Lesson, str, Found], None]) -> None:
    """The question and its figure, and once it was answered what is so."""
    words, found = one.words.steps[name], _computed(one, name)
    if found is None:
        st.warning("This step could not be computed. The server's log says why. The others are not affected.")
        return
    said = (
        "" if place.presenting() else f"\n:small[Step {list(one.steps).index(name) + 1} of {len(one.steps)}. {one.words.about}]"
    )
    st.markdown(f"## {filled(words.title, found.numbers)}{said}")
    arranged(one, name, found)


def _on_the_page(one: Lesson, name: str, found: Found) -> None:
    """The question beside its figure, and below it what is so."""
    words, at = one.words.steps[name], (one.name, name)
    size = frame.of(_PANEL, _BESIDE)
    left, right = (st.container(), st.container()) if size.wide else st.columns((2, 3), gap="large")
    with left:
        _asked(one, name, found)
        if guess.revealed(at):
            guess.show_button(at, one.steps[name].guess)
            guess.compare(at, one.steps[name].guess, words, found)
    with right:
        _figure(one, name, found, size)
        if not guess.revealed(at):
            guess.show_button(at, one.steps[name].guess)
    if guess.revealed(at):
        _why(words, found)
        if name == list(one.steps)[-1]:
            _try(one, found)


def _on_a_wall(one: Lesson, name: str, found: Found) -> None:
    """The question beside its figure, and in its place what is so: one screen at a time."""
    words, at = one.words.steps[name], (one.name, name)
    left, right = st.columns((2, 3), gap="large")
    with left:
        if guess.revealed(at):
            guess.compare(at, one.steps[name].guess, words, found)
            st.markdown(filled(words.reveal, found.numbers))
            guess.show_button(at, one.steps[name].guess, aloud=True)
        else:
            _asked(one, name, found)
            guess.show_button(at, one.steps[name].guess, aloud=True)
    with right:
        _figure(one, name, found, _ON_A_WALL)
        if guess.revealed(at):
            st.markdown(f":material/bookmark: **{filled(words.keep, found.numbers)}**")


def _asked(one: Lesson, name: str, found: Found) -> None:
    """The question, and the words that are chosen among."""
    words, how, at = one.words.steps[name], one.steps[name].guess, (one.name, name)
    st.markdown(filled(words.question, found.numbers))
    if isinstance(how, Choice) and not guess.revealed(at):
        guess.choose(at, words, found)


def _figure(one: Lesson, name: str, found: Found, size: frame.Frame) -> None:
    """The figure under its title: the one that is guessed on, or what is so."""
    words, how, at = one.words.steps[name], one.steps[name].guess, (one.name, name)
    answered = guess.revealed(at)
    title = filled(words.chart if answered else words.asked, found.numbers)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{title}**", width="content")
        if size is not _ON_A_WALL:
            size.enlarge(_PANEL)
    key = f"lesson_{one.name}_{name}"
    if answered:
        chart, alt = found.figure()
        size.chart(_marked(at, how, found, chart), key, alt)
    elif isinstance(how, Mark):
        guess.on_figure(at, how, found.asked(), filled(words.label, found.numbers), size)
    else:
        asked = found.asked()
        size.chart(asked.chart, f"{key}_asked", asked.alt)


def _marked(at: opening.Place, how: Mark | Choice, found: Found, chart: Any) -> Any:
    """With the guess in the figure, where it is a place in it."""
    said = guess.at(at)
    return chart if said is None or not isinstance(how, Mark) else guessed(chart, float(said) * found.asked().per, how.axis)


def _why(words: StepWords, found: Found) -> None:
    """Why it is so, and what to keep."""
    why, keep = st.columns((3, 2), gap="large")
    why.markdown(filled(words.reveal, found.numbers))
    with keep.container(border=True):
        st.markdown(f":material/bookmark: **To keep.** {filled(words.keep, found.numbers)}")


def _try(one: Lesson, found: Found) -> None:
    """The end of a lesson: the next one, and something to do on another page."""
    if onward := _onward(one):
        st.button(onward[0], key="lesson_onward", icon=":material/arrow_forward:", on_click=_go, args=(onward[1],))
    st.markdown("## Now try it")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Open it on {opening.title(one.opens)}", key="lesson_try", icon=":material/arrow_outward:"):
            opening.on(one.opens, one.to_try())
        st.markdown(filled(one.words.to_try, found.numbers))
