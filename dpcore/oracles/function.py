"""A plain function as an oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database
from dpcore.base.databases import as_database
from dpcore.base.types import Oracle
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True)
class Function(Oracle):
    """Databases of a function ``f(n, rng)``, which draws n records with the numpy generator that it is given.

    Args:
        function: From a number of records n and a generator to a database of n records: an array, a list, a Series or a
            DataFrame. It must be a public rule, and draw with ``rng`` only. The records of a database must be exchangeable,
            and the first r of n distributed as a database of r records.

    Raises:
        InvalidValueError: If it is not a function, or at a draw if it returns another number of records.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> ages = oracles.Function(lambda n, rng: rng.integers(18, 90, size=n))
        >>> ages.draw(2, 3, rng=np.random.default_rng(1)).shape
        (2, 3)
    """

    function: Callable[[int, np.random.Generator], Any]
    draws_in_order: ClassVar[bool] = True  # the function draws one database after another

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidValueError("function", "a function f(n, rng) that draws n records", self.function)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, (databases, records, ...)."""
        drawn = [as_database(self.function(records, rng)) for _ in range(databases)]
        for one in drawn:
            if not one.ndim or len(one) != records:
                raise InvalidValueError("function", f"one that returns {records:,} records for n = {records:,}", one.shape)
        return np.stack(drawn)
