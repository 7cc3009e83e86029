"""What this tab has released, and what that has spent."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpcore import plots, words
from dpcore.accounting import Ledger, Line
from dpcore.errors import DpcoreError
from dpcore.polynomials import BernsteinPolynomial
from dpcore.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.tables import Table
from pages.components import badges
from pages.components.escape import escaped
from pages.session import ledger, state
from pages.session.book import Entry


def budget(table: Table) -> None:
    """An optional ceiling for this table: a press beyond it is refused before anything is drawn."""
    book = ledger.book()
    current = book.budgets.get(table.digest)
    st.markdown("## Ledger")
    with st.container(horizontal=True):
        for label, key, value in (
            ("Budget: total ε", f"budget_epsilon_{table.digest}", current.epsilon if current else None),
            ("total δ", f"budget_delta_{table.digest}", getattr(current, "delta", None)),
            ("total γ", f"budget_gamma_{table.digest}", getattr(current, "gamma", None)),
        ):
            st.session_state.setdefault(key, value)
            st.number_input(
                label, min_value=0.0, value=None, key=key, format="%g", width=120, placeholder="none",
                on_change=_set_budget, args=(table.digest,),
            )  # fmt: skip


def _set_budget(name: str) -> None:
    values = {key: st.session_state[f"budget_{key}_{name}"] for key in ("epsilon", "delta", "gamma")}
    book = ledger.book()
    st.session_state["notices"] = []
    book.budgets.pop(name, None)
    if values["epsilon"] is None:
        if values["delta"] or values["gamma"]:
            state.say("A budget needs a total ε beside the others: until it has one, there is no budget.")
        return
    try:
        book.budgets[name] = _guarantee(values["epsilon"], values["delta"] or 0.0, values["gamma"])
    except DpcoreError as error:
        state.say(f"That budget cannot be, so there is none now: {error}")


def _guarantee(epsilon: float, delta: float, gamma: float | None) -> Guarantee:
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def ledgers(table: Table) -> None:
    """Every table's ledgers, this one's first: each with its total, or why there is none."""
    kept, titles = ledger.book().ledgers, ledger.book().titles
    if any(len(one.lines) > 1 for some in kept.values() for one in some):
        st.number_input(
            "Tight total at δ", 0.0, 0.5, value=None, key="tight_delta", format="%g", width=160, placeholder="none",
            help="By privacy loss distributions: a smaller ε at this δ, if all releases were fixed before the first response.",
        )  # fmt: skip
    if table.digest not in kept:
        st.markdown(f"Nothing was released of **{escaped(table.title or table.name)}** in this tab.")
    for name in sorted(kept, key=lambda other: other != table.digest):
        for number, one in enumerate(kept[name], 1):
            many = f", ledger {number}: another oracle or size, so it does not add up with the others" * (len(kept[name]) > 1)
            st.markdown(f"**{escaped(titles[name])}**{many}")
            _ledger(one)
    st.markdown("A ledger is this tab's alone: releases that were made elsewhere must be added by hand.")


def _ledger(one: Ledger) -> None:
    st.table([_row(line) for line in one.lines])
    total, joint = one.total(), one.joint()
    if total is not None:
        st.markdown(f"**Together: {words.name(total)}.** {words.sentence(total)}")
        _tight(one)
    elif joint is not None and one.apart:
        st.markdown(
            f"**No one guarantee covers all.** The lines that were chosen before any response together give {words.name(joint)}; "
            "each line “chosen after a response” is a guarantee of its own."
        )
    elif one.apart:
        st.markdown("**No one guarantee covers all:** these were chosen after a response, so each line is one of its own.")
    else:
        st.markdown("**No promise is left:** the shares of pairs left out sum to 1 or more.")


def _tight(one: Ledger) -> None:
    delta = st.session_state.get("tight_delta")
    if not delta or len(one.lines) < 2:
        return
    total, plain = one.total(delta=delta), one.total()
    if total is not None and plain is not None and total.epsilon >= plain.epsilon:
        st.markdown(f"At δ = {delta:g} nothing is gained on the plain sum.")
    elif total is None:
        st.markdown(f"At δ = {delta:g} there is no total with a finite ε.")
    else:
        st.markdown(
            f"**At δ = {delta:g}: {words.name(total)}**, by privacy loss distributions, if the list of releases, with "
            "each mechanism, ε and δ, was fixed before the first response."
        )


def _row(line: Line) -> dict[str, str]:
    numbers = {"ε": f"{line.epsilon:g}", "δ": f"{line.delta:g}", "γ": f"{line.gamma:g}"}
    return {"charge": line.words, "target": line.target} | numbers


def entries() -> None:
    """The responses, the newest first."""
    kept = ledger.book().entries
    if kept:
        st.markdown("## Responses")
    for entry in reversed(kept):
        with st.container(border=True, key=f"entry_{entry.ticket}"):
            st.markdown(f"**{escaped(entry.title)}**")
            if entry.release is None:
                st.error(escaped(entry.problem))
                continue
            release = entry.release
            _response(entry, release.response)
            st.markdown(words.sentence(release.guarantee, release.adjacency))
            sensitivity = release.provenance["sensitivity"]
            st.markdown(
                f"{_noise(release.mechanism)} of scale {words.figure(release.scale)}; "
                f"{'Δ̂' if 'sample_id' in release.provenance else 'worst case'} = {words.figure(float(sensitivity or 0))}"
                f"{_order(release.provenance)}; "
                f"target {escaped(str(release.provenance['target']))}{_oracle(release.provenance.get('oracle'))}."
            )
            for caveat in entry.caveats:
                st.warning(caveat)
            if entry.caveats:
                badges.not_covered()
            else:
                badges.private_release()
            st.download_button(
                "Download as JSON", entry.as_json(), f"release-{entry.ticket}.json", "application/json",
                key=f"download_{entry.ticket}", on_click="ignore",
            )  # fmt: skip


def _order(provenance: Any) -> str:
    """Which of how many draws Δ̂ is: under TIME_UNIFORM they may be fewer than the receipt said."""
    if "sample_id" not in provenance:
        return ""
    return f", number {provenance['k']:,} of {provenance['m']:,} draws under {provenance['bound']}"


def _curve(entry: Entry, response: BernsteinPolynomial) -> None:
    st.plotly_chart(
        plots.polynomial(response, names=entry.labels), height=240, key=f"curve_{entry.ticket}", alt="The private curve.",
        config={"displayModeBar": False},
    )  # fmt: skip


def _noise(mechanism: str) -> str:
    return "Exponential mechanism" if mechanism == "Exponential" else f"{mechanism} noise"


def _response(entry: Entry, response: Any) -> None:
    """Numbers with their labels, a candidate, or a curve with its chart."""
    if isinstance(response, BernsteinPolynomial):
        if response.dims == 1:
            _curve(entry, response)
        st.markdown(f"A polynomial of degree {response.degree:,}; its coefficients are in the JSON below.")
    elif isinstance(response, np.ndarray):
        numbers = [f"{escaped(label)}: **{value:.6g}**" for label, value in zip(entry.labels, response, strict=True)]
        st.markdown(" · ".join(numbers))
    else:
        st.markdown(f"The choice: **{escaped(str(response))}**")


def _oracle(described: object) -> str:
    return f"; oracle {escaped(str(described))}" if described else ""
