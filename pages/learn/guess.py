"""The guess at a step: asked for, kept in the tab's session, and put beside what is so."""

from __future__ import annotations

import streamlit as st

from pages.experiment.lessons.step import Choice, Found, Guess, Mark
from pages.learn.found import StepWords, filled
from pages.shared.widgets import control

_FIRST = {True: "Guess first: move the mark.", False: "Guess first."}
Place = tuple[str, str]  # a lesson and a step of it


def value(at: Place) -> Guess | None:
    """What was guessed there, so far."""
    return _guesses().get(at)


def revealed(at: Place) -> bool:
    """Whether it was answered, and what is so may be shown."""
    return at in _revealed()


def ask(at: Place, how: Mark | Choice, words: StepWords, found: Found, *, aloud: bool = False) -> None:
    """A slider or options, and a button that reveals; once it did, one that asks again. ``aloud``: people guess in the room, so
    it reveals without a guess, by a key too."""
    if revealed(at):
        st.button("Guess again", key="reveal", icon=":material/replay:", on_click=_revealed().discard, args=(at,))
        return
    if isinstance(how, Mark):
        _mark(at, how, filled(words.label, found.numbers))
    else:
        _options(at, {name: filled(option, found.numbers) for name, option in words.options.items()})
    missing = value(at) is None and not aloud
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


def compare(at: Place, how: Mark | Choice, words: StepWords, found: Found) -> None:
    """What was guessed, and what is so."""
    said = value(at)
    options = {name: filled(option, found.numbers) for name, option in words.options.items()}
    yours, true = (_words(how, options, one) for one in (said, found.truth))
    st.markdown(f"| your guess | what is so |\n|---|---|\n| {yours} | **{true}** |")


def _words(how: Mark | Choice, options: dict[str, str], guess: Guess | None) -> str:
    if guess is None:
        return "said aloud"
    return how.words(guess) if isinstance(how, Mark) else options[str(guess)]


def _mark(at: Place, how: Mark, label: str) -> None:
    said = value(at)
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


def _options(at: Place, options: dict[str, str]) -> None:
    control(
        st.radio,
        "Your guess",
        list(options),
        key=f"guess_{at[0]}_{at[1]}",
        holds=value(at),
        act=lambda name: _guesses().update({at: name}),
        format_func=options.__getitem__,
    )


def _guesses() -> dict[Place, Guess]:
    kept: dict[Place, Guess] = st.session_state.setdefault("guesses", {})
    return kept


def _revealed() -> set[Place]:
    kept: set[Place] = st.session_state.setdefault("revealed", set())
    return kept
