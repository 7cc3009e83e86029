"""What the benchmarks measure is still there under its name: they are run by hand, and would fail late."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from dpcore.registry import catalog
from tests.benchmarks import classifiers, ways
from tests.benchmarks.interval_median import mean_absolute_error
from tests.benchmarks.medians import errors, normal, uniform
from tests.benchmarks.table import SECTIONS

DRAWS = (uniform, normal)


def test_every_section_is_there() -> None:
    for name in SECTIONS:
        section = importlib.import_module(f"tests.benchmarks.{name}")
        assert section.TITLE
        assert callable(section.rows)


def test_every_target_of_rows_and_every_curve_moves_under_an_oracle_of_its_benchmark() -> None:
    named = {name for name, _, _ in ways._cases()}
    of_people = {"Capped", "ClippedTotals"}
    of_rows = set(catalog.members("targets")) - of_people - {"OnLattice"}
    assert named == of_rows | {f"{name}, a curve" for name in catalog.members("curves")}


def test_the_rival_of_our_median_has_the_errors_that_diffprivlib_had_in_1000_draws() -> None:
    rng = np.random.default_rng(3)
    found = [np.mean([mean_absolute_error(draw(rng), 1.0, (0.0, 1.0)) for _ in range(30)]) for draw in DRAWS]
    assert found[0] == pytest.approx(2.15e-4, rel=0.09)  # of each, the mean of 1,000 answers of diffprivlib 0.6.6: ± 3 %
    assert found[1] == pytest.approx(8.32e-5, rel=0.09)


def test_our_median_is_as_close_as_is_wanted() -> None:
    assert [errors(draw, 20)[0] <= most for draw, most in zip(DRAWS, (3e-4, 1.5e-4), strict=True)] == [True, True]


def test_a_private_classifier_misclassifies_as_few_as_are_wanted_and_its_tables_are_those_of_the_catalogue() -> None:
    """Of few tables and noises; with ε = 0.3 they are more, so that it is the noise that is seen."""
    trial = classifiers.breast_cancer(4)
    assert (trial.tables.shape, trial.fresh.shape) == ((4, 455, 11), (4, 114, 11))
    wrong = classifiers.of(trial, trial.targets()[0], None, noises=40)
    assert wrong[1.0] <= classifiers.WANTED["breast cancer"][1.0]
    assert wrong[0.1] > 0.2 > wrong[0.3] > wrong[1.0]
    x = trial.scaled()["breast cancer/x"]
    assert (x.min() >= 0, x.max() <= 1, x.shape) == (True, True, (4, 455, 10))
