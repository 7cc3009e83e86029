"""Scenarios that are pinned, to stand beside the one shown: up to four, each under its letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import streamlit as st

from pages import state
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.state.pinned_link import LETTERS, fitted, same

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
