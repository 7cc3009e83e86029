"""A plain function as scores of candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import checked_candidates
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True)
class Scores(Target):
    """f(D) = a score for each candidate, the largest being the best: for the exponential mechanism.

    Args:
        function: From a read-only database to the scores, (candidates,).
        candidates: What is chosen among: at least two different texts or numbers.

    Example:
        >>> import numpy as np
        >>> from dpcore.targets import Scores
        >>> votes = Scores.of(lambda database: [(database == name).sum() for name in ("ann", "bob")], ("ann", "bob"))
        >>> votes(np.array(["ann", "bob", "ann"]))
        array([2., 1.])
    """

    function: Callable[[Database], Any]
    candidates: tuple[str | float, ...]
    scores: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidValueError("function", "a function of a database that returns a score for each candidate", self.function)
        object.__setattr__(self, "candidates", checked_candidates(self.candidates))

    @classmethod
    def of(cls, function: Callable[[Database], Any], candidates: Iterable[str | float]) -> Scores:
        """Return the target of a plain function and its candidates."""
        return cls(function, tuple(candidates))

    @property
    def numbers(self) -> int:
        """One score for each candidate."""
        return len(self.candidates)

    def __call__(self, database: Database, /) -> FloatArray:
        scores = np.asarray(self.function(database), dtype=np.float64)
        if scores.shape != (len(self.candidates),):
            raise ValueError(f"the function returned an array of shape {scores.shape} for {len(self.candidates):,} candidates")
        return scores
