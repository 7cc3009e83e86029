"""Every error that is raised on purpose; those of a run that ends early are in ``dpcore.sampling.draws``.

Each says what was expected, what came and what to do, carries its values as attributes, and survives pickling
(an exception that does not would kill a pool of worker processes).
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any


def _rebuild(kind: type[DpcoreError], values: dict[str, Any]) -> DpcoreError:
    error = kind.__new__(kind)
    error.__dict__.update(values)
    return error


def _brief(value: object) -> str:
    """Return the repr of a value, shortened if it would fill the screen."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:50]}…{text[-40:]}"


def _sendable(value: object) -> object:
    """Return the value, or its repr if it does not pickle."""
    try:
        pickle.dumps(value)
    except Exception:  # pickling runs the value's own code, which can raise anything
        return repr(value)
    return value


class DpcoreError(Exception):
    """The root of all of them: catching this catches what dpcore refuses, and no programming error."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {name: _sendable(value) for name, value in self.__dict__.items()})


class NoAnswerError(ValueError):
    """A target's answer that cannot be used. Its text quotes no value of a database, so it may be kept and shown."""


@dataclass(eq=False)
class InvalidValueError(DpcoreError, ValueError):
    """A parameter that is outside what its meaning allows."""

    name: str
    expected: str
    got: object

    def __str__(self) -> str:
        return f"{self.name} must be {self.expected}; got {_brief(self.got)}."


@dataclass(eq=False)
class GammaOutOfReachError(DpcoreError, ValueError):
    """An (m, gamma) for which no order statistic certifies gamma."""

    m: int
    gamma: float
    bound: str
    least_gamma: float
    least_m: int

    def __str__(self) -> str:
        return (
            f"{self.m:,} draws cannot certify γ = {self.gamma:g} under the {self.bound} bound: the least γ they reach is "
            f"{self.least_gamma:.6g}. Take at least {self.least_m:,} draws, or a larger γ."
        )


@dataclass(eq=False)
class NotCertifiedError(DpcoreError, ValueError):
    """An (m, k, gamma) that certifies nothing, or less than it says."""

    m: int
    k: int
    gamma: float
    bound: str

    def __str__(self) -> str:
        return (
            f"m = {self.m:,}, k = {self.k:,} does not certify γ = {self.gamma!r} under the {self.bound} bound. "
            "Make the point with OperatingPoint.for_gamma, for_sample_size or for_both."
        )


@dataclass(eq=False)
class ZeroSensitivityError(DpcoreError, ValueError):
    """A sampled sensitivity of (nearly) zero, which would release the exact answer."""

    value: float
    resolution: float

    def __str__(self) -> str:
        return (
            f"The sampled sensitivity is {self.value:g}, not above the target's resolution {self.resolution:g}: noise of "
            "that scale would release the exact answer. Take a smaller γ, an oracle that varies more, or in code "
            "allow_zero=True if that is meant."
        )


@dataclass(eq=False)
class InfiniteSensitivityError(DpcoreError, ValueError):
    """The order statistic is infinite, because too many pairs failed."""

    failed: int
    m: int
    k: int
    reasons: dict[str, int]

    def __str__(self) -> str:
        why = "; ".join(f"{reason} (on {count:,} of them)" for reason, count in self.reasons.items())
        return (
            f"The target failed on {self.failed:,} of {self.m:,} pairs, each counted as an infinite distance, so that the "
            f"{self.k:,}-th smallest is infinite: {why}. Mend the target or the oracle, or take a larger γ."
        )


@dataclass(eq=False)
class ExploredPointError(DpcoreError, ValueError):
    """A release from an operating point that was chosen after its draws were seen."""

    m: int
    k: int

    def __str__(self) -> str:
        return (
            f"The point m = {self.m:,}, k = {self.k:,} was taken from draws that had been seen, so its bound does not hold. "
            "Call sample_sensitivity afresh with that point, then release."
        )


@dataclass(eq=False)
class NormMismatchError(DpcoreError, TypeError):
    """A sensitivity in another norm than the mechanism's."""

    mechanism: str
    expected: str
    got: str

    def __str__(self) -> str:
        return (
            f"{self.mechanism} needs a sensitivity in {self.expected}; this one is in {self.got}. "
            f"Sample it again with norm=dpcore.{self.expected}, or take target.global_sensitivity(dpcore.{self.expected}, n)."
        )


@dataclass(eq=False)
class GuaranteeMismatchError(DpcoreError, TypeError):
    """A promise that the mechanism cannot make."""

    mechanism: str
    expected: str
    got: object

    def __str__(self) -> str:
        return f"{self.mechanism} is calibrated to {self.expected}; got {self.got!r}."


@dataclass(eq=False)
class DatabaseMismatchError(DpcoreError, ValueError):
    """A database unlike those that the sensitivity was sampled or proved for."""

    what: str
    expected: object
    got: object

    def __str__(self) -> str:
        return (
            f"The sensitivity holds for databases with {self.what} {self.expected}; this one has {self.got}. "
            "Sample the sensitivity again for it."
        )


