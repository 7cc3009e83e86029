"""What the benchmarks measure is still there under its name: they are run by hand, and would fail late."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from tests.benchmarks.interval_median import mean_absolute_error
from tests.benchmarks.medians import errors, normal, uniform
from tests.benchmarks.table import SECTIONS

DRAWS = (uniform, normal)


def test_every_section_is_there() -> None:
    for name in SECTIONS:
        section = importlib.import_module(f"tests.benchmarks.{name}")
        assert section.TITLE
        assert callable(section.rows)


def test_the_rival_of_our_median_has_the_errors_that_diffprivlib_had_in_1000_draws() -> None:
    rng = np.random.default_rng(3)
    found = [np.mean([mean_absolute_error(draw(rng), 1.0, (0.0, 1.0)) for _ in range(30)]) for draw in DRAWS]
    assert found[0] == pytest.approx(2.15e-4, rel=0.09)  # of each, the mean of 1,000 answers of diffprivlib 0.6.6: ± 3 %
    assert found[1] == pytest.approx(8.32e-5, rel=0.09)


def test_our_median_is_as_close_as_is_wanted() -> None:
    assert [errors(draw, 20)[0] <= most for draw, most in zip(DRAWS, (3e-4, 1.5e-4), strict=True)] == [True, True]
