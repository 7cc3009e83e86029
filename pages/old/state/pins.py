"""Scenarios that are pinned, to stand beside the one shown: up to four, each under its letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_in
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.charts.side_by_side import NOW
from pages.old.experiment.error_curve import ErrorCurve, error_curve
from pages.old.state import draws
from pages.old.state.differences import Differences, differences
from pages.old.state.pinned_link import LETTERS, fitted, same
from pages.old.state.view import Shown, View, view_apart

_KEY = "pins"


@final
@dataclass(frozen=True, eq=False)
class Pin:
    """A scenario, and what its table was when it was pinned: names and declarations, no record."""

    scenario: Scenario
    declared: Any


def kept_pins() -> dict[str, Pin]:
    """The pins by letter; the one that was pinned first is the first of them."""
    found: dict[str, Pin] = st.session_state.get(_KEY, {})
    return found


def scenarios() -> dict[str, Scenario]:
    """Theirs, in the order of the letters."""
    return {letter: pin.scenario for letter, pin in sorted(kept_pins().items())}


def letter_of(scenario: Scenario) -> str:
    """Under which letter it is pinned, or ''."""
    return next((letter for letter, pin in kept_pins().items() if same(pin.scenario, scenario)), "")


def table_of(pin: Pin) -> Table | None:
    """The pin's table, where it is still what it was."""
    table = state.tables().get(pin.scenario.table)
    return table if table is not None and _declared(table) == pin.declared else None


def adopt(found: Mapping[str, Scenario]) -> None:
    """These are the pins from now on, each of a table that is here."""
    st.session_state[_KEY] = {letter: pinned(scenario) for letter, scenario in found.items()}


def restore(before: Mapping[str, Pin]) -> None:
    """These are the pins again, as they were kept, also of a table that was declared anew since."""
    st.session_state[_KEY] = dict(before)


def lost(before: Mapping[str, Pin]) -> list[str]:
    """The letters of those that are pinned no more, under none."""
    return [letter for letter, pin in sorted(before.items()) if not letter_of(pin.scenario)]


def pin() -> None:
    """The scenario shown stays beside those that come; a sentence where there is no room, or it is pinned already."""
    state.begin()
    current, free = state.scenario(), _free()
    if letter := letter_of(current):
        state.say(f"This scenario is pinned already, as {letter}. Change a setting: then both stand side by side.")
    elif not free:
        first, *others = kept_pins()
        which = f"{', '.join(sorted(others)[:-1])} or {max(others)}"
        state.say(f"Four scenarios are pinned, which is all there is room for. Let {first} go, the first one, or {which}.")
    else:
        _keep({free: pinned(current)})


def let_go(letter: str) -> None:
    """It stands beside the others no more; with a way back."""
    state.begin()
    if letter in kept_pins():
        state.offer_undo(**{_KEY: kept_pins()})
        st.session_state[_KEY] = {name: one for name, one in kept_pins().items() if name != letter}
        state.say(f"{letter} was let go.")


def open_again(letter: str) -> None:
    """The pin becomes the scenario shown. What was shown is pinned, under a free letter or under this one; with a way back."""
    state.begin()
    if letter not in kept_pins():
        return
    opened, current = kept_pins()[letter].scenario, state.scenario()
    table = state.tables().get(opened.table)
    if table is None or not fitted(opened, state.tables(), state.example()):
        state.say(f"{letter} cannot be opened: {gone(letter)} Nothing was changed.")
        return
    state.offer_undo(scenario=current, **{_KEY: kept_pins()})
    _keep({letter: pinned(opened)})
    if not letter_of(current):
        place = _free() or letter
        _keep({place: pinned(current)})
        state.say(f"{letter} is shown now. What was shown before is pinned as {place}.")
    state.adopt(opened)


def gone(letter: str) -> str:
    """Why a pin's table is not what it was, in a sentence."""
    name = kept_pins()[letter].scenario.table
    if name not in state.tables():
        return "its table is not here any more."
    return "its table was declared anew since, and its columns or bounds are others now."


def _keep(more: dict[str, Pin]) -> None:
    st.session_state[_KEY] = kept_pins() | more


def _free() -> str:
    return next((letter for letter in LETTERS if letter not in kept_pins()), "")


def pinned(scenario: Scenario) -> Pin:
    """The scenario as it is kept, with what its table is now."""
    return Pin(scenario, _declared(state.tables().get(scenario.table)))


def _declared(table: Table | None) -> Any:
    return None if table is None else (table.digest, table.columns, table.public, table.persons, table.guesses, table.stated)


# What Explore would show of each pin, made once: a slider's move makes only that of the scenario shown.


@final
@dataclass(frozen=True, eq=False)
class Stood:
    """One of the scenarios side by side. ``name``: its letter, or that it is shown now; ``view`` is None where its table is not
    what it was. ``now``: whether it is the one shown."""

    name: str
    scenario: Scenario
    view: View | None
    now: bool = False

    @property
    def why(self) -> str:
        """Why nothing can be said of it, or ''."""
        if self.view is None:
            why = gone(self.name)
            return f"{why[0].upper()}{why[1:]}"
        return "" if isinstance(self.view, Shown) else self.view.why

    @cached_property
    def ordered(self) -> FloatArray | None:
        """The distances of its trials, where they are made."""
        trials = None if self.view is None else self.view.trials
        return None if trials is None else np.sort(trials.sample.distances)

    @cached_property
    def unit(self) -> str:
        """That of what moves."""
        return "" if self.view is None else moved_in(self.view.answer)

    @property
    def erring(self) -> tuple[str, ...]:
        """In which sense its error is meant, and in which unit."""
        return (self.view.headline.error_words, self.view.headline.answer.after) if isinstance(self.view, Shown) else ()

    @cached_property
    def curve(self) -> ErrorCurve | None:
        """Its error at each ε, where there is an answer."""
        try:
            return error_curve(self.view.headline) if isinstance(self.view, Shown) else None
        except DpcoreError:
            return None


@final
@dataclass(frozen=True, eq=False)
class _Made:
    """A pin as it stands, and all that this hangs on."""

    pin: Pin
    table: Table
    stood: Stood


def side_by_side(shown: View) -> list[Stood]:
    """The pins in the order of their letters, then the scenario shown, unless it is one of them."""
    its = letter_of(shown.scenario)
    pinned = sorted(kept_pins())
    found = [Stood(name, shown.scenario, shown, now=True) if name == its else _stood(name) for name in pinned]
    kept: dict[str, _Made] = st.session_state.get(draws.APART, {})
    for name in set(kept) - set(pinned):
        del kept[name]
    return found if its else [*found, Stood(NOW, shown.scenario, shown, now=True)]


def differing(stood: list[Stood]) -> Differences:
    """What differs among them, their guarantees too."""
    promised = tuple(one.view.leading.guarantee if isinstance(one.view, Shown) else None for one in stood)
    return differences([(one.scenario, None if one.view is None else one.view.table) for one in stood], promised)


def _stood(name: str) -> Stood:
    pin = kept_pins()[name]
    table = table_of(pin)
    if table is None:
        return Stood(name, pin.scenario, None)
    kept: dict[str, _Made] = st.session_state.setdefault(draws.APART, {})
    made = kept.get(name)
    if made is not None and (made.pin, made.table) == (pin, table):
        return made.stood
    stood = Stood(name, pin.scenario, view_apart(pin.scenario, table))
    if stood.ordered is not None:
        kept[name] = _Made(pin, table, stood)
    return stood
