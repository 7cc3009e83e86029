"""Records of several kinds, each drawn whole."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.checks import numbers, positive, set_fields
from dpcore.base.declared import Column
from dpcore.base.slots import NUMBERS, Slots, fits
from dpcore.base.types import Database, Oracle
from dpcore.errors import InvalidValueError
from dpcore.oracles.categorical import drawn_codes
from dpcore.oracles.normal import Normal
from dpcore.oracles.product import Product

MOST_PARTS = 64
_WEIGHTS, _CENTRES, _SPREADS = (0.4, 0.6), (1 / 2, 3 / 4), (math.sqrt(0.02), math.sqrt(0.005))  # the paper's two bumps


@final
@dataclass(frozen=True, slots=True)
class Mixture(Oracle):
    """Independent records, each wholly of one of several oracles: of part j with probability ``weights[j]``.

    So columns hang together that are independent within each part: who is high in one is high in all. The weights sum to 1, and
    the parts draw independent records of the same columns, no people.
    """

    parts: tuple[Oracle, ...]
    weights: tuple[float, ...] = field(metadata={"label": "Weights"})
    independent_records: ClassVar[bool] = True
    takes: ClassVar[Slots] = NUMBERS
    title: ClassVar[str] = "Mixture of groups"

    def __post_init__(self) -> None:
        parts = tuple(self.parts) if isinstance(self.parts, (list, tuple)) else ()
        if not 0 < len(parts) <= MOST_PARTS or not all(isinstance(part, Oracle) for part in parts):
            raise InvalidValueError("parts", f"from 1 to {MOST_PARTS} oracles", self.parts)
        if any(part.draws_people or not part.independent_records for part in parts):
            raise InvalidValueError("parts", "oracles of independent rows", parts)
        weights = tuple(positive("weights", weight) for weight in numbers("weights", self.weights))
        if len(weights) != len(parts) or abs(math.fsum(weights) - 1) > 1e-9:
            raise InvalidValueError("weights", f"{len(parts)} shares above 0 that sum to 1", weights)
        set_fields(self, parts=parts, weights=weights)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Mixture | None:
        """Two groups in several columns of bounded numbers: in each the bumps of section 7.3 of Rubinstein & Aldà (2017)."""
        bounds = [column.bounds for column in columns if column.bounds is not None and column.categories is None]
        if len(columns) < 2 or len(bounds) < len(columns):
            return None
        return cls(tuple(_group(bounds, *at) for at in zip(_CENTRES, _SPREADS, strict=True)), _WEIGHTS)

    @property
    def draws_missing(self) -> bool:
        """Where a part does."""
        return any(part.draws_missing is True for part in self.parts)

    @property
    def draws_fields(self) -> bool:
        """Where its parts do."""
        return all(part.draws_fields for part in self.parts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where each part does."""
        return all(fits(part, columns) for part in self.parts)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        drawn = [part.draw(databases, records, rng=rng) for part in self.parts]
        if any(one.shape != drawn[0].shape or one.dtype.names != drawn[0].dtype.names for one in drawn):
            raise InvalidValueError("parts", "oracles of the same columns", [one.shape[2:] for one in drawn])
        which = drawn_codes(self.weights, rng.random((databases, records)))
        mixed = np.empty(drawn[0].shape, dtype=np.result_type(*drawn))
        for j, one in enumerate(drawn):
            mixed[which == j] = one[which == j]
        return mixed


def _group(bounds: list[tuple[float, float]], centre: float, spread: float) -> Product:
    """Normal columns around a place between their bounds, clipped to these."""
    return Product(tuple(Normal(low + centre * (high - low), spread * (high - low), (low, high)) for low, high in bounds))
