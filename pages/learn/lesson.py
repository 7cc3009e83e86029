"""One step of a lesson: a guess first, then what is so beside it, then a sentence to keep."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.charts.lessons import guessed
from pages.experiment.lessons.step import Choice, Found, Guess, Mark
from pages.learn import opening, written
from pages.learn.found import Lesson, StepWords, filled, lessons
from pages.shared import exports, frame
from pages.shared.escape import escaped, unmarked
from pages.shared.picture import Picture
from pages.shared.widgets import control
from pages.state import place

# The guess at a step: asked for, kept in the tab's session, and put beside what is so.


_FIRST = {True: "Guess first: move the mark.", False: "Guess first."}


def guess_at(at: opening.Place) -> Guess | None:
    """What was guessed there, so far."""
    return _guesses().get(at)


def revealed(at: opening.Place) -> bool:
    """Whether it was answered, and what is so may be shown."""
    return at in _revealed()


def ask_guess(at: opening.Place, how: Mark | Choice, words: StepWords, found: Found, *, aloud: bool = False) -> None:
    """A slider or options, and a button that reveals; once it did, one that asks again. ``aloud``: people guess in the room, so
    it reveals without a guess, by a key too."""
    if revealed(at):
        st.button("Guess again", key="reveal", icon=":material/replay:", on_click=_revealed().discard, args=(at,))
        return
    if isinstance(how, Mark):
        _mark(at, how, filled(words.label, found.numbers))
    else:
        options = _options(words, found)
        control(
            st.radio,
            "Your guess",
            list(options),
            key=f"guess_{at[0]}_{at[1]}",
            holds=guess_at(at),
            act=lambda name: _guesses().update({at: name}),
            format_func=options.__getitem__,
        )
    missing = guess_at(at) is None and not aloud
    st.button(
        "Reveal",
        key="reveal",
        icon=":material/visibility:",
        disabled=missing,
        on_click=_revealed().add,
        args=(at,),
        help=_FIRST[isinstance(how, Mark)] if missing else None,
        shortcut="Down" if aloud else None,
    )


def compare_guess(at: opening.Place, how: Mark | Choice, words: StepWords, found: Found) -> None:
    """What was guessed, and what is so."""
    said = guess_at(at)
    yours, true = (_words(how, _options(words, found), one) for one in (said, found.truth))
    st.markdown(f"| your guess | what is so |\n|---|---|\n| {yours} | **{true}** |")


def _words(how: Mark | Choice, options: dict[str, str], guess: Guess | None) -> str:
    if guess is None:
        return "said aloud"
    return how.words(guess) if isinstance(how, Mark) else options[str(guess)]


def _mark(at: opening.Place, how: Mark, label: str) -> None:
    said = guess_at(at)
    control(
        st.slider,
        label,
        float(how.least),
        float(how.most),
        key=f"guess_{at[0]}_{at[1]}",
        holds=how.start if said is None else float(said),  # where it begins is no guess
        act=lambda number: _guesses().update({at: float(number)}),
        step=float(how.by),
        format="%.6g",
    )


def _options(words: StepWords, found: Found) -> dict[str, str]:
    """What can be chosen, by its names."""
    return {name: filled(option, found.numbers) for name, option in words.options.items()}


def _guesses() -> dict[opening.Place, Guess]:
    kept: dict[opening.Place, Guess] = st.session_state.setdefault("guesses", {})
    return kept


def _revealed() -> set[opening.Place]:
    kept: set[opening.Place] = st.session_state.setdefault("revealed", set())
    return kept


_BESIDE, _ON_A_WALL, _PANEL = frame.Frame(320, named=True), frame.Frame(420, 690), "figure"
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
    """The ways between lessons and steps, and the step that the address names; the first where it names none."""
    known = {one.name: one for one in lessons()}
    if not known:
        st.warning("There are no lessons here. The server's log says why.")
        return
    one, step = _chosen(known)
    if place.presenting():
        _step(one, step, _on_a_wall)
        frame.ways_on_a_wall(list(one.steps), step, lambda name: _go((one.name, name)), _noted(one, step))
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


def _ways(every: tuple[Lesson, ...], one: Lesson, step: str) -> None:
    """A picker of lessons, and a step back and forth, on into the next lesson."""
    titles = {each.name: f"{number}. {each.words.title}" for number, each in enumerate(every, 1)}
    walk = [(each.name, name) for each in every for name in each.steps]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        opening.row("Lesson", "lesson", titles, walk, (one.name, step), _go)
        written.show_files(one, _computed)
        exports.show_code("lesson", partial(written.of_the_lesson, one, partial(_computed, one)))


def _go(to: opening.Place) -> None:
    place.go_to({"lesson": to[0], "step": to[1], "panel": ""})


def _noted(one: Lesson, step: str) -> str:
    """What a speaker may say at a step."""
    found = _computed(one, step)
    return "" if found is None else filled(one.words.steps[step].note, found.numbers)


def _step(one: Lesson, name: str, arranged: Callable[[Lesson, str, Found], None]) -> None:
    """The question and its figure, and once it was answered what is so."""
    words, found = one.words.steps[name], _computed(one, name)
    if found is None:
        st.warning("This step could not be computed. The server's log says why. The others are not affected.")
        return
    number = list(one.steps).index(name) + 1
    st.markdown(f"## {filled(words.title, found.numbers)}\n:small[Step {number} of {len(one.steps)}. {one.words.about}]")
    arranged(one, name, found)


def _on_the_page(one: Lesson, name: str, found: Found) -> None:
    """The question beside its figure, and below it what is so."""
    words, at = one.words.steps[name], (one.name, name)
    size = frame.of(_PANEL, _BESIDE)
    left, right = (st.container(), st.container()) if size.wide else st.columns((2, 3), gap="large")
    with left:
        st.markdown(filled(words.question, found.numbers))
        ask_guess(at, one.steps[name].guess, words, found)
        if revealed(at):
            compare_guess(at, one.steps[name].guess, words, found)
    with right:
        _figure(one, name, found, size)
    if revealed(at):
        _why(words, found)
        if name == list(one.steps)[-1]:
            _try(one, found)


def _on_a_wall(one: Lesson, name: str, found: Found) -> None:
    """The question beside its figure, and in its place what is so: one screen at a time."""
    words, at = one.words.steps[name], (one.name, name)
    if found.asked is None and not revealed(at):
        with st.container(key="wall_text"):
            st.markdown(filled(words.question, found.numbers))
        ask_guess(at, one.steps[name].guess, words, found, aloud=True)
        return
    left, right = st.columns((2, 3), gap="large")
    with left:
        if revealed(at):
            compare_guess(at, one.steps[name].guess, words, found)
            st.markdown(filled(words.reveal, found.numbers))
            st.markdown(f":material/bookmark: **{filled(words.keep, found.numbers)}**")
        else:
            st.markdown(filled(words.question, found.numbers))
        ask_guess(at, one.steps[name].guess, words, found, aloud=True)
    with right:
        _figure(one, name, found, _ON_A_WALL)


def _figure(one: Lesson, name: str, found: Found, size: frame.Frame) -> None:
    """The figure under its title: what is so, or what stands beside the question."""
    words, answered = one.words.steps[name], revealed((one.name, name))
    made = found.figure if answered else found.asked
    if made is None:
        return
    chart, alt = made()
    title = filled(words.chart if answered else words.asked, found.numbers)
    st.markdown(f"**{title}**")
    drawn = _marked(one, name, chart) if answered else chart
    key = f"lesson_{one.name}_{name}{'' if answered else '_asked'}"
    at = None if size is _ON_A_WALL else size.enlarge(_PANEL)
    size.chart(drawn, key, alt, Picture(unmarked(title), at=at))


def _marked(one: Lesson, name: str, chart: Any) -> Any:
    """With the guess in the figure, where the figure has a place for it."""
    how, guessed_at = one.steps[name].guess, guess_at((one.name, name))
    if not isinstance(how, Mark) or how.axis not in ("x", "y") or guessed_at is None:
        return chart
    return guessed(chart, float(guessed_at), "x" if how.axis == "x" else "y")


def _why(words: StepWords, found: Found) -> None:
    """Why it is so, and what to keep."""
    why, keep = st.columns((3, 2), gap="large")
    why.markdown(filled(words.reveal, found.numbers))
    with keep.container(border=True):
        st.markdown(f":material/bookmark: **To keep.** {filled(words.keep, found.numbers)}")


def _try(one: Lesson, found: Found) -> None:
    """The end of a lesson: something to do on another page."""
    st.markdown("## Now try it")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Open it on {opening.title(one.opens)}", key="lesson_try", icon=":material/arrow_outward:"):
            opening.on(one.opens, one.to_try())
        st.markdown(filled(one.words.to_try, found.numbers))
    written.show_desk(one)
