"""A kind that fails when it is asked what it suits is left out, and all others are as they were."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import Column
from dpcore.mechanisms import Gaussian, Laplace
from dpcore.registry import fit
from dpcore.registry.asked import _name
from dpcore.targets import Mean

COLUMN = (Column("income", bounds=(0.0, 10.0)),)


def _endless() -> Any:
    return _endless()


def _raising(error: BaseException) -> Any:
    raise error


FAULTS = {
    "TypeError": lambda: _raising(TypeError("a value 4711")),
    "ValueError": lambda: _raising(ValueError("no")),
    "RecursionError": _endless,
    "None": lambda: None,
    "NaN": lambda: np.nan,
    "a text": lambda: "Laplace",
    "an array": lambda: np.ones(3),
}


@pytest.fixture(params=FAULTS.values(), ids=FAULTS)
def fault(request: pytest.FixtureRequest) -> Any:
    _name.cache_clear()
    return request.param


def test_a_mechanism_that_fails_is_left_out(fault: Any, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        leads = suited = staticmethod(lambda target: fault())

    class Leading(Laplace):  # type: ignore[misc]
        leads = staticmethod(lambda target: fault())  # type: ignore[assignment]

    usual = fit.releasing((Gaussian, Laplace), Mean())
    with caplog.at_level(logging.WARNING):
        assert fit.releasing((Gaussian, Laplace, Broken), Mean()) == usual
        assert fit.releasing((Gaussian, Laplace, Broken), Mean()) == usual
    assert sum("Broken" in line for line in caplog.messages) == (fault is not FAULTS["None"])  # once, and None is no fault
    assert "4711" not in caplog.text
    assert set(fit.releasing((Gaussian, Leading), Mean())) == {Gaussian, Leading}


def test_a_target_that_fails_suits_no_column(fault: Any) -> None:
    class Broken:
        suited = staticmethod(lambda columns: fault())

    assert fit.suited(Broken, COLUMN) is None
    assert fit.columns_for(Broken, COLUMN) == ()
    assert fit.takers((Mean, Broken), COLUMN) == (Mean,)


def test_what_a_kind_takes_may_be_wrong_too() -> None:
    class Broken:
        takes = 7
        suited = staticmethod(lambda columns: Broken())

    assert fit.suited(Broken, COLUMN) is None
