"""Default targets and oracles fit the columns that they are made for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore import (
    ApproxDP,
    BernsteinMechanism,
    BernsteinPolynomial,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    curves,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.base.columns import FEATURES_AND_LABEL, Column
from dpcore.base.types import TakesColumns
from dpcore.oracles import Resample
from dpcore.registry import members
from pages.experiment.choices import (
    choices_for,
    columns_for,
    first_kind,
    first_mechanism,
    kind_of,
    mechanism_after,
    mechanism_for,
    mechanism_kinds,
    oracle_for,
    oracle_kinds,
    target_for,
    target_kinds,
)
from pages.experiment.question import oracle_of_kind
from pages.experiment.scenario import TableRecords
from pages.experiment.tables import ours
from pages.files.tables import AS_IT_IS, Table

TABLES = {  # whose records are their rows
    name: table for name, table in ours().items() if table.persons is None
}


def _labels(table: Table) -> tuple[str, ...]:
    return choices_for("LinearSVM", table, FEATURES_AND_LABEL[1])


def _shape(column: Column) -> tuple[object, ...]:
    """What is declared of it, whatever its bounds are."""
    return column.role, column.categories, column.bounds is None, column.missing


CASES = [(name, kind) for name, table in TABLES.items() for kind in target_kinds(table)]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_default_target_runs_on_every_default_oracle(name: str, kind: str) -> None:
    table = TABLES[name]
    for column in {_shape(one): one for one in table.columns}.values():  # one of those alike
        names = columns_for(kind, table, (column.name,))
        columns = tuple(table.column(name) for name in names)
        target = target_for(kind, columns)
        assert kind_of(target) == kind
        named = target if target.accepts_structured else AS_IT_IS
        assert np.isfinite(target(table.prepare(names, named))).all()
        for oracle_kind in oracle_kinds(table, columns):
            oracle = oracle_of_kind(oracle_kind, table, columns, target)
            if not isinstance(oracle, TableRecords):
                assert np.isfinite(target(oracle.draw(1, 20, rng=np.random.default_rng(1))[0])).all()


@pytest.mark.parametrize(("name", "kind"), {kind: (name, kind) for name, kind in (*CASES, *CASES[::-1])}.values())
def test_every_offered_mechanism_releases_its_target(name: str, kind: str) -> None:
    table = TABLES[name]
    names = columns_for(kind, table)
    columns = tuple(table.column(name) for name in names)
    target = target_for(kind, columns)
    offered = mechanism_kinds(target)
    assert type(first_mechanism(target)).__name__ == offered[0]
    oracle = oracle_of_kind(oracle_kinds(table, columns)[0], table, columns, target)
    assert not isinstance(oracle, TableRecords)
    database = table.prepare(names, target if target.accepts_structured else AS_IT_IS)
    for mechanism_kind in offered:
        mechanism = mechanism_for(target, LaplaceMechanism(), mechanism_kind)
        assert type(mechanism).__name__ == mechanism_kind
        privacy = PureDP(1.0) if mechanism.privacy is PureDP else ApproxDP(1.0, 1e-6)
        at = OperatingPoint.for_both(19, 0.2)
        sample = sample_sensitivity(target, oracle, norm=mechanism.norm, n=len(database), at=at, seed=1)
        release = mechanism.calibrate(sample.sensitivity(), privacy).release(database)
        if isinstance(release.response, BernsteinPolynomial):
            low, high = release.response.domain[0]
            assert np.isfinite(release.response(np.linspace(low, high, 9))).all()
        elif mechanism_kind == "ExponentialMechanism":
            assert release.response in target.candidates  # type: ignore[attr-defined]
        else:
            assert np.isfinite(release.response).all()


def test_mechanism_after_follows_the_target() -> None:
    mean, variance, letters = targets.Mean(), targets.Variance(), targets.LetterCounts()
    density = targets.OnLattice(curves.KernelDensity(), 5)
    assert isinstance(mechanism_after(mean, variance, GaussianMechanism()), GaussianMechanism)
    assert mechanism_after(mean, letters, GaussianMechanism()) == ExponentialMechanism(letters.candidates)
    assert isinstance(mechanism_after(letters, mean, ExponentialMechanism(letters.candidates)), LaplaceMechanism)
    assert isinstance(mechanism_after(mean, density, LaplaceMechanism()), BernsteinMechanism)
    chosen = BernsteinMechanism(order=3)
    assert mechanism_after(density, targets.OnLattice(curves.KernelDensity(), 9), chosen) is chosen
    fewer = targets.LetterCounts("abc")
    kept = mechanism_after(letters, fewer, ExponentialMechanism(letters.candidates, selection="permute-and-flip"))
    assert kept == ExponentialMechanism(("a", "b", "c"), selection="permute-and-flip")


def test_columns_follow_the_target() -> None:
    table = TABLES["diabetes"]
    assert columns_for("Mean", table, ("bmi", "age")) == ("bmi", "age")
    assert columns_for("Variance", table, ("bmi", "age")) == ("bmi",)
    assert columns_for("PriestleyChao", table, ("bmi",)) == ("bmi", "progression")
    assert columns_for("PriestleyChao", table) == ("age", "progression")
    assert columns_for("PriestleyChao", table, ("age", "bmi", "sex")) == ("age", "bmi")
    assert columns_for("KernelDensity", table) == ("age",)
    assert columns_for("LetterCounts", TABLES["scientists"], ("nothing",)) == ("name",)


def test_classifier_takes_features_and_then_its_label() -> None:
    table = TABLES["breast_cancer"]
    first = ("mean_radius", "mean_texture", "benign")
    assert columns_for("LinearSVM", table) == columns_for("LinearSVM", table, ("benign",)) == first
    assert columns_for("LinearSVM", table, ("mean_area",)) == ("mean_area", "mean_radius", "benign")
    assert columns_for("LinearSVM", table, ("mean_area", "benign")) == ("mean_area", "benign")
    everything = tuple(column.name for column in table.columns)
    assert columns_for("LinearSVM", table, everything[:-1]) == columns_for("LinearSVM", table, everything) == everything
    assert columns_for("LinearSVM", TABLES["two_classes"]) == ("x1", "x2", "label")
    assert columns_for("Mean", table, first) == first
    assert columns_for("Variance", table, first) == ("mean_radius",)
    target = target_for("LinearSVM", tuple(table.column(name) for name in first))
    assert target == targets.LinearSVM(((0.0, 40.0), (0.0, 60.0)))


def test_classifier_needs_two_categories_and_bounds() -> None:
    table = TABLES["two_classes"]
    label, x1, x2 = (table.column(name) for name in ("label", "x1", "x2"))
    assert "LinearSVM" in target_kinds(table)
    assert _labels(table) == ("label",)
    assert "LinearSVM" not in target_kinds(table.declared(replace(label, categories=None)))
    assert "LinearSVM" not in target_kinds(table.declared(replace(label, categories=(0.0, 1.0, 2.0))))
    half = table.declared(replace(x2, bounds=None))
    assert (choices_for("LinearSVM", half, FEATURES_AND_LABEL[0], ("label",)), columns_for("LinearSVM", half)) == (
        ("x1",),
        ("x1", "label"),
    )
    assert "LinearSVM" not in target_kinds(half.declared(replace(x1, bounds=None)))


def test_oracles_for_classes() -> None:
    """The suggested one first; elsewhere uniform features and an even label, which is a law of its own."""
    table, cancer = TABLES["two_classes"], TABLES["breast_cancer"]
    columns = tuple(table.column(name) for name in ("x1", "x2", "label"))
    assert oracle_kinds(table, columns)[0] == "TwoClasses"
    assert oracle_for("TwoClasses", table, columns) == oracles.TwoClasses(x_bounds=((0.0, 1.0),) * 2)
    others = tuple(cancer.column(name) for name in ("mean_radius", "mean_area", "benign"))
    kinds = oracle_kinds(cancer, others)
    assert (kinds[0], *kinds[-2:]) == ("Uniform", "TableRecords", "TableCopula")
    assert {"Normal", "TwoClasses"} < set(kinds)
    assert not {"Bernoulli", "Categorical"} & set(kinds)
    bounds = ((0.0, 40.0), (0.0, 4000.0))
    assert oracle_for("TwoClasses", cancer, others) == oracles.TwoClasses(x_bounds=bounds)
    uniform = oracle_for("Uniform", cancer, others)
    assert uniform == oracles.IndependentColumns((*(oracles.Uniform(*pair) for pair in bounds), oracles.Bernoulli(0.5)))
    assert kind_of(uniform) == kind_of(oracles.IndependentColumns((oracles.Bernoulli(0.5), oracles.Uniform(0, 1)))) == "Uniform"
    assert kind_of(oracles.IndependentColumns((oracles.Bernoulli(0.5),))) == "Bernoulli"
    category = replace(table.column("x1"), categories=(0.0, 1.0))
    assert "TwoClasses" not in oracle_kinds(table, (category, *columns[1:]))  # its features are no categories
    assert "TwoClasses" not in oracle_kinds(table, (columns[2],))


def test_first_kind_and_oracle_are_the_suggested_ones() -> None:
    kinds = {name: first_kind(table) for name, table in TABLES.items()}
    assert kinds == {
        "loan_defaults": "Mean",
        "diabetes": "Mean",
        "breast_cancer": "Mean",
        "scientists": "LetterCounts",
        "sine": "PriestleyChao",
        "two_bumps": "KernelDensity",
        "two_classes": "MeanDirection",
    }
    sine = TABLES["sine"]
    assert oracle_kinds(sine, (sine.column("x"), sine.column("y")))[0] == "RegressionPrior"
    assert oracle_kinds(sine, (sine.column("x"),))[0] == "Uniform"
    bumps = TABLES["two_bumps"]
    assert oracle_kinds(bumps, bumps.columns)[0] == "NormalMixture"


def test_confidential_table_is_never_its_default_oracle() -> None:
    for table in TABLES.values():
        for column in table.columns:
            kinds = oracle_kinds(table, (column,))
            assert "TableRecords" in kinds
            assert "TableRecords" not in oracle_kinds(table.declared(public=False), (column,))
            assert not isinstance(oracle_for(kinds[0], table, (column,)), (Resample, TableRecords))


def _declared(folder: str) -> set[str]:
    """The kinds that say for which columns they can be picked."""
    return {name for name, kind in members(folder).items() if kind.suited.__func__ is not TakesColumns.suited.__func__}


def test_every_target_and_oracle_is_offered() -> None:
    by_table = {name: target_kinds(table) for name, table in TABLES.items()}
    assert {kind for kinds in by_table.values() for kind in kinds} == _declared("targets") | _declared("curves")
    picked = set()
    for name, kind in CASES:
        columns = tuple(TABLES[name].column(column) for column in columns_for(kind, TABLES[name]))
        picked |= set(oracle_kinds(TABLES[name], columns))
    picked |= set(oracle_kinds(TABLES["diabetes"], (TABLES["diabetes"].column("sex"),)))
    picked |= set(oracle_kinds(TABLES["diabetes"], (Column("cost", bounds=(100.0, 50_000.0)),)))
    assert picked == _declared("oracles") | {"TableRecords", "TableCopula"}
