"""Estimates of how long draws take, and whether the page can wait for them."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from dpcore import Adjacency
from dpcore.base.arrays import Database
from dpcore.base.types import LatticeTarget, Oracle, Target
from dpcore.errors import TooSlowError
from dpcore.sampling.blocks import generator
from dpcore.sampling.methods import choose
from pages.experiment.scenario import Scenario

QUICK = 0.5  # seconds; faster draws need no job
_FEW, _LONG = 64, 0.02  # records of the first timing, and the seconds from which it is extrapolated
_MOST_STATED = 1.0  # stated seconds of a call; slower calls are not timed, because their tables are too large
_LONG_WRITTEN = 0.25  # seconds of a call; shorter calls mostly wait for a process to start
# Measured on 2 shared cores: drawing and evaluating a record, and each further number that the record contributes to.
_SECONDS_A_RECORD, _SECONDS_A_NUMBER = 4e-8, 2e-8
_SECONDS_A_PAIR = 1e-7  # for sampling methods whose time does not grow with n
_SECONDS_A_PAIR_OF_PEOPLE = 4e-6  # the same for users: rows up to the contribution bound are counted by group
_SECONDS_A_PERSON = 5e-7  # drawing a user with about ten rows
_SECONDS_A_PLAIN_PAIR = 3e-5  # in addition to the records and the two calls
_CACHE_SIZE = 64  # targets
_cache: dict[tuple[Target, int], float] = {}


def seconds(target: Target, n: int, m: int, oracle: Oracle, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> float:
    """Return the estimated seconds of m draws.

    Args:
        target: The target. It may state the seconds of one call on n records as ``seconds(n)``.
        n: Number of records of a table.
        m: Number of pairs.
        oracle: The oracle. With some oracles the time does not grow with n.
        adjacency: What changes between neighbours.
    """
    method, people = choose(target, oracle, n, adjacency), oracle.draws_people
    if not method.light and target.seconds is not None:
        a_call = float(target.seconds(n))
        if target.written and a_call <= _MOST_STATED:
            timed = _timed_call(target, oracle, n)
            a_call = timed if timed > _LONG_WRITTEN else a_call
        return 2 * m * a_call
    if method.name == "plain":
        drawing = (_SECONDS_A_PERSON if people else _SECONDS_A_RECORD) * (n + 1)
        return m * (2 * _timed_call(target, oracle, n) + drawing + _SECONDS_A_PLAIN_PAIR)
    further = _count_numbers(target) - 1
    if method.light:
        return m * ((_SECONDS_A_PAIR_OF_PEOPLE if people else _SECONDS_A_PAIR) + 2 * _SECONDS_A_NUMBER * further)
    return m * (n + 1) * (_SECONDS_A_RECORD + _SECONDS_A_NUMBER * further)


def a_draw(scenario: Scenario, oracle: Oracle) -> float:
    """Return the estimated seconds of one draw of a scenario.

    Args:
        scenario: The scenario.
        oracle: Its oracle.
    """
    return seconds(scenario.target, scenario.n, 1, oracle, scenario.adjacency)


def alone(target: Target, oracle: Oracle, n: int) -> float:
    """Return the seconds of one separate call.

    A target states its time for calls in a large batch. A separate call of a written target also starts a process, so it is
    timed.

    Args:
        target: The target.
        oracle: The oracle that draws the records.
        n: Number of records.
    """
    stated = None if target.written else target.seconds
    return _timed_call(target, oracle, n) if stated is None else float(stated(n))


def refuse_slow(m: int, a_draw: float, limit: float) -> None:
    """Check that draws are fast enough.

    Args:
        m: Number of draws.
        a_draw: Seconds of one draw.
        limit: Most seconds for all of them.

    Raises:
        TooSlowError: If the draws take longer.
    """
    if m * a_draw > limit:
        raise TooSlowError(m * a_draw, limit, draws_within(limit, a_draw))


def draws_within(limit: float, a_draw: float) -> int:
    """Return the number of draws that fit into a time limit, at least 1.

    Args:
        limit: Seconds for all of them.
        a_draw: Seconds of one draw.
    """
    return max(1, int(limit / a_draw))


def _count_numbers(target: Target) -> int:
    if isinstance(target, LatticeTarget):
        return int((target.degree + 1) ** len(target.domain))
    candidates, groups = len(target.candidates), len(target.groups)
    return candidates * groups if target.is_selection_score and groups else max(candidates, groups, 1)


def _timed_call(target: Target, oracle: Oracle, n: int) -> float:
    """Return the seconds of one call, timed once for each target and n. The time of a call that fails counts."""
    if (target, n) not in _cache:
        _cache[target, n] = _time_call(target, oracle, n)
        for oldest in list(_cache)[:-_CACHE_SIZE]:
            _cache.pop(oldest, None)
    return _cache[target, n]


def _time_call(target: Target, oracle: Oracle, n: int) -> float:
    # The time of a slow target on a few records is extrapolated. A written one mostly waits for a process to start.
    few = n if target.written else min(n, _FEW)
    taken = min(_time_once(target, oracle.draw(1, few, rng=generator(0, look))[0]) for look in range(2))
    if few == n or taken > _LONG:
        return taken * n / few
    return _time_once(target, oracle.draw(1, n, rng=generator(0))[0])


def _time_once(target: Target, database: Database) -> float:
    database.flags.writeable = False
    start = time.perf_counter()
    with np.errstate(all="ignore"), suppress(Exception):  # the sampler counts any exception as a failure
        target(database)
    return time.perf_counter() - start
