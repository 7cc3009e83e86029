"""What is told of a summary: bars that fit their count, quartiles in order, a ± that holds, and nothing decided by the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import TEXT, Column
from dpcore.base.types import FloatArray
from dpcore.targets import TableSummary
from pages.experiment.summary.noise import noise
from pages.experiment.summary.quartiles import QUARTERS
from pages.experiment.summary.told import SummaryTold, told

N = 600
COST = Column("cost", bounds=(0.0, 100.0))
WIDE = Column("wide", bounds=(-5.0, 5.0))
SEX = Column("sex", role=TEXT, categories=("F", "M", "other"))
TARGET = TableSummary((COST, SEX, WIDE), (10, 25), ((0, 1),))
_RNG = np.random.default_rng(8)
DATABASE = np.array(
    list(zip(_RNG.beta(2, 5, N) * 100, _RNG.choice(["F", "M", ""], N, p=[0.6, 0.3, 0.1]), _RNG.normal(1, 1, N), strict=True)),
    dtype=[("cost", float), ("sex", "U5"), ("wide", float)],
)


def _simulated(scale: float, size: int) -> FloatArray:
    raw = TARGET(DATABASE)
    return np.asarray(raw + scale * np.random.default_rng(3).laplace(size=(size, raw.size)))


def _told(response: Any, scale: float) -> SummaryTold:
    return told(TARGET, response, scale, N)


def test_without_noise_it_is_the_truth() -> None:
    cost, sex, wide = _told(TARGET(DATABASE), 1e-9).columns
    assert (round(cost.known.value), round(sex.known.value)) == (N, int(np.count_nonzero(DATABASE["sex"])))
    assert sex.bars == tuple(int(np.count_nonzero(DATABASE["sex"] == one)) for one in ("F", "M", "other"))
    for column in (cost, wide):
        values = DATABASE[column.column.name]
        assert column.mean is not None
        assert column.mean.value == pytest.approx(np.clip(values, *(column.column.bounds or ())).mean(), abs=1e-6)
        for one, q in zip(column.quartiles, QUARTERS, strict=True):
            assert one is not None
            assert one.low <= np.quantile(values, q) <= one.high


@pytest.mark.parametrize("scale", [1.0, 12.0, 80.0, 1e4])
def test_bars_fit_their_count_and_quartiles_stand_in_order_under_any_noise(scale: float) -> None:
    for response in _simulated(scale, 40):
        found = _told(response, scale)
        for column in found.columns:
            assert min(column.bars) >= 0
            assert sum(column.bars) == round(column.known.value) <= N
            told_quartiles = [one.value for one in column.quartiles if one is not None]
            assert told_quartiles == sorted(told_quartiles)
            if column.mean is not None:
                assert column.edges[0] <= column.mean.value <= column.edges[-1]
        assert min(map(min, found.pairs[0].cells)) >= 0


def test_a_plus_minus_holds_in_95_of_100_releases_and_would_not_if_it_were_a_third_smaller() -> None:
    scale, size = 6.0, 250
    truth = _told(TARGET(DATABASE), 1e-9).columns
    inside: dict[str, list[bool]] = {"known": [], "mean": [], "bar": [], "quartile": [], "narrow": []}
    for response in _simulated(scale, size):
        for found, true in zip(_told(response, scale).columns, truth, strict=True):
            inside["known"].append(abs(found.known.value - true.known.value) <= found.known.within)
            inside["bar"] += [abs(one - other) <= found.within + 1 for one, other in zip(found.bars, true.bars, strict=True)]
            if found.mean is not None and true.mean is not None:
                off = abs(found.mean.value - true.mean.value)
                inside["mean"].append(off <= found.mean.within)
                inside["narrow"].append(off <= found.mean.within * 2 / 3)
            if found.quartiles:
                values = np.clip(DATABASE[found.column.name], found.edges[0], found.edges[-1])
                for one, q in zip(found.quartiles, QUARTERS, strict=True):
                    if one is not None:
                        inside["quartile"].append(bool(one.low <= np.quantile(values, q) <= one.high))
    shares = {name: float(np.mean(some)) for name, some in inside.items()}
    assert all(shares[name] >= 0.94 for name in ("known", "mean", "bar", "quartile")), shares
    assert shares["narrow"] < 0.93


@pytest.mark.parametrize("scale", [1.0, 90.0, 1e4])
def test_what_is_not_shown_is_decided_by_the_released_bars_alone(scale: float) -> None:
    """No table is given at all: of one response the same is told whatever it came from."""
    for response in _simulated(scale, 10):
        for column in _told(response, scale).columns:
            assert column.shown == (max(column.bars) > -scale * np.log(0.05))
            if not column.shown:
                assert column.mean is None
                assert not any(column.quartiles)
                assert any("± is larger than any bar: not shown." in one for one in column.untold)
    assert all(column.shown for column in _told(_simulated(1.0, 1)[0], 1.0).columns)
    assert not any(column.shown for column in _told(_simulated(1e4, 1)[0], 1e4).columns)


def test_where_the_number_of_rows_is_not_public_a_count_is_not_clipped_to_what_is_stated() -> None:
    raw = TARGET(DATABASE)
    assert round(told(TARGET, raw, 1e-9, N / 2).columns[0].known.value) == N / 2
    assert round(told(TARGET, raw, 1e-9, np.inf).columns[0].known.value) == N


def test_its_noise_is_drawn_once_a_number_of_bars() -> None:
    assert noise(7) is noise(7)
