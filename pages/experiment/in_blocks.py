"""A scenario's question by sample and aggregate: differential privacy without an oracle, whatever the target."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from dpcore.audits.blocks_foretold import Foretold, foretold, usual_blocks
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target, groups_of
from dpcore.errors import DpcoreError
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


def lacks(scenario: Scenario) -> str:
    """What keeps a question from being asked of blocks, as what it would need; empty where nothing does."""
    target: Any = scenario.target
    if facts(target).scores_of is not None:
        return "a question that is not asked of blocks already"
    if scenario.adjacency is not Adjacency.REPLACE_ONE_RECORD:
        return "rows that are replaced one by one, for places are dealt to blocks"
    if facts(target).scores is True or groups_of(target):
        return "a question that is answered with numbers, and not by group"
    if facts(target).from_a_part not in ("alike", "in proportion"):
        return "an answer that goes from a part of the rows to all of them, as a mean or a sum does"
    bounds = _bounds(target, scenario.n)
    if bounds is None:
        return "public bounds of its answer, which bounds of the column give"
    return "" if len(bounds) == 1 else "a question with one number as its answer"


def in_blocks(scenario: Scenario, table: Table) -> Scenario | None:
    """The scenario with its target asked of blocks, and released by what chooses a place; None where something is lacking.

    How many blocks hangs on n and ε, and where the target is fast on made-up tables of the oracle: on nothing of the table.
    """
    if lacks(scenario):
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
        _known[key] = _try(target, scenario.n, scenario.epsilon, _oracle(scenario, table))
        for oldest in list(_known)[:-_KEPT]:
            _known.pop(oldest, None)
    return _known[key]


def _try(target: Target, n: int, epsilon: float, oracle: Oracle | None) -> tuple[int, tuple[Foretold, ...]]:
    usual = usual_blocks(n, epsilon)
    if oracle is None:
        return usual, ()
    tried = [k for k in dict.fromkeys((usual, n, max(2, n // 5))) if _quick(target, n, k)]
    if not tried:
        return usual, ()
    each = [foretold(_calibrated(_made(target, n, k), n, epsilon), oracle, tables=_TABLES, seed=_SEED) for k in tried]
    found = tuple(sorted((one for one in each if np.isfinite(one.error[0])), key=lambda one: float(one.error[0])))
    return (found[0].k if found else 0), found


def _quick(target: Target, n: int, k: int) -> bool:
    """Whether so many blocks can be tried in a moment: by what the target says of its own time, and by no clock, for then one
    question would be asked of other blocks each time."""
    own = facts(target).seconds
    fast = own is None or _TABLES * k * own(-(-n // k)) < _SECONDS
    return fast and _TABLES * k <= _MOST_CALLS and _TABLES * n <= _MOST_ROWS


def _calibrated(made: Any, n: int, epsilon: float) -> Calibrated[PureDP]:
    chosen: Any = first_mechanism(made)
    calibrated: Calibrated[PureDP] = chosen.calibrate(made.proved(n), PureDP(epsilon))
    return calibrated


def _made(target: Target, n: int, k: int) -> Any:
    bounds = _bounds(target, n)
    assert bounds is not None
    return of_blocks(target, k, bounds[0])


def _bounds(target: Target, n: int) -> tuple[tuple[float, float], ...] | None:
    of_answers = facts(target).answer_bounds
    found: tuple[tuple[float, float], ...] | None = None if of_answers is None else of_answers(n)
    return found
