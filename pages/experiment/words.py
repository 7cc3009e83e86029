"""Texts about the accuracy and the guarantee of a view: of the page Explore, of a ±, and of several scenarios side by side.

The texts of Explore are templates with names in braces. The browser fills them while a slider moves (``pages/live``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from dpcore import ApproxDP, PureDP, RandomDP
from dpcore.base.text import TOO_FEW, counted, everyday
from dpcore.guarantees.descriptions import counted_in, figure, unit_of
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.registry import title_of
from dpcore.result_types.kind import Grouped
from dpcore.targets.query import AsksTarget
from pages.experiment.accuracy import GroupedAccuracy, Margins, braced
from pages.experiment.choices import kind_of, title
from pages.experiment.question import asked_alone
from pages.experiment.scenario import Noise
from pages.experiment.view import Question, View
from pages.files.persons import Foretold, foretold

_KINDS: dict[type, str] = {PureDP: "Pure DP", ApproxDP: "Approximate DP", RandomDP: "Random DP"}

_STRENGTH: dict[type, int] = {PureDP: 3, ApproxDP: 2, RandomDP: 1}
_WORDS = {3: "pure DP", 2: "approximate DP", 1: "only random DP", 0: "nothing"}


def templates(view: View) -> dict[str, str]:
    """Return the texts of the page.

    They are ``headline``, ``line`` (the guarantee in short), ``promise``, ``limits``, ``summary`` and ``guess``. Without noise,
    most of them are empty.
    """
    if view.noise is None:
        return {
            "headline": "These settings give no private answer.",
            "line": "",
            "promise": "Without noise, nothing is guaranteed.",
            "limits": "",
            "summary": "" if view.order_statistic is None else _SUMMARY,
            "guess": "",
        }
    line, (first, rest) = _line(view), _promise(view)
    unit = "row" if view.scenario.adjacency.of_records else "person"
    which = "protected" if view.scenario.noise is Noise.SAMPLED else "all"
    limit = f"; ε promises at most {{limit}} for {which} changes" if view.scenario.delta is None else ""  # δ has another limit
    guess = f"Best guess about one {unit}: {{guess}} right{limit} (random guessing: 50%)."
    return {
        "headline": _headline(view),
        "line": line,
        "promise": f"{line}{first}",
        "limits": rest,
        "summary": _SUMMARY,
        "guess": guess if is_exact(view) else "",
    }


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
    accuracy, error = view.released.accuracy, view.error or 0.0
    assert view.attacker is not None
    right = float(view.attacker.right(view.noise.sensitivity.value))
    exactly = f"{100 * right:.0f}%" if right < 0.995 else "over 99%"  # noise never reveals a row for sure
    return found | {
        "error": accuracy.said(error),
        "everyday": everyday(error, f" {accuracy.unit}"),
        "guess": exactly if view.attacker.exact else f"at most {math.ceil(100 * right - 1e-9)}%",
    }


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
    target, whole = asked_alone(view.question.scenario), view.question.scenario.target
    kind, labels = kind_of(target), view.question.answer.labels
    if kind == "SqlQuery":
        return "answer"
    if kind == "QuantileScores" and labels:
        name = labels[0].partition(" of ")[0]
    elif target.public_alone:
        name = target.everyday
    else:
        asked = whole if isinstance(whole, AsksTarget) else target  # of blocks the target is a question
        name = (title_of(type(asked.known)) if isinstance(asked, AsksTarget) else title(kind)).partition(":")[0]
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def _headline(view: View) -> str:
    accuracy = view.released.accuracy
    unit = "" if accuracy.unit in ("", "share") else f" {accuracy.unit}"
    text = accuracy.sentence.replace("{answer}", subject(view)).replace("{error}", f"{{error}}{braced(unit)}{{everyday}}")
    text += _limit_per_person(view)
    return text if view.question.table.public else f"{text} “Exact” is a simulated table’s answer: yours is used only by Release."


def _limit_per_person(view: View) -> str:
    """Return that the exact answer has the limit per person too, so the error of the limit is not part of the margin."""
    stated = view.question.scenario.target
    if stated.totals is not None:
        return " “Exact” has the limit of each person’s total."
    if view.scenario.adjacency.of_records or not stated.rows:
        return ""
    return f" “Exact” counts at most {counted(stated.rows, ' rows')} of each person."


def _line(view: View) -> str:
    """Return the guarantee in one short line, for charts."""
    if not is_exact(view):
        return "No guarantee"
    guarantee: Any = view.noise.guarantee if view.noise is not None else None
    delta = f", δ = {guarantee.delta:g}" if guarantee.delta else ""
    gamma = ", γ = {gamma}" if isinstance(guarantee, RandomDP) else ""
    return f"{_KINDS[type(guarantee)]}, ε = {{epsilon}}{delta}{gamma}"


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


@final
@dataclass(frozen=True, eq=False)
class Compared:
    """One scenario of a comparison. Without a private answer, the fields after ``view`` have their defaults.

    Args:
        letter: Its letter, or "now".
        name: What differs from the others.
        view: Its view, or the reason why it is not drawn.
        error: Its error.
        meaning: The sense and the unit of its error.
        error_in_words: The error with its unit, a margin with ±.
        guarantee: The guarantee in one short line.
        strength: The kind of the guarantee as a number, 3 for pure DP; 0 without one.
    """

    letter: str
    name: str
    view: View | str
    error: float | None = None
    meaning: tuple[str, str] = ("", "")
    error_in_words: str = ""
    guarantee: str = ""
    strength: int = 0

    @property
    def label(self) -> str:
        """The letter with what differs."""
        return f"{self.letter}: {self.name}"

    @property
    def simulated(self) -> bool:
        """True if its error is that on a simulated table, because its own is confidential."""
        return not isinstance(self.view, str) and not self.view.question.table.public


def compared(letter: str, name: str, view: View | str) -> Compared:
    """Return one scenario of a comparison.

    Args:
        letter: Its letter, or "now".
        name: What differs from the others.
        view: Its view, or the reason why it is not drawn.
    """
    if isinstance(view, str) or view.noise is None:
        return Compared(letter, name, view)
    accuracy, error = view.released.accuracy, view.error or 0.0
    margin, unit = "± " if "margin" in accuracy.what else "", "" if accuracy.unit in ("", "share") else f" {accuracy.unit}"
    said, line = f"{margin}{accuracy.said(error)}{unit}", filled(view)["line"]
    strength = _STRENGTH[type(view.noise.guarantee)] if is_exact(view) else 0
    return Compared(letter, name, view, error, (accuracy.what, accuracy.unit), said, line, strength)


def comparable(items: Sequence[Compared], shown: Compared) -> list[Compared]:
    """Return the scenarios whose error is finite and has the sense and the unit of the one that is shown.

    Args:
        items: All scenarios.
        shown: The one on the page.
    """
    return [one for one in items if one.error is not None and math.isfinite(one.error) and one.meaning == shown.meaning]


def conclusion(items: Sequence[Compared]) -> str:
    """Return which of the scenarios has the smallest error, by which factor, and whether it promises less.

    Args:
        items: At least two scenarios with errors of the same sense and unit.
    """
    first, *others = sorted(items, key=lambda one: one.error or 0.0)
    last = others[-1]
    least, most = first.error or 0.0, last.error or 0.0
    if most <= least * 1.005:
        said = f"{' and '.join(one.letter for one in items)} have the same error: {first.error_in_words}."
    else:
        times = f", {figure(most / least)} times smaller than that of {last.letter}" if least else ""
        said = f"{first.letter} has the smallest error, {first.error_in_words}{times}."
    best = max(items, key=lambda one: one.strength)
    if first.strength < best.strength:
        said += f" But {first.letter} promises {_WORDS[first.strength]}, and {best.letter} {_WORDS[best.strength]}."
    elif len({one.guarantee for one in items}) > 1:
        said += " Their guarantees differ."
    return said


@final
@dataclass(frozen=True, kw_only=True)
class Margin:
    """The ± that 95% of the answers to a question keep.

    Args:
        least: The smallest possible ±.
        most: The largest possible ±. It is larger if the number of known values is confidential.
        after: The unit, as it follows a number.
        rests_on: A sentence on what is confidential and assumed; empty if ``least`` is ``most``.
    """

    least: float
    most: float
    after: str
    rests_on: str

    @property
    def text(self) -> str:
        """The ± with its unit, from least to most."""
        if math.isinf(self.least):
            return TOO_FEW
        if math.isinf(self.most):
            return f"± {figure(self.least)}{self.after} or more"
        ends = dict.fromkeys((figure(self.least), figure(self.most)))
        return f"± {counted(' to '.join(ends), self.after)}{everyday(self.most, self.after) if len(ends) == 1 else ''}"


def margin(question: Question, law: Any) -> Margin | None:
    """Return the ± of a question, from a public table or a simulated one.

    Args:
        question: The question.
        law: The distribution of the noise.

    Returns:
        The ±, or None for answers that have several or none, such as a choice or a curve.
    """
    accuracy = question.accuracy
    if not isinstance(accuracy, Margins):
        return None
    known, after = known_values(question), question.answer.after
    if known is None:
        error = accuracy.error(law)
        return Margin(least=error, most=error, after=after, rests_on="")
    parts = accuracy.groups if isinstance(accuracy, GroupedAccuracy) else (accuracy,)
    between = {"least": known.least, "most": known.most}
    ends = [part.answer.predicted_margins(law, part.exact, SHARE_WITHIN, **between) for part in parts]
    least, most = (float(max(end)) for end in zip(*ends, strict=True))
    return Margin(least=least, most=most, after=after, rests_on=known.words)


def known_values(question: Question) -> Foretold | None:
    """Return how many values may be known, if a ± depends on that and it is confidential."""
    answer: Any = question.answer
    if question.table.public or (answer.of if isinstance(answer, Grouped) else answer).predicted_margins is None:
        return None
    return foretold(question.scenario.target, question.scenario.oracle, question.table.guesses)
