"""The tabs below the charts of Explore, such as the power of an attacker. Only the open one is built; at first none is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.audits.wrong_oracle import Missed, normal_shift
from dpcore.guarantees.descriptions import counted_in, figure, guessed, right_in_100, unit_of
from dpcore.guarantees.privacy import PureDP, RandomDP
from pages.escape import escaped
from pages.experiment import attack, unprotected
from pages.experiment.attack import Move
from pages.experiment.choices import title
from pages.experiment.descriptions import oracle_words
from pages.experiment.view import Question, View, question_key
from pages.experiment.words import filled, is_exact, most_right
from pages.figures import attacker
from pages.figures.theme import Chart
from pages.widgets import compare
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.notices import guarded

LEARN, UNPROTECTED, ORACLE, ATTACK = "What can an attacker learn?", "Not protected", "Wrong oracle", "Attack it"
_OPEN = "tabs"  # key in the session: label of the open tab, or None
_ODDS_POINTS, _ODDS_REACH = 121, 4.0  # points of the curve, and its shortest reach in Δ̂


def tabs_of(view: View) -> dict[str, Callable[[View], dict[str, Chart]]]:
    """Return the tabs that apply to a view, by label. Each one shows its text and returns its charts."""
    tabs: dict[str, Callable[[View], dict[str, Chart]]] = {}
    if view.noise is not None and is_exact(view):
        tabs[LEARN] = _show_learning
        if unprotected.can_be_unprotected(view):
            tabs |= {UNPROTECTED: _show_unprotected, ORACLE: _show_wrong_oracle}
        if attack.can_move(view.released):
            tabs[ATTACK] = _show_attack
    if compare.is_offered():
        tabs[compare.LABEL] = compare.show
    return tabs


@st.fragment
def show(view: View) -> None:
    """Show the tabs in a fragment, so their widgets do not rerun the rest of the page."""
    tabs = tabs_of(view)
    if st.session_state.get(_OPEN) not in tabs:
        st.session_state[_OPEN] = None
    if tabs:
        shown = st.segmented_control("Look closer", list(tabs), key=_OPEN)
        if shown is not None:
            guarded(lambda: _show_charts(view, tabs[shown](view)))


def _show_charts(view: View, charts: dict[str, Chart]) -> None:
    """Show charts side by side, and their numbers."""
    for (key, chart), column in zip(charts.items(), st.columns(2, gap="small"), strict=False):
        with column:
            show_chart(chart, key, filled(view)["line"])
    show_numbers(charts, "Numbers of this tab", "numbers_tab")


def _ask_stop(label: str, stops: Sequence[Any], start: Any, key: str, **looks: Any) -> Any:
    """Show a slider with its label above it: the label of ``st.select_slider`` would overlap the value."""
    st.markdown(label)
    return st.select_slider(label, stops, start, key=key, label_visibility="collapsed", persist_state="session", **looks)


def _percent(share: float, *, exact: bool) -> str:
    """Return a probability as a percentage; a bound is rounded up."""
    return f"{share:.1%}" if exact else f"at most {np.ceil(1000 * share - 1e-9) / 10:.1f}%"


def _unit(view: View) -> str:
    """Return the unit of a distance; a share has none."""
    return view.released.answer.moved_unit.removeprefix("share")


def _distance(view: View, distance: float) -> str:
    return f"{figure(distance)} {_unit(view)}".rstrip()


def _limit(view: View) -> str:
    """Return Δ̂, the distance to which the noise is calibrated, as Markdown."""
    return escaped(_distance(view, _noise(view).sensitivity.value))


def _noise(view: View) -> Any:
    """Return the calibrated noise; tabs are only offered with noise."""
    return view.noise


def _show_learning(view: View) -> dict[str, Chart]:
    noise, best, adjacency = _noise(view), view.attacker, view.scenario.adjacency
    assert best is not None
    exact, sampled = best.exact, isinstance(noise.guarantee, RandomDP)
    right = float(best.right(noise.sensitivity.value))
    which = "the largest change that is protected" if sampled else f"the largest possible change of {unit_of(adjacency)}"
    most = most_right(noise.guarantee.epsilon, 0.0 if isinstance(noise.guarantee, PureDP) else noise.guarantee.delta)
    bound = "" if exact else " For this noise no exact number is known, so this is a bound."
    st.markdown(
        f"An attacker knows all other {counted_in(adjacency)}, sees one private answer and guesses {guessed(adjacency)}. "
        f"For {which}, the best guess is right **{_percent(right, exact=exact)}** of the time.{bound} Random guessing is right "
        f"50% of the time. The guarantee allows {_percent(most, exact=False)}."
    )
    count = right_in_100(right, exact=exact)
    name = f"{'' if exact else 'At most '}{count} of 100 guesses are right"
    if unprotected.can_be_unprotected(view):
        st.markdown(f"Other changes are not protected, and an attacker can learn more from them. See “{UNPROTECTED}”.")
    elif sampled:
        st.markdown(
            "Δ̂ reaches the proved worst case, so no change is beyond it. The noise “worst case” gives differential privacy."
        )
    return {"icons_guess": attacker.icons_chart(name, count, "right", "wrong")}


def _show_unprotected(view: View) -> dict[str, Chart]:
    guarantee, sensitivity = _noise(view).guarantee, _noise(view).sensitivity.value
    best, adjacency = view.attacker, view.scenario.adjacency
    assert best is not None
    points, pairs, failed = unprotected.three_pairs(view), len(unprotected.beyond(view)), unprotected.without_answer(view)
    average = " on average" if guarantee.confidence is None else f" with confidence {guarantee.confidence:g}"
    beyond = f"{pairs:,} of the {view.point.m:,} sampled pairs {'is' if pairs == 1 else 'are'} beyond Δ̂."
    no_answer = f" {failed:,} more had no answer at all, which reveals the change." if failed else ""
    st.markdown(
        f"**Up to {100 * guarantee.gamma:.3g}% of random changes of {unit_of(adjacency)}{average} are not protected**: those of "
        f"unusual {counted_in(adjacency)}. They move the answer further than Δ̂ = {_limit(view)}, to which the noise "
        "is calibrated. Nothing is promised about them: the further the answer moves, the closer an attacker gets to 100%.\n\n"
        f"{beyond if pairs else 'No sampled pair with an answer is beyond Δ̂, but other changes can be.'}{no_answer}"
    )
    reach = max([_ODDS_REACH * sensitivity, *(1.05 * distance for distance, _ in points)])
    distances = np.unique([*np.linspace(0, reach, _ODDS_POINTS), sensitivity])
    right = np.asarray(best.right(distances))
    return {"odds": attacker.odds_chart(distances, right, points, sensitivity, unit=_unit(view), exact=best.exact)}


def _show_wrong_oracle(view: View) -> dict[str, Chart]:
    st.markdown(
        "The noise is calibrated to the oracle. If real rows are less regular than its rows, more changes than γ are not "
        "protected. The private answer itself never comes from the oracle."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        charts = _show_theory(view)
    with right:
        return charts | _show_other_oracle(view)


def _show_theory(view: View) -> dict[str, Chart]:
    """Show Proposition 8: the share that is not protected against the divergence of the world from the oracle."""
    gamma, records = _noise(view).guarantee.gamma, unprotected.deciding_records(view)
    adjacency = view.scenario.adjacency
    one = "table" if records is None else "row" if adjacency.of_records else "person"
    tau = _ask_stop(
        f"τ: Kullback–Leibler divergence of the world from the oracle, per {one}",
        unprotected.TAUS,
        unprotected.FIRST_TAU,
        "slide_tau",
        format_func=lambda value: f"{value:g}",
    )
    here = float(unprotected.gammas(gamma, records, np.array([tau]))[0])
    many = "the whole table counts" if records is None else f"{records:,} {counted_in(adjacency)} count"
    share = f"Up to {min(np.ceil(1e4 * here) / 100, 100):.4g}% of random changes are" if here < 0.999 else "All changes may be"
    st.markdown(
        f"In a normal column, τ = {tau:g} is a shift of the mean by {figure(normal_shift(tau))} standard deviations. "
        f"For this target, {many}. **{share} not protected then** (Proposition 8)."
    )
    taus = np.array(unprotected.TAUS)
    return {"gamma_chart": attacker.gamma_chart(taus, unprotected.gammas(gamma, records, taus), gamma, tau, here)}


def _show_other_oracle(view: View) -> dict[str, Chart]:
    """Show the share of changes drawn from another oracle that are beyond Δ̂."""
    noise, kinds = _noise(view), unprotected.other_oracles(view.question)
    if not kinds:
        st.markdown("These columns have only one oracle.")
        return {}
    kind = st.selectbox(
        "Draw the changes from another oracle",
        kinds,
        key=f"pick_other_oracle_{hash(kinds)}",
        format_func=title,
        help="The noise stays calibrated to the scenario’s own oracle.",
        persist_state="session",
    )
    other, sensitivity = unprotected.another(view.question, kind), noise.sensitivity.value
    found = {
        name: _share_beyond(question_key(one.scenario, one.table), sensitivity, one, own=one is view.question)
        for name, one in (("scenario’s oracle", view.question), ("other oracle", other))
    }
    st.markdown(f"{_verdict(view, found['other oracle'])} The other oracle: {escaped(oracle_words(other.scenario.oracle))}.")
    shares = {name: (one.missed / one.pairs, one.low, one.high) for name, one in found.items()}
    return {"missed_chart": attacker.missed_chart(shares, noise.guarantee.gamma)}


@st.cache_data(scope="session", max_entries=16, show_spinner="Drawing pairs")
def _share_beyond(key: str, sensitivity: float, _question: Question, *, own: bool) -> Missed:
    """Return the share of changes of an oracle beyond Δ̂. Drawing can take seconds."""
    return unprotected.unprotected_share(_question, sensitivity, own=own)


def _verdict(view: View, found: Missed) -> str:
    guarantee = _noise(view).guarantee
    said = (
        f"**{found.missed / found.pairs:.2%}** of {found.pairs:,} random changes are beyond Δ̂ "
        f"(95% interval: {found.low:.2%} to {found.high:.2%}). γ promises at most {100 * guarantee.gamma:.3g}%"
    )
    if guarantee.confidence is None:
        return f"{said} on average over all draws of Δ̂; this is one of them."
    held = "hold" if found.high <= guarantee.gamma else "not hold" if found.low > guarantee.gamma else "perhaps hold"
    return f"{said}, so with this oracle the promise would {held}."


def _show_attack(view: View) -> dict[str, Chart]:
    attack.refuse_slow(view.released)
    moves = attack.moves(view.released)
    if not moves:
        st.markdown("In this table no row can be moved.")
        return {}
    move, place = _ask_move(view, moves)
    pair, run = move.pair(place), st.session_state.get("attack_run", 0)
    found = attack.attack(_noise(view).law, pair, seed=view.scenario.seed, run=run)
    promised = attack.promised(view, pair.distance)
    st.markdown(_attack_words(view, pair.distance, found, promised))
    who, removes = "row" if view.scenario.adjacency.of_records else "person", view.scenario.adjacency.removes
    names = f"moved {who}", f"{'removed' if removes else 'typical'} {who}"
    what, unit = ("private answer", _unit(view)) if found.numbers else (f"evidence for the table with the {names[0]}", "")
    knows = "learns from the same number of other releases" if found.learned else "knows both tables and the noise"
    st.markdown(
        f"Both tables are the {'public' if view.question.table.public else 'simulated'} table: one {who} is moved in the first "
        f"and {'removed' if removes else 'typical'} in the second. The app simulates {found.releases // 2:,} releases of each. "
        f"The attacker {knows}, and says which table each release is from."
    )
    again = partial(st.session_state.update, attack_run=run + 1)
    st.button("Simulate again", key="attack_again", icon=":material/refresh:", on_click=again)
    return {
        "releases": attacker.releases_chart(found.shown, names, what=what, unit=unit),
        "found": attacker.found_chart(found.accuracy, (found.low, found.high), promised),
    }


def _ask_move(view: View, moves: tuple[Move, ...]) -> tuple[Move, int]:
    """Show the column and the slider of the changed row; return the change and the index of the stop."""
    of = hash(question_key(view.released.scenario, view.question.table))  # each question has its own entries
    at = st.selectbox(
        "Column",
        range(len(moves)),
        attack.widest(moves),
        key=f"attack_column_{of}",
        format_func=lambda at: moves[at].column.words,
        width=260,
        persist_state="session",
    )
    move = moves[at]
    rows = "one row" if view.scenario.adjacency.of_records else f"all {len(move.rows):,} rows of one person"
    place: int = _ask_stop(
        f"{escaped(move.column.label or move.column.name)} in {rows}, from a typical one outwards:",
        range(len(move.stops)),
        move.furthest(_noise(view).sensitivity.value),
        f"attack_place_{of}_{at}",
        format_func=move.label,
        width=560,
    )
    return move, place


def _attack_words(view: View, distance: float, found: attack.Attack, promised: float | None) -> str:
    moved = f"The answer moves by {escaped(_distance(view, distance))}." if distance else "The answer does not move."
    right = f"**The attacker is right {found.accuracy:.1%} of the time** (95% interval: {found.low:.1%} to {found.high:.1%})."
    # Only the best attacker's accuracy determines the overlap of the two distributions.
    measured = right if found.learned else f"{right} The releases overlap by {found.overlap:.0%}."
    if promised is None:
        return f"{moved} **That is beyond Δ̂ = {_limit(view)}, so nothing is promised about this change.** {measured}"
    best = " This is the best attacker’s exact accuracy." if view.attacker is not None and view.attacker.exact else ""
    return f"{moved} {measured} **Promised: {_percent(promised, exact=False)}.**{best}"
