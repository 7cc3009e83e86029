"""A kind says itself how people call it and its options, and how it chooses; nothing else knows its name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpcore import L1, Bound, Exponential, Laplace, curves, oracles, targets
from dpcore.oracles.product import of_columns
from dpcore.registry.catalog import members
from dpcore.targets.on_lattice import of_curve
from pages.experiment.scenario import Scenario
from pages.state import state
from pages.wording import values
from tests.contracts.conftest import Plant

STRANGER = '''
from dataclasses import dataclass, field
from typing import ClassVar

@dataclass(frozen=True)
class StrangersGamma:
    """Made-up records."""
    skew: float = field(default=1.0, metadata={"label": "Skew", "words": "how far it leans"})
    spread: float = field(default=1.0, metadata={"label": "Width of it"})
    other: float = 1.0
    title: ClassVar[str] = "Cauchy records"
    named_after_somebody: ClassVar[bool] = NAMED
    def draw(self, databases, records, /, *, rng):
        return rng.standard_cauchy((databases, records))
'''


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    for known in (values._of_options, values._proper_names):
        known.cache_clear()
    yield
    for known in (values._of_options, values._proper_names):
        known.cache_clear()


def test_a_kind_that_is_called_after_somebody_keeps_its_capital(plant: Plant) -> None:
    plant("oracles", "StrangersGamma", STRANGER.replace("NAMED", "True"))
    assert values.kind_words("StrangersGamma") == "Cauchy records"
    assert [values.kind_words(kind) for kind in ("Laplace", "Bernoulli", "Uniform")] == ["Laplace", "Bernoulli", "uniform"]


def test_another_does_not_and_its_options_are_called_as_it_says(plant: Plant) -> None:
    plant("oracles", "StrangersGamma", STRANGER.replace("NAMED", "False"))
    assert values.kind_words("StrangersGamma") == "cauchy records"
    assert [values.name_words(name) for name in ("skew", "spread")] == ["how far it leans", "width of it"]


def test_classifiers_are_told_apart_in_a_picker_that_shows_21_letters() -> None:
    named = [kind.title for kind in members("targets").values() if hasattr(kind, "then") or kind is targets.LinearSVM]
    assert len(set(named)) == len(named) > 4
    assert max(map(len, named)) <= 21


def test_a_mechanism_says_how_it_chooses() -> None:
    assert Laplace().chosen_by == ""
    assert Exponential(("a", "b")).chosen_by == "the exponential mechanism"
    assert Exponential(("a", "b"), selection="permute-and-flip").chosen_by == "permute-and-flip"


def test_a_curve_is_put_on_the_largest_lattice_that_has_room() -> None:
    curve = curves.KernelDensity()
    assert of_curve(curve, degree=25, most=256) == targets.OnLattice(curve, 25, 1)
    assert of_curve(curve, degree=25, most=10) == targets.OnLattice(curve, 9, 1)


def test_one_column_is_no_product() -> None:
    one, other = oracles.Uniform(0, 1), oracles.Bernoulli(0.5)
    assert of_columns((one,)) is one
    assert of_columns((one, other)) == oracles.Product((one, other))


def test_the_example_is_the_papers_sixth() -> None:
    assert state.example() == Scenario(
        table="loan_defaults",
        columns=("years_to_default",),
        target=targets.Mean(),
        oracle=oracles.Exponential(1.0),
        norm=L1,
        n=500,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=Laplace(),
        seed=1,
    )
