"""A guarantee in a sentence, and numbers for people: pages, reports and README say the same."""

from __future__ import annotations

import math

from dpcore.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP


def figure(value: float) -> str:
    """Three significant digits: 0.0123, 1,230, 1.23e-07."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "not a number"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        rounded = float(f"{value:.3g}")
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"
    return f"{value:.3g}"


def percent(value: float) -> str:
    """A share as a percentage of up to three digits: 5 %, 0.1 %. What is less than all never reads 100 %."""
    text = f"{value * 100:.3g}"
    return "over 99.9 %" if text == "100" and value < 1 else f"{text} %"


def name(guarantee: Guarantee) -> str:
    """The guarantee with its parameters, in a few words."""
    if isinstance(guarantee, PureDP):
        return f"pure DP, ε = {guarantee.epsilon:g}"
    if isinstance(guarantee, ApproxDP):
        return f"approximate DP, ε = {guarantee.epsilon:g}, δ = {guarantee.delta:g}"
    delta = f", δ = {guarantee.delta:g}" if guarantee.delta else ""
    confidence = f", confidence {guarantee.confidence:g}" if guarantee.confidence is not None else ""
    return f"random DP, ε = {guarantee.epsilon:g}{delta}, γ = {guarantee.gamma:g}{confidence}"


_CHANGE = {
    Adjacency.REPLACE_ONE_RECORD: "replacing one record",
    Adjacency.REPLACE_ONE_USER: "replacing one user",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "adding or removing one user",
}


def sentence(guarantee: Guarantee, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> str:
    """What is promised, on which tables, and what is not."""
    slip = f", plus δ = {guarantee.delta:g}," if not isinstance(guarantee, PureDP) and guarantee.delta else ""
    changes = (
        f"{_CHANGE[adjacency]} changes the probability of any set of responses by at most a factor of "
        f"exp(ε) = {figure(_factor(guarantee.epsilon))}{slip}"
    )
    title = name(guarantee)[0].upper() + name(guarantee)[1:]
    if not isinstance(guarantee, RandomDP):
        return f"{title}: whatever the table, {changes.rstrip(',')}."
    kept = percent(1 - guarantee.gamma)
    if guarantee.confidence is None:
        where = f"with probability at least {kept}, over a random pair of tables from the oracle and over the sampler's draws"
    else:
        sure = percent(guarantee.confidence)
        where = f"with confidence {sure} over the sampler's draws, on at least {kept} of random pairs of tables from the oracle"
    return (
        f"{title}: {changes} {where}. On the other pairs, {left_out(guarantee)}, which are those with unusual records, nothing "
        "is promised: random DP is weaker than differential privacy."
    )


def left_out(guarantee: RandomDP) -> str:
    """How large the share without a promise is: γ is an average over the draws, unless there is a confidence."""
    if guarantee.confidence is not None:
        return f"up to {percent(guarantee.gamma)}"
    return f"up to {percent(guarantee.gamma)} on average over the draws (one run can leave out more)"


def _factor(epsilon: float) -> float:
    return math.exp(epsilon) if epsilon < 700 else math.inf
