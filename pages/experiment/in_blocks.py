"""A scenario's question by sample and aggregate: differential privacy without an oracle, whatever the target."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from dpcore.audits.blocks_foretold import Foretold, foretold_at, usual_blocks
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Oracle, Target, groups_of
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.catalog import to_json
from dpcore.sampling.blocks import generator, vector
from dpcore.targets.sample_and_aggregate import of_blocks
from dpcore.targets.vote_of_blocks import vote_of
from pages.experiment import preview
from pages.experiment.defaults import first_mechanism
from pages.experiment.scenario import Scenario
from pages.experiment.steps import Steps, finished
from pages.files.tables import Table

_TABLES, _FEW_TABLES, _SEED = 8, 2, 2017  # made-up tables on which blocks are tried, and of a target that takes long
_LONG = 0.1  # seconds
_SECONDS, _MOST_CALLS, _MOST_ROWS = 0.8, 40_000, 4_000_000  # for how long, for how many numbers and of how many rows at most
_KEPT = 64
MOST_NUMBERS = 32  # of an answer: each has its own part of ε
_known: dict[str, Any] = {}
R = TypeVar("R")


def _can_be(scenario: Scenario) -> bool:
    """Whether rows are replaced, a part of them can stand for all, and the answer is numbers with public bounds, or a choice that
    has no proved worst case of its own: where it has one, that is DP itself already, and nearer."""
    target: Any = scenario.target
    if scenario.adjacency is not Adjacency.REPLACE_ONE_RECORD or facts(target).from_a_part not in ("alike", "in proportion"):
        return False
    if facts(target).scores is True:
        return not groups_of(target) and preview.worst_case(scenario) is None
    in_one_step = facts(target).steps is None
    return in_one_step and 1 <= len(bounds_of(target, scenario.n)) <= MOST_NUMBERS


def lacks_bounds(scenario: Scenario) -> bool:
    """Whether nothing but public bounds of its values keeps a question from being asked of blocks."""
    stated = facts(scenario.target).answer_bounds
    without = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD and stated is not None and stated(scenario.n) is None
    return without and facts(scenario.target).from_a_part in ("alike", "in proportion")


def needs_single_rows(scenario: Scenario) -> bool:
    """Whether a question stays without blocks because it is about people, and its text could be asked of a part of the rows."""
    said = facts(scenario.target)
    return bool(said.written and said.from_a_part) and not scenario.adjacency.of_records


def in_blocks(scenario: Scenario, table: Table) -> Scenario | None:
    """The scenario with its target asked of blocks, and released by what chooses a place; None where something is lacking.

    How many blocks hangs on n and ε, and where the target is fast on made-up tables of the oracle: on nothing of the table.
    """
    if not _can_be(scenario):
        return None
    try:
        k = _blocks(scenario, table)
        if not k:
            return None
        votes = facts(scenario.target).scores is True
        made = vote_of(scenario.target, k) if votes else _made(scenario.target, scenario.n, k)
        mechanism = first_mechanism(made)
        return scenario.with_(target=made, mechanism=mechanism, norm=mechanism.norm, delta=None)
    except DpcoreError:
        return None


def _blocks(scenario: Scenario, table: Table) -> int:
    if facts(scenario.target).scores is True:
        return usual_blocks(scenario.n, scenario.epsilon)
    return _tried(scenario.target, scenario, table)[0]


def foretold_of(scenario: Scenario, table: Table) -> Foretold | None:
    """How near the answer of blocks comes, on made-up tables alone; None where none were tried, and of a question that is not in
    blocks."""
    target = blocks_of(scenario)
    if target is None or facts(target).scores_of is None:
        return None
    _, found = _tried(target.target, scenario, table)
    return next((one for one in found if one.k == target.k), None)


def blocks_of(scenario: Scenario) -> Any:
    """The target of a question that is asked of blocks of rows; None of another."""
    target: Any = scenario.target
    return target if facts(target).aggregate and facts(target).person is None else None


def chosen_alike(scenario: Scenario, table: Table) -> float | None:
    """How often blocks choose what the whole table would, on made-up tables alone; None where none are made, and of numbers."""
    vote, oracle = blocks_of(scenario), _oracle(scenario, table)
    if vote is None or facts(vote).scores_of is not None or oracle is None or _TABLES * scenario.n > _MOST_ROWS:
        return None
    return _once(_key(vote, scenario, table), lambda: _chosen_alike(vote, scenario, oracle))


def _chosen_alike(vote: Any, scenario: Scenario, oracle: Oracle) -> float:
    law: Any = scenario.mechanism.calibrate(vote.proved(scenario.n), scenario.privacy).law
    found, rng = [], generator(_SEED)
    for _ in range(_TABLES):
        database = oracle.draw(1, scenario.n, rng=rng)[0]
        own = vector(vote.target(database))
        found.append(float(law.probabilities(vote(database))[own == own.max()].sum()))
    return float(np.mean(found))


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
        return finished(trying_at(target, n, (epsilon,), oracle, tables=tables))[0]

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


def trying_at(
    target: Target, n: int, epsilons: Sequence[float], oracle: Oracle | None, *, tables: int = _TABLES
) -> Steps[tuple[tuple[int, tuple[Foretold, ...]], ...]]:
    """At each ε how many blocks, 0 where none of those that were tried answers; and what is foretold of these, the best first.

    Tried are those that hang on n and ε alone, a row each, and where they are many five rows each.
    """
    tried = {one: () if oracle is None else _ladder(target, n, one, tables) for one in epsilons}
    found: dict[float, list[Foretold]] = {one: [] for one in epsilons}
    ks = sorted({k for several in tried.values() for k in several})
    for done, k in enumerate(ks):
        yield done / len(ks)
        at = [one for one in epsilons if k in tried[one]]
        asked: Any = oracle
        told = foretold_at([calibrated(target, n, k, one) for one in at], asked, tables=tables, seed=_SEED)
        for epsilon, one in zip(at, told, strict=True):
            found[epsilon] += [one] * bool(np.isfinite(one.apart).all())  # NaN where no block has an answer
    best = {one: _best(several, np.ptp(bounds_of(target, n), axis=1)) for one, several in found.items()}
    return tuple((_number(best[one], tried[one], usual_blocks(n, one)), best[one]) for one in epsilons)


def _best(several: list[Foretold], widths: FloatArray) -> tuple[Foretold, ...]:
    """The nearest first, as shares of the public widths. Where some do, of those whose median lies no further from the table's
    own answer than noise takes it: made-up tables say little of how far it lies on another one, and least where all blocks
    answer alike."""
    telling = [one for one in several if not one.alike and np.mean((one.apart - one.within) / widths) <= 0]
    return tuple(sorted(telling or several, key=lambda one: float(np.mean(one.error / widths))))


def _number(best: tuple[Foretold, ...], tried: tuple[int, ...], usual: int) -> int:
    if best:
        return best[0].k
    return 0 if tried else usual


def _ladder(target: Target, n: int, epsilon: float, tables: int) -> tuple[int, ...]:
    """By what the target says of its own time, and by no clock: one question would be asked of other blocks each time. A row or
    five tell nothing of how columns hang together, and tables whose columns are drawn each by itself would not show it."""
    usual, five, own = usual_blocks(n, epsilon), max(2, n // 5), facts(target).seconds
    numbers = len(bounds_of(target, n))
    most = _MOST_CALLS // numbers if tables * n <= _MOST_ROWS else 0
    found, left = [], _SECONDS
    each = usual_blocks(n, epsilon / numbers)
    ks = (usual, min(each, max(2, n // 10))) if facts(target).about_relations else (usual, each, n, min(usual, five))
    for k in dict.fromkeys(ks):
        takes = 0.0 if own is None else tables * k * own(-(-n // k))
        if takes <= left and tables * k <= most:
            found.append(k)
            left -= takes
    return tuple(found)


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
