"""The interval for the population beside a released mean or share: for whom it stands, where it is, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache
from typing import Any, final

import numpy as np

from dpcore.base.bounds import intervals
from dpcore.base.facts import MEAN, SHARE, SPREAD, facts
from dpcore.base.types import FloatArray, asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees.unit import Unit
from dpcore.guarantees.words import figure
from dpcore.ledger.population import Estimate, ForPopulation, Spread, mean_of_population, share_of_population
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import LAPLACE, NORMAL
from pages.experiment.scenario import Scenario
from pages.state.book import Book
from pages.state.release_entry import Entry
from pages.wording.from_outside import seen

NAME = "Interval for the population"
LONGEST = 60  # characters of what the table is a sample of
_NONE = f"No {NAME[0].lower()}{NAME[1:]}:"
_SEVERAL = (
    f"{_NONE} one person can have several rows, so a mean over rows is not a mean over people. It is shown where each person has "
    "one row."
)
_UNANSWERED = (
    f"{_NONE} nobody has said whether one person can have several rows. Say on the page Your data what one row is: only where "
    "each person has one row does an answer over rows stand for people."
)
_GROUPS = f"{_NONE} this answer is by group. Ask for one group alone, as a condition, to get one."
_NO_BOUNDS = f"{_NONE} the values of this mean have no public bounds, which its spread needs. Set them under Options on Explore."
_NUMBER = f"{_NONE} the number of rows is protected here, and only where it is public is it known of how many an answer is."
_ALONE = f"{_NONE} this answer is of several columns. Ask for one column alone to get one."
_OTHER_NOISE = f"{_NONE} the noise of this answer is of a law for which none is proved."
_ONE_ROW = f"{_NONE} the table has one row, and one row says nothing of how rows differ."
_TOO_FEW = f"{_NONE} the noisy number of known values is so small that there may be hardly any. A larger ε would help."
_HOLDS = (
    "With “sampling and noise” it holds the {what} of the population in at least 95 of 100 samples and releases{where}. "
    "“Sampling only” leaves the noise out, so it holds less often. The ± of the noise is neither: it says nothing of the "
    "population."
)
_MANY = (
    "It leans on many values. Where few are much larger than the rest it can hold far less often: with little noise, in 60 of "
    "100 for a mean of 100 values of which one in 100 is large. It is the mean of values clipped to their bounds, from {low} "
    "to {high}."
)
_FLAT = (
    "The released spread is 0 or below: its noise is larger than it, so sampling alone gives no interval. A larger ε for the "
    "spread would help."
)


@final
@dataclass(frozen=True)
class Told:
    """Of one answer: a row for sampling only and one for sampling and noise, each with from, to and width, or none of them; and
    what is said below."""

    rows: tuple[dict[str, str], ...]
    says: tuple[str, ...]
    title: str = NAME


@final
@dataclass(frozen=True, eq=False)
class _Part:
    """One number of a response: what of a population it tells (``facts(target).of_population``), of what, and its noise."""

    entry: Entry
    target: Any
    columns: tuple[str, ...]
    noisy: FloatArray
    law: Any
    after: str

    @property
    def tells(self) -> str:
        return str(facts(self.target).of_population or facts(facts(self.target).question).of_population)

    @property
    def inner(self) -> Any:
        """The target that is asked with its conditions."""
        return facts(self.target).target or self.target

    @property
    def bounds(self) -> tuple[float, float] | None:
        found = facts(self.inner).bounds
        return intervals(found)[0] if found else None

    @property
    def of(self) -> tuple[Any, ...]:
        """What a mean and its spread must agree in: the table, whose values, under which conditions, and between which bounds."""
        known = facts(self.inner).takes_missing is True
        return self.entry.digest, self.entry.about.records, self.columns, facts(self.target).where, self.bounds, known

    @property
    def label(self) -> str:
        columns = [one for one in self.entry.about.columns if one["name"] in self.columns[:1]]
        return seen(columns[0]["label"]) if columns else ", ".join(self.columns)


def for_population(entry: Entry, book: Book) -> tuple[Told | None, ...]:
    """One for each question of a response, in order; () where nobody said that its table is a random sample."""
    if entry.digest not in book.samples or entry.release is None:
        return ()
    return tuple(None if part.tells not in (MEAN, SHARE) else _told(part, book) for part in _parts(entry))


def _parts(entry: Entry) -> Iterator[_Part]:
    """Each question of a response; none of a target of somebody's own, and of members that are gone."""
    release, about = entry.release, entry.about
    if release is None or about.settings is None or not isinstance(release.response, np.ndarray):
        return
    try:
        scenario = Scenario.from_json(about.settings)
    except DpcoreError:
        return
    target: Any = scenario.target
    law = _law(scenario, release)
    if not asked_together(target):
        yield _Part(entry, target, facts(target).columns or scenario.columns, release.response, law, about.answer.after)
        return
    answer: Any = about.answer
    each = zip(target.parts, target.widths, answer.split(release.response), answer.of, strict=True)
    for one, width, noisy, kind in each:
        own = None if law is None else replace(law, scale=law.scale * width)
        yield _Part(entry, one, facts(one).columns or scenario.columns, noisy, own, kind.after)


