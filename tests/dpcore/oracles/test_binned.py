"""Records by weights of bins: the promises of every oracle where bins divide an interval, some of them empty; and bad weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import oracles
from dpcore.base.declared import TEXT, Column
from dpcore.errors import InvalidValueError
from tests.contracts.oracle_contract import CHECKS

pytestmark = pytest.mark.slow

BINNED = oracles.Binned((0, 3, 0, 1, 2.5, 0), (-1.0, 2.0))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_bins_keep_to_what_oracles_promise(check: Any) -> None:
    check(BINNED)


def test_empty_bins_are_never_drawn_and_the_others_have_their_shares() -> None:
    drawn = BINNED.draw(1, 100_000, rng=np.random.default_rng(1))[0]
    seen = np.histogram(drawn, 6, (-1.0, 2.0))[0]
    assert (seen[[0, 2, 5]] == 0).all()
    assert seen[[1, 3, 4]] / 100_000 == pytest.approx(np.array([3, 1, 2.5]) / 6.5, abs=0.01)
    assert oracles.Binned((7.0,), (0.0, 1.0)).support == (0.0, 1.0)


def test_the_law_of_differences_is_that_of_a_uniform_one_where_all_weights_are_equal() -> None:
    d = np.linspace(-0.5, 3.5, 81)
    even, uniform = oracles.Binned((2,) * 5, (-1.0, 2.0)).difference_cdf, oracles.Uniform(-1, 2).difference_cdf
    assert even is not None
    assert even(d) == pytest.approx(uniform(np.maximum(d, 0.0)), abs=1e-12)


def test_it_fits_a_column_of_its_kind() -> None:
    number, text = (Column("a", bounds=(0.0, 1.0)),), (Column("t", role=TEXT),)
    assert BINNED.fits(number)
    assert not BINNED.fits(text)
    assert oracles.Binned((1, 2), categories=("a", "b")).fits(text)


@pytest.mark.parametrize(
    "given",
    [
        {"weights": ()},
        {"weights": (0, 0)},
        {"weights": (1, -1)},
        {"weights": (1.0, np.nan)},
        {"weights": (1,) * 1_001},
        {"weights": (1e308, 1e308)},
        {"weights": (1, 2), "interval": (1.0, 0.0)},
        {"weights": (1, 2), "categories": ("a",)},
        {"weights": (1, 2), "interval": (0.0, 1.0), "categories": ("a", "b")},
        {"weights": 3},
    ],
    ids=range(10),
)
def test_what_is_no_histogram_is_refused(given: Any) -> None:
    with pytest.raises(InvalidValueError):
        oracles.Binned(**given)
