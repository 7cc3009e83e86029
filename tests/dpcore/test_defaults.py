"""Default targets and oracles fit the columns that they are made for."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dpcore.bounds import even_edges
from dpcore.defaults import kind_of, oracle_for, oracle_kinds, target_for, target_kinds
from dpcore.oracles import Resample
from dpcore.scenario import TableRecords
from dpcore.tables import read_catalog

TABLES = read_catalog(Path(__file__).parents[2] / "data")


@pytest.mark.parametrize(("name", "kind"), list(product(TABLES, target_kinds())))
def test_a_default_target_runs_on_a_draw_of_every_default_oracle(name: str, kind: str) -> None:
    table = TABLES[name]
    for column in table.columns:
        target = target_for(kind, (column,))
        assert kind_of(target) == kind
        assert np.isfinite(target(table.prepare((column.name,)).database)).all()
        for oracle_kind in oracle_kinds(table, (column,)):
            oracle = oracle_for(oracle_kind, table, (column,))
            if not isinstance(oracle, TableRecords):
                assert np.isfinite(target(oracle.draw(1, 20, rng=np.random.default_rng(1))[0])).all()


def test_a_confidential_table_is_never_its_own_default_oracle() -> None:
    for table in TABLES.values():
        for column in table.columns:
            assert "TableRecords" in oracle_kinds(table, (column,))
            assert "TableRecords" not in oracle_kinds(table.declared(public=False), (column,))
            assert not isinstance(oracle_for("Uniform", table, (column,)), Resample)


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


def test_every_target_and_every_oracle_of_one_column_can_be_picked() -> None:
    assert target_kinds() == ("Mean", "Histogram", "Proportion", "Quantile", "Variance")
    picked = {kind for table in TABLES.values() for column in table.columns for kind in oracle_kinds(table, (column,))}
    assert picked == {"Bernoulli", "Categorical", "Exponential", "Normal", "TableRecords", "Uniform"}
