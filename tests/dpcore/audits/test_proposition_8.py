"""γ′ by other routes: a root of scipy's divergence in 50 digits, coins that reach it, and normal worlds that never pass it."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import rel_entr
from scipy.stats import binom

from dpcore.audits.wrong_oracle import by_pinsker, gamma_elsewhere, normal_shift
from dpcore.errors import InvalidValueError

GAMMAS = (0.001, 0.01, 0.05, 0.2, 0.5)
TOTALS = (1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.5, 2.0, 4.0, 9.0, 30.0)


def _by_scipy(p: float, q: float) -> float:
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


def _exactly(p: float, q: float) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        a, b = Decimal(p), Decimal(q)
        return a * (a / b).ln() + (1 - a) * ((1 - a) / (1 - b)).ln()


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("total", TOTALS)
def test_gamma_elsewhere_is_the_root_of_the_divergence_and_never_below_it(gamma: float, total: float) -> None:
    found = gamma_elsewhere(gamma, total)
    assert gamma < found <= by_pinsker(gamma, total) <= 1
    if found < 1 - 1e-12:
        assert found == pytest.approx(brentq(lambda q: _by_scipy(gamma, q) - total, gamma, 1 - 1e-15, xtol=1e-15), abs=2e-9)
        assert _exactly(gamma, found) > Decimal(total)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_nothing_changes_where_the_oracle_is_right_and_nothing_is_left_far_off(gamma: float) -> None:
    assert gamma_elsewhere(gamma, 0) == by_pinsker(gamma, 0) == gamma
    assert gamma_elsewhere(gamma, 1e4) == by_pinsker(gamma, 1e4) == 1
    values = [gamma_elsewhere(gamma, total) for total in TOTALS]
    assert values == sorted(values)


def test_pinsker_is_the_square_root_of_half_of_it() -> None:
    assert by_pinsker(0.05, 0.02) == pytest.approx(0.15, abs=1e-15)
    assert by_pinsker(0.05, 0.02) > 0.05 + math.sqrt(0.01)
    assert by_pinsker(0.05, 2.0) == 1


def test_many_records_whose_coins_fall_together_come_as_close_as_the_bound_allows() -> None:
    """The best test of 1,000 coins, P(heads) = .5 against q, misses what γ′ allows up to a quarter of the way, and never more."""
    n, q = 1_000, 0.55
    total = n * _by_scipy(0.5, q)
    for most in range(500, 550, 5):
        gamma, world = float(binom.sf(most, n, 0.5)), float(binom.sf(most, n, q))
        assert world <= gamma_elsewhere(gamma, total)
        assert world > gamma_elsewhere(gamma, total / 2) - 0.5
    assert float(binom.sf(526, n, q)) > gamma_elsewhere(float(binom.sf(526, n, 0.5)), 0.3 * total)


def test_a_single_coin_reaches_it() -> None:
    """One record that decides alone: P(missed) = .05 under the oracle, q in the world, and KL = kl(.05, q)."""
    for q in (0.06, 0.2, 0.9):
        assert gamma_elsewhere(0.05, _by_scipy(0.05, q)) == pytest.approx(q, abs=1e-9)


def test_a_shift_is_that_of_a_normal_law() -> None:
    """KL(N(0, 1)‖N(s, 1)) by integrating the log-ratio over a fine grid."""
    s = normal_shift(0.045)
    x = np.linspace(-12, 12, 200_001)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    assert float(np.trapezoid(density * (s**2 / 2 - s * x), x)) == pytest.approx(0.045, rel=1e-9)
    assert s == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: gamma_elsewhere(0.0, 1.0), "gamma"),
        (lambda: gamma_elsewhere(1.0, 1.0), "gamma"),
        (lambda: gamma_elsewhere(0.1, -1e-9), "total"),
        (lambda: gamma_elsewhere(0.1, math.inf), "total"),
        (lambda: by_pinsker(0.1, -1.0), "total"),
    ],
)
def test_what_is_no_share_or_no_divergence_is_refused(call: object, name: str) -> None:
    assert callable(call)
    with pytest.raises(InvalidValueError) as refused:
        call()
    assert refused.value.name == name
