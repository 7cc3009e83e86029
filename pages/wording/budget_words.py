"""What a budget lacks for one more release, in a sentence."""

from __future__ import annotations

from dpcore.guarantees.privacy import Guarantee
from dpcore.guarantees.words import figure
from dpcore.ledger.spending import Spent

_SYMBOLS = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}


def ran_out(what: str, budget: Guarantee, before: Spent, after: Spent) -> str:
    """Which number ran out, how much is needed and how much is left."""
    symbol, of_gamma = _SYMBOLS[what], what == "gamma"
    if not hasattr(budget, what):
        weaker = "random DP" if of_gamma else "approximate DP"
        return f"The budget has no {symbol}, so it holds no {weaker}, which this would be. Give it a total {symbol}" + (
            ", or take the worst case where one is proved." if of_gamma else "."
        )
    name = "joint_gamma" if of_gamma else what
    needed, most = getattr(after, name) - getattr(before, name), getattr(budget, what)
    left = max(0.0, most - getattr(before, name))
    averaged = " on average over the draws" if of_gamma and after.confidence is not None else ""
    return (
        f"This needs {symbol} = {figure(needed)}{averaged}; {figure(left)} is left of the budget's {figure(most)}. Nothing is "
        "drawn or charged. Raise the budget, or ask for less."
    )
