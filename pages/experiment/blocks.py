"""Sample and aggregate: differential privacy for any target, without an oracle."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from dpcore.result_types.numbers import SHARE

from dpcore import Adjacency, PureDP
from dpcore.audits.block_error_prediction import BlockErrorPrediction, predict_block_error, usual_blocks
from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.base.types import Target
from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.oracles.product import laws_of
from dpcore.registry.catalog import to_json
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from pages.experiment.choices import first_mechanism
from pages.experiment.noise import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_TABLES, _FEW_TABLES, _SEED = 8, 2, 2017  # simulated tables for a prediction: for fast targets, and for slow ones
_LONG = 0.1  # s; a target is slow if its calls on all simulated tables take longer
_SECONDS, _MOST_CALLS, _MOST_ROWS = 0.8, 40_000, 4_000_000  # limits of all predictions of one question
_CACHE_SIZE = 64
_SAME = 1e-9  # part of the noise, below which two answers are called the same
_cache: dict[str, tuple[int, tuple[BlockErrorPrediction, ...]]] = {}


def can_be_asked(scenario: Scenario) -> bool:
    """Return whether the scenario's target can be evaluated on blocks of rows.

    It can if one row is replaced, the answer from a part of the rows estimates the answer from all rows, and the answer is one
    number with public bounds.
    """
    return _estimated_from_parts(scenario) and _answer_bounds(scenario.target, scenario.n) is not None


def lacks_bounds(scenario: Scenario, table: Table) -> bool:
    """Return whether public bounds of the columns are the only thing that is missing for blocks.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    stated = scenario.target.answer_bounds
    if not _estimated_from_parts(scenario) or stated is None or stated(scenario.n) is not None:
        return False
    return len(answered(scenario, table.taken(scenario.columns, scenario.target)).labels) == 1


def _estimated_from_parts(scenario: Scenario) -> bool:
    replaces_row = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
    return replaces_row and scenario.target.from_a_part in ("alike", "in proportion")


def in_blocks(scenario: Scenario, table: Table) -> Scenario | None:
    """Return the scenario with its target evaluated on blocks and released by a selection mechanism.

    The number of blocks depends on n and ε. For fast targets it also depends on tables that the oracle simulates. It never
    depends on a confidential table.

    Args:
        scenario: The scenario.
        table: Its table.

    Returns:
        The scenario, or None if the target cannot be evaluated on blocks.
    """
    if not can_be_asked(scenario):
        return None
    try:
        k, _ = _choose_blocks(scenario.target, scenario, table)
        if not k:
            return None
        target = _sample_and_aggregate(scenario.target, scenario.n, k)
        mechanism = first_mechanism(target)
        return scenario.with_(target=target, mechanism=mechanism, norm=mechanism.norm, delta=None)
    except DpcoreError:
        return None


def foretold_of(scenario: Scenario, table: Table) -> BlockErrorPrediction | None:
    """Return the predicted error of a scenario on blocks, from simulated tables.

    Args:
        scenario: The scenario.
        table: Its table.

    Returns:
        The prediction for the scenario's number of blocks. None for other targets, or if nothing was simulated.
    """
    target = blocks_of(scenario)
    if target is None:
        return None
    _, predictions = _choose_blocks(target.target, scenario, table)
    return next((one for one in predictions if one.k == target.k), None)


def blocks_of(scenario: Scenario) -> Any:
    """Return the scenario's sample-and-aggregate target for rows, or None for other targets."""
    target: Any = scenario.target
    return target if target.scores_of is not None and target.person is None else None


def _choose_blocks(target: Target, scenario: Scenario, table: Table) -> tuple[int, tuple[BlockErrorPrediction, ...]]:
    """Return the number of blocks, 0 if every number failed, and the predictions with the best first.

    The result is cached by all that it depends on, because the page asks for it at every rerun. Whether the table is public
    counts, because only a public table's rows can be the oracle.
    """
    fields = {name: part for name, part in scenario.to_json().items() if name in ("oracle", "n", "epsilon", "columns")}
    key = json.dumps([to_json(target), fields, table.digest, table.public])
    if key not in _cache:
        _cache[key] = _compare_block_counts(target, scenario, table)
        for oldest in list(_cache)[:-_CACHE_SIZE]:
            _cache.pop(oldest, None)
    return _cache[key]


