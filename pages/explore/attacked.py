"""Attack it: how often the best guesser tells a row far out from another in its place, under each way of sizing noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from pages.charts.attack import DP, NO_NOISE, PAC, RANDOM_DP, Ruler, attacked
from pages.experiment import attack, attacked_tables, cost
from pages.experiment.attack import Attack, Way
from pages.experiment.attacked_tables import Asked
from pages.shared import asked_for, badges, escape, picture
from pages.shared.answer import with_unit
from pages.shared.escape import escaped
from pages.state import draws
from pages.state.draws import Exploration
from pages.state.view import Shown, View
from pages.wording.sentences import plain

TITLE = "Attack it"
AT_ONCE, MOST = 0.8, 600.0  # seconds of the target's answers: that are made unasked, and that are made at all
_DONE = (
    "One row is far from the others, or another row stands in its place. We make about 1,000 private answers of each of the two "
    "tables. A guesser, the best there is where the noise is known, says which table each answer is of."
)
_PAC = (
    "PAC privacy (Xiao and Devadas 2023) publishes the answer on a random half of the rows. Its promise is an average over "
    "halves, so it is no bound for one row, and has an axis of its own."
)
_INTERVAL = "Each interval holds the guesser's true accuracy with 95 % confidence."
_WAITING = "There is no private answer at this choice yet. So there is nothing to attack."
_PEOPLE = "Here a person with all rows is protected. The attack changes one row, so it is not run."
_SAID = {  # its group, its name, and to whom what is promised
    Way.WORST_CASE: (DP, "Worst case", "for each row of any table"),
    Way.BLOCKS: (DP, "Sample and aggregate", "for each row of any table"),
    Way.PROTECTED: (RANDOM_DP, "Δ̂, protected change", "for changes that move the answer by at most Δ̂"),
    Way.LEFT_OUT: (RANDOM_DP, "Δ̂, change left out", "for a change that is left out"),
    Way.HALVES: (PAC, "Random half of the rows", "on average over random halves of the table, for no row in particular"),
    Way.OF_A_PAIR: (PAC, "All other rows known", "once all other rows of the half are known"),
    Way.NONE: (NO_NOISE, "None", "for anybody"),
}


def show(view: View) -> None:
    """The heading, what is done, what was found beside what is promised as a figure and a table, and what it was made from."""
    st.markdown(f"### {TITLE}")
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
    of = view.exploration
    database = of.exact().database
    if len(database) != view.scenario.n:
        st.markdown(
            f"The table has {len(database):,} rows, and the noise is sized for {view.scenario.n:,}. So it is not attacked."
        )
        return
    few = _seconds(view, few=False) > AT_ONCE
    key = of.key("seed")
    answers = _asked_for(view, f"{key} {of.table.digest} {of.table.public}") if few else _answers(key, of, view.columns)
    if answers is None:
        return
    found, why = _found(key, few, _noise_key(view), answers, view)
    badge = badges.of_chart(view.table)
    of_halves = [one for one in found if _SAID[one.way][0] == PAC]
    _chart([one for one in found if one not in of_halves], "attack_chart", TITLE, badge)
    if of_halves:  # what promises something else has an axis of its own
        st.markdown(_PAC)
        _chart(of_halves, "attack_pac_chart", f"{TITLE}: {PAC}", badge)
    escape.table([_row(view, one) for one in found], "attack")
    st.markdown(" ".join(escaped(sentence) for sentence in (*why, _INTERVAL)))
    badges.show(badge)


def _chart(found: Sequence[Attack], key: str, title: str, badge: str) -> None:
    drawn, alt = attacked([_ruler(one) for one in found])
    picture.chart(drawn, key, alt, picture.Picture(title, badge), height="content")


def _seconds(view: Shown, *, few: bool) -> float:
    """About how long the target's answers take."""
    scenario = view.scenario
    a_call = cost.alone(scenario.target, view.exploration.oracle, scenario.n)
    return a_call * attacked_tables.calls(scenario, view.columns, few=few)


def _asked_for(view: Shown, key: str) -> Asked | None:
    """The answers of a slow target, once they were asked for and made; until then a button, or why nobody would wait for them."""
    seconds, of = _seconds(view, few=True), view.exploration
    if seconds > MOST:
        about = counted(f"{math.ceil(seconds / 60):,}", " minutes")
        st.markdown(f"The answers that an attack needs take about {about} here, too long to wait for.")
        return None
    database, columns = of.exact().database, view.columns
    steps = partial(attacked_tables.asking, view.scenario, database, columns, few=True)
    return asked_for.found("attack", key, "Attack it", seconds, steps)


def _noise_key(view: Shown) -> str:
    """All that the noise hangs on, beside the question."""
    fields = ("m", "gamma", "epsilon", "delta", "bound", "confidence", "mechanism")
    return view.exploration.key(*fields)


@draws.kept(4)
def _answers(key: str, _of: Exploration, _columns: tuple[Any, ...]) -> Asked:
    return attacked_tables.asked(_of.scenario, _of.exact().database, _columns)


@draws.kept(16)
def _found(key: str, few: bool, noise: str, _answers: Asked, _view: Shown) -> tuple[tuple[Attack, ...], tuple[str, ...]]:
    return attack.attacks(_view.scenario, _answers, _view.noise, _view.worst_noise)


def _ruler(one: Attack) -> Ruler:
    group, name, _ = _SAID[one.way]
    told = one.told
    promised = None if one.promised is None else 100 * one.promised
    return Ruler(name, group, 100 * told.share, (100 * told.low, 100 * told.high), promised, says(one))


def says(one: Attack) -> str:
    """ "promised: at most 74; found 57", or "no promise; found 99"."""
    found = f"found {round(100 * one.told.share)}"
    return f"no promise; {found}" if one.promised is None else f"promised: at most {_promised(one.promised)}; {found}"


def _promised(share: float) -> int:
    """In 100, rounded up."""
    return min(100, math.ceil(100 * share - 1e-9))


def _row(view: Shown, one: Attack) -> dict[str, str]:
    group, name, whom = _SAID[one.way]
    told = one.told
    promise = "no promise" if one.promised is None else f"at most {_promised(one.promised)} in 100,"
    return {
        "Noise": group if one.way is Way.NONE else f"{group} · {name}",
        "The answer moves by": "" if one.distance is None else with_unit(view, one.distance),
        "Promised": f"{promise} {whom}",
        "Found": f"{100 * told.share:.1f} in 100 ({100 * told.low:.1f} to {100 * told.high:.1f})",
    }
