"""Numbers read the same in a browser as in Python, to the letter: of every size, ties among them. (−0, which no chart
has, is 0 there.)"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dpcore.guarantees.words import figure, percent
from pages.old.charts.encoded import exactly
from tests.pages.charts.live.node import Node

_HARD = (
    0.0,
    5e-324,
    1e-5,
    9.995e-5,
    9.9949e-5,
    1e-4,
    0.00012345,
    0.5,
    0.125,
    2.5,
    0.0625,
    1.005,
    12.25,
    12.35,
    99.95,
    99.949,
    99.95000000000002,
    999.4,
    999.5,
    999.4999999999999,
    1000.0,
    1004.9,
    1005.0,
    1015.0,
    12345.0,
    99950.0,
    999499.0,
    999500.0,
    999999.0,
    1e6,
    1.005e6,
    1e15,
    1e21,
    1.7976931348623157e308,
    -3.0,
    -1234.5,
    -999.5,
    -1e-9,
    0.999,
    0.9995,
    0.99949,
    0.1 + 0.2,
)


def _values() -> np.ndarray:
    rng = np.random.default_rng(11)
    wide = rng.choice([-1, 1], 500) * 10 ** rng.uniform(-12, 12, 500)
    ties = (rng.integers(1, 2_000, 400) + 0.5) * 10.0 ** rng.integers(-6, 6, 400)
    halves = rng.integers(1, 4_000, 100) / 8
    return np.concatenate([wide, ties, halves, _HARD])


_SAID: dict[str, tuple[Callable[[float], str], str]] = {
    "figure": (figure, "live.figure(x)"),
    "percent": (percent, "live.percent(x)"),
    "general": (lambda x: f"{x:g}", "live.general(x)"),
    "three digits": (lambda x: f"{x:.3g}", "live.general(x, 3)"),
}


@pytest.mark.parametrize("name", _SAID)
def test_a_number_reads_as_python_says_it(node: Node, name: str) -> None:
    values, (python, body) = _values(), _SAID[name]
    if name == "percent":
        values = np.concatenate([np.abs(values) % 1, [0.0, 1.0]])
    said = node.run(f"return Array.from(values, (x) => {body});", values=exactly(values))
    assert said == [python(float(x)) for x in values]


def test_infinity_and_what_is_no_number_have_words(node: Node) -> None:
    values = np.array([np.inf, -np.inf, np.nan])
    assert node.run("return Array.from(values, live.figure);", values=exactly(values)) == [figure(float(x)) for x in values]


def test_whole_numbers_have_commas(node: Node) -> None:
    values = np.random.default_rng(12).integers(0, 10 ** np.arange(1, 13).repeat(84)).astype(np.float64)
    assert node.run("return Array.from(values, live.whole);", values=exactly(values)) == [f"{int(x):,}" for x in values]