def _compare_block_counts(target: Target, scenario: Scenario, table: Table) -> tuple[int, tuple[BlockErrorPrediction, ...]]:
    n, epsilon, seconds = scenario.n, scenario.epsilon, target.seconds
    usual = usual_blocks(n, epsilon)
    try:
        oracle = scenario.resolved_oracle(table)
    except DpcoreError:
        return usual, ()
    # Few tables are simulated if the target is slow, because the page waits.
    quick = seconds is None or _TABLES * usual * seconds(-(-n // usual)) < _LONG
    tables = _TABLES if quick else _FEW_TABLES
    ks = _candidate_counts(target, n, usual, tables)
    predictions = [predict_block_error(_calibrate(target, n, k, epsilon), oracle, tables=tables, seed=_SEED) for k in sorted(ks)]
    found = [one for one in predictions if np.isfinite(one.apart)]  # NaN if every block failed
    if not found:
        return (0 if ks else usual), ()
    # If possible, keep only predictions whose median is closer to the table's own answer than the noise, and whose blocks gave
    # different answers: on another table the distance can be much larger.
    close = [one for one in found if not one.alike and one.apart <= one.within]
    ranked = sorted(close or found, key=lambda one: one.error)
    return ranked[0].k, tuple(ranked)


def _candidate_counts(target: Target, n: int, usual: int, tables: int) -> tuple[int, ...]:
    """Return the numbers of blocks to compare: the usual number, blocks of one row and blocks of five rows.

    The time limit uses the target's stated time, not a clock, so the same question always gets the same blocks. Targets about
    relations between columns get blocks of at least ten rows: smaller blocks say nothing about correlations, and oracles with
    independent columns would hide that.
    """
    seconds = target.seconds
    most = _MOST_CALLS if tables * n <= _MOST_ROWS else 0
    counts, seconds_left = [], _SECONDS
    ks = (usual, min(usual, max(2, n // 10))) if target.about_relations else (usual, n, min(usual, max(2, n // 5)))
    for k in dict.fromkeys(ks):
        needed = 0.0 if seconds is None else tables * k * seconds(-(-n // k))
        if needed <= seconds_left and tables * k <= most:
            counts.append(k)
            seconds_left -= needed
    return tuple(counts)


def _calibrate(target: Target, n: int, k: int, epsilon: float) -> Calibrated[PureDP]:
    """Return the selection mechanism near the median of k answers, calibrated to its proved sensitivity."""
    blocks = _sample_and_aggregate(target, n, k)
    return first_mechanism(blocks).calibrate(blocks.proved(n), PureDP(epsilon))


def _sample_and_aggregate(target: Target, n: int, k: int) -> SampleAndAggregate:
    bounds = _answer_bounds(target, n)
    assert bounds is not None
    return SampleAndAggregate(target, k, bounds)


def _answer_bounds(target: Target, n: int) -> Interval | None:
    """Return the public bounds of the target's number for n rows, or None."""
    stated = target.answer_bounds
    bounds: Interval | None = None if stated is None else stated(n)
    return bounds


def dealt_words(scenario: Scenario) -> str:
    """Describe the blocks and the changes that are protected; empty for other targets."""
    target = blocks_of(scenario)
    if target is None:
        return ""
    return (
        f"The {scenario.n:,} rows are dealt to {target.k:,} blocks by their positions, before anything is filtered. The target "
        "is evaluated on each block, and a private median of the answers is published. Another row in one position changes one "
        "block, and every such change is protected."
    )


def accuracy_words(scenario: Scenario, table: Table) -> str:
    """Return the predicted error of the blocks in sentences; empty if nothing was simulated.

    Args:
        scenario: The scenario, evaluated on blocks.
        table: Its table. If it is confidential, only simulated tables are used.
    """
    found, answer = foretold_of(scenario, table), answered(scenario, table.taken(scenario.columns, scenario.target))
    if found is None:
        return ""
    after = "" if answer.unit == SHARE else answer.after
    within, apart = (counted(figure(one), after) for one in (found.within, found.apart))
    median = f"about {apart} from" if found.apart > _SAME * abs(found.within) else "the same as"
    said = (
        f"In simulated tables, 95% of answers were within {within} of the blocks’ median. That median was {median} the answer "
        "of the whole table."
    )
    if blocks_of(scenario).target.about_relations and laws_of(scenario.resolved_oracle(table), scenario.columns):
        said += " The columns were simulated independently. If columns are correlated, the median may be further off."
    return said
