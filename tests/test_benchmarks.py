"""The parts of the benchmarks exist: benchmarks are run by hand, and would fail late."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from tests.benchmarks.interval_median import mean_absolute_error
from tests.benchmarks.medians import errors, normal, uniform
from tests.benchmarks.table import SECTIONS

DRAWS = (uniform, normal)


def test_every_section_exists() -> None:
    for name in SECTIONS:
        section = importlib.import_module(f"tests.benchmarks.{name}")
        assert section.TITLE
        assert callable(section.rows)


def test_reimplemented_median_has_the_errors_of_diffprivlib() -> None:
    rng = np.random.default_rng(3)
    found = [np.mean([mean_absolute_error(draw(rng), 1.0, (0.0, 1.0)) for _ in range(30)]) for draw in DRAWS]
    assert found[0] == pytest.approx(2.15e-4, rel=0.09)  # of each, the mean of 1,000 answers of diffprivlib 0.6.6: ± 3 %
    assert found[1] == pytest.approx(8.32e-5, rel=0.09)


def test_our_median_reaches_the_wanted_errors() -> None:
    assert [errors(draw, 20)[0] <= most for draw, most in zip(DRAWS, (3e-4, 1.5e-4), strict=True)] == [True, True]
