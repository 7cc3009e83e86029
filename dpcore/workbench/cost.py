"""About how long draws take, and whether that is a moment."""

from __future__ import annotations

from dpcore.base.types import (
    LatticeTarget,
    Oracle,
    Target,
    asked_together,
    draws_people,
    groups_of,
    only_to_choose,
)
from dpcore.errors import TooSlowError
from dpcore.guarantees.privacy import Adjacency
from dpcore.sampling.ways import choose
from dpcore.workbench.timing import a_call

# Measured on 2 shared cores: drawing and evaluating a record, and each number beyond the first that it has a part in.
_SECONDS_A_RECORD, _SECONDS_A_NUMBER = 4e-8, 2e-8
_SECONDS_A_PAIR = 1e-7  # of a way whose time does not grow with n
_SECONDS_A_PAIR_OF_PEOPLE = 4e-6  # the same: each of the two has rows, of which some are kept and counted by group
_SECONDS_A_PERSON = 5e-7  # drawing a person with about ten rows
_SECONDS_A_PLAIN_PAIR = 3e-5  # beside the records and the two calls
_QUICK = 0.5  # seconds


def seconds(
    target: Target, n: int, m: int, oracle: Oracle | None = None, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
) -> float:
    """About how long m draws take; a target may state what one call on n records takes as ``seconds(n)``.

    Some targets are sampled at no cost in n under some oracles: where none is given, it is the time under the others.
    """
    way = choose(target, oracle, n, adjacency)
    stated = None if way.light else getattr(target, "seconds", None)
    if stated is not None:
        return float(2 * m * stated(n))
    if oracle is not None and way.name == "plain":
        drawn = (_SECONDS_A_PERSON if draws_people(oracle) else _SECONDS_A_RECORD) * (n + 1)
        return m * (2 * a_call(target, oracle, n) + drawn + _SECONDS_A_PLAIN_PAIR)
    numbers = (target.degree + 1) ** len(target.domain) if isinstance(target, LatticeTarget) else _numbers(target)
    a_pair = _SECONDS_A_PAIR_OF_PEOPLE if oracle is not None and draws_people(oracle) else _SECONDS_A_PAIR
    a_record = a_pair if way.light else _SECONDS_A_RECORD * (n + 1)
    return m * (a_record + _SECONDS_A_NUMBER * (numbers - 1) * (2 if way.light else n + 1))


def _numbers(target: Target) -> int:
    if asked_together(target):
        return int(getattr(target, "numbers", 1))
    candidates, groups = len(getattr(target, "candidates", ())), len(groups_of(target))
    return candidates * groups if only_to_choose(target) and groups else max(candidates, groups, 1)


def refuse_slow(
    target: Target,
    n: int,
    m: int,
    limit: float,
    oracle: Oracle | None = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
) -> None:
    """TooSlowError where m draws would take longer than ``limit`` seconds."""
    expected = seconds(target, n, m, oracle, adjacency)
    if expected > limit:
        raise TooSlowError(expected, limit, max(1, int(limit / seconds(target, n, 1, oracle, adjacency))))


def quick(target: Target, n: int, m: int, oracle: Oracle, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> bool:
    """Whether m draws take a moment."""
    return seconds(target, n, m, oracle, adjacency) <= _QUICK


def trials_within(
    wait: float, target: Target, n: int, oracle: Oracle, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
) -> int:
    """About how many draws take so many seconds; at least 1."""
    return max(1, int(wait / seconds(target, n, 1, oracle, adjacency)))
