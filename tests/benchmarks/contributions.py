"""What a cap on people's rows costs: the predicted error against simulated releases, beside PipelineDP's estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from dpcore import Adjacency, PureDP
from dpcore.base.people import CODE, PERSON
from pages.old.experiment.contributions.asked import COUNT, MEAN, SUM, Asked, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, Keeping, counted_rows
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import Prediction, predict
from tests.benchmarks import capped_people, uniform_drops
from tests.benchmarks.capped_people import EPSILON, TABLES, Bounds, Floats, Table, measured
from tests.benchmarks.timing import least

TITLE = "What a cap on people's rows costs"
NOTE = (
    "ε = 0.1, adding or removing a person. *Off*: the largest relative difference between a predicted root mean square error and "
    "that of 100,000 simulated releases, and in brackets the median, over 10 caps s from 1 to 100 and 10 upper bounds from 5 to "
    "500; of a count over the caps alone. *Spread*: the same of the standard deviation, which no bias hides. At the worst of 100 "
    "a simulated spread is itself 1.2 % off. *PipelineDP's*: its published formula, of a person's clipped total, which is how it "
    "releases a sum; of the rows that a salt keeps, the spread of rows that it takes to be dropped independently."
)
HEADER = ("what", "wanted", "ours: off", "ours: spread off", "PipelineDP's: off")
CAPS = tuple(int(s) for s in np.unique(np.geomspace(1, 100, 10).round()))
HIGHS = tuple(float(high) for high in np.geomspace(5, 500, 10).round())
RELEASES, SALTS = 100_000, 20_000
TERMS = Terms(LaplaceNoise(PureDP(EPSILON)), Adjacency.ADD_OR_REMOVE_ONE_USER)
BY_SALT = Terms(TERMS.noise, TERMS.adjacency, Keeping.ROWS)
Simulated = Callable[[int, Bounds], Floats]
Estimated = Callable[[int, Bounds], float]


@dataclass(frozen=True)
class Compared:
    """The relative differences between what is predicted and what is simulated, one a configuration."""

    error: list[float] = field(default_factory=list)
    spread: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, ours, our spread, the rival's): errors, then times of ours."""
    rng = np.random.default_rng(20)
    return [*(row for name, make in TABLES.items() for row in _accuracy(name, make(), rng)), *_times()]


def _accuracy(name: str, table: Table, rng: np.random.Generator) -> Iterator[tuple[str, ...]]:
    for what, compared in (
        ("count", counts(table, RELEASES, rng)),
        ("sum", sums(table, RELEASES, rng)),
        ("mean", means(table, RELEASES, rng)),
        ("sum of 3, 10 and 30 rows a person by salt", salts(table, SALTS, rng)),
    ):
        yield f"{what}, {name} table", "≤ 2 %", _off(compared.error), _off(compared.spread), _off(compared.theirs)


def _off(away: list[float]) -> str:
    return f"{max(away):.2%} ({np.median(away):.2%})" if away else ""


def counts(table: Table, size: int, rng: np.random.Generator) -> Compared:
    """At each cap."""
    ones = Table(table.person, [1.0] * len(table.person))
    return compare(
        [row[0] for row in predict(counted(table, COUNT), COUNT, TERMS, [Cap(s) for s in CAPS]).table],
        lambda s, bounds: capped_people.count_releases(table, s, size, rng),
        lambda s, bounds: uniform_drops.rmse(uniform_drops.clipped_totals(ones, s, bounds), s, bounds),
    )


def sums(table: Table, size: int, rng: np.random.Generator) -> Compared:
    """At each cap with each upper bound."""
    return compare(
        grid(table, SUM),
        lambda s, bounds: capped_people.sum_releases(table, s, bounds, size, rng),
        lambda s, bounds: uniform_drops.rmse(uniform_drops.clipped_totals(table, s, bounds), s, bounds),
    )


def means(table: Table, size: int, rng: np.random.Generator) -> Compared:
    """At each cap with each upper bound; the rival estimates none."""
    return compare(grid(table, MEAN), lambda s, bounds: capped_people.mean_releases(table, s, bounds, size, rng), None)


