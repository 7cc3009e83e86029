"""Whether a member fits columns is known without a draw or a call; these say that it is known rightly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import Filter, GroupBy, curves, oracles, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import TWO_NUMBERS, Column, Slots
from dpcore.base.types import Target
from dpcore.sampling.blocks import generator, vector
from pages.experiment.scenario import MOST_NUMBERS
from tests.contracts.members import few, members

BOUNDS = (0.25, 1.25)


def _number(name: str, **more: Any) -> Column:
    return Column(name, bounds=BOUNDS, **more)


TEXT = (Column("t", role="text"),)
LABEL = _number("label", role="label", categories=(0.0, 1.0))
SETS: dict[str, tuple[Column, ...]] = {
    "a number": (_number("a"),),
    "two": (_number("a"), _number("b")),
    "three": tuple(map(_number, "abc")),
    "one with a label": (_number("a"), LABEL),
    "two with a label": (_number("a"), _number("b"), LABEL),
    "a text": TEXT,
}
ORACLES = few(members("oracles"), 6)
TARGETS = [*few(members("targets"), 6), *(targets.OnLattice(curve, 4) for curve in few(members("curves"), 3))]
TABLES = {
    name: np.array(["b", "a", "ab"]) if columns == TEXT else np.linspace(0, 1, 3 * len(columns)).reshape(3, -1).squeeze()
    for name, columns in SETS.items()
}


def _fitting_draw(oracle: Any, name: str) -> bool:
    """Whether three of its records are like those of a table with these columns."""
    try:
        drawn, table = oracle.draw(1, 3, rng=generator(0))[0], TABLES[name]
    except Exception:
        return False
    if drawn.dtype.names is not None:
        kinds = ["U" if column.role == "text" else "f" for column in SETS[name]]
        person = oracle.person if oracle.draws_people else None  # whose field is no column
        fields = [(field, drawn.dtype[field].kind) for field in drawn.dtype.names if field != person]
        return fields == list(zip((column.name for column in SETS[name]), kinds, strict=True))
    return drawn.shape == table.shape and drawn.dtype.kind == table.dtype.kind


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda one: repr(one)[:60])
def test_an_oracle_fits_columns_that_its_records_are_like(oracle: Any) -> None:
    """And says so: what it does not fit has records of another shape, or of another kind."""
    assert {name: oracle.fits(SETS[name]) for name in SETS} == {name: _fitting_draw(oracle, name) for name in SETS}


@pytest.mark.parametrize("target", TARGETS, ids=lambda one: repr(one)[:60])
def test_a_target_that_fits_has_an_answer(target: Any) -> None:
    for name in (name for name in SETS if target.fits(SETS[name])):
        assert len(vector(target(_like(target, name)))) <= MOST_NUMBERS or target.is_selection_score


def _like(target: Any, name: str) -> Database:
    """The table as a target gets it: with named fields where it takes them."""
    table = TABLES[name]
    if not target.accepts_structured:
        return table
    fields = np.empty(3, dtype=[(column.name, table.dtype) for column in SETS[name]])
    for column, values in zip(SETS[name], table.reshape(3, -1).T, strict=True):
        fields[column.name] = values
    return fields


@pytest.mark.parametrize(
    ("member", "names"),
    [
        (targets.Mean(), {"a number", "two", "three", "one with a label", "two with a label"}),
        (targets.Mean((0, 1)), {"a number"}),
        (targets.Mean(((0, 1), (0, 1))), {"two", "one with a label"}),
        (targets.Quantile(0.5), {"a number"}),
        (targets.LetterCounts(), {"a text"}),
        (targets.LinearSVM(((0, 1),)), {"two", "one with a label"}),
        (targets.OnLattice(curves.PriestleyChao(), 4), {"two", "one with a label"}),
        (targets.OnLattice(curves.KernelDensity(), 4), {"a number"}),
        (oracles.Names(), {"a text"}),
        (oracles.IndependentColumns((oracles.Uniform(0, 1),)), set()),
        (oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Names())), set()),
        (oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Names()), ("a", "b")), set()),
        (oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Uniform(0, 1)), ("a", "b")), {"two"}),
        (oracles.IndependentColumns((oracles.Names(),), ("t",)), {"a text"}),
        (oracles.Categorical((0.5, 0.5), ("x", "y")), {"a text"}),
        (oracles.WithMissing(oracles.Uniform(0, 1), 0.1), {"a number"}),
        (oracles.WithMissing(oracles.Names(), 0.1), {"a text"}),
        (oracles.WithMissing(oracles.TwoClasses(2), 0.1), set()),
        (oracles.Resample(np.zeros(4, dtype=[("a", float), ("b", float)])), {"two"}),
        (oracles.Resample(np.zeros(4, dtype=[("a", float), ("b", "U1")])), set()),
        (oracles.Resample(np.zeros(4, dtype=[("t", "U1024")])), {"a text"}),
        (oracles.Resample(np.zeros(4, dtype=[("t", "U1025")])), set()),
        (targets.Count(category="x"), {"a text"}),
        (targets.Count(category=1), {"a number"}),
        (targets.Count(), {"a number"}),
        (targets.Proportion(interval=(0, 1)), {"a number"}),
        (targets.Histogram(categories=("x", "y")), {"a text"}),
        (targets.Histogram(edges=(0, 1)), {"a number"}),
        (targets.Query(targets.Sum((0, 1)), ("a",), (Filter("b", 1),)), {"two"}),
        (targets.Query(targets.Sum((0, 1)), ("a",), (Filter("b", "x"),)), set()),
        (targets.Query(targets.Sum((0, 1)), ("a",), by=GroupBy("label", (0, 1))), {"one with a label"}),
        (
            targets.Query(targets.Correlation(((0, 1), (0, 1))), ("a", "b"), (Filter("label", 1, excluded=True),)),
            {"two with a label"},
        ),
        (targets.Query(targets.Count("x"), ("t",), (Filter("t", "x"),)), {"a text"}),
        (oracles.TwoClasses(2), {"three", "two with a label"}),
        (oracles.Resample(np.array(["a" * 1_024])), {"a text"}),
        (oracles.Resample(np.array(["a" * 1_025])), set()),
        (oracles.Resample(np.zeros((4, 2))), {"two", "one with a label"}),
        (oracles.Resample(np.zeros((4, 1))), set()),
    ],
    ids=lambda part: "sets" if isinstance(part, set) else repr(part)[:50].split("(array")[0],
)
def test_which_columns_fit(member: Any, names: set[str]) -> None:
    assert {name for name, columns in SETS.items() if member.fits(columns)} == names


@dataclass(frozen=True)
class TakesTwo(Target):
    dims: int = 2
    takes: ClassVar[Slots] = TWO_NUMBERS

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(database.mean(axis=0))


class TakesDims(TakesTwo):
    def fits(self, columns: tuple[Column, ...]) -> bool:
        return len(columns) == self.dims


def test_target_fits_its_slots_or_what_it_says() -> None:
    for kind, wanted in ((TakesTwo, {"two", "one with a label"}), (TakesDims, {"three", "two with a label"})):
        assert {name for name, columns in SETS.items() if kind(3).fits(columns)} == wanted
