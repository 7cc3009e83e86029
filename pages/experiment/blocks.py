"""Sample and aggregate: differential privacy for any target, without an oracle."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from dpcore import Adjacency, PureDP
from dpcore.audits.block_error_prediction import BlockErrorPrediction, predict_block_error, usual_blocks
from dpcore.base.bounds import Interval
from dpcore.base.text import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from dpcore.oracles.columns import laws_of
from dpcore.result_types.numbers import SHARE
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from pages.experiment.choices import first_mechanism
from pages.experiment.noise import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_TABLES, _FEW_TABLES, _SEED = 24, 2, 2017  # simulated tables for a prediction: for fast targets, and for slow ones
_LONG = 0.1  # s; a target is slow if its calls on all simulated tables take longer
_SECONDS, _MOST_CALLS, _MOST_ROWS = 0.8, 40_000, 4_000_000  # limits of a prediction
_CACHE_SIZE = 64
_SAME = 1e-9  # part of the noise, below which two answers are called the same
_cache: dict[str, BlockErrorPrediction | None] = {}


def _can_be_estimated(scenario: Scenario) -> bool:
    """Return whether one row is replaced, and an answer from a part of the rows estimates the answer from all."""
    replaces_row = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
    return (
        replaces_row and scenario.target.from_a_part in ("alike", "in proportion") and scenario.target.answer_bounds is not None
    )


def bounds_on_blocks(scenario: Scenario) -> Interval | None:
    """Return the public bounds of the answer, one number, if its target can be evaluated on blocks of rows, otherwise None."""
    bounds: Interval | None = scenario.target.answer_bounds(scenario.n) if _can_be_estimated(scenario) else None
    return bounds


def lacks_bounds(scenario: Scenario, table: Table) -> bool:
    """Return whether public bounds of the columns are the only thing that is missing for blocks.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    if not _can_be_estimated(scenario) or bounds_on_blocks(scenario) is not None:
        return False
    return len(answered(scenario, table.taken(scenario.columns, scenario.target)).labels) == 1


def in_blocks(scenario: Scenario) -> Scenario | None:
    """Return the scenario with its target evaluated on blocks, or None if that is not possible.

    A selection mechanism releases it. The number of blocks depends only on n and ε.
    """
    bounds = bounds_on_blocks(scenario)
    if bounds is None:
        return None
    try:
        target = SampleAndAggregate(scenario.target, usual_blocks(scenario.n, scenario.epsilon), bounds)
        mechanism = first_mechanism(target)
        return scenario.with_(target=target, mechanism=mechanism, delta=None)
    except DpcoreError:
        return None


def foretold_of(scenario: Scenario, table: Table) -> BlockErrorPrediction | None:
    """Return the predicted error of a scenario on blocks, from tables that its oracle simulates.

    It is cached by all that it depends on, because the page asks for it at every rerun. Whether the table is public counts,
    because only a public table's rows can be the oracle.

    Args:
        scenario: The scenario.
        table: Its table.

    Returns:
        The prediction. None for other targets, for a target that is too slow to simulate while the page waits, and if every
        block of a simulated table failed.
    """
    target = blocks_of(scenario)
    if target is None:
        return None
    fields = {name: part for name, part in scenario.to_json().items() if name in ("oracle", "n", "epsilon", "columns", "target")}
    key = json.dumps([fields, table.digest, table.public])
    if key not in _cache:
        _cache[key] = _predict(target, scenario, table)
        for oldest in list(_cache)[:-_CACHE_SIZE]:
            _cache.pop(oldest, None)
    return _cache[key]


def _predict(target: SampleAndAggregate, scenario: Scenario, table: Table) -> BlockErrorPrediction | None:
    seconds, k, n = target.target.seconds, target.k, scenario.n
    a_table = 0.0 if seconds is None else k * seconds(-(-n // k))  # as stated: a clock could choose otherwise the next time
    tables = _TABLES if _TABLES * a_table < _LONG else _FEW_TABLES
    if tables * a_table > _SECONDS or tables * k > _MOST_CALLS or tables * n > _MOST_ROWS:
        return None
    try:
        oracle = scenario.resolved_oracle(table)
        calibrated = first_mechanism(target).calibrate(target.proved(n), PureDP(scenario.epsilon))
    except DpcoreError:
        return None
    found = predict_block_error(calibrated, oracle, tables=tables, seed=_SEED)
    return found if np.isfinite(found.apart) else None


def blocks_of(scenario: Scenario) -> Any:
    """Return the scenario's sample-and-aggregate target for rows, or None for other targets."""
    target: Any = scenario.target
    return target if target.scores_of is not None and target.person is None else None


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
