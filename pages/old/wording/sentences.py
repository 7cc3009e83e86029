"""Errors, targets and oracles for people: what was expected, what came, and what to do; no code, no program's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import errors
from dpcore.base.counted import counted
from dpcore.base.norms import NORMS, Norm
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from dpcore.guarantees.words import figure
from dpcore.sampling.draws import EngineLostError, Remedy, SamplingStoppedError
from dpcore.sql.query_error import QueryError
from pages.files.tables import Column
from pages.old.wording.question_words import oracle_words, target_words
from pages.old.wording.values import bound_words, kind_title, kind_words, name_words, norm_words, number, spoken

__all__ = ["oracle_words", "plain", "setting_words", "target_words"]

_GREEK = ("γ", "ε", "δ", "ρ")
_PROMISES = {"PureDP": "pure DP", "ApproxDP": "approximate DP"}


def plain(error: DpcoreError) -> str:
    """What a page says instead of ``str(error)``: whole sentences for a person who writes no code."""
    known = next((kind for kind in type(error).__mro__ if kind in SENTENCES), None)
    said = str(error) if known is None else SENTENCES[known](error)
    as_it_is = isinstance(error, errors.TableError) or not said[:1].isascii()  # a column's name, or ε
    start = said[:1] if as_it_is else said[:1].upper()
    return f"{start}{said[1:].rstrip('.')}."


def _gamma_out_of_reach(error: errors.GammaOutOfReachError) -> str:
    return (
        f"{pairs(error.m)} no γ below {error.least_gamma:.6g} under {bound_words(error.bound)}, and {error.gamma:g} was asked "
        f"for. Take at least {error.least_m:,} trials, or a larger γ."
    )


def pairs(m: int) -> str:
    """The subject of "supports", with its verb."""
    return "One trial supports" if m == 1 else f"{m:,} trials support"


def _not_certified(error: errors.NotCertifiedError) -> str:
    return (
        f"Number {error.k:,} of {counted(error.m, ' distances')} does not certify γ = "
        f"{error.gamma:g} under {bound_words(error.bound)}. "
        "Choose γ or the number of trials anew: the distance that certifies them is then found."
    )


def _zero(error: errors.ZeroSensitivityError) -> str:
    return zero(figure(error.value))


def zero(sensitivity: str) -> str:
    """Why there is no noise of a sampled sensitivity like this."""
    return (
        f"The sampled sensitivity is {sensitivity}: in these draws the answer moved no more than rounding moves it. "
        "Noise of that scale would publish the exact answer. Take a smaller γ, or an oracle whose rows vary more."
    )


def _infinite(error: errors.InfiniteSensitivityError) -> str:
    said = max(error.reasons, key=lambda one: error.reasons[one], default="")
    why = f" Most often because of this: {quoted(said, 160)}." if said else ""
    return (
        f"The target failed on {error.failed:,} of {counted(error.m, ' trials')}.{why} Each failure counts as an endless move, "
        "so no noise is large enough. Change the target or the oracle, or take a larger γ."
    )


def _explored(error: errors.ExploredPointError) -> str:
    trials, they = ("This trial has", "it") if error.m == 1 else (f"These {error.m:,} trials have", "they")
    return (
        f"{trials} been looked at, so {they} cannot size the noise of a release. "
        "Make the release on its own page: it draws afresh."
    )


def _norm(error: errors.NormMismatchError) -> str:
    return (
        f"{kind_title(error.mechanism)} noise needs a sensitivity in the norm {norm_words(error.expected)}, and this one is "
        f"in {norm_words(error.got)}. Sample it again in that norm."
    )


def _guarantee(error: errors.GuaranteeMismatchError) -> str:
    wanted = _PROMISES.get(error.expected, error.expected)
    came = spoken(error.got)
    return (
        f"{kind_title(error.mechanism)} gives {wanted}{f', and {came} was asked for' if came else ''}. "
        "Choose another mechanism, or that guarantee."
    )


def _database(error: errors.DatabaseMismatchError) -> str:
    if isinstance(error.expected, int) and isinstance(error.got, int) and not isinstance(error.expected, bool):
        what = f"tables of {counted(number(error.expected), ' rows')}, and this one has {number(error.got)}"
    else:
        what = "tables of other columns than this one's"
    return f"The sensitivity is for {what}. Sample the sensitivity again for this table."


def _ways(error: errors.WaysDisagreeError) -> str:
    return (
        f"On one small pair of tables the target's shortcut gave {figure(error.shortcut)} where its plain computation gave "
        f"{figure(error.plain)}. One of the two is wrong: take another target, or correct this one."
    )


def _stopped(error: SamplingStoppedError) -> str:
    return f"Sampling stopped after {_arrived(error)}. These draws size no noise: go on with them, or sample again."


def _lost(error: EngineLostError) -> str:
    memory = error.remedy is Remedy.MEMORY
    why, remedy = (", for the workers ran out of memory", "Take a smaller table") if memory else ("", "Try again")
    return (
        f"Sampling broke off after {_arrived(error)}{why}. What arrived is kept. {remedy}; if that does not help, whoever "
        "runs this app finds the reason in the log of the workers."
    )


def _arrived(error: SamplingStoppedError) -> str:
    return f"{len(error.draws.measured):,} of {counted(error.draws.m, ' trials')}"


def _release_failed(error: errors.ReleaseFailedError) -> str:
    why = "could not be computed" if error.why.startswith("raised") else error.why or "failed"
    return (
        f"No answer: on this table the target {why}. The attempt is charged in full, because whether it fails depends on the "
        "table. Take a target that has an answer on every table."
    )


def _swallowed(error: errors.NoiseSwallowedError) -> str:
    return (
        f"The answer is so large that its rounding would swallow noise of scale {figure(error.scale)}. "
        "Move or rescale the column, so that its numbers are smaller. The attempt is charged in full."
    )


def _incompatible(error: errors.IncompatibleReleasesError) -> str:
    if error.what == "oracle":
        return (
            "This question has another oracle. Questions whose noise is sized by trials share one oracle, in a list and in the "
            "ledger. Take the worst case if one is proved, or choose the same oracle."
        )
    numbers = [spoken(value) for value in (error.expected, error.got) if isinstance(value, (int, float)) and spoken(value)]
    which = f": {numbers[0]} there, {numbers[1]} here" if len(numbers) == 2 else ""
    return (
        f"These guarantees do not add up, because the ledger speaks of another {name_words(error.what)}{which}. The first "
        "release of a table fixes it for all later ones: ask with that one."
    )


def _sampled_later(error: errors.SampledLaterError) -> str:
    return (
        f"Noise that is sized by trials has no guarantee after {error.after}, which may have led to this question. Take the "
        "worst case if one is proved, or blocks. For another table, ask all such questions in one list."
    )


def _inexact(error: errors.InexactNoiseError) -> str:
    return (
        "This answer would have no guarantee. It is not known that its noise is sampled exactly, with a scale that is rounded "
        "up, and other noise can tell more than its formula says. Take another mechanism on Explore, under Options."
    )


def _budget(error: errors.BudgetExceededError) -> str:
    budget, spent = (_promise(value) for value in (error.budget, error.would_be))
    ran_out = f", more {name_words(error.what)} than there is" if error.what else ""
    return (
        f"The budget is {budget}, and with this release {spent} would be spent{ran_out}. Nothing was added. "
        "Ask for less, or raise the budget."
    )


def _promise(value: object) -> str:
    return words.name(value) if isinstance(value, (PureDP, ApproxDP, RandomDP)) else "more than can be added up"


def _unknown(error: errors.UnknownKindError) -> str:
    """Kinds by their titles, settings by their labels, columns as they are written."""
    whose, _, owner = error.what.partition(" of ")
    if whose == "field":
        what, known = f"setting of the {kind_words(owner)}" if owner != "a scenario" else "setting", map(name_words, error.known)
    elif whose == "column":
        what, known = f"column of {quoted(owner)}", map(quoted, error.known)
    else:
        what, known = f"{error.what} that this app has", map(_title, error.known)
    came = spoken(error.got) if isinstance(error.got, (str, int, float)) else ""
    came = quoted(error.got) if isinstance(error.got, str) else came
    names = ", ".join(known)
    has = f"It has: {names}." if names else "It has none."
    return f"{came or 'What was given'} is no {what}. {has}"


def _title(kind: str) -> str:
    return bound_words(kind) if kind in Bound.__members__ else kind_title(norm_words(kind) if kind in NORMS else kind)


def _table(error: errors.TableError) -> str:
    return f"{error.problem} {error.remedy}"


def setting_words(name: str, value: Any, columns: tuple[Column, ...]) -> str:
    """A setting of a scenario with its value, as in "γ 0.05"."""
    if name == "target":
        return target_words(value, columns)
    if name == "oracle":
        return f"the oracle {oracle_words(value)}"
    if name == "mechanism":
        return f"the mechanism {kind_title(type(value).__name__)}"
    if isinstance(value, Bound):
        return bound_words(value.name)
    if isinstance(value, Norm):
        return f"the norm {norm_words(value.name)}"
    if name == "m":
        return counted(value, " trials")
    return f"no {name_words(name)}" if value is None else f"{name_words(name)} {spoken(value)}"


def _slow(error: errors.TooSlowError) -> str:
    return (
        f"These draws would take about {error.seconds:,.0f} s here, and this page waits {error.limit:,.0f} s at most. "
        f"Take at most {counted(error.most_m, ' trials')}, a smaller table, or a target that adds up over the rows."
    )


def _invalid(error: InvalidValueError) -> str:
    """The setting, what it must be, and what was given where a person would know it again."""
    name = name_words(error.name)
    whole = isinstance(error.got, float) and "whole" in error.expected  # 199.0 is none
    came = quoted(str(error.got)) if whole else spoken(error.got)
    given = f", but {came} was given" if came else ""
    return f"{name if name in _GREEK else f'The {name}'} must be {error.expected}{given}."


SENTENCES: dict[type, Callable[[Any], str]] = {
    InvalidValueError: _invalid,
    errors.GammaOutOfReachError: _gamma_out_of_reach,
    errors.NotCertifiedError: _not_certified,
    errors.ZeroSensitivityError: _zero,
    errors.InfiniteSensitivityError: _infinite,
    errors.ExploredPointError: _explored,
    errors.NormMismatchError: _norm,
    errors.GuaranteeMismatchError: _guarantee,
    errors.DatabaseMismatchError: _database,
    errors.WaysDisagreeError: _ways,
    SamplingStoppedError: _stopped,
    EngineLostError: _lost,
    errors.ReleaseFailedError: _release_failed,
    errors.NoiseSwallowedError: _swallowed,
    errors.IncompatibleReleasesError: _incompatible,
    errors.SampledLaterError: _sampled_later,
    errors.InexactNoiseError: _inexact,
    errors.BudgetExceededError: _budget,
    errors.UnknownKindError: _unknown,
    errors.TableError: _table,
    QueryError: str,
    errors.TooSlowError: _slow,
    errors.TooManyRowsError: str,
}
