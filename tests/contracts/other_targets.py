"""Targets beside the catalogue's, to try the contract on: wrong ones with a fault each, and a right one in a file of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Target
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import Places
from tests.contracts.global_state import NUMPY


@dataclass(frozen=True)
class Mean(Target):
    """Of one column; right, and each wrong one differs from it in one thing."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([math.fsum(database.tolist()) / len(database)])

    def _proved(self, norm: Norm, n: int, value: float) -> GlobalSensitivity[Norm]:
        return GlobalSensitivity(self, value, norm, Adjacency.REPLACE_ONE_RECORD, "By a proof that is wrong somewhere.", n)


class Noisy(Mean):
    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database.mean() + 1e-6 * NUMPY.random_sample()])


class OfAnyLength(Mean):
    def __call__(self, database: Database, /) -> FloatArray:
        return np.unique(database)


class Sorting(Mean):
    def __call__(self, database: Database, /) -> FloatArray:
        database.sort()
        return database[:1].copy()


class FirstRecord(Mean):
    """Looks at a place, and takes a way that promises not to."""

    def __call__(self, database: Database, /) -> FloatArray:
        return database[:1].copy()

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        return extended[:, :1], extended[:, :1]


class Sum(Mean):
    """Contributions that forget to be divided by n."""

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return np.asarray(records[:, None])


class OneOfThePair(Mean):
    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        first = extended[:, :-1].mean(axis=1, keepdims=True)
        return first, extended[:, 1:].mean(axis=1, keepdims=True)


class WrongBatch(Mean):
    def batch(self, databases: Database, /) -> FloatArray:
        return databases.mean(axis=1, keepdims=True) * 1.001


class OfTheGroupAlone(Mean):
    """By group it divides by the group's own number of records, and not by n."""

    accepts_missing: ClassVar[bool] = True

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([np.nansum(database) / len(database)])

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        of_each = [database[places == group] for group in range(groups)]
        return np.array([[np.nansum(one) / max(1, len(one))] for one in of_each])


class MeanInProportion(Mean):
    """Says that it grows with the number of records, as a sum does."""

    from_a_part: ClassVar[str] = "in proportion"


class SaysThatNDoesNotMatter(Mean):
    """A mean of all records, missing ones among them."""

    regardless_of_n: ClassVar[bool] = True

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([np.nansum(database) / max(1, len(database))])


class Failing(Mean):
    def __call__(self, database: Database, /) -> FloatArray:
        if np.count_nonzero(database) < 6:
            raise ArithmeticError
        return super().__call__(database)


class ProvedTooSmall(Mean):
    """Clipped to [0, 1], with 90 % of its sensitivity."""

    def __call__(self, database: Database, /) -> FloatArray:
        return super().__call__(np.clip(np.nan_to_num(database, nan=0.5), 0, 1))

    def global_sensitivity(self, norm: Norm, n: int) -> GlobalSensitivity[Norm]:
        return self._proved(norm, n, 0.9 / n)


class ProvedOfSome(Mean):
    """Clipped to [0, 1], and fails on what is no number."""

    def __call__(self, database: Database, /) -> FloatArray:
        return super().__call__(np.clip(database, 0, 1))

    def global_sensitivity(self, norm: Norm, n: int) -> GlobalSensitivity[Norm]:
        return self._proved(norm, n, 1.001 / n)


class UnlikeItself(Mean):
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


WRONG: list[tuple[Mean, str]] = [
    (Noisy(), "answers_with_a_finite_vector"),
    (OfAnyLength(), "answers_with_a_finite_vector"),
    (Sorting(), "answers_with_a_finite_vector"),
    (FirstRecord(), "does_not_depend_on_the_order_where_it_takes_a_short_way"),
    (Sum(), "its_short_ways_are_its_answers"),
    (OneOfThePair(), "its_short_ways_are_its_answers"),
    (WrongBatch(), "its_short_ways_are_its_answers"),
    (OfTheGroupAlone(), "groups_answered_in_one_pass_are_as_each_alone"),
    (SaysThatNDoesNotMatter(), "records_of_which_nothing_is_known_change_nothing_where_it_says_so"),
    (MeanInProportion(), "goes_from_a_part_of_the_records_to_all_as_it_says"),
    (Failing(), "is_sampled"),
    (ProvedTooSmall(), "is_never_further_from_a_neighbour_than_proved"),
    (ProvedOfSome(), "is_never_further_from_a_neighbour_than_proved"),
    (UnlikeItself(), "survives_pickling_and_equals_its_like"),
]

TRIMMED_MEAN = '''
"""The mean without the least and the largest records."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.base.bounds import Interval, clip, interval
from dpcore.base.checks import share
from dpcore.base.norms import RANGE
from dpcore.targets.columns import single_column
from dpcore.targets.proved import proved
from dpcore.base.arrays import Database, FloatArray


from dpcore.base.types import Target

@final
@dataclass(frozen=True, slots=True)
class StrangersTrimmedMean(Target):
    """The mean of one column without ⌊trimmed·n/2⌋ of its records at each end."""

    trimmed: float = field(default=0.2, metadata={"label": "Share left out", "min": 0.0, "max": 0.9, "step": 0.1})
    bounds: Interval | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "trimmed", share("trimmed", self.trimmed))
        object.__setattr__(self, "bounds", None if self.bounds is None else interval("bounds", self.bounds))

    def __call__(self, database: Database, /) -> FloatArray:
        ordered = np.sort(clip(single_column(database), self.bounds))
        out = self._out(len(ordered))
        kept = ordered[out : len(ordered) - out]
        return np.array([math.fsum(kept.tolist()) / len(kept)])

    def global_sensitivity(self, norm, n):
        if self.bounds is None or norm == RANGE:
            return None
        low, high = self.bounds
        value = WIDTH / (n - 2 * self._out(n))
        return proved(self, value, [max(abs(low), abs(high))], norm, n, "Sorted records all move one way, by the width at most.")

    def _out(self, n: int) -> int:
        return int(self.trimmed * n / 2)
'''
