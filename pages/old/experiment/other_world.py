"""What if the oracle is wrong: its Δ̂ tried on pairs of another oracle."""

from __future__ import annotations

from concurrent.futures import Executor

from dpcore.audits.wrong_oracle import Missed, missed, on_average
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, takes_fields
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.computable import computable
from pages.experiment.question import asked, asked_plainly, conditions
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table

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
