"""What is drawn of an empirical CDF: the staircase at its knots, and edges that no step of the whole one passes."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import half_width
from pages.old.charts.drawn import MOST_POINTS
from pages.old.charts.moving import settled
from pages.old.charts.sampler import band, band_traces, right_edge, staircase

ROUNDING = 1e-12  # of heights between 0 and 1
SPECIAL: dict[str, list[float]] = {
    "one": [2.5],
    "one, zero": [0.0],
    "one, infinite": [math.inf],
    "all equal": [0.3] * 700,
    "all zero": [0.0] * 700,
    "all infinite": [math.inf] * 700,
    "zeros and failures": [0.0] * 300 + [math.inf] * 400,
    "neighbouring floats": list(np.arange(1_000) * 5e-324),
    "an atom among many": [*np.linspace(0, 0.9, 2_000), *[0.45] * 3_000, *np.linspace(1, 9, 300)],
    "large": list(np.linspace(1e307, sys.float_info.max, 1_200)),
}


@st.composite
def _distances(draw: st.DrawFn) -> FloatArray:
    """A few numbers of any kind, or up to 4,000 with ties, atoms, jumps, zeros and failures."""
    few = st.lists(st.one_of(st.sampled_from([0.0, 1.0, math.inf]), st.floats(0, 1e6)), min_size=1, max_size=30)
    if draw(st.booleans()):
        return np.array(draw(few))
    rng, m = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.integers(1, 4_000))
    found = rng.standard_exponential(m) ** draw(st.sampled_from([0.2, 1.0, 5.0]))
    if digits := draw(st.sampled_from([None, 1, 2, 3])):
        found = np.round(found, digits)
    for value in draw(st.lists(st.sampled_from([0.0, 1.0, math.inf]), max_size=3)):
        found = np.where(rng.random(m) < draw(st.sampled_from([0.001, 0.3])), value, found)
    return found


def _limits(x: FloatArray, y: FloatArray, at: FloatArray, *, left: bool) -> FloatArray:
    """The height of straight lines from vertex to vertex at each number, coming from the left of it or from the right."""
    end = np.clip(np.searchsorted(x, at, side="left" if left else "right"), 1, len(x) - 1)
    run = np.where(x[end] > x[end - 1], x[end] - x[end - 1], 1.0)
    along = np.clip((at - x[end - 1]) / run, 0.0, 1.0)
    heights = y[end - 1] + along * (y[end] - y[end - 1])
    return np.asarray(heights if left else np.where(at >= x[-1], y[-1], heights))


def _refuse_a_narrower_band(distances: FloatArray) -> None:
    ordered = np.sort(distances)
    finite, m = ordered[np.isfinite(ordered)], len(ordered)
    right = right_edge(float(finite[-1]) if len(finite) else 0.0)
    upper, lower = settled(band_traces(ordered, right))[0]
    assert len(upper["x"]) == len(lower["x"]) <= MOST_POINTS
    for edge in (upper, lower):
        assert edge["x"][0] == 0
        assert edge["x"][-1] == right < math.inf
        assert (np.diff(edge["x"]) >= 0).all()
        assert ((edge["y"] >= 0) & (edge["y"] <= 1)).all()
    at = np.unique(np.concatenate([[0.0], finite, lower["x"]]))
    for left in (False, True):
        whole = np.searchsorted(ordered, at, side="left" if left else "right") / m
        high, low = (_limits(edge["x"], edge["y"], at, left=left) for edge in (upper, lower))
        assert (high >= np.minimum(whole + half_width(m), 1) - ROUNDING).all()
        assert (low <= np.maximum(whole - half_width(m), 0) + ROUNDING).all()
        assert (high - low <= np.minimum(whole + half_width(m), 1) - np.maximum(whole - half_width(m), 0) + 4 / 498 + 4 / m).all()


@settings(max_examples=150, deadline=None)
@given(_distances())
def test_the_drawn_band_contains_the_band_of_every_step(distances: FloatArray) -> None:
    """At each distance, just left of it, and at each vertex; between them the one is straight and the other level.

    It is not much wider either, for a tie that is larger than the ranks between two knots is one of them.
    """
    _refuse_a_narrower_band(distances)


@pytest.mark.parametrize("name", SPECIAL)
def test_it_does_so_where_distances_are_special(name: str) -> None:
    _refuse_a_narrower_band(np.array(SPECIAL[name]))


def _exponential(m: int) -> FloatArray:
    return np.sort(np.random.default_rng(m).standard_exponential(m))


@pytest.mark.parametrize(("m", "mean", "most"), [(199, 0, 0), (3_000, 0.02, 0.1), (20_000, 0.025, 0.2), (100_000, 0.025, 0.5)])
def test_it_is_hardly_wider(m: int, mean: float, most: float) -> None:
    """By at most 2.5 % of its width on average, and half of its half width at the worst step, where the lines are chords."""
    ordered = _exponential(m)
    x, low, high = band(ordered, right_edge(ordered[-1]))
    whole = np.arange(1, m + 1) / m
    above = np.interp(ordered, x, high) - np.minimum(whole + half_width(m), 1)
    below = np.maximum(whole - half_width(m), 0) - np.interp(ordered, x, low)
    assert (above + below).mean() <= 2 * half_width(m) * mean + ROUNDING
    assert max(above.max(), below.max()) <= half_width(m) * most + ROUNDING


def test_the_half_width_is_massarts() -> None:
    assert half_width(1) == pytest.approx(1.3581, abs=1e-4)
    assert 2 * math.exp(-2 * 3_000 * half_width(3_000) ** 2) == pytest.approx(0.05)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(_distances())
def test_the_staircase_is_level_between_its_knots_and_true_at_them(distances: FloatArray) -> None:
    ordered = np.sort(distances)
    finite = ordered[np.isfinite(ordered)]
    right = right_edge(float(finite[-1]) if len(finite) else 0.0)
    x, y = staircase(ordered, right)
    assert len(x) == len(y) <= MOST_POINTS
    assert ((np.diff(x) == 0) | (np.diff(y) == 0)).all()
    assert (x[0], y[0], x[-1]) == (0, 0, right)
    assert (y[2::2] == np.searchsorted(ordered, x[2::2], side="right") / len(ordered)).all()
    if len(np.unique(finite)) < 499:
        assert set(x[2::2]) == set(finite)  # no step is missing
