"""Release noise: OpenDP's exact samplers on the system's entropy, behind checks that it does not make itself.

OpenDP turns NaN into 0 and accepts any length. Here values are finite, and small enough that the spacing of floats cannot swallow
the noise. The mechanisms calibrate the scales, and round them up by ``scale_above``.

The refusal of large values looks at the *noisy* response, so it is post-processing and tells nothing more. A selection compares
exactly, and is refused by the scores' own spacing: that refusal does depend on the scores.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.checks import positive
from dpcore.errors import InvalidValueError, NoiseUnderflowError

Selection = Literal["gumbel", "permute-and-flip"]

_MOST_WHOLE = 2.0**53  # from which on floats leave whole numbers out
_FINEST = 1024  # the spacing of floats, summed over the entries, must be at most scale/1024


def scale_above(scale: float, sensitivity: float) -> float:
    """Return the next float above a computed scale, or 0 for a sensitivity of 0.

    Args:
        scale: The computed scale.
        sensitivity: The sensitivity that it was computed from.

    Returns:
        The scale to draw with.

    Raises:
        InvalidValueError: If the scale overflows.
    """
    if sensitivity == 0:
        return 0.0
    # One float up makes good for the rounding of Δ/ε, so the noise is never less than the proof needs (mathematics, section 1.1).
    raised = math.nextafter(scale, math.inf)
    if not math.isfinite(raised):
        raise InvalidValueError("epsilon", "large enough that the noise has a finite scale", scale)
    return raised


def add_laplace(values: FloatArray, scale: float) -> FloatArray:
    """Return values + Laplace(scale) on each.

    Args:
        values: Finite numbers, shape (d,).
        scale: The scale, above 0.

    Returns:
        The noisy numbers, read-only.

    Raises:
        InvalidValueError: If an argument is not as said here.
        NoiseUnderflowError: If the values are too large for the noise.
    """
    return _perturb("laplace", values, scale)


def add_gaussian(values: FloatArray, scale: float) -> FloatArray:
    """Return values + Normal(0, scale²) on each; arguments and errors as in ``add_laplace``."""
    return _perturb("gaussian", values, scale)


def _perturb(kind: Literal["laplace", "gaussian"], values: FloatArray, scale: float) -> FloatArray:
    scale = positive("scale", scale)
    if values.ndim != 1 or values.dtype != np.float64 or not np.isfinite(values).all():
        raise InvalidValueError("values", "a list of finite numbers", (str(values.dtype), values.shape))
    # The noisy response is looked at, and not the value: a refusal is post-processing.
    response = np.array(_measurement(kind, scale)(values.tolist()), dtype=np.float64)
    if not np.isfinite(response).all() or np.spacing(np.abs(response).max()) * response.size > scale / _FINEST:
        raise NoiseUnderflowError(scale)
    response.flags.writeable = False
    return response


def add_geometric(values: FloatArray, scale: float) -> FloatArray:
    """Return values + whole Z on each, P(Z = z) ∝ exp(−|z|/scale).

    Args:
        values: Whole numbers, shape (d,).
        scale: The scale, above 0.

    Raises:
        InvalidValueError: If values are not whole: rounded, two answers could be further apart than they were.
        NoiseUnderflowError: If a float does not hold the sum.
    """
    scale = positive("scale", scale)
    if values.ndim != 1 or not np.isfinite(values).all() or (values != np.round(values)).any():
        raise InvalidValueError("values", "a list of whole numbers", (str(values.dtype), values.shape))
    drawn = _measurement("geometric", scale)([int(value) for value in values.clip(-2 * _MOST_WHOLE, 2 * _MOST_WHOLE)])
    response = np.array(drawn, dtype=np.float64)
    if np.abs(response).max(initial=0.0) >= _MOST_WHOLE:
        raise NoiseUnderflowError(scale)
    response.flags.writeable = False
    return response


def select(scores: FloatArray, scale: float, selection: Selection) -> int:
    """Return the index of the largest noisy score.

    Args:
        scores: Finite numbers, shape (d,).
        scale: The scale, above 0.
        selection: "gumbel" for P(i) ∝ exp(scores_i/scale), the exponential mechanism; "permute-and-flip" for exponential noise
            (McKenna & Sheldon 2020).

    Raises:
        InvalidValueError: If an argument is not as said here.
        NoiseUnderflowError: If the spacing of floats at the scores exceeds scale/1024.
    """
    scale = positive("scale", scale)
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise InvalidValueError("scores", "a list of finite numbers", (str(scores.dtype), scores.shape))
    if np.spacing(np.abs(scores).max()) > scale / _FINEST:
        raise NoiseUnderflowError(scale)
    return int(_measurement(selection, scale)(scores.tolist()))


@lru_cache(maxsize=64)
def _measurement(kind: str, scale: float) -> Any:
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian, make_laplace, make_noisy_max
    from opendp.measures import max_divergence, zero_concentrated_divergence
    from opendp.metrics import l1_distance, l2_distance, linf_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    if kind == "geometric":
        return make_laplace(vector_domain(atom_domain(T="i64")), l1_distance(T="i64"), scale)
    domain = vector_domain(atom_domain(T=float, nan=False))
    if kind == "laplace":
        return make_laplace(domain, l1_distance(T=float), scale)
    if kind == "gaussian":
        return make_gaussian(domain, l2_distance(T=float), scale)
    # OpenDP picks the noise by the measure: Gumbel under zCDP, exponential under pure DP (mathematics, section 5.1 and 5.2).
    measure = zero_concentrated_divergence() if kind == "gumbel" else max_divergence()
    return make_noisy_max(domain, linf_distance(T=float), measure, scale)
