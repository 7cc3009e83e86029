"""Whether an oracle is like the world: its made-up records beside a public table, and its Δ̂ tried on pairs of another oracle."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.audits.wrong_oracle import Missed, missed, on_average
from dpcore.base.declared import TEXT, Column
from dpcore.base.norms import Norm
from dpcore.base.people import CODE
from dpcore.base.types import Database, FloatArray, Oracle, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.blocks import generator
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.computable import computable
from pages.experiment.question import asked, asked_plainly, conditions
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table

# A public table beside a table that an oracle makes up: column by column, and how two columns hang together.


ROWS = "rows a person"
MOST_RECORDS = 20_000  # records of each side
_STREAM = 6  # of the scenario's seed: no trial and no simulated answer has it


@final
@dataclass(frozen=True, eq=False)
class Sides:
    """Values of one column, (records,) each, numbers or texts: of the table, and made-up ones. Missing ones are left out."""

    column: Column
    table: Database
    made_up: Database
    missing: tuple[float, float]  # shares of the records of either side

    @property
    def categorical(self) -> bool:
        """Whether its values are names, and have no distances."""
        return self.column.categories is not None

    @property
    def gap(self) -> float:
        """How far the two are apart, from 0 to 1: the largest difference of their distribution functions, or for categories half
        the sum of the differences of their shares (total variation). 1 where one side has no value."""
        if not len(self.table) or not len(self.made_up):
            return 1.0
        if self.categorical:
            return float(np.abs(np.subtract(*shares(self)[1:])).sum() / 2)
        places = np.concatenate([self.table, self.made_up])
        below = [np.searchsorted(np.sort(side), places, side="right") / len(side) for side in (self.table, self.made_up)]
        return float(np.abs(below[0] - below[1]).max())


@final
@dataclass(frozen=True, eq=False)
class OracleCheck:
    """Columns of both sides, and the records of each in which all numbers are known, for looking at two columns together."""

    columns: tuple[Sides, ...]
    table: dict[str, FloatArray]
    made_up: dict[str, FloatArray]

    def rank_correlations(self, one: str, other: str) -> tuple[float, float]:
        """Spearman's of two columns of numbers, in the table and made up; 0 where one of them is constant."""
        return rank_correlation(self.table[one], self.table[other]), rank_correlation(self.made_up[one], self.made_up[other])


@computable
def oracle_check(scenario: Scenario, table: Table) -> OracleCheck:
    """The scenario's public table beside one made-up table of as many records, or people, of up to 20,000.

    InvalidValueError for a confidential table, which is never looked at here, and where the oracle draws the table's own records.
    """
    if not table.public:
        raise InvalidValueError("table", "public: a look at a confidential one would void what its releases promise", table.name)
    if scenario.oracle == TableRecords():
        raise InvalidValueError("oracle", "another than the table's own rows, which are like the table", None)
    person = person_of(scenario.target)
    names = tuple(name for name in scenario.columns if name != person)
    real = by_name(table.prepare(scenario.columns, scenario.target).database, names, person)
    drawn = scenario.resolved_oracle(table).draw(1, min(scenario.n, MOST_RECORDS), rng=generator(scenario.seed, 0, _STREAM))
    made = by_name(drawn[0], names, person)
    columns = table.taken(names, scenario.target)
    sides = tuple(_sides(column, real[column.name], made[column.name]) for column in columns)
    if person is not None:
        sides += (_sides(Column(ROWS), real[ROWS], made[ROWS]),)
    numbers = [column.name for column in columns if real[column.name].dtype.kind == "f"]
    return OracleCheck(sides, _complete(real, numbers), _complete(made, numbers))


def shares(sides: Sides) -> tuple[list[str | float], FloatArray, FloatArray]:
    """The categories of either side, the commonest of the table first, and the share of each on either side."""
    known = np.unique(np.concatenate([sides.table, sides.made_up]))
    places = [np.searchsorted(known, side) for side in (sides.table, sides.made_up)]
    counts = [np.bincount(place, minlength=len(known)) / max(len(place), 1) for place in places]
    order = np.argsort(-counts[0], kind="stable")
    return known[order].tolist(), counts[0][order], counts[1][order]


def rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Spearman's: the correlation of mean ranks."""
    ranks = [_ranks(values) - (len(values) + 1) / 2 for values in (x, y)]
    both = np.sqrt((ranks[0] @ ranks[0]) * (ranks[1] @ ranks[1])) if len(x) else 0.0
    return float(ranks[0] @ ranks[1] / both) if both else 0.0


def evenly(values: Database, most: int) -> Database:
    """So many of the values, from all places alike: a table can be in order."""
    return values if len(values) <= most else np.asarray(values[np.linspace(0, len(values) - 1, most).astype(np.int64)])


