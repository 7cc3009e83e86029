"""Release noise: OpenDP's exact samplers on the system's entropy, behind checks that it does not make itself.

OpenDP turns NaN into 0 and accepts any length; here values are finite, and small enough that floating-point spacing
cannot swallow the noise. Scales are ours, calibrated by the mechanisms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from dpcore.checks import positive
from dpcore.errors import InvalidValueError, NoiseSwallowedError
from dpcore.types import FloatArray

_FINEST = 1024  # the spacing of floats at the value must be below scale/1024


def add_laplace(values: FloatArray, scale: float) -> FloatArray:
    """values + Laplace(scale) on each, values (d,) finite, scale > 0; NoiseSwallowedError for values too large."""
    return _perturb("laplace", values, scale)


def add_gaussian(values: FloatArray, scale: float) -> FloatArray:
    """values + Normal(0, scale²) on each, values (d,) finite, scale > 0; NoiseSwallowedError for values too large."""
    return _perturb("gaussian", values, scale)


def _perturb(kind: Literal["laplace", "gaussian"], values: FloatArray, scale: float) -> FloatArray:
    scale = positive("scale", scale)
    if values.ndim != 1 or values.dtype != np.float64 or not np.isfinite(values).all():
        raise InvalidValueError("values", "a vector of finite floats", f"{values.dtype} array of shape {values.shape}")
    if np.spacing(np.abs(values).max()) > scale / _FINEST:
        raise NoiseSwallowedError(scale)
    response = np.array(_measurement(kind, scale)(values.tolist()), dtype=np.float64)
    response.flags.writeable = False
    return response


@lru_cache(maxsize=64)
def _measurement(kind: str, scale: float) -> Callable[[list[float]], Any]:
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian, make_laplace
    from opendp.metrics import l1_distance, l2_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    domain = vector_domain(atom_domain(T=float, nan=False))
    measurement: Callable[[list[float]], Any]
    if kind == "laplace":
        measurement = make_laplace(domain, l1_distance(T=float), scale)
    else:
        measurement = make_gaussian(domain, l2_distance(T=float), scale)
    return measurement
