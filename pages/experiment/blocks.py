"""A scenario's question by sample and aggregate: differential privacy without an oracle, whatever the target."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from dpcore.audits.blocks_foretold import Foretold, foretold, usual_blocks
from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.catalog import to_json
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from pages.experiment.choices import first_mechanism
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_TABLES, _FEW_TABLES, _SEED = 8, 2, 2017  # made-up tables on which blocks are tried, and of a target that takes long
_LONG = 0.1  # seconds
_SECONDS, _MOST_CALLS, _MOST_ROWS = 0.8, 40_000, 4_000_000  # for how long, for how many numbers and of how many rows at most
_KEPT = 64
_known: dict[str, Any] = {}
R = TypeVar("R")


def can_be_asked(scenario: Scenario) -> bool:
    """Whether rows are replaced, a part of them can stand for all, and the answer is one number with public bounds."""
    target: Any = scenario.target
    of_rows = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD and facts(target).from_a_part in ("alike", "in proportion")
    return of_rows and _bounds_of(target, scenario.n) is not None


def lacks_bounds(scenario: Scenario, table: Table) -> bool:
    """Whether nothing but public bounds of its values keeps a question from being asked of blocks."""
    stated = facts(scenario.target).answer_bounds
    without = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD and stated is not None and stated(scenario.n) is None
    if not without or facts(scenario.target).from_a_part not in ("alike", "in proportion"):
        return False
    return len(answered(scenario, table.taken(scenario.columns, scenario.target)).labels) == 1


def needs_single_rows(scenario: Scenario) -> bool:
    """Whether a question stays without blocks because it is about people, and its text could be asked of a part of the rows."""
    said = facts(scenario.target)
    return bool(said.written and said.from_a_part) and not scenario.adjacency.of_records


def in_blocks(scenario: Scenario, table: Table) -> Scenario | None:
    """The scenario with its target asked of blocks, and released by what chooses a place; None where something is lacking.

    How many blocks hangs on n and ε, and where the target is fast on made-up tables of the oracle: on nothing of the table.
    """
    if not can_be_asked(scenario):
        return None
    try:
        k, _ = _tried(scenario.target, scenario, table)
        if not k:
            return None
        made = _made(scenario.target, scenario.n, k)
        mechanism = first_mechanism(made)
        return scenario.with_(target=made, mechanism=mechanism, norm=mechanism.norm, delta=None)
    except DpcoreError:
        return None


def foretold_of(scenario: Scenario, table: Table) -> Foretold | None:
    """How near the answer of blocks comes, on made-up tables alone; None where none were tried, and of a question that is not in
    blocks."""
    target = blocks_of(scenario)
    if target is None:
        return None
    _, found = _tried(target.target, scenario, table)
    return next((one for one in found if one.k == target.k), None)


def blocks_of(scenario: Scenario) -> Any:
    """The target of a question that is asked of blocks of rows; None of another."""
    target: Any = scenario.target
    return target if facts(target).scores_of is not None and facts(target).person is None else None


def _oracle(scenario: Scenario, table: Table) -> Oracle | None:
    try:
        return scenario.resolved_oracle(table)
    except DpcoreError:
        return None


def _tried(target: Target, scenario: Scenario, table: Table) -> tuple[int, tuple[Foretold, ...]]:
    """How many blocks, 0 where none of those that were tried answers, and what is foretold."""
    n, epsilon = scenario.n, scenario.epsilon

    def tried() -> tuple[int, tuple[Foretold, ...]]:
        oracle, tables = _oracle(scenario, table), _tables_at_once(target, n, epsilon)
        return _trying(target, n, epsilon, oracle, tables)

    return _once(_key(target, scenario, table), tried)


def _key(target: Target, scenario: Scenario, table: Table) -> str:
    """All that is tried hangs on; whether the table is public, for its own rows are no oracle where it is not."""
    like = {name: part for name, part in scenario.to_json().items() if name in ("oracle", "n", "epsilon", "columns")}
    return json.dumps([to_json(target), like, table.digest, table.public])


def _once(key: str, found: Callable[[], R]) -> R:
    """Kept, for the page asks again with each change."""
    if key not in _known:
        _known[key] = found()
        for oldest in list(_known)[:-_KEPT]:
            _known.pop(oldest, None)
    known: R = _known[key]
    return known


def _tables_at_once(target: Target, n: int, epsilon: float) -> int:
    """On how many made-up tables a page tries blocks while somebody waits: on two of a target that takes long."""
    own, k = facts(target).seconds, usual_blocks(n, epsilon)
    return _TABLES if own is None or _TABLES * k * own(-(-n // k)) < _LONG else _FEW_TABLES


def _trying(target: Target, n: int, epsilon: float, oracle: Oracle | None, tables: int) -> tuple[int, tuple[Foretold, ...]]:
    """How many blocks, 0 where none of those that were tried answers; and what is foretold of these, the best first.

    Tried are those that hang on n and ε alone, a row each, and where they are many five rows each.
    """
    if oracle is None:
        return usual_blocks(n, epsilon), ()
    ks = _ladder(target, n, epsilon, tables)
    told = [foretold(_calibrated(target, n, k, epsilon), oracle, tables=tables, seed=_SEED) for k in sorted(ks)]
    best = _best([one for one in told if np.isfinite(one.apart)])  # NaN where no block has an answer
    if best:
        return best[0].k, best
    return (0 if ks else usual_blocks(n, epsilon)), ()


def _best(several: list[Foretold]) -> tuple[Foretold, ...]:
    """The nearest first. Where some do, of those whose median lies no further from the table's own answer than noise takes it:
    made-up tables say little of how far it lies on another one, and least where all blocks answer alike."""
    telling = [one for one in several if not one.alike and one.apart <= one.within]
    return tuple(sorted(telling or several, key=lambda one: one.error))


def _ladder(target: Target, n: int, epsilon: float, tables: int) -> tuple[int, ...]:
    """By what the target says of its own time, and by no clock: one question would be asked of other blocks each time. A row or
    five tell nothing of how columns hang together, and tables whose columns are drawn each by itself would not show it."""
    usual, five, own = usual_blocks(n, epsilon), max(2, n // 5), facts(target).seconds
    most = _MOST_CALLS if tables * n <= _MOST_ROWS else 0
    found, left = [], _SECONDS
    ks = (usual, min(usual, max(2, n // 10))) if facts(target).about_relations else (usual, n, min(usual, five))
    for k in dict.fromkeys(ks):
        takes = 0.0 if own is None else tables * k * own(-(-n // k))
        if takes <= left and tables * k <= most:
            found.append(k)
            left -= takes
    return tuple(found)


def _calibrated(target: Target, n: int, k: int, epsilon: float) -> Calibrated[PureDP]:
    """What chooses a place near the median of the answers of k blocks, sized to what is proved of it."""
    made = _made(target, n, k)
    chosen: Any = first_mechanism(made)
    found: Calibrated[PureDP] = chosen.calibrate(made.proved(n), PureDP(epsilon))
    return found


def _made(target: Target, n: int, k: int) -> SampleAndAggregate:
    bounds = _bounds_of(target, n)
    assert bounds is not None
    return SampleAndAggregate(target, k, bounds)


def _bounds_of(target: Target, n: int) -> Interval | None:
    """Between which its one number for n rows lies; None where it states none."""
    stated = facts(target).answer_bounds
    found: Interval | None = None if stated is None else stated(n)
    return found
