"""Texts of the page Explore: templates with names in braces, and their values.

The browser fills the same templates while a slider moves (``pages/live``).
"""

from __future__ import annotations

import math
from typing import Any

from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.guarantees.descriptions import counted_in, figure, unit_of
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from pages.experiment.accuracy import braced
from pages.experiment.choices import kind_of, title
from pages.experiment.question import asked_alone
from pages.experiment.scenario import Noise
from pages.experiment.view import View

BOUND_NAMES = {Bound.RANK: "rank", Bound.DKW: "DKW", Bound.TOLERANCE: "tolerance", Bound.TIME_UNIFORM: "time-uniform"}
_KINDS: dict[type, str] = {PureDP: "Pure DP", ApproxDP: "Approximate DP", RandomDP: "Random DP"}


def templates(view: View) -> dict[str, str]:
    """Return the texts of the page.

    They are ``headline``, ``line`` (the guarantee in short), ``promise``, ``limits``, ``summary`` and ``guess``. Without noise,
    most of them are empty.
    """
    if view.noise is None:
        nothing = {
            "headline": "These settings give no private answer.",
            "promise": "Without noise, nothing is guaranteed.",
        }
        summary = {} if view.order_statistic is None else {"summary": _SUMMARY}
        return dict.fromkeys(("line", "limits", "guess", "summary"), "") | nothing | summary
    line = _line(view)
    first, rest = _promise(view)
    return {
        "headline": _headline(view),
        "line": line,
        "promise": f"{line}{first}",
        "limits": rest,
        "summary": _SUMMARY,
        "guess": f"Best guess about one {_unit(view)}: {{guess}} right{_promised(view)} (random guessing: 50%)."
        if is_exact(view)
        else "",
    }


def _promised(view: View) -> str:
    """Return what ε promises; nothing with a δ, which promises another limit."""
    if view.scenario.delta is not None:
        return ""
    which = "protected" if view.scenario.noise is Noise.SAMPLED else "all"
    return f"; ε promises at most {{limit}} for {which} changes"


_FAILED = " Some sampled pairs had no answer. They count as not protected."
_SUMMARY = "k = {k}, Δ̂ = {delta}"


def values(view: View) -> dict[str, str]:
    """Return the values of the templates at the scenario's own sliders."""
    scenario, statistic = view.scenario, view.order_statistic
    found = {
        "epsilon": f"{scenario.epsilon:g}",
        "gamma": f"{scenario.gamma:g}",
        "share": f"{rounded_up(100 * scenario.gamma)}%",
        "factor": rounded_up(math.exp(min(scenario.epsilon, 700))),
        "limit": f"{math.ceil(100 / (1 + math.exp(-scenario.epsilon)))}%",
        "k": f"{view.point.k:,}",
        "delta": "" if statistic is None else figure(statistic),
    }
    if view.noise is None:
        return found
    accuracy = view.released.accuracy
    error = accuracy.at(view.noise.law)
    assert view.guesser is not None
    right, exact = float(view.guesser.right(view.noise.sensitivity.value)), view.guesser.exact
    return found | {
        "error": accuracy.said(error),
        "everyday": everyday(error, f" {accuracy.unit}"),
        "guess": _share_right(right) if exact else f"at most {math.ceil(100 * right - 1e-9)}%",
    }


def _share_right(right: float) -> str:
    """Return an exact accuracy as a percentage; noise never reveals a row for sure."""
    return f"{100 * right:.0f}%" if right < 0.995 else "over 99%"


def rounded_up(value: float) -> str:
    """Return a limit in three significant digits, rounded up: a promise must not be understated."""
    near = float(f"{value:.3g}")
    if near < value * (1 - 1e-12):
        near += 10.0 ** (math.floor(math.log10(value)) - 2)
    return figure(near)


def filled(view: View) -> dict[str, str]:
    """Return the texts with their values."""
    given = values(view)
    return {name: text.format(**given) for name, text in templates(view).items()}


