"""Of two budgets for one table, what both allow."""

from __future__ import annotations

from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP


def smaller(one: Guarantee, other: Guarantee) -> Guarantee:
    """The smaller ε, the smaller δ and the smaller γ; a budget without a γ admits no random DP."""
    epsilon = min(one.epsilon, other.epsilon)
    delta, gamma = (min(getattr(one, name, 0.0), getattr(other, name, 0.0)) for name in ("delta", "gamma"))
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
