"""The law of a difference of two records, at the ends of what a number can hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore.oracles import Exponential, Normal, Uniform

IN_UNITS: dict[str, Callable[[float], Any]] = {
    "Normal": lambda unit: Normal(0.0, 1.5 * unit),
    "Uniform": lambda unit: Uniform(0.0, 0.75 * unit),
    "Exponential": lambda unit: Exponential(1.5 / unit),
}


@pytest.mark.parametrize("unit", [2.0**1023, 2.0**-1000])  # powers of two: every quotient is the same to the bit
@pytest.mark.parametrize("name", IN_UNITS)
def test_it_is_that_of_plain_records_in_other_units(name: str, unit: float) -> None:
    plain, extreme, at = IN_UNITS[name](1.0), IN_UNITS[name](unit), np.array([0.0, 0.1, 0.5, 1.0])
    assert np.array_equal(extreme.difference_cdf(at * unit), plain.difference_cdf(at))