def subject(view: View) -> str:
    """Return the name of the target in the middle of a sentence."""
    target = asked_alone(view.question.scenario)
    kind, labels = kind_of(target), view.question.answer.labels
    if kind == "SqlQuery":
        return "answer"
    name = labels[0].partition(" of ")[0] if kind == "QuantileScores" and labels else title(kind).partition(":")[0]
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def _headline(view: View) -> str:
    accuracy = view.released.accuracy
    unit = "" if accuracy.unit in ("", "share") else f" {accuracy.unit}"
    text = accuracy.sentence.replace("{answer}", subject(view)).replace("{error}", f"{{error}}{braced(unit)}{{everyday}}")
    text += _limit_per_person(view)
    return text if view.question.table.public else f"{text} “Exact” is a simulated table’s answer: yours is used only by Release."


def _limit_per_person(view: View) -> str:
    """Return that the exact answer has the limit per person too, so the error of the limit is not part of the margin."""
    stated = facts(view.question.scenario.target)
    if stated.totals is not None:
        return " “Exact” has the limit of each person’s total."
    if view.scenario.adjacency.of_records or not stated.rows:
        return ""
    return f" “Exact” counts at most {counted(stated.rows, ' rows')} of each person."


def _unit(view: View) -> str:
    return "row" if view.scenario.adjacency.of_records else "person"


def _line(view: View) -> str:
    """Return the guarantee in one short line, for charts."""
    if not is_exact(view):
        return "No guarantee"
    guarantee: Any = view.noise.guarantee if view.noise is not None else None
    parts = ["ε = {epsilon}"]
    if not isinstance(guarantee, PureDP) and guarantee.delta:
        parts.append(f"δ = {guarantee.delta:g}")
    if isinstance(guarantee, RandomDP):
        parts.append("γ = {gamma}")
    return f"{_KINDS[type(guarantee)]}, {', '.join(parts)}"


def is_exact(view: View) -> bool:
    """Return whether OpenDP samples the noise of a release: otherwise floating point can reveal more than the formula says."""
    return view.noise is not None and view.noise.law.sampling.exact


def _promise(view: View) -> tuple[str, str]:
    """Return the end of the first sentence, and the limits of the guarantee."""
    if not is_exact(view):
        return ".", (
            "OpenDP does not sample the noise of this mechanism, so a release would have no guarantee. Choose another mechanism "
            "in the options."
        )
    guarantee: Any = view.noise.guarantee if view.noise is not None else None
    adjacency = view.scenario.adjacency
    one, many = unit_of(adjacency), counted_in(adjacency)
    if isinstance(guarantee, RandomDP):
        sure = "on average" if guarantee.confidence is None else f"with confidence {guarantee.confidence:g}"
        return ": weaker than differential privacy.", (
            f"Of random changes of {one}, drawn from the oracle, up to {{share}} ({sure}) are not protected: those of unusual "
            f"{many}. This is not a share of the people in your table. If the oracle is wrong, more changes may be unprotected."
            f"{_FAILED if view.sampled is not None and view.sampled.failures else ''}"
        )
    slip = f", except with probability δ = {guarantee.delta:g}" if isinstance(guarantee, ApproxDP) else ""
    condition = " This needs a target that depends on its block only." if view.scenario.noise is Noise.BLOCKS else ""
    change = "adding or removing" if adjacency.removes else "replacing"
    return ".", (
        f"For every table, {change} {one} changes the probability of any answer by a factor of at most {{factor}}{slip}. "
        f"Every change is protected, and no oracle is needed.{condition}"
    )


def most_right(epsilon: float, delta: float) -> float:
    """Return the largest accuracy of any attacker: (e^ε + δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015).

    Args:
        epsilon: ε of the guarantee.
        delta: δ of the guarantee.
    """
    small = math.exp(-epsilon)
    return (1 + delta * small) / (1 + small)
