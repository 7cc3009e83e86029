"""What all questions of a list share: ε, what gives way, the cap on a person's rows, the trials, and of what a ± is meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, final

import streamlit as st

from dpcore.targets.together import MOST_PARTS
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import MOST_EPSILON
from pages.files.tables import Table
from pages.shared import widgets
from pages.state.listed import changes, wanted

_KEEPS = {"epsilon": "ε in all, so that the other answers give way", "noise": "the other ±, so that ε gives way"}
_JOINTLY = {False: "each answer, taken alone", True: "all answers at once"}


@final
@dataclass(frozen=True)
class Shown:
    """What is shown of a list here. ``is_open``: the trials too."""

    is_open: bool
    said: tuple[object, ...]

    @classmethod
    def of(cls, made: QuestionList, table: Table, *, is_open: bool) -> Self:
        """That of a list as it is."""
        said = made.total, len(made.questions) > 1, made.keeps, bool(made.joined), made.jointly, changes.cap(made)
        trials = (made.gamma, made.m, wanted.takes(made, table)) if is_open else ()
        return cls(is_open, (*said, *trials))

    def now(self, made: QuestionList, table: Table) -> Shown:
        """What would be shown of another list in its place."""
        return Shown.of(made, table, is_open=self.is_open)


def show(made: QuestionList, table: Table, then: Callable[[], None] = lambda: None) -> Shown:
    """ε in all, what a change keeps, the cap on a person's rows, and the trials. ``then``: after each change of these."""
    after = partial(_after, then)
    widgets.slider(
        "list_epsilon",
        "ε for all answers together (more ε: more accurate, less protected)",
        "ε",
        widgets.EPSILON_GRID,
        made.total,
        after(partial(wanted.settle_total, table)),
        most=MOST_EPSILON * MOST_PARTS,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(made.questions) > 1:
            _choice("When a question changes, keep", "keeps", _KEEPS, made.keeps, table, after)
        if made.joined:
            _choice("± is meant of", "jointly", _JOINTLY, made.jointly, table, after)
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
    _number("Share of changes that may be left out, γ", "gamma", made.gamma, table, after, least=0.001, most=0.5, step=0.01)
    _number("Number of trials, m", "m", made.m, table, after, least=1, most=100_000, step=100)
    widgets.control(
        st.number_input,
        "Seconds for the trials",
        0.001,
        900.0,
        key="list_seconds",
        holds=float(f"{max(wanted.takes(made, table), 0.001):.2g}"),
        act=after(partial(wanted.wait, table)),
        format="%.6g",
    )
    st.markdown(":small[A smaller γ needs more trials; more trials give a steadier Δ̂ at the same γ.]")


def _choice(
    label: str, name: str, words: dict[object, str] | dict[str, str] | dict[bool, str], value: object, table: Table, after: _After
) -> None:
    widgets.control(
        st.selectbox,
        label,
        list(words),
        key=f"list_{name}",
        holds=value,
        act=after(lambda chosen: wanted.settle(table, **{name: chosen})),
        format_func=words.__getitem__,
        width=330,
    )


def _number(label: str, name: str, value: float, table: Table, after: _After, *, least: float, most: float, step: float) -> None:
    kind = type(value)
    widgets.control(
        st.number_input,
        label,
        kind(least),
        kind(most),
        key=f"list_{name}",
        holds=value,
        act=after(lambda given: wanted.settle(table, **{name: given})),
        step=kind(step),
        format="%d" if kind is int else "%.6g",
    )
