"""A scenario's Δ̂ tried in another world: its own oracle sized the noise, and the pairs come from another one."""

from __future__ import annotations

from dpcore.audits.wrong_oracle import Missed, missed, records_that_decide
from dpcore.base.types import Oracle, takes_fields
from dpcore.errors import TooSlowError
from dpcore.workbench import cost
from dpcore.workbench.computable import computable
from dpcore.workbench.question import asked, asked_plainly, conditions
from dpcore.workbench.scenario import Scenario, TableRecords
from dpcore.workbench.tables import Table

FEWEST, MOST = 100, 4_000  # pairs: of a hundred a share is known to ten per cent or so
_SECONDS = 0.4  # that a page waits for them
_APART = 8  # added to the seed: no pair is one of those that sized the noise


def in_world(scenario: Scenario, table: Table, oracle: Oracle | TableRecords) -> Scenario:
    """The same scenario with another oracle for the columns that its target alone is asked of: conditions and groups, and how
    many rows people have, stay around it as they are."""
    if not takes_fields(scenario.target):
        return scenario.with_(oracle=oracle)
    plainly = scenario.with_(**asked_plainly(scenario, table)).with_(oracle=oracle)
    again = asked(plainly, table, *conditions(scenario), like=scenario)
    return scenario.with_(oracle=again["oracle"])


def divergence_of_a_pair(scenario: Scenario, oracle: Oracle, tau: float) -> float:
    """T of a random pair where the world differs by τ a record, or by τ a database (mathematics, section 12.3)."""
    decide = records_that_decide(scenario.target, oracle, scenario.n, scenario.adjacency)
    return tau if decide is None else decide * tau


@computable
def missed_in(world: Scenario, table: Table, sensitivity: float) -> Missed:
    """On how many random pairs of this scenario's oracle its target moves further than a Δ̂ of another one.

    As many pairs as a moment allows. TooSlowError where that is fewer than a hundred.
    """
    oracle = world.resolved_oracle(table)
    a_pair = cost.seconds(world.target, world.n, 1, oracle, world.adjacency)
    pairs = min(MOST, int(_SECONDS / a_pair))
    if pairs < FEWEST:
        raise TooSlowError(FEWEST * a_pair, _SECONDS, max(1, pairs))
    return missed(
        world.target, oracle, world.norm, world.n, sensitivity, pairs=pairs, seed=(world.seed + _APART) % 2**128,
        adjacency=world.adjacency,
    )  # fmt: skip
