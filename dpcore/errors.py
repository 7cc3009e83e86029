"""All errors that are raised on purpose; those of a run that ends early are in ``dpcore.sampling.draws``.

Each says what was expected, what came and what to do, carries these values as attributes, and can be pickled: an exception that
cannot would end a pool of worker processes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any


class DpcoreError(Exception):
    """The base class of all errors that are raised on purpose. Catching it catches no programming error.

    Examples:
        >>> from dpcore import PureDP
        >>> try:
        ...     PureDP(epsilon=-1.0)
        ... except DpcoreError as error:
        ...     print(error)
        epsilon must be a number above 0; got -1.0.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: _sendable(value) for name, value in vars(self).items()}
        return _restored, (type(self), *map(_sendable, self.args)), state


def _restored(kind: type[DpcoreError], *args: object) -> DpcoreError:
    """Return an error of this class without a call of its constructor, which takes other arguments."""
    return kind.__new__(kind, *args)


def _sendable(value: object) -> object:
    """Return the value, or its repr if it cannot be pickled."""
    try:
        pickle.dumps(value)
    except Exception:  # pickling runs the value's own code, which can raise anything
        return repr(value)
    return value


def _brief(value: object, write: Callable[[object], str] = repr) -> str:
    """Return a value as text, shortened to 100 characters."""
    try:
        text = write(value)
    except ValueError:  # an integer of more than 4,300 digits
        text = f"a value of the type {type(value).__name__}"
    return text if len(text) <= 100 else f"{text[:50]}…{text[-40:]}"


class NoAnswerError(ValueError):
    """A target's answer cannot be used. The message quotes no value of a database, so it can be kept and shown."""


class InvalidValueError(DpcoreError, ValueError):
    """An argument is not as described."""

    def __init__(self, name: str, expected: str, got: object) -> None:
        super().__init__(f"{name} must be {expected}; got {_brief(got)}.")
        self.name, self.expected, self.got = name, expected, got


class GammaOutOfReachError(DpcoreError, ValueError):
    """γ is too small to be certified by any order statistic of m draws."""

    def __init__(self, m: int, gamma: float, bound: str, least_gamma: float, least_m: int) -> None:
        super().__init__(
            f"{m:,} draws cannot certify γ = {gamma:g} under the {bound} bound: the least γ they reach is {least_gamma:.6g}. "
            f"Take at least {least_m:,} draws, or a larger γ."
        )
        self.m, self.gamma, self.bound = m, gamma, bound
        self.least_gamma, self.least_m = least_gamma, least_m


class NotCertifiedError(DpcoreError, ValueError):
    """An operating point (m, k, γ) certifies nothing, or less than it says."""

    def __init__(self, m: int, k: int, gamma: float, bound: str) -> None:
        super().__init__(
            f"m = {m:,}, k = {k:,} does not certify γ = {gamma!r} under the {bound} bound. "
            "Make the point with OperatingPoint.for_gamma, for_sample_size or for_both."
        )
        self.m, self.k, self.gamma, self.bound = m, k, gamma, bound


class ZeroSensitivityError(DpcoreError, ValueError):
    """A sampled sensitivity is zero, or nearly: noise of its size would release the exact answer."""

    def __init__(self, value: float, resolution: float) -> None:
        super().__init__(
            f"The sampled sensitivity is {value:g}, not above the target's resolution {resolution:g}: noise of that scale would "
            "release the exact answer. Take a smaller γ, an oracle that varies more, or in code allow_zero=True if that is meant."
        )
        self.value, self.resolution = value, resolution


class InfiniteSensitivityError(DpcoreError, ValueError):
    """The order statistic is infinite, because the target failed on too many pairs."""

    def __init__(self, failed: int, m: int, k: int, reasons: dict[str, int]) -> None:
        why = "; ".join(f"{reason} (on {count:,} of them)" for reason, count in reasons.items())
        super().__init__(
            f"The target failed on {failed:,} of {m:,} pairs, each counted as an infinite distance, so the {k:,}-th smallest is "
            f"infinite: {why}. Correct the target or the oracle, or take a larger γ."
        )
        self.failed, self.m, self.k, self.reasons = failed, m, k, reasons


class ExploredPointError(DpcoreError, ValueError):
    """The operating point was chosen after its draws were seen, so it cannot be released."""

    def __init__(self, m: int, k: int) -> None:
        super().__init__(
            f"The point m = {m:,}, k = {k:,} was taken from draws that had been seen, so its bound does not hold. "
            "Call sample_sensitivity afresh with that point, then release."
        )
        self.m, self.k = m, k


class NormMismatchError(DpcoreError, TypeError):
    """A sensitivity is in another norm than the mechanism's."""

    def __init__(self, mechanism: str, expected: str, got: str) -> None:
        super().__init__(
            f"{mechanism} needs a sensitivity in {expected}; this one is in {got}. "
            f"Sample it again with norm=dpcore.{expected}, or take target.global_sensitivity(dpcore.{expected}, n)."
        )
        self.mechanism, self.expected, self.got = mechanism, expected, got


class GuaranteeMismatchError(DpcoreError, TypeError):
    """The mechanism cannot give this kind of privacy."""

    def __init__(self, mechanism: str, expected: str, got: object) -> None:
        super().__init__(f"{mechanism} is calibrated to {expected}; got {_brief(got)}.")
        self.mechanism, self.expected, self.got = mechanism, expected, got


