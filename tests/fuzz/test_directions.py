"""A sample of the tables that fitted directions are tried on, and that the search would find what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.targets import HuberDirection
from dpcore.targets import directions as solver
from dpcore.targets.directions import FittedDirection
from tests.fuzz import directions

SAMPLE = 160


def test_tables_of_all_kinds_are_fitted_near_enough_and_without_the_descent() -> None:
    found, tried, descents = directions.fuzz(seed=21, count=SAMPLE)
    assert (found, descents) == ([], 0)
    assert tried > 0.9 * SAMPLE


def test_a_fit_that_is_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a distance and a tenth."""
    fitted = solver.fitted

    def off(*given: Any) -> Any:
        return fitted(*given) + 1.1 * given[-1].distance

    monkeypatch.setattr("dpcore.targets.directions.fitted", off)
    assert "from the minimiser, beyond" in directions.complaint(next(directions.cases(1, 1)))


def test_a_worst_case_that_is_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a tenth: the tables that hold w fast are among them."""
    case = directions.Case("", HuberDirection(((0.0, 1.0),), C=1e3), _held(20_000))
    assert directions.complaint(case) == ""
    whole = FittedDirection.global_sensitivity

    def less(self: Any, norm: Any, n: int) -> Any:
        proved: Any = whole(self, norm, n)
        object.__setattr__(proved, "value", 0.9 * proved.value)
        return proved

    monkeypatch.setattr(HuberDirection, "global_sensitivity", less)
    assert "apart in L1, beyond" in directions.complaint(case)


def test_a_traceback_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HuberDirection, "minimiser", lambda *_: 1 / 0)
    case = directions.Case("", HuberDirection(((0.0, 1.0),)), _held(9))
    assert "ZeroDivisionError" in directions.complaint(case)


def _held(n: int) -> Any:
    return directions.KINDS["held fast"](np.random.default_rng(0), (n + 1, 1))
