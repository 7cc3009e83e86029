"""The answer in a sentence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore import preview, words
from dpcore.mechanisms.base import NoiseLaw
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.targets import LinearSVM
from dpcore.words import figure, percent
from pages.components.escape import escaped
from pages.session.view import View

_SHARE = 0.9


def show(view: View) -> None:
    """What is promised and what it costs, in one paragraph; or what stands in the way."""
    st.markdown(_words(view))


def _words(view: View) -> str:
    noise, sample = view.sampled_noise, view.sample
    if view.job is not None and view.job.running:
        return f"# Sampling {view.job.m:,} pairs of tables\n{escaped(view.problem)}"
    if noise is None or sample is None:
        return f"# No private answer at this choice\n{escaped(view.problem or view.no_answer)}"
    unit = f" {escaped(view.unit)}" if view.unit and view.unit != "share" else ""
    several = view.answer is not None and view.answer.value.size > 1
    value = noise.sensitivity.value
    covered = int(np.count_nonzero(sample.distances <= value))
    title = words.name(noise.guarantee)
    moved, norm = _moved(view, several=several), f" in {sample.norm!r}" if several else ""
    return (
        f"# {title[0].upper()}{title[1:]}: {_reach(view, unit, several=several)}\n"
        f"On {covered:,} of {sample.point.m:,} random pairs of tables that differ in one record, {moved} by at most "
        f"Δ̂ = {figure(value)}{unit}{norm}; {_worst(view, value, unit)}. On the other pairs, "
        f"{words.left_out(noise.guarantee)}, those with unusual records, nothing is promised: "
        "random DP is weaker than differential privacy."
    )


def _reach(view: View, unit: str, *, several: bool) -> str:
    """What a reader may expect of one private answer."""
    noise, shown = view.sampled_noise, view.answer
    assert noise is not None
    law = noise.law
    if isinstance(law, SelectionLaw) and shown is not None:
        best = shown.value == shown.value.max()
        labels = escaped(", ".join(preview.label(winner) for winner in law.winners(shown.value)[:5]))
        which = f"the winner “{labels}”" if best.sum() == 1 else f"one of the winners “{labels}”"
        return f"{which} is picked with chance {percent(float(law.probabilities(shown.value)[best].sum()))}{_of(view)}"
    if isinstance(view.scenario.target, LinearSVM) and shown is not None:
        private = preview.error(view.scenario, shown, None, noise)
        exact = preview.misclassified(view.scenario.target, shown.value[None], shown)
        return f"a private boundary misclassifies about {_few(private)} of records, the non-private one {_few(exact)}{_of(view)}"
    if isinstance(law, NoiseLaw):
        reach = f"± {figure(law.half_width(_SHARE))}{unit}"
        lie = f"each number lies within {reach} of its" if several else f"answers lie within {reach} of the"
        return f"nine times in ten {lie} non-private one"
    if shown is not None and view.fit is not None:
        typical = preview.error(view.scenario, shown, view.fit, noise)
        return f"the private curve is typically {figure(typical)} away from the non-private one{_of(view)}"
    return f"noise of scale {figure(law.scale)} on each point of the lattice"


def _few(share: float) -> str:
    """A share of records as it is to be trusted: of a simulation."""
    return "under 0.01 %" if 0 < share < 1e-4 else percent(float(f"{share:.2g}"))


def _of(view: View) -> str:
    """Whose answer such a number was made from, where it is not a public table's."""
    if view.answer is not None and view.answer.simulated:
        return " (on a simulated table)"
    return " (:material/lock: **uses the confidential table: do not publish**)" if view.confidential else ""


def _moved(view: View, *, several: bool) -> str:
    law = view.sampled_noise.law if view.sampled_noise is not None else None
    if isinstance(law, SelectionLaw):
        return "the scores moved"
    if view.fit is not None:
        return "the curve moved"
    if isinstance(view.scenario.target, LinearSVM):
        return "weights and bias together moved"
    return "all numbers together moved" if several else "the answer moved"


def _worst(view: View, sampled: float, unit: str) -> str:
    if view.worst_case is None:
        return "over all tables there is no finite worst case"
    worst = f"the worst case over all tables is {figure(view.worst_case.value)}{unit}"
    if view.worst_case.value > sampled * 1.05:
        return worst
    more, at = ("no", "at") if view.worst_case.value <= sampled * (1 + 1e-9) else ("hardly", "at nearly")
    return f"{worst}, {more} more: **Release can give differential privacy itself {at} this cost**"
