"""The tab Compare: the pinned scenarios and the one that is shown, side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from pages import jobs, pins
from pages.experiment.scenario import Scenario
from pages.experiment.view import View
from pages.experiment.view import view as view_of
from pages.experiment.words import filled
from pages.exports.settings import differences, settings
from pages.figures.compare import compare_chart
from pages.old.shared.escape import escaped
from pages.old.wording.sentences import plain
from pages.server.jobs import Job
from pages.widgets.charts import show_chart

LABEL = "Compare"
NOW = "now"


@final
@dataclass(frozen=True, eq=False)
class _Compared:
    """One scenario of the comparison, with its view or the reason why it is not drawn."""

    letter: str
    scenario: Scenario
    view: View | str

    @property
    def settings(self) -> dict[str, str]:
        """Its settings in words."""
        if isinstance(self.view, View):
            return settings(self.scenario, self.view.question.table)
        found = pins.table_of(self.scenario)
        return {"table": self.scenario.table} if isinstance(found, str) else settings(self.scenario, found)

    @property
    def error(self) -> float | None:
        """Its error, if it has a private answer."""
        if isinstance(self.view, str) or self.view.noise is None:
            return None
        return self.view.released.accuracy.at(self.view.noise.law)

    @property
    def meaning(self) -> tuple[str, str]:
        """The sense and the unit of its error."""
        if isinstance(self.view, str) or self.view.noise is None:
            return "", ""
        return self.view.released.accuracy.what, self.view.released.accuracy.unit


def is_offered() -> bool:
    """Return whether there is anything to compare."""
    return bool(pins.pinned())


def show(view: View) -> None:
    """Show the comparison, if anything is pinned.

    Args:
        view: The view on the page.
    """
    if not is_offered():
        return
    now = pins.letter_of(view.scenario)
    items = [
        _Compared(letter, one, view if letter == now else _view(one))
        for letter, one in zip(pins.LETTERS, pins.pinned(), strict=False)
    ]
    if not now:
        items.append(_Compared(NOW, view.scenario, view))
    names = differences([item.settings for item in items])
    rows = [_row(item, name, shown=item.letter in (now, NOW)) for item, name in zip(items, names, strict=True)]
    st.table([{name: escaped(cell) for name, cell in row.items()} for row in rows], border="horizontal")
    with st.container(horizontal=True, gap="xsmall", key="compare_buttons"):
        for letter, one in zip(pins.LETTERS, pins.pinned(), strict=False):
            if letter != now:
                _button(f"Show {letter}", f"show_{letter}", "visibility", pins.show, one)
            _button(f"Unpin {letter}", f"unpin_{letter}", "keep_off", pins.unpin, one)
    _chart(items, names, [item.letter in (now, NOW) for item in items].index(True))


def _button(label: str, key: str, icon: str, act: Callable[[Scenario], None], scenario: Scenario) -> None:
    """Show a button that changes the whole page, also from within a fragment."""
    if st.button(label, key=key, icon=f":material/{icon}:", type="tertiary"):
        act(scenario)
        st.rerun()


def _view(scenario: Scenario) -> View | str:
    """Return what a pinned scenario shows, or why it is not drawn."""
    table = pins.table_of(scenario)
    if isinstance(table, str):
        return table
    question = jobs.question(scenario, table)
    try:
        if not jobs.are_quick(question, scenario.m):
            return "Not drawn yet: show it."
        drawn = jobs.draws(question, scenario.m)
        return "Not drawn yet: show it." if isinstance(drawn, Job) else view_of(scenario, question, drawn)
    except DpcoreError as error:
        return plain(error)


def _row(item: _Compared, name: str, *, shown: bool) -> dict[str, str]:
    found = {"scenario": f"{item.letter} (shown)" if shown and item.letter != NOW else item.letter, "what differs": name}
    view = item.view
    if isinstance(view, str):
        return found | {"error": view, "Δ̂": "", "k": "", "guarantee": ""}
    if view.noise is None or item.error is None:
        why = "" if view.problem is None else plain(view.problem)
        return found | {"error": why or "no private answer", "Δ̂": "", "k": "", "guarantee": ""}
    accuracy = view.released.accuracy
    delta = "" if view.order_statistic is None else figure(view.order_statistic)
    unit = "" if accuracy.unit in ("", "share") else f" {accuracy.unit}"
    error = f"{accuracy.said(item.error)}{unit} ({accuracy.what})"
    return found | {"error": error, "Δ̂": delta, "k": f"{view.point.k:,}", "guarantee": filled(view)["line"]}


def _chart(items: list[_Compared], names: list[str], shown: int) -> None:
    """Draw the errors that have the sense and the unit of the current one, and name the scenarios that are left out."""
    if len(items) == 1:
        st.markdown("Change a setting to compare it with the pinned scenario.")
        return
    alike = [place for place, item in enumerate(items) if item.error is not None and item.meaning == items[shown].meaning]
    if len(alike) < 2:
        st.markdown("These errors differ in meaning or unit, so they are not drawn in one chart.")
        return
    errors = [error for place in alike if (error := items[place].error) is not None]
    what, unit = items[shown].meaning
    view = items[shown].view
    assert isinstance(view, View)
    percent = view.released.accuracy.percent
    labels = [f"{items[place].letter}: {names[place]}" for place in alike]
    guarantees = [_row(items[place], "", shown=False)["guarantee"] for place in alike]
    chart = compare_chart(
        labels, guarantees, errors, shown=alike.index(shown), what=what, unit="" if unit == "share" else unit, percent=percent
    )
    show_chart(chart, "compare", "")
    if len(alike) < len(items):
        others = ", ".join(items[place].letter for place in range(len(items)) if place not in alike)
        st.markdown(f"Without {escaped(others)}, whose error is not known or means something else.")
