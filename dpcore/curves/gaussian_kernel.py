"""The Gaussian kernel K(u) = exp(−u²/2)/√(2π), and how much of it a lattice can see."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.polynomials import lattice
from dpcore.base.types import FloatArray

_AT_ZERO = 1 / math.sqrt(2 * math.pi)
_ROUNDING = 1 + 1e-12  # of a few products and quotients, each to an ulp
LARGEST = _AT_ZERO * _ROUNDING  # max K = K(0), rounded up


def kernel(differences: FloatArray, bandwidth: float = 1.0) -> FloatArray:
    """K(x/h)/h at differences of any shape."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(np.square(differences / bandwidth) * -0.5) * (_AT_ZERO / bandwidth))


def largest_sum(bandwidth: float, degree: int, domain: Interval) -> float:
    """An upper bound of max_x Σ_j K((p_j − x)/h) over the k+1 lattice points p_j of the domain.

    No sum is above that over an *endless* lattice with the least gap between two of them, and this one is largest at a
    lattice point, for by Poisson's formula its Fourier coefficients are all positive. Nor is any above (k+1)·K(0) (mathematics,
    section 10.6).
    """
    step = min(float(np.diff(lattice(degree, (domain,))[:, 0]).min()) / bandwidth, 1e9)
    if step <= 0:  # points that are one float
        return (degree + 1) * _AT_ZERO * _ROUNDING
    # Poisson: Σ_j K(j·step) = (1 + 2 Σ_m exp(−2π²m²/step²))/step, and that sum is below 1e-30 for a fine lattice
    endless = 1 / step if step < 0.5 else float(kernel(step * np.arange(-80.0, 81.0)).sum())
    return min(endless, (degree + 1) * _AT_ZERO) * _ROUNDING
