"""Operating points once more, as the paper writes Table 1, by scipy alone."""

from __future__ import annotations

import math

from scipy.special import lambertw


def rho_of_gamma(gamma: float) -> float:
    """exp(W₋₁(−γ/(2√e)) + 1/2) (Table 1, row 1)."""
    return math.exp(float(lambertw(-gamma / (2 * math.sqrt(math.e)), -1).real) + 0.5)


def rho_of_m(m: int) -> float:
    """exp(W₋₁(−1/(4m))/2) (Table 1, rows 2 and 3)."""
    return math.exp(float(lambertw(-1 / (4 * m), -1).real) / 2)


def error(m: int, rho: float) -> float:
    """ρ′ = √(log(1/ρ)/(2m)) (Theorem 15)."""
    return math.sqrt(math.log(1 / rho) / (2 * m))


def least_m(gamma: float) -> int:
    """⌈log(1/ρ)/(2(γ−ρ)²)⌉ (Table 1, row 1)."""
    rho = rho_of_gamma(gamma)
    return math.ceil(math.log(1 / rho) / (2 * (gamma - rho) ** 2))


def order(m: int, gamma: float, rho: float) -> int:
    """⌈m(1 − γ + ρ + ρ′)⌉ (Table 1, rows 1 and 2)."""
    return math.ceil(m * (1 - gamma + rho + error(m, rho)) * (1 - 1e-12))


def least_gamma(m: int) -> float:
    """ρ + ρ′ (Table 1, row 3)."""
    rho = rho_of_m(m)
    return rho + error(m, rho)
