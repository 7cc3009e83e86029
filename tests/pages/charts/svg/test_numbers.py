"""Numbers at axes: what plotly.js 3 was seen to write."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.charts.svg.drawing import called, lines_of

CASES: list[tuple[dict[str, Any], str, tuple[float, float], str]] = [
    ({"nticks": 6}, "linear", (0, 1), "0 0.2 0.4 0.6 0.8 1"),
    ({"nticks": 6}, "linear", (-0.3, 0.71), "−0.2 0 0.2 0.4 0.6"),
    ({}, "linear", (0, 10), "0 2 4 6 8 10"),
    ({"nticks": 6}, "linear", (0, 52_000), "0 10k 20k 30k 40k 50k"),
    ({"nticks": 6, "exponentformat": "power"}, "linear", (0, 52_000), "0 1×10^4 2×10^4 3×10^4 4×10^4 5×10^4"),
    ({"nticks": 6, "exponentformat": "none", "separatethousands": True}, "linear", (0, 5_200), "0 1,000 2,000 3,000 4,000 5,000"),
    ({"nticks": 4}, "linear", (0, 4e-6), "0 2μ 4μ"),
    ({"nticks": 4, "tickformat": "~%"}, "linear", (0, 0.6), "0% 20% 40% 60%"),
    ({"dtick": 1, "exponentformat": "power"}, "log", (-2, 3), "10^−2 10^−1 1 10 10^2 10^3"),
    ({"dtick": 1, "tickformat": "~g"}, "log", (-2, 1.3), "0.01 0.1 1 10"),
    ({"nticks": 6}, "log", (0.3, 1.4), "2 3 4 5 6 7 8 9 10 2"),
    ({"nticks": 6}, "log", (0.1, 0.6), "1.5 2 2.5 3 3.5"),
    ({"tickvals": [5, 20, 500_000]}, "log", (0, 6), "5 20 500k"),
    ({"tickvals": [0, 2], "ticktext": ["a", "b"], "tickmode": "array"}, "linear", (-1, 1), "a"),
    ({"dtick": 2}, "linear", (4, -4), "−4 −2 0 2 4"),
]


@pytest.mark.parametrize(("axis", "kind", "shown", "expected"), CASES, ids=str)
def test_what_an_axis_says(axis: dict[str, Any], kind: str, shown: tuple[float, float], expected: str) -> None:
    found = called("ticks", axis | {"letter": "x"}, kind, shown, 400, ())
    said = ["".join(("^" if run["raised"] else "") + run["letters"] for run in lines_of(tick["text"])[0]) for tick in found]
    assert said == expected.split()


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (0.25, "~%", "25%"),
        (0.123456789, "~%", "12.345679%"),
        (1234567.8, ",.0f", "1,234,568"),
        (-1234.5, ",.1f", "−1,234.5"),
        (1e-7, "~g", "1e−7"),
        (0.000123, "~g", "0.000123"),
        (1234567, "~g", "1.23457e+6"),
        (100, "~g", "100"),
        (2500, ",.3~g", "2.5e+3"),
        (250, ",.3~g", "250"),
        (12345, ",.3~g", "1.23e+4"),
        (0.5, ".2f", "0.50"),
        (0, "~g", "0"),
        (-0.0001, ".1f", "0.0"),
    ],
)
def test_formats(value: float, wanted: str, expected: str) -> None:
    assert called("byD3", value, wanted) == expected
