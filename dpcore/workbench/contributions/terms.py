"""On which terms people are protected, and the sensitivity that a cap then has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.bounds import Interval
from dpcore.base.norms import L1
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.workbench.contributions.asked import Asked
from dpcore.workbench.contributions.cap import Cap, Keeping
from dpcore.workbench.contributions.noise import Noise

_OF_USERS = (Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER)


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """The ``noise`` with its privacy level, which people are neighbours, and how their rows are kept."""

    noise: Noise
    adjacency: Adjacency
    keeping: Keeping = Keeping.WEIGHTS

    def __post_init__(self) -> None:
        if self.adjacency not in _OF_USERS:
            raise InvalidValueError("adjacency", "of one user: add or remove one, or replace one", self.adjacency)

    def sensitivity(self, asked: Asked, cap: Cap, bounds: Interval, groups: int = 1) -> float:
        """How far adding, removing or replacing a person of capped rows moves what is released, in the noise's norm.

        With t = g in L1 and √g in L2 for g groups of s rows, and c = 2 in L1 and √2 in L2, it is t·s·lost under add/remove,
        and t·s·max(changed, c·lost) under replace-one with more than one group, s·changed without (mathematics, section 9.1).
        """
        lost, changed = asked.released.moved(bounds, self.noise.norm)
        power = 1.0 if self.noise.norm == L1 else 0.5
        at_most, two = cap.groups_of(groups) ** power, 2**power
        if self.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
            return float(at_most * cap.rows * lost)
        return cap.rows * changed if groups == 1 else float(at_most * cap.rows * max(changed, two * lost))
