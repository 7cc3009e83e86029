"""What if the oracle is wrong? By theory, where the world differs by τ a record; and by drawing from another oracle."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.audits.wrong_oracle import records_that_decide
from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.words import figure, percent
from dpcore.guarantees.wrong_oracle import divergence, gamma_elsewhere, normal_shift, records_to_tell
from pages import charts
from pages.explore import other_world
from pages.shared import badges, picture
from pages.shared.picture import Picture
from pages.shared.sliders import slider, spaced
from pages.shared.widgets import while_open
from pages.state import doubts
from pages.state.doubts import FIRST, LEAST, MOST
from pages.state.view import Shown, View

TITLE = "What if the oracle is wrong?"
_TAUS = sorted({*spaced(LEAST, MOST, 60), FIRST})
_SIZES = (
    "The oracle makes up the tables of the trials, so it sizes the noise. The answer itself never comes from it. Where real "
    "records move the answer further than the oracle's do, more changes than γ can be left out."
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
        other_world.show(view)


def _by_theory(view: Shown) -> None:
    tau = doubts.tau()
    st.markdown("### If the world differs by τ")
    decide = records_that_decide(view.scenario.target, view.trials.sample.oracle, view.scenario.n, view.scenario.adjacency)
    one = "one table" if decide is None else f"one {'person' if _of_people(view) else 'record'}"
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
    chart = charts.wrong_oracle(gamma, records, tau=tau, least=LEAST, most=MOST)
    after = _share(gamma_elsewhere(gamma, records * tau))
    alt = (
        f"Share of changes that is not protected, against τ: at τ = {tau:g} {'' if after == _NO_PROMISE else 'at most '}{after}."
    )
    picture.chart(chart, "wrong_oracle_chart", alt, Picture(TITLE, badges.PUBLIC_DRAWS), height=280)
    badges.show(badges.PUBLIC_DRAWS)


def _of_people(view: Shown) -> bool:
    return words.counted_in(view.scenario.adjacency) == "people"


def _gamma(view: Shown) -> float:
    guarantee = view.noise.guarantee
    assert isinstance(guarantee, RandomDP)
    return guarantee.gamma


def _as_much(tau: float, decide: int | None) -> str:
    """τ in terms that can be pictured."""
    shift = f"That is as much as a normal column whose mean lies {figure(normal_shift(tau))} standard deviations off."
    needed = records_to_tell(tau)
    if decide is None:  # the whole table is one draw
        return f"{shift} Here it is said of whole tables, for the records of one table share something."
    if needed <= 1:
        return f"{shift} A single record can be enough to tell the two worlds apart."
    told = f"nobody who has fewer than {counted(math.ceil(needed), ' records')} can tell the two worlds apart"
    return f"{shift} So alike they are that {told} and be right 9 times in 10, whichever it is."


def _then(view: Shown, tau: float, decide: int | None) -> str:
    """What γ becomes, and why it grows so fast, or so slowly."""
    gamma, records = _gamma(view), decide or 1
    after = _share(gamma_elsewhere(gamma, records * tau))
    said = (
        f"**{after[0].upper()}{after[1:]}.**"
        if after == _NO_PROMISE
        else (f"**Then up to {after} of new random changes are not protected**, and not {words.left_out(view.noise.guarantee)}.")
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
    return f" Up to τ = {figure(divergence(gamma, 2 * gamma) / records)} it is at most twice γ, {percent(2 * gamma)}."
