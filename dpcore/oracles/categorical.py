"""Independent records in one of several categories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.bounds import Interval
from dpcore.base.checks import categories, numbers, set_fields
from dpcore.base.declared import Column
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots, of_numbers, of_text
from dpcore.base.types import Database, FloatArray, Inverse, Oracle
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class Categorical(Oracle):
    """Records that are the code j = 0, 1, … of a category with probability p[j]; the p sum to 1.

    With ``categories``, different texts, a record is that text in place of its code.
    """

    p: tuple[float, ...] = field(metadata={"label": "Shares", "title": "Shares of the categories"})
    categories: tuple[str, ...] | None = field(default=None, metadata={"declared": True})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY

    def __post_init__(self) -> None:
        p = numbers("p", self.p)
        if min(p) < 0 or abs(sum(p) - 1) > 1e-9:
            raise InvalidValueError("p", "shares of at least 0 that sum to 1", p)
        texts = None if self.categories is None else one_text_each(self.categories, len(p), "a share")
        set_fields(self, p=p, categories=texts)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Categorical | None:
        """Even shares of the categories of a column of text, or of one whose codes are 0, 1, …"""
        known = columns[0].categories or ()
        even = (1 / max(1, len(known)),) * len(known)
        texts = tuple(item for item in known if isinstance(item, str))
        if texts:
            return cls(even, texts)
        return cls(even) if known and known == tuple(map(float, range(len(known)))) else None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of text where it draws texts."""
        return len(columns) == 1 and (of_numbers if self.categories is None else of_text)(columns[0])

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        codes = drawn_codes(self.p, rng.random((databases, records)))
        return codes.astype(np.float64) if self.categories is None else np.array(self.categories)[codes]

    @property
    def support(self) -> Interval | None:
        """From the first code to the last; None of texts."""
        return (0.0, len(self.p) - 1.0) if self.categories is None else None

    @property
    def chances(self) -> dict[float, float] | dict[str, float]:
        """P(j) = p[j]."""
        if self.categories is not None:
            return dict(zip(self.categories, self.p, strict=True))
        return {float(code): p for code, p in enumerate(self.p)}

    @property
    def inverse(self) -> Inverse | None:
        """F⁻¹(u), the first code j with p[0] + … + p[j] >= u; None of texts."""
        return self._inverse if self.categories is None else None

    def _inverse(self, u: FloatArray) -> FloatArray:
        return np.searchsorted(cumulative(self.p), u, side="left").astype(np.float64)


def one_text_each(given: object, number: int, of: str) -> tuple[str, ...]:
    """So many different texts, one ``of`` each; InvalidValueError for others."""
    texts = tuple(item for item in categories("categories", given) if isinstance(item, str))
    if len(texts) != number:
        raise InvalidValueError("categories", f"{number} different texts, one {of}", given)
    return texts


def cumulative(weights: tuple[float, ...]) -> FloatArray:
    """The cumulative shares of weights; the last is 1."""
    steps = np.cumsum(weights)
    return np.asarray(steps / steps[-1])


def drawn_codes(weights: tuple[float, ...], u: FloatArray) -> NDArray[np.int64]:
    """The code j = 0, 1, … that each uniform number draws, with probability weights[j]/Σ weights."""
    return np.searchsorted(cumulative(weights), u, side="right")