class DatabaseMismatchError(DpcoreError, ValueError):
    """A database is unlike those that the sensitivity was sampled or proved for."""

    def __init__(self, what: str, expected: object, got: object) -> None:
        super().__init__(
            f"The sensitivity holds for databases with {what} {_brief(expected, str)}; this one has {_brief(got, str)}. "
            "Sample the sensitivity again for it."
        )
        self.what, self.expected, self.got = what, expected, got


class MethodMismatchError(DpcoreError, ValueError):
    """A fast method of the target gives another answer than its plain call."""

    def __init__(self, way: str, plain: float, shortcut: float) -> None:
        super().__init__(
            f"On one small pair the target's {way} method gives {shortcut!r}, and its plain call gives {plain!r}. "
            "Correct the one that is wrong, or offer only the plain call."
        )
        self.way, self.plain, self.shortcut = way, plain, shortcut


class ReleaseFailedError(DpcoreError):
    """The target failed on the database itself. Nothing of its message is kept, because it could quote a record."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"No answer: on this database the target {why}. The attempt is charged in full, because whether it fails depends on "
            "the database."
        )
        self.why = why


class NoiseUnderflowError(DpcoreError):
    """A value is so large that the spacing of floating-point numbers exceeds the noise."""

    def __init__(self, scale: float) -> None:
        super().__init__(
            f"The answer is so large that floating-point spacing would swallow noise of scale {scale:g}. "
            "Centre or rescale the target. The attempt is charged in full."
        )
        self.scale = scale


class IncompatibleReleasesError(DpcoreError, ValueError):
    """Guarantees for different neighbours, oracles or sizes do not add up."""

    def __init__(self, what: str, expected: object, got: object) -> None:
        super().__init__(
            f"These guarantees do not add up: the ledger's {what} is {_brief(expected, str)}, this one's is {_brief(got, str)}. "
            f"The first release of a table fixes its {what} for all later ones: ask with that one."
        )
        self.what, self.expected, self.got = what, expected, got


class SampledLaterError(DpcoreError, ValueError):
    """A sampled sensitivity would come after a response. ``after`` names what came before."""

    def __init__(self, after: str) -> None:
        super().__init__(
            f"A sampled sensitivity has no guarantee after {after}, which may have led to it. Take a proved sensitivity "
            "(target.global_sensitivity), or sample and aggregate. For another table, fix all sampled questions with "
            "Ledger.planned before the first answer."
        )
        self.after = after


class InexactNoiseError(DpcoreError, ValueError):
    """Noise is not known to be drawn exactly, so a release with it has no guarantee."""

    def __init__(self, mechanism: str) -> None:
        super().__init__(
            f"A release of {mechanism} has no guarantee, because OpenDP is not known to draw all of its noise exactly. "
            "Take another mechanism."
        )
        self.mechanism = mechanism


class BudgetExceededError(DpcoreError, ValueError):
    """A release would spend more than the budget. ``what`` names the number that runs out."""

    def __init__(self, budget: object, would_be: object, what: str = "") -> None:
        ran_out = f", more {what} than there is" if what else ""
        super().__init__(
            f"The budget is {_brief(budget)}; with this release {_brief(would_be)} would be spent{ran_out}. Nothing was added."
        )
        self.budget, self.would_be, self.what = budget, would_be, what


class UnknownKindError(DpcoreError, ValueError):
    """A name in JSON or in a link is not in the catalogue."""

    def __init__(self, what: str, got: object, known: tuple[str, ...]) -> None:
        super().__init__(f"{_brief(got)} is no {what} of this catalogue. Known: {', '.join(known)}.")
        self.what, self.got, self.known = what, got, known


class TableError(DpcoreError, ValueError):
    """A file or a table cannot be used as it is. ``problem`` and ``remedy`` are a sentence each."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem, self.remedy = problem, remedy


class TooSlowError(DpcoreError):
    """Draws would take longer than the limit that was set for them."""

    def __init__(self, seconds: float, limit: float, most_m: int) -> None:
        super().__init__(
            f"These draws would take about {seconds:,.0f} s here, and the limit is {limit:.0f} s. "
            f"Take at most {most_m:,} draws, a smaller table, or a target that is a sum over rows."
        )
        self.seconds, self.limit, self.most_m = seconds, limit, most_m


class TooManyRowsError(DpcoreError, ValueError):
    """Simulated users would have about ``rows`` rows together, more than the ``most`` that can be drawn."""

    def __init__(self, people: int, rows: int, most: int) -> None:
        super().__init__(
            f"{people:,} simulated people would have about {float(f'{rows:.3g}'):,.0f} rows, and at most {most:,} rows can be "
            "drawn. Choose fewer rows a person in the oracle, or fewer people."
        )
        self.people, self.rows, self.most = people, rows, most


class QueryError(DpcoreError, ValueError):
    """A query is refused.

    Attributes:
        problem: The problem, without a full stop.
        remedy: The remedy, as a sentence.
        query: The query.
        place: Index of the character in the query; None if the problem has no single place.
        line: The line of the place, from 1.
        character: The place within its line, from 1.
    """

    def __init__(self, problem: str, remedy: str, query: str, place: int | None = None) -> None:
        self.problem, self.remedy, self.query, self.place = problem, remedy, query, place
        self.line = None if place is None else query.count("\n", 0, place) + 1
        self.character = None if place is None else place - query.rfind("\n", 0, place)
        where = "" if place is None else f" (line {self.line}, character {self.character})"
        super().__init__(f"{problem}{where}. {remedy}")
