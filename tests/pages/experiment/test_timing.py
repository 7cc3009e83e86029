"""A plain function is as live as any where a call of it is fast, and is not where it is slow."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import as_target
from dpcore.errors import TooSlowError
from dpcore.oracles import Uniform
from dpcore.targets import Mean
from pages.experiment.cost import QUICK, refuse_slow, seconds
from tests.dpcore.sampling.people import ORACLE as PEOPLE
from tests.dpcore.sampling.people import REMOVED, REPLACED, Capped

ORACLE = Uniform(0, 1)


def fast(database: Database, /) -> FloatArray:
    """A plain function."""
    return np.array([database.max()])


def slow(database: Database, /) -> FloatArray:
    """50 ms a call."""
    time.sleep(0.05)
    return np.array([database.max()])


def broken(database: Database, /) -> FloatArray:
    """Fails at once."""
    raise KeyError("no such row")


def test_seconds_of_plain_functions_follow_their_speed() -> None:
    assert seconds(as_target(fast), 500, 199, ORACLE) <= QUICK
    assert seconds(as_target(broken), 500, 199, ORACLE) <= QUICK
    assert seconds(as_target(slow), 40, 199, ORACLE) > QUICK
    assert 0.9 <= seconds(as_target(slow), 40, 10, ORACLE) < 8  # 20 calls, each of 50 ms or, on a busy machine, more


def test_seconds_times_a_target_once_for_each_n() -> None:
    calls = []

    def counted(database: Database, /) -> FloatArray:
        calls.append(len(database))
        return np.array([database.max()])

    target = as_target(counted)
    first, before = seconds(target, 30, 10, ORACLE), len(calls)
    assert before > 0
    assert seconds(target, 30, 20, ORACLE) == 2 * first
    assert len(calls) == before
    seconds(target, 31, 10, ORACLE)
    assert len(calls) > before


def test_seconds_of_people_and_of_removed_records() -> None:
    assert seconds(as_target(slow_on_people), 5, 1, PEOPLE, REPLACED) <= QUICK
    assert seconds(as_target(slow_on_people), 5, 40, PEOPLE, REPLACED) > QUICK
    assert seconds(Capped(), 10**9, 199, PEOPLE, REMOVED) <= QUICK
    assert seconds(Mean(), 10**9, 199, ORACLE, REPLACED) <= QUICK
    assert seconds(Mean(), 10**6, 199, ORACLE, REMOVED) > QUICK
    with pytest.raises(TooSlowError):
        refuse_slow(1, seconds(as_target(slow_on_people), 10**8, 1, PEOPLE, REMOVED), 1.0)


def slow_on_people(database: Database, /) -> FloatArray:
    """20 ms a call."""
    time.sleep(0.02)
    return np.array([database["cost"].max()])
