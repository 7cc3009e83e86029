"""What all questions of a list share: ε, the cap on a person's rows and the trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, final

import streamlit as st

from pages.experiment.scenario import MOST_EPSILON
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import MOST_QUESTIONS, QuestionList
from pages.old.shared import widgets
from pages.old.state.listed import changes, settings


@final
@dataclass(frozen=True)
class Shown:
    """What is shown of a list here. ``is_open``: the trials too."""

    is_open: bool
    said: tuple[object, ...]

    @classmethod
    def of(cls, made: QuestionList, table: Table, *, is_open: bool) -> Self:
        """That of a list as it is."""
        trials = (made.gamma, made.m) if is_open else ()
        return cls(is_open, (made.total, changes.cap(made), *trials))

    def now(self, made: QuestionList, table: Table) -> Shown:
        """What would be shown of another list in its place."""
        return Shown.of(made, table, is_open=self.is_open)


def show(made: QuestionList, table: Table, then: Callable[[], None] = lambda: None) -> Shown:
    """ε in all, the cap on a person's rows, and the trials. ``then``: after each change of these."""
    after = partial(_after, then)
    widgets.slider(
        "list_epsilon",
        "ε for all answers together (more ε: more accurate, less protected)",
        "ε",
        widgets.EPSILON_GRID,
        made.total,
        after(partial(settings.settle_total, table)),
        most=MOST_EPSILON * MOST_QUESTIONS,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if (cap := changes.cap(made)) is not None:
            _cap(cap, table, after)
        box = st.popover("Trials", key="list_trials", icon=":material/tune:", on_change="rerun")
        widgets.while_open(box, lambda: _trials(made, table, after))
    return Shown.of(made, table, is_open=bool(box.open))


_Act = Callable[[Any], None]
_After = Callable[[_Act], _Act]


def _after(then: Callable[[], None], act: _Act) -> _Act:
    def acted(given: Any) -> None:
        act(given)
        then()

    return acted


def _cap(rows: int, table: Table, after: _After) -> None:
    """One for the whole list."""
    widgets.control(
        st.number_input,
        "Rows a person counts for, s",
        1,
        1_000_000,
        key="list_cap",
        holds=rows,
        act=after(partial(changes.set_cap, table)),
        step=1,
        width=190,
        help="Of somebody with more rows, each counts for less, so that all together count as s. The page People shows what "
        "each s costs in noise and in rows that do not count.",
    )


def _trials(made: QuestionList, table: Table, after: _After) -> None:
    label = "Share of changes that may be left out, γ, of all questions together"
    _number(label, "gamma", made.gamma, table, after, least=0.001, most=0.5, step=0.01)
    _number("Number of trials of each question, m", "m", made.m, table, after, least=1, most=100_000, step=100)
    st.markdown(":small[The questions divide γ equally, so each needs more trials than one alone: m rises as far as it must.]")


def _number(label: str, name: str, value: float, table: Table, after: _After, *, least: float, most: float, step: float) -> None:
    kind = type(value)
    widgets.control(
        st.number_input,
        label,
        kind(least),
        kind(most),
        key=f"list_{name}",
        holds=value,
        act=after(lambda given: settings.settle(table, **{name: given})),
        step=kind(step),
        format="%d" if kind is int else "%.6g",
    )
