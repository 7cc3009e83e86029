"""What if the oracle is wrong? By theory, where the world differs by τ a record; and by drawing from another oracle."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import streamlit as st

from dpcore.audits.wrong_oracle import Missed, records_that_decide, seldom_exceeded
from dpcore.base.counted import counted
from dpcore.base.types import takes_fields
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.wrong_oracle import divergence, gamma_elsewhere, normal_shift, records_to_tell
from dpcore.registry.fit import fits
from pages.experiment.choices import kind_of, oracle_for, oracle_kinds, title
from pages.experiment.question import asked_plainly, own_columns
from pages.experiment.scenario import Scenario, TableRecords
from pages.old import charts
from pages.old.experiment import other_world
from pages.old.shared import badges, form, picture
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import control, slider, spaced, while_open
from pages.old.state import doubts, draws
from pages.old.state.draws import Exploration
from pages.old.state.view import Shown, View
from pages.old.wording.sentences import oracle_words, plain

# Pairs drawn from another oracle than the one that sized the noise: how many of them Δ̂ misses.


_MISFIT = "The oracle that was chosen here does not fit the columns any more, so another one is shown."


def show_other_world(view: Shown) -> None:
    """A picker as that of the scenario's own oracle, its options, and the share missed."""
    st.markdown("### If the world is another oracle")
    own, columns = _plainly(view)
    kinds = oracle_kinds(view.table, columns)
    oracle, lost = _world(view, own, columns, kinds)
    keep = partial(_keep_world, _key_of_world(view, columns))
    control(
        st.selectbox,
        "The changes are drawn from",
        list(dict.fromkeys([*kinds, kind_of(oracle)])),
        key="pick_world",
        holds=kind_of(oracle),
        act=lambda kind: keep(oracle_for(kind, view.table, columns)),
        format_func=title,
        help="The noise stays sized by the scenario's own oracle.",
    )
    if lost:
        st.markdown(f":material/info: {_MISFIT}")
    if not isinstance(oracle, TableRecords):
        with st.container(horizontal=True):
            form.show(lambda: oracle, partial(form.propose, take=keep), of="World", key="opt_world")
    st.markdown(_tried(view, oracle))
    badges.show(badges.PUBLIC_DRAWS)


def _plainly(view: Shown) -> tuple[Any, tuple[Any, ...]]:
    """The scenario's own oracle, and the columns that its target alone is asked of."""
    scenario, table = view.scenario, view.table
    if takes_fields(scenario.target):
        scenario = scenario.with_(**asked_plainly(scenario, table))
    return scenario.oracle, table.taken(own_columns(scenario), scenario.target)


def _world(view: Shown, own: Any, columns: tuple[Any, ...], kinds: tuple[str, ...]) -> tuple[Any, bool]:
    """What was chosen here, where it fits the columns; else one of another kind than the scenario's own, and whether there had
    been another choice."""
    key = _key_of_world(view, columns)
    if doubts.arrived():
        _worlds()[key] = doubts.linked_world()
    kept = _worlds().get(key)
    if kept is not None and (kind_of(kept) in kinds if isinstance(kept, TableRecords) else fits(kept, columns)):
        doubts.link_world(kept)
        return kept, False
    doubts.link_world(None)
    others = [kind for kind in kinds if kind != kind_of(own)] or list(kinds)
    return oracle_for(others[0], view.table, columns), kept is not None


def _key_of_world(view: Shown, columns: tuple[Any, ...]) -> tuple[str, ...]:
    return (view.scenario.table, *(column.name for column in columns))


def _worlds() -> dict[tuple[str, ...], Any]:
    """What was chosen for the columns of each table."""
    chosen: dict[tuple[str, ...], Any] = st.session_state.setdefault("worlds", {})
    return chosen


def _keep_world(key: tuple[str, ...], oracle: Any) -> None:
    _worlds()[key] = oracle
    doubts.link_world(oracle)


