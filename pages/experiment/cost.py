"""About how long draws take, and whether that is a moment."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.types import Database, LatticeTarget, Oracle, Target, draws_people, groups_of, only_to_choose
from dpcore.errors import TooSlowError
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.blocks import generator
from dpcore.sampling.ways import choose
from pages.experiment.scenario import Scenario

# How long one call of a target takes that does not say so: it is timed, once.


_FEW, _LONG = 64, 0.02  # records of the first look, and seconds that say enough
_WORTH_A_LOOK = 1.0  # stated seconds of a call: where it takes longer its tables are too large to draw some for a look
_LONG_TEXT = 0.25  # seconds of a call, most of which a process takes to begin, and not what was written
_MOST = 64  # targets that are remembered
_known: dict[tuple[Target, int], float] = {}


def a_call(target: Target, oracle: Oracle, n: int) -> float:
    """Seconds of one call on n records of the oracle; of a slow one only a few records are tried, for as long as n would
    take at the least. A call that fails takes what it took."""
    try:
        key = (target, n)
        known = _known.get(key)
    except TypeError:  # not hashable: no two of it are known to be one
        return _timed(target, oracle, n)
    if known is None:
        known = _keep(key, _timed(target, oracle, n))
    return known


def _keep(key: tuple[Target, int], seconds: float) -> float:
    _known[key] = seconds
    for oldest in list(_known)[:-_MOST]:
        _known.pop(oldest, None)
    return seconds


def alone(target: Target, oracle: Oracle, n: int) -> float:
    """Seconds of one call by itself: as the target states, but of what somebody wrote, which states what it takes among many."""
    said = facts(target)
    if said.written:
        return _what_was_written(target, oracle, n)
    return a_call(target, oracle, n) if said.seconds is None else float(said.seconds(n))


def _what_was_written(target: Target, oracle: Oracle, n: int) -> float:
    """What a call takes of a target that somebody wrote, timed once; most of a short one is for a process to begin."""
    key = (target, n)
    if key not in _known:
        _keep(key, min(_once(target, oracle.draw(1, n, rng=generator(0, look))[0]) for look in range(2)))
    return _known[key]


def _timed(target: Target, oracle: Oracle, n: int) -> float:
    few = min(n, _FEW)
    taken = min(_once(target, oracle.draw(1, few, rng=generator(0, look))[0]) for look in range(2))
    if few == n or taken > _LONG:
        return taken * n / few
    return _once(target, oracle.draw(1, n, rng=generator(0))[0])


def _once(target: Target, database: Database) -> float:
    database.flags.writeable = False
    start = time.perf_counter()
    with np.errstate(all="ignore"), suppress(Exception):  # whatever it raises, the sampler counts it as a failure
        target(database)
    return time.perf_counter() - start


# Measured on 2 shared cores: drawing and evaluating a record, and each number beyond the first that it has a part in.
_SECONDS_A_RECORD, _SECONDS_A_NUMBER = 4e-8, 2e-8
_SECONDS_A_PAIR = 1e-7  # of a way whose time does not grow with n
_SECONDS_A_PAIR_OF_PEOPLE = 4e-6  # the same: each of the two has rows, of which some are kept and counted by group
_SECONDS_A_PERSON = 5e-7  # drawing a person with about ten rows
_SECONDS_A_PLAIN_PAIR = 3e-5  # beside the records and the two calls
QUICK = 0.5  # seconds: draws that take no longer are made at once


def seconds(
    target: Target, n: int, m: int, oracle: Oracle | None = None, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
) -> float:
    """About how long m draws take; a target may state what one call on n records takes as ``seconds(n)``.

    Some targets are sampled at no cost in n under some oracles: where none is given, it is the time under the others.
    """
    way = choose(target, oracle, n, adjacency)
    stated = None if way.light else facts(target).seconds
    if stated is not None:
        own = float(stated(n))
        if (
            oracle is not None
            and facts(target).written
            and own <= _WORTH_A_LOOK
            and (timed := _what_was_written(target, oracle, n)) > _LONG_TEXT
        ):
            own = timed
        return 2 * m * own
    if oracle is not None and way.name == "plain":
        drawn = (_SECONDS_A_PERSON if draws_people(oracle) else _SECONDS_A_RECORD) * (n + 1)
        return m * (2 * a_call(target, oracle, n) + drawn + _SECONDS_A_PLAIN_PAIR)
    numbers = (target.degree + 1) ** len(target.domain) if isinstance(target, LatticeTarget) else _numbers(target)
    a_pair = _SECONDS_A_PAIR_OF_PEOPLE if oracle is not None and draws_people(oracle) else _SECONDS_A_PAIR
    a_record = a_pair if way.light else _SECONDS_A_RECORD * (n + 1)
    return m * (a_record + _SECONDS_A_NUMBER * (numbers - 1) * (2 if way.light else n + 1))


def _numbers(target: Target) -> int:
    candidates, groups = len(facts(target).candidates), len(groups_of(target))
    return candidates * groups if only_to_choose(target) and groups else max(candidates, groups, 1)


def a_draw(scenario: Scenario, oracle: Oracle) -> float:
    """About how many seconds one of the scenario's draws takes: m of them take m times as long."""
    return seconds(scenario.target, scenario.n, 1, oracle, scenario.adjacency)


def refuse_slow(m: int, a_draw: float, limit: float) -> None:
    """TooSlowError where m draws of so many seconds would take longer than ``limit`` seconds."""
    if m * a_draw > limit:
        raise TooSlowError(m * a_draw, limit, draws_within(limit, a_draw))


def draws_within(limit: float, a_draw: float) -> int:
    """How many draws take so many seconds; at least 1."""
    return max(1, int(limit / a_draw))
