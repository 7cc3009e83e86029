"""A small or a large distance is said in a unit that people know its size in, right to the digits that are shown."""

from __future__ import annotations

import re
from datetime import timedelta

import numpy as np
import pytest

from dpcore.base.everyday import everyday

_DAYS = {"years": 365.25, "months": 365.25 / 12}  # which timedelta does not know


def _time(many: float, unit: str) -> timedelta:
    return timedelta(days=many * _DAYS[unit]) if unit in _DAYS else timedelta(**{unit: many})


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (0.0195, "years", "7 days"),
        (0.00977, "years", "4 days"),
        (0.12, "years", "44 days"),
        (0.25, "years", "3 months"),
        (0.001, "years", "9 hours"),
        (0.29, "months", "9 days"),
        (0.25, "weeks", "42 hours"),
        (400, "days", "13 months"),
        (5_000, "days", "14 years"),
        (500, "seconds", "8 minutes"),
        (0.02, "metres", "2 centimetres"),
        (12_345, "metres", "12 kilometres"),
        (0.0075, "kilograms", "8 grams"),
    ],
)
def test_a_distance_in_the_unit_of_its_size(value: float, unit: str, said: str) -> None:
    assert everyday(value, f" {unit}") == f" (about {said})"


def test_it_is_as_long_as_the_distance_to_the_digits_that_are_shown() -> None:
    rng, found = np.random.default_rng(8), set()
    for unit in ("years", "months", "weeks", "days", "hours", "minutes", "seconds"):
        for value in 10 ** np.concatenate([rng.uniform(-7, np.log10(0.3), 300), rng.uniform(np.log10(301), 6, 300)]):
            if said := re.fullmatch(r" \(about ([\d,]+) (\w+)\)", everyday(float(value), f" {unit}")):
                many, other = float(said[1].replace(",", "")), said[2]
                part = 0.5 / many if many < 10 else 0.05
                assert _time(many, other) / _time(float(value), unit) == pytest.approx(1, abs=1.3 * part)
                assert many == float(f"{many:.2g}")
                found.add((unit, other))
    assert {other for _, other in found} == {"years", "months", "days", "hours", "minutes", "seconds"}
    assert len(found) > 25