@dataclass(eq=False)
class MethodMismatchError(DpcoreError, ValueError):
    """A target whose fast method and plain call differ."""

    way: str
    plain: float
    shortcut: float

    def __str__(self) -> str:
        return (
            f"On one small pair the target's {self.way} method gives {self.shortcut!r}, and its plain call gives {self.plain!r}. "
            "Correct the one that is wrong, or offer only the plain call."
        )


@dataclass(eq=False)
class ReleaseFailedError(DpcoreError):
    """The target failed on the database itself. Nothing of its message is kept: it could quote a record."""

    why: str

    def __str__(self) -> str:
        return (
            f"No answer: on this database the target {self.why}. The attempt is charged in full, because whether it fails "
            "depends on the database."
        )


@dataclass(eq=False)
class NoiseSwallowedError(DpcoreError):
    """A value so large that the spacing of floating-point numbers exceeds the noise."""

    scale: float

    def __str__(self) -> str:
        return (
            f"The answer is so large that floating-point spacing would swallow noise of scale {self.scale:g}. "
            "Centre or rescale the target. The attempt is charged in full."
        )


@dataclass(eq=False)
class IncompatibleReleasesError(DpcoreError, ValueError):
    """Guarantees that speak of different neighbours, oracles or sizes and so do not add up."""

    what: str
    expected: object
    got: object

    def __str__(self) -> str:
        return (
            f"These guarantees do not add up: the ledger's {self.what} is {self.expected}, this one's is {self.got}. "
            f"The first release of a table fixes its {self.what} for all later ones: ask with that one."
        )


@dataclass(eq=False)
class SampledLaterError(DpcoreError, ValueError):
    """A sampled sensitivity that would come after a response. ``after`` names what came before."""

    after: str

    def __str__(self) -> str:
        return (
            f"A sampled sensitivity has no guarantee after {self.after}, which may have led to it. Take a proved sensitivity "
            "(target.global_sensitivity), or sample and aggregate. For another table, fix all sampled questions with "
            "Ledger.planned before the first answer."
        )


@dataclass(eq=False)
class InexactNoiseError(DpcoreError, ValueError):
    """Noise that is not known to be drawn exactly, so that a release with it has no guarantee."""

    mechanism: str

    def __str__(self) -> str:
        return (
            f"A release of {self.mechanism} has no guarantee, because OpenDP is not known to draw all of its noise exactly. "
            "Take another mechanism."
        )


@dataclass(eq=False)
class BudgetExceededError(DpcoreError, ValueError):
    """A release that would spend more than the budget; ``what`` names the number that runs out."""

    budget: object
    would_be: object
    what: str = ""

    def __str__(self) -> str:
        ran_out = f", more {self.what} than there is" if self.what else ""
        return f"The budget is {self.budget!r}; with this release {self.would_be!r} would be spent{ran_out}. Nothing was added."


@dataclass(eq=False)
class UnknownKindError(DpcoreError, ValueError):
    """A name in JSON or in a link that no member of the catalogue has."""

    what: str
    got: object
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{_brief(self.got)} is no {self.what} of this catalogue. Known: {', '.join(self.known)}."


@dataclass(eq=False)
class TableError(DpcoreError, ValueError):
    """A file or a table that cannot be used as it is: a sentence on what came, and one on what to do."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}"


@dataclass(eq=False)
class TooSlowError(DpcoreError):
    """Draws that would take longer than the limit that was set for them."""

    seconds: float
    limit: float
    most_m: int

    def __str__(self) -> str:
        return (
            f"These draws would take about {self.seconds:,.0f} s here, and the limit is {self.limit:.0f} s. "
            f"Take at most {self.most_m:,} draws, a smaller table, or a target that is a sum over rows."
        )


@dataclass(eq=False)
class TooManyRowsError(DpcoreError, ValueError):
    """Made-up people with more ``rows`` together, about, than the ``most`` that can be drawn."""

    people: int
    rows: int
    most: int

    def __str__(self) -> str:
        had, mend = f"about {float(f'{self.rows:.3g}'):,.0f} rows", "fewer rows a person in the oracle, or fewer people"
        if self.people > self.most:
            had, mend = "at least one row each", "fewer people"
        return f"{self.people:,} made-up people would have {had}, and at most {self.most:,} rows can be drawn. Choose {mend}."


@dataclass(eq=False)
class QueryError(DpcoreError, ValueError):
    """A refused query, with the place of the problem and a remedy.

    Attributes:
        problem: The problem, without a full stop.
        remedy: The remedy, as a sentence.
        query: The query.
        place: Index of the character in the query; None if the problem has no single place.
    """

    problem: str
    remedy: str
    query: str
    place: int | None = None

    @property
    def line(self) -> int | None:
        """The line of the place, from 1."""
        return None if self.place is None else self.query.count("\n", 0, self.place) + 1

    @property
    def character(self) -> int | None:
        """The place within its line, from 1."""
        return None if self.place is None else self.place - self.query.rfind("\n", 0, self.place)

    def __str__(self) -> str:
        where = "" if self.place is None else f" (line {self.line}, character {self.character})"
        return f"{self.problem}{where}. {self.remedy}"
