"""What the page Explore says of a view, in sentences."""

from __future__ import annotations

import math
from typing import Any

from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.types import groups_of
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.words import counted_in, figure, unit_of
from pages.experiment.accuracy import Accuracy
from pages.experiment.choices import kind_of, title
from pages.experiment.question import asked_alone
from pages.experiment.scenario import Noise
from pages.experiment.view import View

BOUND_NAMES = {Bound.RANK: "rank", Bound.DKW: "DKW", Bound.TOLERANCE: "tolerance", Bound.TIME_UNIFORM: "time-uniform"}
_KINDS: dict[type, str] = {PureDP: "Pure DP", ApproxDP: "Approximate DP", RandomDP: "Random DP"}


def headline_template(view: View) -> str:
    """Return what a reader may expect of a private answer, with ``{error}`` for the number and ``{unit}`` for what follows it."""
    accuracy = view.released.accuracy
    text = accuracy.sentence.replace("{answer}", _subject(view)).replace("{error}", "{error}{unit}")
    if view.question.table.public:
        return text
    return f"{text} The exact one is that of a simulated table."


def headline(view: View) -> str:
    """Return what a reader may expect of a private answer."""
    if view.noise is None:
        return "There is no private answer for these settings."
    accuracy = view.released.accuracy
    error = accuracy.at(view.noise.law)
    return headline_template(view).format(error=accuracy.said(error), unit=unit_after(accuracy, error))


def unit_after(accuracy: Accuracy, error: float) -> str:
    """Return the unit behind an error, and the error in a handier unit if there is one: " years (about 7 days)"."""
    unit = accuracy.unit
    if not unit or unit == "share":
        return ""
    return counted(accuracy.said(error), f" {unit}").removeprefix(accuracy.said(error)) + everyday(error, f" {unit}")


def _subject(view: View) -> str:
    target = asked_alone(view.question.scenario)
    name = title(kind_of(target))
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def guarantee_line(guarantee: Guarantee | None) -> str:
    """Return the guarantee in one short line, for pictures."""
    if guarantee is None:
        return ""
    parts = [f"ε = {guarantee.epsilon:g}"]
    if not isinstance(guarantee, PureDP) and guarantee.delta:
        parts.append(f"δ = {guarantee.delta:g}")
    if isinstance(guarantee, RandomDP):
        parts.append(f"γ = {guarantee.gamma:g}")
    return f"{_KINDS[type(guarantee)]}, {', '.join(parts)}"


def promise(view: View) -> tuple[str, str]:
    """Return the guarantee and its limits: a bold first sentence, and the rest."""
    if view.noise is None:
        return "No guarantee: there is no noise for these settings.", ""
    guarantee: Any = view.noise.guarantee
    adjacency = view.scenario.adjacency
    one, many = unit_of(adjacency), counted_in(adjacency)
    change = "adding or removing" if adjacency.removes else "replacing"
    factor = figure(math.exp(guarantee.epsilon)) if guarantee.epsilon < 700 else "∞"
    if isinstance(guarantee, RandomDP):
        share = f"{100 * guarantee.gamma:.3g}%"
        average = " on average" if guarantee.confidence is None else f" with confidence {guarantee.confidence:g}"
        rest = (
            f"Of random changes of {one}, drawn from the oracle, up to {share}{average} are not protected: those of unusual {many}. "
            f"This is not a share of {'people' if not adjacency.of_records else 'the rows of your table'}, and if the oracle is "
            "wrong, more changes may be unprotected."
        )
        return f"{guarantee_line(guarantee)}: weaker than differential privacy.", rest
    slip = f", except with probability δ = {guarantee.delta:g}" if isinstance(guarantee, ApproxDP) else ""
    condition = " This needs a target that depends on its block only." if view.scenario.noise is Noise.BLOCKS else ""
    rest = (
        f"Whatever the table, {change} {one} changes the probability of any answer by a factor of at most {factor}{slip}. "
        f"No change is left out, and no oracle is needed.{condition}"
    )
    return f"{guarantee_line(guarantee)}.", rest


def attacker(view: View) -> tuple[float, bool] | None:
    """Return how often the best guess about one row is right at the edge of what is protected, and whether that is exact."""
    if view.noise is None or view.guesser is None:
        return None
    guesser = view.guesser
    return float(guesser.right(view.noise.sensitivity.value)), bool(guesser.exact)


def most_right(epsilon: float, delta: float) -> float:
    """Return how often any guess is right at most, by ε and δ alone: (e^ε + δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015)."""
    small = math.exp(-epsilon)
    return (1 + delta * small) / (1 + small)


def numbers_of_answer(view: View) -> int:
    """Return how many numbers are answered."""
    return max(len(groups_of(view.released.scenario.target)), view.released.exact.value.size)