def _tried(view: Shown, oracle: Any) -> str:
    """How many changes were missed, there and at home."""
    try:
        world = other_world.in_world(view.scenario, view.table, oracle)
        found, here = _of_world(view, world), None
        if found is not None and other_world.seconds(view.scenario, view.table) <= other_world.AT_ONCE:
            here = draws.missed(view.exploration, view.noise.sensitivity.value, other_world.AT_HOME)
    except DpcoreError as error:
        return escaped(f"Nothing was tried there. {plain(error)}")
    if found is None:
        return "To fit this answer takes long, so its changes are made once you ask for them."
    at_home = "" if here is None else f" Of fresh changes from the oracle itself it is {_missed(here)} ({_interval(here)})."
    sized_by = escaped(oracle_words(view.scenario.oracle))
    return (
        f"The noise was sized by {sized_by}. We made {found.pairs:,} random changes in the other "
        f"world. {_missed_words(found)}{at_home} Promised was {_promised(view)}. "
        f"{_verdict(found, view, world)}"
    )


def _of_world(view: Shown, world: Scenario) -> Missed | None:
    """How many random changes of a world Δ̂ misses: at once, or where that takes longer once a button was pressed. Until then
    None, and the button. TooSlowError where nobody would wait for it."""
    seconds = other_world.seconds(world, view.table)
    asked: set[str] = st.session_state.setdefault("worlds_tried", set())
    of = Exploration(world, view.table)
    key = of.key("seed")
    if seconds > other_world.AT_ONCE and key not in asked:
        about = counted(f"{math.ceil(seconds):,}", " seconds")
        st.button(
            f"Try {other_world.FEWEST_PAIRS} changes, which takes about {about}",
            key="world_try",
            on_click=asked.add,
            args=(key,),
        )
        return None
    return draws.missed(of, view.noise.sensitivity.value)


def _missed_words(found: Missed) -> str:
    """The share of the changes, and what it may be in truth."""
    return f"**{_missed(found)} of them moved the answer further than Δ̂**, and so are not protected ({_interval(found)})."


def _promised(view: Shown) -> str:
    """The share that may be left out, as the guarantee has it, and how sure that is of this Δ̂."""
    guarantee: Any = view.noise.guarantee
    sure = guarantee.confidence
    return words.left_out(guarantee) + ("" if sure is None else f", with {words.percent(sure)} confidence over the draws")


def _verdict(found: Missed, view: Shown, world: Scenario) -> str:
    """Whether the promise would hold: by this Δ̂ where the promise is of it, else by many new ones, or not at all."""
    guarantee: Any = view.noise.guarantee
    if guarantee.confidence is not None:
        return _held(found, guarantee.gamma)
    anew = draws.missed_on_average(view.exploration, Exploration(world, view.table))
    average = "That average is over Δ̂: each release draws a new one."
    if anew is None:
        seldom = words.percent(seldom_exceeded(view.scenario.point))
        rest = f"of the oracle itself, at most 1 Δ̂ in 20 leaves out more than {seldom}."
        return f"{average} This Δ̂ leaves out {_missed(found)}; {rest}"
    tries = f"We drew {anew.pairs:,} of them and tried each on one such change: they missed {_missed(anew)} ({_interval(anew)})."
    return f"{average} {tries} {_held(anew, guarantee.gamma)}"


def _held(found: Missed, gamma: float) -> str:
    if found.low > gamma:
        return "In that world the promise would not hold."
    if found.high <= gamma:
        return "In that world it would hold."
    return "In that world these changes leave open whether it would hold."


def _missed(found: Missed) -> str:
    return words.percent(found.missed / found.pairs)


def _interval(found: Missed) -> str:
    return f"from {words.percent(found.low)} to {words.percent(found.high)}, with 95 % confidence"


TITLE = "What if the oracle is wrong?"
_TAUS = sorted({*spaced(doubts.LEAST, doubts.MOST, 60), doubts.FIRST})
_SIZES = (
    "The oracle makes up the tables of the trials, so it sizes the noise. The answer itself never comes from it. Where real "
    "rows move the answer further than the oracle's do, more changes than γ can be left out."
)
_PROVED = (
    "Here the noise is sized to the worst case over all tables. That needs no oracle, so a wrong one costs nothing. What follows "
    "is about noise that is sized to Δ̂."
)
_NO_PROMISE = "no promise is left"


