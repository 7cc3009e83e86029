"""The conclusion of scenarios side by side, in a sentence, and what none of their guarantees covers."""

from __future__ import annotations

from dataclasses import replace
from textwrap import shorten
from typing import Any

from dpcore.guarantees import words
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.mechanisms.response_law import SHARE_WITHIN, sampling_of
from pages.old.experiment.conclusion import GUARANTEE, ORACLE, PROTECTED, SIZE, Compared, conclusion
from pages.old.experiment.headlines.base import MeasuredHeadline
from pages.old.shared import answer, counted_odds
from pages.old.shared.escape import unmarked
from pages.old.state.pins import Stood, differing
from pages.old.state.view import Shown
from pages.old.wording.question_words import question

_LONG = 150  # characters of a sentence
_NO_GUARANTEE = "no guarantee"
_KINDS = ("pure DP", "approximate DP", "random DP")
_NUMBERS = ("epsilon", "gamma", "m", "n", "delta", "confidence")  # by the first of these that differ the scenarios are sorted


def conclude(stood: list[Stood]) -> str:
    """Return what the scenarios come to, from what may be shared of each: no answer of a confidential table's own."""
    return _title([pair for pair in _shown(_sorted(stood)) if not _unsafe(pair[1])])


def not_protected(stood: list[Stood]) -> tuple[str, ...]:
    """Return who is not protected: one sentence for all guarantees, or one for each."""
    found: dict[str, dict[str, None]] = {}
    for _, view in _shown(_sorted(stood)):
        found.setdefault(_left_out(view), {})[_but_epsilon(view)] = None
    return tuple(found) if len(found) == 1 else tuple(f"{'; '.join(names)}. {said}" for said, names in found.items())


def _shown(some: list[Stood]) -> list[tuple[Stood, Shown]]:
    return [(one, one.view) for one in some if isinstance(one.view, Shown)]


# In which order they stand.


def _sorted(stood: list[Stood]) -> list[Stood]:
    """By the kinds of their guarantees, then by the numbers that differ; of one question the most accurate last."""
    one_question = len({_asks(view) for _, view in _shown(stood)}) == 1
    differ = [name for name in _NUMBERS if len({getattr(one.scenario, name) for one in stood}) > 1]

    def key(one: Stood) -> tuple[Any, ...]:
        shown = one.view if isinstance(one.view, Shown) else None
        kind = len(_KINDS) if shown is None else _KINDS.index(words.kind(shown.leading.guarantee))
        numbers = tuple(getattr(one.scenario, name) or 0 for name in differ)
        off = _off(shown) if shown is not None and one_question else None
        return (kind * bool(_kinds(stood) > 1), numbers, -(off or 0.0))

    return sorted(stood, key=key)


def _kinds(stood: list[Stood]) -> int:
    return len({words.kind(view.leading.guarantee) for _, view in _shown(stood)})


# What they come to.


def _title(answered: list[tuple[Stood, Shown]]) -> str:
    """The conclusion; of one alone its ±, and where nothing is to be said of several, what differs."""
    if not answered:
        return "No private answer with a guarantee at these choices"
    if len(answered) == 1:
        ((_, view),) = answered
        one = _compared(view, "")
        right = f"{', '.join(filter(None, (one.where, 'a guesser is right')))} {'at most ' * one.bounded}{one.right} in 100"
        return _short(f"{question(view.scenario, view.table)}: {_reach(view)}{f'; {right}' * bool(one.right)}")
    differ = differing([one for one, _ in answered])
    labels = differ.each or [one.name for one, _ in answered]
    compared = [_compared(view, label) for (_, view), label in zip(answered, labels, strict=True)]
    return conclusion(compared, differ.settings, differ.heading) or _short(f"What differs: {differ.heading}")


def _compared(view: Shown, label: str) -> Compared:
    guarantee, scenario = view.leading.guarantee, view.scenario
    random = isinstance(guarantee, RandomDP)
    terms = [(GUARANTEE, _but_epsilon(view)), (PROTECTED, repr((words.trial_of(scenario.adjacency), view.table.unit)))]
    terms += [(ORACLE, repr(scenario.oracle)), (SIZE, f"{scenario.n:,}")] * random
    right = "" if _unsafe(view) else _right(view)
    return Compared(
        label=label,
        terms=tuple(terms),
        asks=_asks(view),
        off=_off(view),
        right=right.removeprefix("at most "),
        bounded=right.startswith("at most "),
        where="where protected" if random else "",
    )


def _asks(view: Shown) -> str:
    """All that its answer without noise hangs on."""
    scenario = view.scenario
    return repr((view.table.name, view.table.digest, scenario.columns, scenario.target, scenario.n))


def _but_epsilon(view: Shown) -> str:
    """The guarantee by its name, without its ε."""
    guarantee = view.leading.guarantee
    return _NO_GUARANTEE if _unsafe(view) else view.promise.replace(f", ε = {guarantee.epsilon:g}", "")


def _unsafe(view: Shown) -> bool:
    """Whether its noise is sampled in a way that no guarantee holds for."""
    return not sampling_of(view.leading.law).exact


def _right(view: Shown) -> str:
    """How often the best guesser is right on the furthest change that is protected, as Explore counts it."""
    edge = view.leading.sensitivity.value
    return counted_odds.said(view.guesser, float(view.guesser.right(edge)))[0]


def _off(view: Shown) -> float | None:
    """Its ±; of several numbers the widest."""
    headline = view.headline
    if not isinstance(headline, MeasuredHeadline) or not headline.short_reach(view.leading):
        return None
    return float(max(headline.reaches(view.leading, SHARE_WITHIN), default=0.0))


def _reach(view: Shown) -> str:
    """In one number where there is one; and whether it rests on what is foretold of a confidential table."""
    said = view.headline.short_reach(view.leading) or view.headline.reach(view.leading)
    return said + " (foretold)" * bool(view.headline.rests_on)


def _short(text: str) -> str:
    return shorten(text, _LONG, placeholder=" …")


def _left_out(view: Shown) -> str:
    if _unsafe(view):
        return "No guarantee: only noise that is sampled exactly has one."
    if isinstance(view.leading.guarantee, RandomDP):
        said = replace(answer.Said.of(view), such_as="")
        return f"{unmarked(answer.unprotected(view, said))} Differential privacy protects every change; this is weaker."
    slip = "" if isinstance(view.leading.guarantee, PureDP) else ", but for δ"
    return f"No change is left out{slip}: the noise is sized to the worst case over all tables."