def _ranks(values: FloatArray) -> FloatArray:
    """From 1; equal values have the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places], dtype=np.float64)


def by_name(database: Database, names: tuple[str, ...], person: str | None) -> dict[str, Database]:
    """The values of each column; of people also how many rows each has."""
    if database.dtype.names is not None:
        found = {name: database[name] for name in names}
        return found if person is None else found | {ROWS: np.bincount(database[person][CODE]).astype(np.float64)}
    columns = database if database.ndim == 2 else database[:, None]
    return {name: columns[:, i] for i, name in enumerate(names)}


def _sides(column: Column, real: Database, made: Database) -> Sides:
    known = [evenly(values[known_values(values)], MOST_RECORDS) for values in (real, made)]
    lost = (float(np.mean(~known_values(real))), float(np.mean(~known_values(made))))
    if column.role == TEXT and column.categories is None:  # hardly two texts are alike: their lengths can be
        known = [np.strings.str_len(values).astype(np.float64) for values in known]
        column = Column(column.name, label=f"Length of {column.label or column.name}", unit="characters")
    return Sides(column, known[0], known[1], lost)


def known_values(values: Database) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(values != "" if values.dtype.kind == "U" else np.isfinite(values))


def _complete(columns: dict[str, Database], names: list[str]) -> dict[str, FloatArray]:
    whole = np.logical_and.reduce([known_values(columns[name]) for name in names]) if names else np.zeros(0, dtype=bool)
    return {name: evenly(columns[name][whole], MOST_RECORDS) for name in names}


FEWEST_PAIRS, MOST_PAIRS = 100, 4_000  # pairs: of a hundred a share is known to ten per cent or so
AT_ONCE, _LONGEST = 0.4, 20.0  # seconds that a page waits for them unasked, and asked for
IN_THE_WORLD, AT_HOME, _ANEW = 8, 9, 10  # added to the seed: no pair is one of those that sized the noise, or of another use
_FEWEST_ANEW, _MOST_DRAWN = 200, 1_000_000  # new Δ̂ that say something, and the distances that are drawn for all of them


def in_world(scenario: Scenario, table: Table, oracle: Oracle | TableRecords) -> Scenario:
    """The same scenario with another oracle for the columns that its target alone is asked of: conditions and groups, and how
    many rows people have, stay around it as they are."""
    if not takes_fields(scenario.target):
        return scenario.with_(oracle=oracle)
    plainly = scenario.with_(**asked_plainly(scenario, table)).with_(oracle=oracle)
    again = asked(plainly, table, *conditions(scenario), like=scenario)
    return scenario.with_(oracle=again["oracle"])


def seconds(world: Scenario, table: Table) -> float:
    """About how long as many pairs of this scenario's oracle take as ``missed_in`` makes at the least."""
    return FEWEST_PAIRS * cost.a_draw(world, world.resolved_oracle(table))


@computable
def missed_in(
    world: Scenario, table: Table, sensitivity: float, *, apart: int = IN_THE_WORLD, executor: Executor | None = None
) -> Missed:
    """On how many random pairs of this scenario's oracle its target moves further than a Δ̂ of another one, or of its own.

    ``apart``: AT_HOME for other pairs than those of the world, so that the two differ where the world is the oracle itself.
    As many pairs as a moment allows, and a hundred at least. TooSlowError where these take longer than 20 s.
    """
    oracle = world.resolved_oracle(table)
    a_pair = cost.a_draw(world, oracle)
    cost.refuse_slow(FEWEST_PAIRS, a_pair, _LONGEST)
    pairs = max(FEWEST_PAIRS, min(MOST_PAIRS, int(AT_ONCE / a_pair)))
    return missed(
        world.target,
        oracle,
        world.norm,
        world.n,
        sensitivity,
        pairs=pairs,
        seed=_seed_of(world, apart),
        adjacency=world.adjacency,
        executor=executor,
    )


@computable
def missed_on_average(scenario: Scenario, world: Scenario, table: Table) -> Missed | None:
    """How often a new Δ̂ of the scenario's oracle misses a random pair of the world's, each Δ̂ tried on one pair of its own.

    None where 200 new Δ̂ take longer than a moment.
    """
    oracle, another = scenario.resolved_oracle(table), world.resolved_oracle(table)
    a_time = scenario.m * cost.a_draw(scenario, oracle) + cost.a_draw(world, another)
    times = min(MOST_PAIRS, int(AT_ONCE / a_time), _MOST_DRAWN // scenario.m)
    if times < _FEWEST_ANEW:
        return None
    own = _pairs_drawn(scenario, oracle, times * scenario.m, _ANEW)
    pairs = _pairs_drawn(world, another, times, IN_THE_WORLD)
    redrawn = own.distances.reshape(times, scenario.m)
    return on_average(redrawn, scenario.point.k, pairs.distances, resolution=own.resolution)


def _pairs_drawn(scenario: Scenario, oracle: Oracle, pairs: int, apart: int) -> SensitivitySample[Norm]:
    return scenario.sample(oracle, at=OperatingPoint.for_sample_size(pairs), seed=_seed_of(scenario, apart))


def _seed_of(scenario: Scenario, apart: int) -> int:
    return (scenario.seed + apart) % 2**128