def show(view: View) -> None:
    """Behind a line that is built only while it is open."""
    box = doubts.box(doubts.WRONG_ORACLE, TITLE, "help_center")
    while_open(box, lambda: _both(view))


def _both(view: View) -> None:
    """By theory, and beside it by drawing from another oracle."""
    if not isinstance(view, Shown):
        st.markdown("There is no private answer at this choice yet. So there is no promise that a wrong oracle could break.")
        return
    st.markdown(_PROVED if view.proved else _SIZES)
    left, right = st.columns(2, gap="medium")
    with left:
        _by_theory(view)
    with right:
        show_other_world(view)


def _by_theory(view: Shown) -> None:
    tau = doubts.tau()
    st.markdown("### If the world differs by τ")
    decide = records_that_decide(view.scenario.target, view.trials.sample.oracle, view.scenario.n, view.scenario.adjacency)
    of_people = words.counted_in(view.scenario.adjacency) == "people"
    one = "one table" if decide is None else f"one {'person' if of_people else 'row'}"
    slider(
        "tau",
        f"How unlike {one} of the oracle {one} of the world is, τ",
        "τ",
        _TAUS,
        tau,
        doubts.keep_tau,
        form="%.3g",
        step=0.001,
    )
    st.markdown(f"{_as_much(tau, decide)} {_then(view, tau, decide)}")
    gamma, records = _gamma(view), decide or 1
    chart = charts.wrong_oracle(gamma, records, tau=tau, least=doubts.LEAST, most=doubts.MOST)
    after = _share(gamma_elsewhere(gamma, records * tau))
    alt = (
        f"Share of changes that is not protected, against τ: at τ = {tau:g} {'' if after == _NO_PROMISE else 'at most '}{after}."
    )
    picture.chart(chart, "wrong_oracle_chart", alt, picture.Picture(TITLE, badges.PUBLIC_DRAWS), height=280)
    badges.show(badges.PUBLIC_DRAWS)


def _gamma(view: Shown) -> float:
    guarantee = view.noise.guarantee
    assert isinstance(guarantee, RandomDP)
    return guarantee.gamma


def _as_much(tau: float, decide: int | None) -> str:
    """τ in terms that can be pictured."""
    shift = f"That is as much as a normal column whose mean lies {words.figure(normal_shift(tau))} standard deviations off."
    needed = records_to_tell(tau)
    if decide is None:  # the whole table is one draw
        return f"{shift} Here it is said of whole tables, for the rows of one table share something."
    if needed <= 1:
        return f"{shift} A single row can be enough to tell the two worlds apart."
    told = f"nobody who has fewer than {counted(math.ceil(needed), ' rows')} can tell the two worlds apart"
    return f"{shift} So alike they are that {told} and be right 9 times in 10, whichever it is."


def _then(view: Shown, tau: float, decide: int | None) -> str:
    """What γ becomes, and why it grows so fast, or so slowly."""
    gamma, records = _gamma(view), decide or 1
    after = _share(gamma_elsewhere(gamma, records * tau))
    said = (
        f"**{after[0].upper()}{after[1:]}.**"
        if after == _NO_PROMISE
        else (f"**Then up to {after} of random changes are not protected**, and not {words.left_out(view.noise.guarantee)}.")
    )
    return f"{said} {_counts(view, decide)}{_doubles(gamma, records)}"


def _share(value: float) -> str:
    """γ′ in words: rounded up."""
    return _NO_PROMISE if words.at_most(value) == "100 %" else words.at_most(value)


def _counts(view: Shown, decide: int | None) -> str:
    who = words.counted_in(view.scenario.adjacency)
    if decide is None:
        return ""
    if decide <= 2:
        few = "the one that is left out" if decide == 1 else "the two that are exchanged"
        return f"This answer adds up over the {who}, so of a trial {few} alone count."
    return f"A change of this answer can hang on all {counted(f'{decide:,}', f' {who}')} of a trial, so a small τ adds up."


def _doubles(gamma: float, records: int) -> str:
    """How far the world may be off before twice as many changes are left out."""
    if gamma >= 0.5:
        return ""
    return f" Up to τ = {words.figure(divergence(gamma, 2 * gamma) / records)} it is at most twice γ, {words.percent(2 * gamma)}."