def _law(scenario: Scenario, release: Release[Any]) -> Any:
    """Of the noise on each number: a continuous one of the release's own scale; None where it was of another kind."""
    try:
        law: Any = scenario.mechanism.law(scenario.target, 1.0, scenario.privacy)
    except DpcoreError:
        return None
    known = facts(law).composes_as == release.composes_as and release.composes_as in (LAPLACE, NORMAL)
    return replace(law, scale=release.scale) if known else None


def _told(part: _Part, book: Book) -> Told:
    if problem := _unfit(part, part.entry.about.protected):
        return Told((), (problem,))
    spread = None
    if part.tells == MEAN:
        if part.bounds is None:
            return Told((), (_NO_BOUNDS,))
        spread = _spread_of(part, book)
        if spread is None:
            return Told((), (_lacks_spread(part),))
    found = _found(
        tuple(part.noisy.tolist()),
        part.entry.about.records,
        part.law,
        part.bounds if spread is not None else (0.0, 1.0),
        None if spread is None else (float(spread.noisy[0]), spread.law),
    )
    if found is None:
        return Told((), (_TOO_FEW,))
    rows = (_row("sampling only", found.sampling, found), _row("sampling and noise", found.both, found))
    where = "" if spread is None else ", where there are many values and none is far out"
    says = [_HOLDS.format(what=part.tells, where=where), _word(part, book)]
    if filled := _filled(part):
        says.append(filled)
    if spread is not None and part.bounds is not None:
        low, high = map(figure, part.bounds)
        says += [_of_spread(spread, found), _MANY.format(low=low, high=high)]
    return Told(rows, tuple(says), f"{NAME}{f' ({part.after.strip()})' if part.after.strip() else ''}")


def _unfit(part: _Part, unit: Unit) -> str:
    """Why no interval can be said whatever was released; empty where one can."""
    assert part.entry.release is not None
    if facts(part.target).groups:
        return _GROUPS
    if not part.entry.release.adjacency.of_records or unit.several:
        return _SEVERAL
    if not unit.answered:
        return _UNANSWERED
    if part.entry.release.adjacency.removes:
        return _NUMBER
    if part.entry.about.records < 2:
        return _ONE_ROW
    if len(part.columns) > 1:
        return _ALONE
    if part.law is None or part.noisy.shape not in ((1,), (2,)):
        return _OTHER_NOISE
    return ""


def _filled(part: _Part) -> str:
    """What missing values counted as, where the target does not leave them out: the population's number is of these too."""
    about = part.entry.about
    return "" if about.public or facts(part.inner).takes_missing is True else seen(about.missing)


def _spread_of(part: _Part, book: Book) -> _Part | None:
    """The released variance of the same values that has the least noise."""
    found = [
        other
        for entry in book.entries
        if entry.release is not None and entry.line is not None
        for other in _parts(entry)
        if other.tells == SPREAD and other.of == part.of and other.law is not None and other.noisy.shape == (1,)
    ]
    return min(found, key=lambda one: one.law.scale, default=None)


def _lacks_spread(part: _Part) -> str:
    line = part.entry.line
    both = "" if line is None else f": with ε = {figure(line.epsilon)} for each, both cost ε = {figure(2 * line.epsilon)}"
    of_known = " of known values" * bool(part.of[-1])
    return (
        f"{_NONE} it takes the spread of {part.label} too, which was not released. Add the question "
        f"“Variance{of_known} of {part.label}”, with the same bounds and conditions. It has an ε of its own, which is "
        f"added to the total{both}."
    )


def _of_spread(spread: _Part, found: ForPopulation) -> str:
    said = f"The spread is that of the answer “{seen(spread.entry.about.question)}”, with its own noise."
    return said if found.sampling is not None else f"{said} {_FLAT}"


def _word(part: _Part, book: Book) -> str:
    of = book.samples[part.entry.digest]
    whom = f" of: {seen(of)}" if of else ""
    return f"It rests on its holder's word that the table is a random sample{whom}."


@lru_cache(maxsize=256)
def _found(
    noisy: tuple[float, ...], records: int, law: Any, bounds: tuple[float, float], spread: tuple[float, Any] | None
) -> ForPopulation | None:
    released = Estimate(noisy=np.array(noisy), records=records, law=law, bounds=bounds)
    if spread is None:
        return share_of_population(released)
    return mean_of_population(released, Spread(variance=spread[0], law=spread[1]))


def _row(what: str, interval: tuple[float, float] | None, found: ForPopulation) -> dict[str, str]:
    """Rounded outwards, to the third digit of the width."""
    if interval is None:
        return {"uncertainty of": what, "from": "–", "to": "–", "width": "–"}
    width = found.both[1] - found.both[0]
    unit = Decimal(1).scaleb(Decimal(width).adjusted() - 2) if width > 0 else Decimal("1e-9")
    low = Decimal(interval[0]).quantize(unit, ROUND_FLOOR)
    high = Decimal(interval[1]).quantize(unit, ROUND_CEILING)
    return {"uncertainty of": what, "from": f"{low:,f}", "to": f"{high:,f}", "width": f"{high - low:,f}"}
