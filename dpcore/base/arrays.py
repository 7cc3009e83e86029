"""The arrays of the library: databases, and functions of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
# Records on the first axis: a float array (n,) or (n, d), or an array (n,) of strings or with named fields.
Database = NDArray[Any]
# The inverse distribution function F⁻¹(u) = inf{x: F(x) >= u} of one number, at u of any shape above 0 and below 1.
Inverse = Callable[[FloatArray], FloatArray]
# A distribution function of numbers of any shape.
CDF = Callable[[FloatArray], FloatArray]
