"""Figures 1 to 3, Figure 8 and Table 1: the paper's formulas once more, and the sampler against what is known of it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from data.exhibits import operating_points
from data.exhibits.exhibit import stored
from dpcore import Bound
from tests.gallery import by_hand


def _rows(title: str) -> list[tuple[int, int, float, float]]:
    """m, k, ρ and γ of the rows of a table under the paper's bound."""
    (table,) = [one for one in stored("table_1").tables if one.title == title]
    found = [row[1:] for row in table.rows if row[0] == "DKW (paper)"]
    assert found
    return [(int(m), int(k), float(rho), float(gamma)) for m, k, rho, gamma in found]


def test_stored_rows_for_gamma_match_table_1() -> None:
    for m, k, rho, gamma in _rows(operating_points.FIX_GAMMA):
        assert rho == pytest.approx(by_hand.rho_of_gamma(gamma), rel=1e-5)
        assert (m, k) == (by_hand.least_m(gamma), by_hand.order(m, gamma, by_hand.rho_of_gamma(gamma)))


def test_stored_rows_for_m_and_both_match_table_1() -> None:
    for m, k, rho, gamma in _rows(operating_points.FIX_M):
        assert (k, rho, gamma) == (
            m,
            pytest.approx(by_hand.rho_of_m(m), rel=1e-5),
            pytest.approx(by_hand.least_gamma(m), rel=1e-5),
        )
    for m, k, rho, gamma in _rows(operating_points.FIX_BOTH):
        assert (k, rho) == (by_hand.order(m, gamma, by_hand.rho_of_m(m)), pytest.approx(by_hand.rho_of_m(m), rel=1e-5))


def test_stored_draws_of_figure_2_match_formulas() -> None:
    dkw, rank, tolerance = (stored("figure_2").charts[0].called(name) for name in operating_points.ROLES)
    gammas = [float(gamma) for gamma in dkw.x]
    assert dkw.y == pytest.approx([by_hand.least_m(gamma) for gamma in gammas], rel=1e-5)
    assert rank.y.tolist() == [math.ceil(1 / gamma - 1e-9) - 1 for gamma in gammas]
    assert tolerance.y.tolist() == [math.ceil(math.log(0.05) / math.log1p(-gamma)) for gamma in gammas]


def test_rate_of_corollary_16_falls_to_a_half() -> None:
    """With L = log(1/ρ) it is ½·(1 + 1/(2L))²·L/(L − log(1 + 2L)) (mathematics, section 1.5)."""
    for gamma, rate in ((1e-2, 0.911376), (1e-64, 0.522831)):
        assert operating_points.rate(gamma) == pytest.approx(rate, rel=1e-5)
        rho = by_hand.rho_of_gamma(gamma)
        log = math.log(1 / rho)
        closed = (1 + 1 / (2 * log)) ** 2 / 2 * log / (log - math.log1p(2 * log))
        assert operating_points.rate(gamma) == pytest.approx(closed, rel=1e-9)
    rates = [operating_points.rate(10.0**-power) for power in range(2, 300)]
    assert all(0.5 < after < before for before, after in pairwise(rates))


def test_stored_orders_of_figure_3_match_formulas() -> None:
    chart = stored("figure_3").charts[0]
    for m in operating_points.SIZES:
        dkw, rank = (chart.called(operating_points.NAMES[bound], operating_points.facet(m)) for bound in (Bound.DKW, Bound.RANK))
        assert dkw.x.min() >= by_hand.least_gamma(m)
        assert dkw.y * m == pytest.approx([by_hand.order(m, float(gamma), by_hand.rho_of_m(m)) for gamma in dkw.x], abs=0.1)
        assert rank.y * m == pytest.approx([math.ceil((m + 1) * (1 - gamma) - 1e-9) for gamma in rank.x], abs=0.1)


@pytest.mark.statistical
def test_fresh_runs_miss_as_much_as_figure_1() -> None:
    """400 runs: the miss is Beta(m − k + 1, k), and its mean is within five standard errors, a chance of 1e-6."""
    m, k = operating_points.DRAWS, operating_points.POINT.k
    drawn = np.array([operating_points.distances(m, 10_000 + i)[k - 1] for i in range(400)])
    mean = (m - k + 1) / (m + 1)
    error = math.sqrt(mean * (1 - mean) / (m + 2) / 400)
    assert abs(np.mean(1 - operating_points.true(drawn)) - mean) < 5 * error
    assert np.mean(1 - operating_points.true(0.9 * drawn)) - mean > 5 * error


def test_stored_rho_of_figure_8_minimise_two_functions() -> None:
    """Each is found again by a search, of Corollary 20's m(ρ) and of Corollary 21's k(ρ)."""
    functions = {
        "γ": lambda rho, gamma: math.log(1 / rho) / (2 * (gamma - rho) ** 2),
        "m": lambda rho, m: rho + math.sqrt(math.log(1 / rho) / (2 * m)),
    }
    (table,) = stored("figure_8").tables
    for given, value, rho in table.rows:
        most = min(float(value), 0.6) if given == "γ" else 0.6
        found = minimize_scalar(functions[str(given)], args=(value,), bounds=(1e-9, most * 0.9999), options={"xatol": 1e-13})
        assert rho == pytest.approx(found.x, rel=1e-4), (given, value)
