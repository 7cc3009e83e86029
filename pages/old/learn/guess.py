"""The guess at a step: a number, drawn as a line in the figure, or one of several words; kept in the tab's session."""

from __future__ import annotations

import streamlit as st

from pages.old.charts.lessons import guessed
from pages.old.experiment.lessons.step import Asked, Choice, Found, Guess, Mark
from pages.old.learn import opening
from pages.old.learn.found import Lesson, StepWords, filled
from pages.old.shared import frame
from pages.widgets.controls import control

_CHOOSE = "Choose one first."


def at(place: opening.Place) -> Guess | None:
    """What was guessed there, so far."""
    return _guesses().get(place)


def revealed(place: opening.Place) -> bool:
    """Whether what is so is shown there."""
    return place in _places("revealed")


def looked_at(one: Lesson) -> int:
    """How many of its steps were revealed in this tab, at least once."""
    return sum((one.name, step) in _places("looked_at") for step in one.steps)


def choose(place: opening.Place, words: StepWords, found: Found) -> None:
    """The words that are chosen among."""
    options = options_of(words, found)
    control(
        st.radio,
        "Your guess",
        list(options),
        key=_key(place),
        holds=at(place),
        act=lambda name: _guesses().update({place: name}),
        format_func=options.__getitem__,
    )


def show_button(place: opening.Place, how: Mark | Choice, *, aloud: bool = False) -> None:
    """It reveals, where a value stands; once it did, it asks again.

    ``aloud``: people guess in the room, so that it reveals without any value, by a key too.
    """
    if revealed(place):
        st.button("Guess again", key="reveal", icon=":material/replay:", on_click=_places("revealed").discard, args=(place,))
        return
    missing = isinstance(how, Choice) and at(place) is None and not aloud
    st.button(
        "Reveal",
        key="reveal",
        icon=":material/visibility:",
        disabled=missing,
        on_click=_reveal,
        args=(place, None if aloud or not isinstance(how, Mark) else how.start),
        help=_CHOOSE if missing else None,
        shortcut="Down" if aloud else None,
    )


def _reveal(place: opening.Place, standing: Guess | None) -> None:
    """With what stands there, where nothing else was guessed."""
    if standing is not None:
        _guesses().setdefault(place, standing)
    _places("revealed").add(place)
    _places("looked_at").add(place)


def compare(place: opening.Place, how: Mark | Choice, words: StepWords, found: Found) -> None:
    """What was guessed, where it was not only said aloud, and what is so."""
    options, yours = options_of(words, found), at(place)
    true = _words(how, options, found.truth)
    if yours is None:
        st.markdown(f"What is so: **{true}**")
    else:
        st.markdown(f"| your guess | what is so |\n|---|---|\n| {_words(how, options, yours)} | **{true}** |")


def _words(how: Mark | Choice, options: dict[str, str], guess: Guess) -> str:
    return how.words(guess) if isinstance(how, Mark) else options[str(guess)]


def options_of(words: StepWords, found: Found) -> dict[str, str]:
    """What can be chosen, by its names."""
    return {name: filled(option, found.numbers) for name, option in words.options.items()}


def on_figure(place: opening.Place, how: Mark, asked: Asked, label: str, size: frame.Frame) -> None:
    """A figure with the guess as a line in it, and below it the slider that moves the line."""
    value, key = float(_standing(place, how)), f"asked_{_key(place)}"
    chart = guessed(asked.chart, value * asked.per, how.axis, (how.least * asked.per, how.most * asked.per))
    size.chart(chart, key, asked.alt)
    control(
        st.slider,
        f"Your guess. {label}",
        float(how.least),
        float(how.most),
        key=_key(place),
        holds=value,
        act=lambda number: _guesses().update({place: number}),
        step=float(how.by),
        format="%.6g",
    )


def _standing(place: opening.Place, how: Mark) -> Guess:
    guess = at(place)
    return how.start if guess is None else guess


def _key(place: opening.Place) -> str:
    return f"guess_{place[0]}_{place[1]}"


def _guesses() -> dict[opening.Place, Guess]:
    kept: dict[opening.Place, Guess] = st.session_state.setdefault("guesses", {})
    return kept


def _places(name: str) -> set[opening.Place]:
    kept: set[opening.Place] = st.session_state.setdefault(name, set())
    return kept
