"""Default targets and oracles fit the columns that they are made for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpcore import (
    ApproxDP,
    Bernstein,
    BernsteinPolynomial,
    Exponential,
    Gaussian,
    Laplace,
    OperatingPoint,
    PureDP,
    curves,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.bounds import even_edges
from dpcore.defaults import (
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
    title,
)
from dpcore.oracles import Resample
from dpcore.scenario import TableRecords
from dpcore.tables import read_catalog

TABLES = read_catalog(Path(__file__).parents[2] / "data")


CASES = [(name, kind) for name, table in TABLES.items() for kind in target_kinds(table)]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_default_target_runs_on_a_draw_of_every_default_oracle(name: str, kind: str) -> None:
    table = TABLES[name]
    for column in table.columns:
        names = columns_for(kind, table, (column.name,))
        columns = tuple(table.column(name) for name in names)
        target = target_for(kind, columns)
        assert kind_of(target) == kind
        assert np.isfinite(target(table.prepare(names).database)).all()
        for oracle_kind in oracle_kinds(table, columns):
            oracle = oracle_for(oracle_kind, table, columns)
            if not isinstance(oracle, TableRecords):
                assert np.isfinite(target(oracle.draw(1, 20, rng=np.random.default_rng(1))[0])).all()


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_mechanism_that_is_offered_for_a_target_releases_it(name: str, kind: str) -> None:
    table = TABLES[name]
    names = columns_for(kind, table)
    columns = tuple(table.column(name) for name in names)
    target = target_for(kind, columns)
    offered = mechanism_kinds(target)
    assert type(first_mechanism(target)).__name__ == offered[0]
    oracle = oracle_for(oracle_kinds(table, columns)[0], table, columns)
    assert not isinstance(oracle, TableRecords)
    database = table.prepare(names).database
    for mechanism_kind in offered:
        mechanism = mechanism_for(target, Laplace(), mechanism_kind)
        assert type(mechanism).__name__ == mechanism_kind
        privacy = PureDP(1.0) if mechanism.privacy is PureDP else ApproxDP(1.0, 1e-6)
        at = OperatingPoint.for_both(19, 0.2)
        sample = sample_sensitivity(target, oracle, norm=mechanism.norm, n=len(database), at=at, seed=1)
        release = mechanism.calibrate(sample.sensitivity(), privacy).release(database)
        if isinstance(release.response, BernsteinPolynomial):
            low, high = release.response.domain[0]
            assert np.isfinite(release.response(np.linspace(low, high, 9))).all()
        elif mechanism_kind == "Exponential":
            assert release.response in target.candidates  # type: ignore[attr-defined]
        else:
            assert np.isfinite(release.response).all()


def test_a_mechanism_follows_its_target_and_stays_where_it_was_chosen() -> None:
    mean, variance, letters = targets.Mean(), targets.Variance(), targets.LetterCounts()
    density = targets.OnLattice(curves.KernelDensity(), 5)
    assert isinstance(mechanism_after(mean, variance, Gaussian()), Gaussian)
    assert mechanism_after(mean, letters, Gaussian()) == Exponential(letters.candidates)
    assert isinstance(mechanism_after(letters, mean, Exponential(letters.candidates)), Laplace)
    assert isinstance(mechanism_after(mean, density, Laplace()), Bernstein)
    chosen = Bernstein(order=3)
    assert mechanism_after(density, targets.OnLattice(curves.KernelDensity(), 9), chosen) is chosen
    fewer = targets.LetterCounts("abc")
    kept = mechanism_after(letters, fewer, Exponential(letters.candidates, selection="permute-and-flip"))
    assert kept == Exponential(("a", "b", "c"), selection="permute-and-flip")


def test_columns_follow_the_target() -> None:
    table = TABLES["diabetes"]
    assert columns_for("Mean", table, ("bmi", "age")) == ("bmi", "age")
    assert columns_for("Variance", table, ("bmi", "age")) == ("bmi",)
    assert columns_for("PriestleyChao", table, ("bmi",)) == ("bmi", "progression")
    assert columns_for("PriestleyChao", table) == ("age", "progression")
    assert columns_for("PriestleyChao", table, ("age", "bmi", "sex")) == ("age", "bmi")
    assert columns_for("KernelDensity", table) == ("age",)
    assert columns_for("LetterCounts", TABLES["scientists"], ("nothing",)) == ("name",)


def test_a_table_is_first_shown_with_what_its_catalogue_suggests() -> None:
    kinds = {name: first_kind(table) for name, table in TABLES.items()}
    assert kinds == {
        "loan_defaults": "Mean", "diabetes": "Mean", "breast_cancer": "Mean", "scientists": "LetterCounts",
        "sine": "PriestleyChao", "two_bumps": "KernelDensity",
    }  # fmt: skip
    sine = TABLES["sine"]
    assert oracle_kinds(sine, (sine.column("x"), sine.column("y")))[0] == "RegressionPrior"
    assert oracle_kinds(sine, (sine.column("x"),))[0] == "Uniform"
    bumps = TABLES["two_bumps"]
    assert oracle_kinds(bumps, bumps.columns)[0] == "NormalMixture"


def test_a_confidential_table_is_never_its_own_default_oracle() -> None:
    for table in TABLES.values():
        for column in table.columns:
            kinds = oracle_kinds(table, (column,))
            assert "TableRecords" in kinds
            assert "TableRecords" not in oracle_kinds(table.declared(public=False), (column,))
            assert not isinstance(oracle_for(kinds[0], table, (column,)), (Resample, TableRecords))


def test_several_columns_get_a_factor_each() -> None:
    table = TABLES["diabetes"]
    columns = (table.column("age"), table.column("bmi"))
    drawn = oracle_for("Normal", table, columns)
    assert not isinstance(drawn, TableRecords)
    assert drawn.draw(2, 5, rng=np.random.default_rng(1)).shape == (2, 5, 2)
    assert kind_of(drawn) == "Normal"


def test_edges_are_even_and_end_at_the_bounds() -> None:
    assert even_edges((0.0, 1.0), 4) == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert even_edges((0.1, 0.7), 3)[-1] == 0.7


def test_every_target_and_every_oracle_can_be_picked() -> None:
    assert target_kinds(TABLES["sine"]) == (
        "Mean", "Histogram", "Proportion", "Quantile", "Variance", "KernelDensity", "PriestleyChao",
    )  # fmt: skip
    assert target_kinds(TABLES["scientists"]) == ("LetterCounts",)
    assert "PriestleyChao" not in target_kinds(TABLES["two_bumps"])
    picked = set()
    for name, kind in CASES:
        columns = tuple(TABLES[name].column(column) for column in columns_for(kind, TABLES[name]))
        picked |= set(oracle_kinds(TABLES[name], columns))
    picked |= set(oracle_kinds(TABLES["diabetes"], (TABLES["diabetes"].column("sex"),)))
    assert picked == {name for name in oracles.__all__ if name not in ("Product", "Resample", "TwoClasses")} | {"TableRecords"}


def test_kinds_have_titles_for_people() -> None:
    assert [title(kind) for kind in ("Mean", "LetterCounts", "PriestleyChao", "TableRecords", "RegressionPrior")] == [
        "Mean", "Letter counts", "Kernel regression", "Records of this table", "Regression prior",
    ]  # fmt: skip
