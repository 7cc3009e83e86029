"""The answer in a sentence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore import words
from dpcore.words import figure
from pages.components.escape import escaped
from pages.session.view import View

_SHARE = 0.9


def show(view: View) -> None:
    """What is promised and what it costs, in one paragraph; or what stands in the way."""
    st.markdown(_words(view))


def _words(view: View) -> str:
    noise, sample = view.sampled_noise, view.sample
    if noise is None or sample is None:
        return f"# No private answer at this choice\n{escaped(view.problem or view.no_answer)}"
    unit = f" {escaped(view.unit)}" if view.unit and view.unit != "share" else ""
    reach = f"± {figure(noise.law.half_width(_SHARE))}{unit}"
    several = view.answer is not None and view.answer.value.size > 1
    lie = f"each number lies within {reach} of its" if several else f"answers lie within {reach} of the"
    moved = "all numbers together moved" if several else "the answer moved"
    value = noise.sensitivity.value
    covered = int(np.count_nonzero(sample.distances <= value))
    title = words.name(noise.guarantee)
    return (
        f"# {title[0].upper()}{title[1:]}: nine times in ten {lie} non-private one\n"
        f"On {covered:,} of {sample.point.m:,} random pairs of tables that differ in one record, {moved} by at most "
        f"Δ̂ = {figure(value)}{unit}{f' in {sample.norm!r}' if several else ''}; {_worst(view, value, unit)}. On the other pairs, "
        f"{words.left_out(noise.guarantee)}, those with unusual records, nothing is promised: "
        "random DP is weaker than differential privacy."
    )


def _worst(view: View, sampled: float, unit: str) -> str:
    if view.worst_case is None:
        return "over all tables there is no finite worst case"
    worst = f"the worst case over all tables is {figure(view.worst_case.value)}{unit}"
    if view.worst_case.value > sampled * 1.05:
        return worst
    return f"{worst}, no more, so **the page Release can give differential privacy itself at this cost**"
