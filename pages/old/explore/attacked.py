"""Attack it: how often the best guesser tells two neighbouring tables apart by simulated private answers."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from pages.experiment import cost
from pages.old.charts.attack import attacked
from pages.old.experiment import attack, attacked_tables
from pages.old.experiment.attack import Attack
from pages.old.experiment.attacked_tables import Change
from pages.old.shared import badges, escape, picture
from pages.old.shared.answer import with_unit
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import while_open
from pages.old.state import doubts, draws
from pages.old.state.draws import Exploration
from pages.old.state.view import Shown, View
from pages.old.wording.sentences import plain

TITLE = "Attack it"
MOST = 3.0  # seconds that a page waits for the target's answers
_DONE = (
    "One row is replaced or left out. We make about 1,000 private answers of each of the two tables. A guesser, the best there "
    "is where the noise is known, says which table each answer is of."
)
_INTERVAL = (
    "The interval holds the guesser's true accuracy with 95 % confidence. The more the answers of both tables overlap, the less "
    "he can tell."
)
_BEYOND = "The furthest change that we found moves the answer by {}. It is not protected."
_WAITING = "There is no private answer at this choice yet. So there is nothing to attack."
_PEOPLE = "Here a person with all rows is protected. The attack changes one row, so it is not run."
_SLOW = "The attack needs about {:,} answers of this question. They take about {:,} seconds here, too long to wait for."


def show(view: View) -> None:
    """Behind a line that is built only while it is open."""
    while_open(doubts.box(doubts.ATTACK, TITLE, "balance"), partial(_opened, view))


def _opened(view: View) -> None:
    """What is done, what was found beside what is promised as a figure and a table, and what it was made from."""
    if not isinstance(view, Shown):
        st.markdown(_WAITING)
    elif not view.scenario.adjacency.of_records:
        st.markdown(_PEOPLE)
    else:
        st.markdown(_DONE)
        try:
            _attack(view)
        except DpcoreError as error:
            st.markdown(escaped(f"Nothing was attacked. {plain(error)}"))


def _attack(view: Shown) -> None:
    of, scenario = view.exploration, view.scenario
    database = of.exact().database
    if len(database) != scenario.n:
        st.markdown(f"The table has {len(database):,} rows, and the noise is sized for {scenario.n:,}. So it is not attacked.")
        return
    calls = attacked_tables.calls(scenario, view.columns)
    seconds = calls * cost.alone(scenario.target, of.oracle, scenario.n)
    if seconds > MOST:
        st.markdown(_SLOW.format(calls, math.ceil(seconds)))
        return
    key = of.key("seed")
    found = _found(key, _noise_key(view), _changes(key, of, view.columns), view)
    badge = badges.of_chart(view.table)
    told, promised = found.told, None if found.promised is None else 100 * found.promised
    drawn, alt = attacked(100 * told.share, (100 * told.low, 100 * told.high), promised, says(found))
    picture.chart(drawn, "attack_chart", alt, picture.Picture(TITLE, badge), height="content")
    escape.table([_row(view, found)], "attack")
    beyond = escaped(_BEYOND.format(with_unit(view, found.furthest))) if found.furthest > found.distance else ""
    st.markdown(f"{_INTERVAL} {beyond}".strip())
    badges.show(badge)


def _noise_key(view: Shown) -> str:
    """All that the noise hangs on, beside the question."""
    fields = ("m", "gamma", "epsilon", "delta", "bound", "confidence", "mechanism")
    return view.exploration.key(*fields)


@draws.kept(4)
def _changes(key: str, _of: Exploration, _columns: tuple[Any, ...]) -> tuple[Change, ...]:
    return attacked_tables.changes(_of.scenario, _of.exact().database, _columns)


@draws.kept(16)
def _found(key: str, noise: str, _changes: tuple[Change, ...], _view: Shown) -> Attack:
    return attack.attack(_changes, _view.noise, seed=_view.scenario.seed)


def says(one: Attack) -> str:
    """ "promised: at most 74; found 57", or "no promise; found 99"."""
    found = f"found {round(100 * one.told.share)}"
    return f"no promise; {found}" if one.promised is None else f"promised: at most {_promised(one.promised)}; {found}"


def _promised(share: float) -> int:
    """In 100, rounded up."""
    return min(100, math.ceil(100 * share - 1e-9))


def _row(view: Shown, one: Attack) -> dict[str, str]:
    told = one.told
    overlap, least, most = (min(100.0, 200 * (1 - right)) for right in (told.share, told.high, told.low))
    return {
        "The answer moves by": with_unit(view, one.distance),
        "Promised": "no promise" if one.promised is None else f"at most {_promised(one.promised)} in 100",
        "Found": f"{100 * told.share:.1f} in 100 ({100 * told.low:.1f} to {100 * told.high:.1f})",
        "The answers overlap": f"{overlap:.0f} % ({least:.0f} to {most:.0f})",
    }
