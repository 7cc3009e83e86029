"""A scenario's question by sample and aggregate: differential privacy without an oracle, whatever the target."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.audits.blocks_foretold import Foretold, foretold_at, usual_blocks
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target, groups_of
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.catalog import to_json
from dpcore.targets.sample_and_aggregate import of_blocks
from pages.experiment.defaults import first_mechanism
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_TABLES, _SEED = 8, 2017  # made-up tables on which blocks are tried
_SECONDS, _MOST_CALLS, _MOST_ROWS = 0.6, 20_000, 4_000_000  # for how long, how many blocks and how many rows at most
_KEPT = 64
_known: dict[str, tuple[int, tuple[Foretold, ...]]] = {}


def _can_be(scenario: Scenario) -> bool:
    """Whether rows are replaced, and the answer is one number with public bounds that says how it goes from a part to all."""
    target: Any = scenario.target
    if scenario.adjacency is not Adjacency.REPLACE_ONE_RECORD or facts(target).scores is True or groups_of(target):
        return False
    return facts(target).from_a_part in ("alike", "in proportion") and len(bounds_of(target, scenario.n)) == 1


def in_blocks(scenario: Scenario, table: Table) -> Scenario | None:
    """The scenario with its target asked of blocks, and released by what chooses a place; None where something is lacking.

    How many blocks hangs on n and ε, and where the target is fast on made-up tables of the oracle: on nothing of the table.
    """
    if not _can_be(scenario):
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
    return None if facts(target).scores_of is None or facts(target).person is not None else target


def _oracle(scenario: Scenario, table: Table) -> Oracle | None:
    try:
        return scenario.resolved_oracle(table)
    except DpcoreError:
        return None


def _tried(target: Target, scenario: Scenario, table: Table) -> tuple[int, tuple[Foretold, ...]]:
    """How many blocks, 0 where none of those that were tried answers, and what is foretold; kept, for the page asks again with
    each change."""
    like = {name: part for name, part in scenario.to_json().items() if name in ("oracle", "n", "epsilon", "columns")}
    key = json.dumps([to_json(target), like, table.digest])
    if key not in _known:
        (_known[key],) = tried_at(target, scenario.n, (scenario.epsilon,), _oracle(scenario, table))
        for oldest in list(_known)[:-_KEPT]:
            _known.pop(oldest, None)
    return _known[key]


def tried_at(
    target: Target, n: int, epsilons: Sequence[float], oracle: Oracle | None
) -> tuple[tuple[int, tuple[Foretold, ...]], ...]:
    """At each ε how many blocks, 0 where none of those that were tried answers; and what is foretold of these, the best first.

    Tried are those that hang on n and ε alone, a row each, and where they are many five rows each.
    """
    tried = {one: () if oracle is None else _ladder(target, n, one) for one in epsilons}
    found: dict[float, list[Foretold]] = {one: [] for one in epsilons}
    for k in sorted({k for several in tried.values() for k in several}):
        at = [one for one in epsilons if k in tried[one]]
        asked: Any = oracle
        told = foretold_at([calibrated(target, n, k, one) for one in at], asked, tables=_TABLES, seed=_SEED)
        for epsilon, one in zip(at, told, strict=True):
            found[epsilon] += [one] * bool(np.isfinite(one.apart).all())  # NaN where no block has an answer
    best = {one: tuple(sorted(several, key=lambda each: float(np.mean(each.error)))) for one, several in found.items()}
    return tuple((_number(best[one], tried[one], usual_blocks(n, one)), best[one]) for one in epsilons)


def _number(best: tuple[Foretold, ...], tried: tuple[int, ...], usual: int) -> int:
    if best:
        return best[0].k
    return 0 if tried else usual


def _ladder(target: Target, n: int, epsilon: float) -> tuple[int, ...]:
    usual, five = usual_blocks(n, epsilon), max(2, n // 5)
    return tuple(k for k in dict.fromkeys((usual, n, min(usual, five))) if _quick(target, n, k))


def _quick(target: Target, n: int, k: int) -> bool:
    """Whether so many blocks can be tried in a moment: by what the target says of its own time, and by no clock, for then one
    question would be asked of other blocks each time."""
    own = facts(target).seconds
    fast = own is None or _TABLES * k * own(-(-n // k)) < _SECONDS
    return fast and _TABLES * k <= _MOST_CALLS and _TABLES * n <= _MOST_ROWS


def calibrated(target: Target, n: int, k: int, epsilon: float) -> Calibrated[PureDP]:
    """What chooses a place near the median of the answers of k blocks, sized to what is proved of it."""
    made = _made(target, n, k)
    chosen: Any = first_mechanism(made)
    found: Calibrated[PureDP] = chosen.calibrate(made.proved(n), PureDP(epsilon))
    return found


def _made(target: Target, n: int, k: int) -> Any:
    bounds = bounds_of(target, n)
    if not bounds:
        raise InvalidValueError("target", "one that states public bounds of its answer", target)
    return of_blocks(target, k, bounds if len(bounds) > 1 else bounds[0])


def bounds_of(target: Target, n: int) -> tuple[tuple[float, float], ...]:
    """Between which each number of its answer for n rows lies; () where it states none."""
    stated = facts(target).answer_bounds
    return (None if stated is None else stated(n)) or ()
