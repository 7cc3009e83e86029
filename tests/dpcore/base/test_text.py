"""Released numbers have the digits that their ± supports, and distances an everyday unit that is right to the digits shown."""

from __future__ import annotations

import math
import re
from datetime import timedelta

import numpy as np
import pytest

from dpcore.base.text import TOO_FEW, everyday, in_full, plus_minus, rows, to_place, widened
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import SHARE, Numbers, Ratio


@pytest.mark.parametrize(
    ("value", "near", "number", "half"),
    [
        (1864.43271, 35.7123, "1,864.4", "35.8"),
        (-78.29, 217, "-78", "218"),
        (-0.0001, 0.5, "0.000", "0.501"),
        (333_333.3, 1_234_567, "330,000", "1,240,000"),
        (0.0651234, 0.0131, "0.0651", "0.0132"),
        (999.96, 99.96, "1,000.0", "101"),
        (12.3456789, 0, "12.3457", "0"),
        (0.5, 1e-12, "0.500000000", "0.000000001"),
    ],
)
def test_number_is_rounded_by_its_half_width(value: float, near: float, number: str, half: str) -> None:
    assert (to_place(value, near), widened(near)) == (number, half)


def test_printed_interval_contains_the_exact_one() -> None:
    """20,000 numbers and half-widths of all sizes: each end of the printed interval lies at or beyond the whole one's."""
    rng = np.random.default_rng(5)
    values, nears = rng.normal(size=20_000) * 10 ** rng.uniform(-3, 9, 20_000), 10 ** rng.uniform(-5, 8, 20_000)
    for value, near in zip(values.tolist(), nears.tolist(), strict=True):
        number, half = (float(text.replace(",", "")) for text in (to_place(value, near), widened(near)))
        slack = 1e-12 * (abs(value) + near)
        assert number - half <= value - near + slack
        assert value + near - slack <= number + half
        assert half <= 1.016 * near


def test_rows_hide_parts_of_infinite_half_width() -> None:
    mean = Grouped(Ratio(("Mean",), "€", (0.0, 10.0)), ("A", "B"))
    assert rows(mean, np.array([5.0, 10.0, 3.0, 1.0]), (0.25, math.inf)) == (
        ("A", "7.500 €", "±\u00a00.251 €"),
        ("B", TOO_FEW, ""),
    )
    assert rows(Numbers(("n",), "rows"), np.array([-3.14]), (2.0,)) == (("n", "-3.14 rows, so 0 rows", "±\u00a02.01 rows"),)
    assert rows(Numbers(("n",), SHARE), np.array([1.02]), (0.5,)) == (("n", "1.020, so 1", "±\u00a00.501"),)
    assert rows(Numbers(("n",), "kg"), np.array([2.5]), ()) == (("n", "2.5 kg", ""),)
    assert plus_minus(0.9992, " rows") == "±\u00a01 row"
    assert to_place(1e300, 1e-9) == in_full(1e300)
    assert plus_minus(math.inf, " €") == TOO_FEW


def test_mean_beyond_bound_shows_bound_in_full() -> None:
    """Rounded to six it would lie outside its own ±: 123,456.789 as 123,457, ± 0.0509."""
    mean = Ratio(("Mean",), "", (0.0, 123_456.789))
    law = LaplaceLaw(0.2)
    held = 0
    for response in law.simulate(np.array([1e6, 1e6]), size=500, rng=np.random.default_rng(8)):
        ((_, text, half),) = rows(mean, response, (mean.within(law, response, 0.95),))
        shown = float(text.split(", so ")[-1].replace(",", ""))
        held += abs(shown - 123_456.789) <= float(half.removeprefix("±\u00a0")) + 1e-9
    assert held >= 0.94 * 500


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


def test_everyday_distance_equals_the_original() -> None:
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
