"""What Explore would show of each pin, made once: a slider's move makes only that of the scenario shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import streamlit as st

from dpcore import plots
from dpcore.answers.answer import moved_in
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.plots.side_by_side import NOW
from dpcore.workbench.error_curve import ErrorCurve, error_curve
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.state import draws, pins, state
from pages.state.view import Shown, View, view_apart


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
            why = pins.gone(self.name)
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

    @cached_property
    def density(self) -> tuple[FloatArray, FloatArray] | None:
        """How likely its private answers are, where that is a curve."""
        return plots.density(self.view.headline, self.view.leading) if isinstance(self.view, Shown) else None


@final
@dataclass(frozen=True, eq=False)
class _Made:
    """A pin as it stands, and all that this hangs on."""

    pin: pins.Pin
    table: Table
    compared: bool
    stood: Stood


def side_by_side(shown: View) -> list[Stood]:
    """The pins in the order of their letters, then the scenario shown, unless it is one of them."""
    its = pins.letter_of(shown.scenario)
    pinned = sorted(pins.kept())
    found = [Stood(name, shown.scenario, shown, now=True) if name == its else _stood(name) for name in pinned]
    kept: dict[str, _Made] = st.session_state.get(draws.APART, {})
    for name in set(kept) - set(pinned):
        del kept[name]
    return found if its else [*found, Stood(NOW, shown.scenario, shown, now=True)]


def _stood(name: str) -> Stood:
    pin = pins.kept()[name]
    table = pins.table_of(pin)
    if table is None:
        return Stood(name, pin.scenario, None)
    kept: dict[str, _Made] = st.session_state.setdefault(draws.APART, {})
    made, compared = kept.get(name), state.compared(table.name)
    if made is not None and (made.pin, made.table, made.compared) == (pin, table, compared):
        return made.stood
    stood = Stood(name, pin.scenario, view_apart(pin.scenario, table))
    if stood.ordered is not None:
        kept[name] = _Made(pin, table, compared, stood)
    return stood