def salts(table: Table, size: int, rng: np.random.Generator) -> Compared:
    """The spread of capped sums without noise."""
    bounds, found = (0.0, 100.0), Compared()
    for s in (3, 10, 30):
        errors = predict(counted(table, SUM), SUM, BY_SALT, [Cap(s)], [bounds]).best.errors
        spread = measured(capped_people.salted(table, s, bounds, size, rng), float(errors.answer[0]))[0]
        found.spread.append(_away(float(errors.salts[0]) ** 0.5, spread))
        found.theirs.append(_away(uniform_drops.dropped_rows(table, s, bounds)[1], spread))
    return found


def grid(table: Table, asked: Asked) -> list[Prediction]:
    """Every cap with every upper bound."""
    found = predict(counted(table, asked), asked, TERMS, [Cap(s) for s in CAPS], [(0.0, high) for high in HIGHS])
    return [each for row in found.table for each in row]


def counted(table: Table, asked: Asked) -> CountedRows:
    """The table as the library takes it."""
    return counted_rows(table.field, np.array(table.value) if asked.bounds is None else None)


def compare(predictions: list[Prediction], simulated: Simulated, estimated: Estimated | None) -> Compared:
    """Of each prediction its error, its spread, and the rival's error, against releases that are simulated."""
    found = Compared()
    for each in predictions:
        place, truth = (each.cap.rows, each.bounds), float(each.errors.truth[0])
        error, spread = measured(simulated(*place), truth)
        found.error.append(_away(float(each.errors.rmse[0]), error))
        found.spread.append(_away(float(each.errors.noise[0]) ** 0.5, spread))
        if estimated is not None:
            found.theirs.append(_away(estimated(*place), error))
    return found


def _away(predicted: float, simulated: float) -> float:
    return abs(predicted - simulated) / simulated if predicted != simulated else 0.0


_CAPS, _BOUNDS = [Cap(s) for s in CAPS], [(0.0, high) for high in HIGHS]
_TIMED = (  # what, wanted, question, terms, caps, bounds, groups
    ("sum, 100 configurations", "≤ 1 s", SUM, TERMS, _CAPS, _BOUNDS, 1),
    ("sum of rows kept by salt, 100 configurations", "≤ 1 s", SUM, BY_SALT, _CAPS, _BOUNDS, 1),
    ("mean, 100 configurations", "≤ 1 s", MEAN, TERMS, _CAPS, _BOUNDS, 1),
    ("sum by 1,000 groups, 100 configurations", "≤ 1 s", SUM, TERMS, _CAPS, _BOUNDS, 1_000),
    ("mean by 1,000 groups, 100 configurations", "≤ 1 s", MEAN, TERMS, _CAPS, _BOUNDS, 1_000),
    ("sum by 1,000 groups, one configuration", "≤ 0.5 s", SUM, TERMS, _CAPS[3:4], _BOUNDS[3:4], 1_000),
    ("sum by 100,000 groups, one configuration", "≤ 0.5 s", SUM, TERMS, _CAPS[3:4], _BOUNDS[3:4], 100_000),
    ("mean by 1,000 groups, 3 rows in each of 3 groups", "≤ 0.5 s", MEAN, TERMS, [Cap(3, 3)], _BOUNDS[3:4], 1_000),
)


def _times() -> Iterator[tuple[str, ...]]:
    """10⁶ rows of 10⁵ people: processor time, that of counting the rows included."""
    rng = np.random.default_rng(4)
    rows = np.minimum(1_000, np.ceil(rng.pareto(1.2, 100_000) + 1e-9)).astype(np.int64)
    more = rng.multinomial(10**6 - rows.sum(), np.full(len(rows), 1 / len(rows)))
    persons = np.zeros(10**6, dtype=PERSON)
    persons[CODE] = np.repeat(np.arange(len(rows)), rows + more)
    values, places = rng.lognormal(3, 1, len(persons)), rng.integers(0, 10**6, len(persons))
    for what, wanted, asked, terms, caps, bounds, groups in _TIMED:

        def run(
            asked: Asked = asked, terms: Terms = terms, caps: list[Cap] = caps, bounds: list[Bounds] = bounds, k: int = groups
        ) -> None:
            predict(counted_rows(persons, values, group=places % k, groups=k), asked, terms, caps, bounds)

        yield f"10⁶ rows of 10⁵ people: {what}", wanted, f"{least(run, rounds=3)[0]:.2g} s", "", ""
