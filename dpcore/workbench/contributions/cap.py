"""How much of each person is kept, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.people import MOST_ROWS
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.workbench.contributions.classes import Classes


class Keeping(Enum):
    """What happens to the rows of a person who has more than s."""

    WEIGHTS = "all rows of a person, with less weight"
    ROWS = "some rows of a person, chosen by a public salt"


@final
@dataclass(frozen=True, slots=True)
class Cap:
    """``rows``: s, that many rows of each person over all groups; or, with ``groups``, s rows in each group and ``groups``
    groups of each person: each group by its weight p = min(1, groups/(groups that the person is in)), or, where a salt chooses
    rows, so many whole groups, each with the chance p.

    Both are whole numbers from 1 to 2²⁴, the most rows that a database of people has, else InvalidValueError.
    """

    rows: int
    groups: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", _number("rows kept of each person, s,", self.rows))
        if self.groups is not None:
            object.__setattr__(self, "groups", _number("groups kept of each person", self.groups))

    @property
    def a_group(self) -> bool:
        """Whether rows are counted in each group by itself."""
        return self.groups is not None

    def groups_of(self, public: int) -> int:
        """In how many of the public groups a person's kept rows are as many as s."""
        return 1 if self.groups is None else min(self.groups, public)

    def weights(self, classes: Classes) -> FloatArray:
        """min(1, s/N) of each class, times min(1, g/G) (mathematics, section 9.1)."""
        return self._of_groups(classes) * np.minimum(1.0, self.rows / classes.rows)

    def variances(self, classes: Classes) -> FloatArray:
        """By what the variance of N values is multiplied in that of the sum of s drawn from them: s(N − s)/N where N > s, else 0;
        times p, for they are drawn in groups that are kept (mathematics, section 9.2)."""
        s = self.rows
        return np.asarray(self._of_groups(classes) * s * np.maximum(0.0, 1 - s / classes.rows))

    def of_whole(self, classes: Classes) -> FloatArray:
        """By what the square of the sum of N values is multiplied in that variance, because the whole group is kept or not:
        p(1 − p)·min(1, s/N)² (mathematics, section 9.2)."""
        p = self._of_groups(classes)
        return np.asarray(p * (1 - p) * np.minimum(1.0, self.rows / classes.rows) ** 2)

    def _of_groups(self, classes: Classes) -> FloatArray:
        return np.ones(len(classes.rows)) if self.groups is None else np.minimum(1.0, self.groups / classes.groups)


def _number(name: str, value: object) -> int:
    if (number := whole(name, value)) > MOST_ROWS:
        raise InvalidValueError(name, f"at most {MOST_ROWS:,}", value)
    return number
