"""The tabs below the charts of Explore, such as the power of an attacker. Only the open one is built; at first none is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_in
from dpcore.audits.wrong_oracle import Missed, normal_shift
from dpcore.guarantees.descriptions import counted_in, figure, guessed, in_or_not, right_in_100, unit_of, whose_side
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.mechanisms.base import Calibrated
from pages.escape import escaped
from pages.experiment import attack, neighbours, other_oracle, unprotected
from pages.experiment.choices import title
from pages.experiment.descriptions import oracle_words
from pages.experiment.neighbours import Move
from pages.experiment.view import Question, View, question_key
from pages.experiment.words import filled, is_exact, most_right
from pages.figures import attacker
from pages.figures.theme import Chart
from pages.widgets import compare, member_errors
from pages.widgets.charts import show_chart, show_numbers
from pages.widgets.controls import control

LEARN, UNPROTECTED, ORACLE, ATTACK = "What can an attacker learn?", "Not protected", "Wrong oracle", "Attack it"
_OPEN = "tabs"  # key in the session: label of the open tab, or None
_KEPT = 16
_ODDS_POINTS, _ODDS_REACH = 121, 4.0  # points of the curve, and its shortest reach in Δ̂


def tabs_of(view: View) -> dict[str, Callable[[], None]]:
    """Return the tabs that apply to a view, by label, each with the function that builds it."""
    compared: dict[str, Callable[[], None]] = {compare.LABEL: partial(compare.show, view)} if compare.is_offered() else {}
    if view.noise is None or not is_exact(view):
        return compared
    tabs: dict[str, Callable[[], None]] = {LEARN: partial(_learn, view)}
    if unprotected.can_be_unprotected(view):
        tabs[UNPROTECTED] = partial(_unprotected, view)
        tabs[ORACLE] = partial(_wrong_oracle, view)
    if neighbours.can_move(view.released):
        tabs[ATTACK] = partial(_attack, view)
    return tabs | compared


def show(view: View) -> None:
    """Show the tabs in a fragment, so their widgets do not rerun the rest of the page."""
    st.fragment(_show)(view)


def _show(view: View) -> None:
    tabs = tabs_of(view)
    if st.session_state.get(_OPEN) not in tabs:
        st.session_state[_OPEN] = None
    if not tabs:
        return
    shown = st.segmented_control("Look closer", list(tabs), key=_OPEN)
    if shown is not None:
        member_errors.guarded(tabs[shown])


def _noise(view: View) -> Calibrated[Any]:
    assert view.noise is not None
    return view.noise


def _guesser(view: View) -> Guesser:
    assert view.guesser is not None
    return view.guesser


def _numbers(charts: dict[str, Chart]) -> None:
    show_numbers(charts, "Numbers of this tab", "numbers_tab")


def _slider(label: str, options: Sequence[Any], **more: Any) -> None:
    """Show a slider with its label above it. The label of ``st.select_slider`` would overlap the value."""
    st.markdown(label)
    control(st.select_slider, label, options, label_visibility="collapsed", **more)


def _charts(view: View, charts: dict[str, Chart]) -> None:
    """Show charts side by side."""
    for (key, chart), column in zip(charts.items(), st.columns(max(2, len(charts)), gap="small"), strict=False):
        with column:
            show_chart(chart, key, _line(view))


def _percent(share: float, exact: bool) -> str:
    """Return a probability as a percentage; a bound is rounded up."""
    return f"{share:.1%}" if exact else f"at most {np.ceil(1000 * share - 1e-9) / 10:.1f}%"


def _distance_text(view: View, distance: float) -> str:
    """Return a distance with its unit."""
    return f"{figure(distance)} {_unit(view)}".rstrip()


def _unit(view: View) -> str:
    """Return the unit of a distance; a share has none."""
    return moved_in(view.released.answer).removeprefix("share")


def _learn(view: View) -> None:
    noise, guesser, adjacency = _noise(view), _guesser(view), view.scenario.adjacency
    guarantee: Any = noise.guarantee
    unit = view.question.table.unit
    right = float(guesser.right(noise.sensitivity.value))
    count = right_in_100(right, exact=guesser.exact)
    sampled = isinstance(guarantee, RandomDP)
    which = "the largest change that is protected" if sampled else f"the largest possible change of {unit_of(adjacency)}"
    most = most_right(guarantee.epsilon, 0.0 if isinstance(guarantee, PureDP) else guarantee.delta)
    st.markdown(
        f"An attacker knows all other {counted_in(adjacency)}, sees one private answer and guesses {guessed(adjacency)}. "
        f"For {which}, the best guess is right **{_percent(right, guesser.exact)}** of the time. Random guessing is right 50% "
        f"of the time. The guarantee allows {_percent(most, False)}."
    )
    charts = {}
    if guesser.sides:
        side, bound = f"on {whose_side(adjacency, unit)}", ("", "") if guesser.exact else ("at most ", "at least ")
        for key, state, number, least in zip(("in", "out"), in_or_not(adjacency, unit), (count, 100 - count), bound, strict=True):
            name = f"If {state}: {least}{number} of 100"
            charts[f"icons_{key}"] = attacker.icons_chart(name, number, side, "on the other side")
        st.markdown(f"An answer is {side} if it is likelier when {in_or_not(adjacency, unit)[0]}.")
    else:
        name = f"{'' if guesser.exact else 'At most '}{count} of 100 guesses are right"
        charts["icons_guess"] = attacker.icons_chart(name, count, "right", "wrong")
        st.markdown("" if guesser.exact else "For this noise no exact number is known, so this is a bound.")
    _charts(view, charts)
    _numbers(charts)
    if unprotected.can_be_unprotected(view):
        st.markdown(f"Other changes are not protected, and an attacker can learn more from them. See “{UNPROTECTED}”.")
    elif sampled:
        st.markdown(
            "Δ̂ reaches the proved worst case, so no change is beyond it. The noise “worst case” gives differential privacy."
        )


def _unprotected(view: View) -> None:
    guarantee: Any = _noise(view).guarantee
    sensitivity, guesser, adjacency = _noise(view).sensitivity.value, _guesser(view), view.scenario.adjacency
    trials, pairs = unprotected.three_trials(view), unprotected.beyond(view)
    average = " on average" if guarantee.confidence is None else f" with confidence {guarantee.confidence:g}"
    failed, limit = unprotected.without_answer(view), escaped(_distance_text(view, sensitivity))
    st.markdown(
        f"**Up to {100 * guarantee.gamma:.3g}% of random changes of {unit_of(adjacency)}{average} are not protected**: those of "
        f"unusual {counted_in(adjacency)}. They move the answer further than Δ̂ = {limit}, to which the noise "
        "is calibrated. Nothing is promised about them: the further the answer moves, the closer an attacker gets to 100%."
    )
    beyond = f"{len(pairs):,} of the {view.point.m:,} sampled pairs " + ("is" if len(pairs) == 1 else "are") + " beyond Δ̂."
    no_answer = f" {failed:,} more had no answer at all, which reveals the change." if failed else ""
    none = "No sampled pair with an answer is beyond Δ̂, but other changes can be."
    st.markdown(f"{beyond if len(pairs) else none}{no_answer}")
    reach = max([_ODDS_REACH * sensitivity, *(1.05 * trial.distance for trial in trials)])
    distances = np.unique([*np.linspace(0, reach, _ODDS_POINTS), sensitivity])
    points = [(trial.distance, trial.right) for trial in trials]
    right = np.asarray(guesser.right(distances))
    chart = attacker.odds_chart(distances, right, points, sensitivity, unit=_unit(view), exact=guesser.exact)
    left, beside = st.columns(2, gap="medium")
    with left:
        show_chart(chart, "odds", _line(view))
    if trials:
        with beside:
            st.markdown(f"{'Some of the pairs' if len(trials) > 1 else 'The pair'} beyond Δ̂, drawn from the oracle:")
            st.dataframe([_trial_row(view, trial) for trial in trials], hide_index=True, width="content", key="trials")
    _numbers({"odds": chart})


def _trial_row(view: View, trial: unprotected.Trial) -> dict[str, str]:
    changed = {"removed" if view.scenario.adjacency.removes else "replaced": trial.before, "by": trial.after}
    return {
        "pair": f"{trial.pair + 1:,}",
        "answer moves by": _distance_text(view, trial.distance),
        "attacker is right": _percent(trial.right, _guesser(view).exact),
    } | {name: text for name, text in changed.items() if text}


def _wrong_oracle(view: View) -> None:
    st.markdown(
        "The noise is calibrated to the oracle. If real rows are less regular than its rows, more changes than γ are not "
        "protected. The private answer itself never comes from the oracle."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        charts = _by_theory(view)
    with right:
        charts |= _by_drawing(view)
    _numbers(charts)


def _by_theory(view: View) -> dict[str, Chart]:
    gamma, records = _gamma(view), other_oracle.deciding_records(view)
    tau = st.session_state.get("tau", other_oracle.FIRST_TAU)
    people = not view.scenario.adjacency.of_records
    one = "table" if records is None else "person" if people else "row"
    _slider(
        f"τ: Kullback–Leibler divergence of the world from the oracle, per {one}",
        other_oracle.TAUS,
        key="slide_tau",
        holds=tau,
        act=partial(_store, "tau"),
        format_func=lambda value: f"{value:g}",
    )
    here = float(other_oracle.gammas(gamma, records, np.array([tau]))[0])
    many = "the whole table counts" if records is None else f"{records:,} {counted_in(view.scenario.adjacency)} count"
    share = f"Up to {min(np.ceil(1e4 * here) / 100, 100):.4g}% of random changes are" if here < 0.999 else "All changes may be"
    st.markdown(
        f"In a normal column, τ = {tau:g} is a shift of the mean by {figure(normal_shift(tau))} standard deviations. "
        f"For this target, {many}. **{share} not protected then** (Proposition 8)."
    )
    taus = np.array(other_oracle.TAUS)
    chart = attacker.gamma_chart(taus, other_oracle.gammas(gamma, records, taus), gamma, tau, here)
    show_chart(chart, "gamma_chart", _line(view))
    return {"gamma": chart}


def _by_drawing(view: View) -> dict[str, Chart]:
    kinds = other_oracle.other_oracles(view.question)
    if not kinds:
        st.markdown("These columns have only one oracle.")
        return {}
    chosen = st.session_state.get("other_oracle")
    kind = chosen if chosen in kinds else kinds[0]
    control(
        st.selectbox,
        "Draw the changes from another oracle",
        kinds,
        key="pick_other_oracle",
        holds=kind,
        act=partial(_store, "other_oracle"),
        format_func=title,
        help="The noise stays calibrated to the scenario’s own oracle.",
    )
    other = other_oracle.another(view.question, kind)
    with st.spinner("Drawing pairs from both oracles"):
        found, own = _share_beyond(view, other), _share_beyond(view, view.question)
    st.markdown(f"{_verdict(view, found)} The other oracle: {escaped(oracle_words(other.scenario.oracle))}.")
    of = {"scenario’s oracle": own, "other oracle": found}
    shares = {name: (one.missed / one.pairs, one.low, one.high) for name, one in of.items()}
    chart = attacker.missed_chart(shares, _gamma(view))
    show_chart(chart, "missed_chart", _line(view))
    return {"missed": chart}


def _share_beyond(view: View, question: Question) -> Missed:
    """Return the share of changes of an oracle beyond Δ̂. The session caches it, because drawing can take seconds."""
    sensitivity = _noise(view).sensitivity.value
    key = question_key(question.scenario, question.table), sensitivity
    kept: dict[Any, Missed] = st.session_state.setdefault("shares_beyond", {})
    if key not in kept:
        kept[key] = other_oracle.unprotected_share(question, sensitivity, own=question is view.question)
        for oldest in list(kept)[:-_KEPT]:
            del kept[oldest]
    return kept[key]


def _verdict(view: View, found: Missed) -> str:
    guarantee: Any = _noise(view).guarantee
    ends = f"{found.low:.2%} to {found.high:.2%}"
    said = f"**{found.missed / found.pairs:.2%}** of {found.pairs:,} random changes are beyond Δ̂ (95% interval: {ends})."
    promised = f"γ promises at most {100 * guarantee.gamma:.3g}%"
    if guarantee.confidence is None:
        return f"{said} {promised} on average over all draws of Δ̂; this is one of them."
    held = "hold" if found.high <= guarantee.gamma else "not hold" if found.low > guarantee.gamma else "perhaps hold"
    return f"{said} {promised}, so with this oracle the promise would {held}."


def _gamma(view: View) -> float:
    guarantee: Any = _noise(view).guarantee
    return float(guarantee.gamma)


def _line(view: View) -> str:
    return filled(view)["line"]


def _store(name: str, value: Any) -> None:
    st.session_state[name] = value


def _attack(view: View) -> None:
    neighbours.refuse_slow(view.released)
    moves = neighbours.moves(view.released)
    if not moves:
        st.markdown("In this table no row can be moved.")
        return
    who = "row" if view.scenario.adjacency.of_records else "person"
    table = "public" if view.question.table.public else "simulated"
    move, place = _show_move(view, moves)
    pair = move.pair(place)
    run = st.session_state.get("attack_run", 0)
    found = attack.attack(_noise(view).law, pair, seed=view.scenario.seed, run=run)
    promised = attack.promised(view, pair.distance)
    st.markdown(_attack_words(view, pair.distance, found, promised))
    other = "removed" if view.scenario.adjacency.removes else "typical"
    names = f"moved {who}", f"removed {who}" if view.scenario.adjacency.removes else f"typical {who}"
    what, unit = ("private answer", _unit(view)) if found.numbers else (f"evidence for the table with the {names[0]}", "")
    knows = "learns from the same number of other releases" if found.learned else "knows both tables and the noise"
    charts = {
        "releases": attacker.releases_chart(found.shown, names, what=what, unit=unit),
        "found": attacker.found_chart(found.accuracy, (found.low, found.high), promised),
    }
    _charts(view, charts)
    st.markdown(
        f"Both tables are the {table} table: one {who} is moved in the first and {other} in the second. The app simulates "
        f"{found.releases // 2:,} releases of each. The attacker {knows}, and says which table each release is from."
    )
    with st.container(horizontal=True):
        st.button(
            "Simulate again", key="attack_again", icon=":material/refresh:", on_click=partial(_store, "attack_run", run + 1)
        )
    _numbers(charts)


def _show_move(view: View, moves: tuple[Move, ...]) -> tuple[Move, int]:
    """Show the column and the slider of the changed row; return the change and the index of the stop."""
    names = [move.column.name for move in moves]
    places: dict[Any, Any] = st.session_state.setdefault("attack_places", {})
    key = question_key(view.released.scenario, view.question.table)
    if key not in places:
        places[key] = names[neighbours.widest(moves)]
    if len(moves) > 1:
        control(
            st.selectbox,
            "Column",
            names,
            key="attack_column",
            holds=places[key],
            act=partial(places.__setitem__, key),
            format_func=lambda name: view.question.table.column(name).words,
            width=260,
        )
    move = moves[names.index(places[key])]
    at = key, move.column.name
    place = places.get(at)
    place = move.furthest(_noise(view).sensitivity.value) if place is None else min(place, len(move.stops) - 1)
    rows = "one row" if view.scenario.adjacency.of_records else f"all {len(move.rows):,} rows of one person"
    _slider(
        f"{escaped(move.column.label or move.column.name)} in {rows}, from a typical one outwards:",
        range(len(move.stops)),
        key="attack_place",
        holds=place,
        act=partial(places.__setitem__, at),
        format_func=move.label,
        width=560,
    )
    return move, place


def _attack_words(view: View, distance: float, found: attack.Attack, promised: float | None) -> str:
    moved = f"The answer moves by {escaped(_distance_text(view, distance))}." if distance else "The answer does not move."
    right = f"**The attacker is right {found.accuracy:.1%} of the time** (95% interval: {found.low:.1%} to {found.high:.1%})."
    # Only the best attacker's accuracy determines the overlap of the two distributions.
    measured = right if found.learned else f"{right} The releases overlap by {found.overlap:.0%}."
    if promised is None:
        limit = escaped(_distance_text(view, _noise(view).sensitivity.value))
        return f"{moved} **That is beyond Δ̂ = {limit}, so nothing is promised about this change.** {measured}"
    best = " This is the best attacker’s exact accuracy." if _guesser(view).exact else ""
    return f"{moved} {measured} **Promised: {_percent(promised, False)}.**{best}"
