"""A question by group for tests: the same target of each group's records. A record is a number and its group, counted from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import Column
from dpcore.base.norms import Norm
from dpcore.base.types import Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import answer_of


@dataclass(frozen=True)
class ByGroup(Target):
    """The answers of ``of``, one group after another; (n, 2) -> (groups · numbers,). ``reach``: its worst case, in any norm."""

    of: Any
    groups: tuple[str, ...] = ("A", "B", "C")
    reach: float = 2.0

    @property
    def candidates(self) -> Any:
        return self.of.candidates

    @property
    def is_selection_score(self) -> bool:
        return self.of.is_selection_score

    def answer(self, columns: tuple[Column, ...], /) -> Grouped:
        return Grouped(answer_of(self.of, columns[:1]), self.groups)

    def __call__(self, database: Database, /) -> FloatArray:
        values, places = database.T
        return np.concatenate([self.of(values[places == group]) for group in range(len(self.groups))])

    def global_sensitivity(self, norm: Any, n: int) -> GlobalSensitivity[Norm] | None:
        return GlobalSensitivity(self, self.reach, norm, Adjacency.REPLACE_ONE_RECORD, "It is said so in this test.", n)


def records(sizes: tuple[int, ...], *, low: float = 0.0, high: float = 10.0, seed: int = 5) -> FloatArray:
    """So many uniform records in each group, (n, 2)."""
    values = np.random.default_rng(seed).uniform(low, high, sum(sizes))
    return np.stack([values, np.repeat(np.arange(len(sizes)), sizes).astype(np.float64)], axis=1)
