"""Table 1 at the choice of Explore, where γ is fixed, or m, or both: held against the operating points themselves."""

from __future__ import annotations

import pytest

from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages import state
from pages.old.shared import proof
from tests.pages.visit import opened, settled, sound, text, visit


@pytest.mark.parametrize(
    ("fixed", "dkw", "rank"),
    [
        (proof.FIX_GAMMA, {"m": "1,305", "k": "1,305", "γ": "0.05"}, {"m": "19", "k": "19", "ρ": "", "γ": "0.05"}),
        (proof.FIX_M, {"m": "199", "k": "199"}, {"m": "199", "k": "199", "ρ": "", "γ": "0.005"}),
        (proof.FIX_BOTH, {"m": "out of reach", "k": "", "ρ": "", "γ": ""}, {"m": "199", "k": "190", "ρ": "", "γ": "0.05"}),
    ],
)
def test_each_row_is_the_operating_point_of_its_bound(fixed: str, dkw: dict[str, str], rank: dict[str, str]) -> None:
    rows = {row["bound"]: row for row in proof.rows(state.example(), fixed)}
    assert rows["DKW"].items() >= dkw.items()
    assert rows["rank"].items() >= rank.items()
    assert len(rows) == len(Bound)


def test_rho_is_that_of_the_paper() -> None:
    row = next(row for row in proof.rows(state.example(), proof.FIX_GAMMA) if row["bound"] == "DKW")
    rho = OperatingPoint.for_gamma(0.05, bound=Bound.DKW).rho
    assert rho is not None
    assert float(row["ρ"]) == pytest.approx(rho, rel=1e-2)


def test_the_switch_stands_in_the_popover_and_asks_in_words() -> None:
    app = opened(settled(visit()), "proof")
    assert "Both m = 199 and γ = 0.05 are given" in text(app)
    sound(app.segmented_control(key="table_1").set_value(proof.FIX_GAMMA).run())
    assert "γ = 0.05 is wanted" in text(app)
