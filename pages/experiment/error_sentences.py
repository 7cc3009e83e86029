"""Errors in plain words: what failed, why and what to do, without code.

Most errors of ``dpcore`` are sentences already. Those here speak of settings by the names that the page gives them, or say what
to do in the app instead of in code. Errors that only code can cause are not among them.
"""

from __future__ import annotations

from dpcore import Bound, errors
from dpcore.base.norms import NORMS
from dpcore.base.text import counted, quoted
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.descriptions import figure
from pages.experiment.choices import title
from pages.experiment.descriptions import bound_words, kind_words, name_words, spoken


def plain(error: DpcoreError) -> str:
    """Return an error as whole sentences for a person who writes no code."""
    said = _sentences(error)
    as_it_is = isinstance(error, errors.TableError) or not said[:1].isascii()  # the name of a column, or ε
    start = said[:1] if as_it_is else said[:1].upper()
    return f"{start}{said[1:].rstrip('.')}."


def _sentences(error: DpcoreError) -> str:
    match error:
        case InvalidValueError():
            return _invalid(error)
        case errors.UnknownKindError():
            return _unknown(error)
        case errors.GammaOutOfReachError():
            pairs = "One sampled pair supports" if error.m == 1 else f"{error.m:,} sampled pairs support"
            return (
                f"{pairs} no γ below {error.least_gamma:.6g} under {bound_words(error.bound)}, but γ = {error.gamma:g} was "
                f"given. Take at least {error.least_m:,} pairs, or a larger γ."
            )
        case errors.ZeroSensitivityError():
            return (
                f"The sampled sensitivity is {figure(error.value)}: in these pairs the answer moved no more than rounding moves "
                "it. Noise of that scale would publish the exact answer. Take a smaller γ, or an oracle whose rows vary more."
            )
        case errors.InfiniteSensitivityError():
            reason = max(error.reasons, key=lambda one: error.reasons[one], default="")
            why = f" The most frequent reason: {quoted(reason, 160)}." if reason else ""
            return (
                f"The target failed on {error.failed:,} of {counted(error.m, ' sampled pairs')}.{why} A failure counts as an "
                "infinite distance, so no noise is large enough. Change the target or the oracle, or take a larger γ."
            )
        case errors.ReleaseFailedError():
            why = "could not be computed" if error.why.startswith("raised") else error.why or "failed"
            return (
                f"No answer: on this table the target {why}. The attempt is charged in full, because whether it fails depends on "
                "the table. Take a target that has an answer on every table."
            )
        case errors.IncompatibleReleasesError():
            return _incompatible(error)
        case errors.SampledLaterError():
            return (
                f"Sampled noise has no guarantee after {error.after}, which may have led to this question. Take the worst case "
                "if one is proved, or blocks. For another table, ask all such questions in one list."
            )
        case errors.InexactNoiseError():
            return (
                "This answer would have no guarantee. Its noise is not known to be drawn exactly, and it could reveal more than "
                "its formula says. Choose another mechanism in the options of Explore."
            )
    return str(error)


def _invalid(error: InvalidValueError) -> str:
    name = name_words(error.name)
    whole = isinstance(error.got, float) and "whole" in error.expected  # 199.0 is refused as 199.0
    came = quoted(str(error.got)) if whole else spoken(error.got)
    given = f", but {came} was given" if came else ""
    return f"{name if name in ('γ', 'ε', 'δ', 'ρ') else f'The {name}'} must be {error.expected}{given}."


def _unknown(error: errors.UnknownKindError) -> str:
    whose, _, owner = error.what.partition(" of ")
    if whose == "field":
        what, known = f"setting of the {kind_words(owner)}" if owner != "a scenario" else "setting", map(name_words, error.known)
    elif whose == "column":
        what, known = f"column of {quoted(owner)}", map(quoted, error.known)
    else:
        what, known = error.what, map(_title, error.known)
    return f"{spoken(error.got) or 'What was given'} is not a {what}. It has: {', '.join(known) or 'none'}."


def _title(kind: str) -> str:
    return bound_words(kind) if kind in Bound.__members__ else NORMS[kind].words if kind in NORMS else title(kind)


def _incompatible(error: errors.IncompatibleReleasesError) -> str:
    if error.what == "oracle":
        return (
            "This question has another oracle. Questions with sampled noise share one oracle, in a list and in the ledger. "
            "Take the worst case if one is proved, or choose the same oracle."
        )
    numbers = [spoken(value) for value in (error.expected, error.got) if isinstance(value, (int, float))]
    which = f": {numbers[0]} there, {numbers[1]} here" if len(numbers) == 2 else ""
    return (
        f"These guarantees do not add up, because the ledger has another {name_words(error.what)}{which}. The first release of "
        "a table fixes it for all later ones."
    )
