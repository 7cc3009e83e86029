"""Which ε others chose: the facts of a public registry of deployments of differential privacy, with their unit and period."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, final

from dpcore.errors import InvalidValueError

FILE = Path(__file__).parents[2] / "data" / "deployments.json"
PROTECTED = {
    "event": "one event or row",
    "day": "a person's or device's day, or less",
    "month": "a person's month",
    "all": "a person or account, no period stated",
    "unsaid": "not stated",
}
"""What one ε is for, from the least to the most; ours, by the unit and the period that a record states."""
MODELS = ("Central", "Local", "Varies")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One record of the registry. ``protects``: a key of ``PROTECTED``; ``unit``: the registry's own word for it. Parameters that
    a record does not state are None: a zero-concentrated one often has ρ alone."""

    product: str
    organisations: tuple[str, ...]
    year: int
    epsilon: float | None
    delta: float | None
    rho: float | None
    variant: str | None
    model: str
    unit: str | None
    protects: str
    file: str
    commit: str

    def __post_init__(self) -> None:
        given = [value for value in (self.epsilon, self.delta, self.rho) if value is not None]
        if not all(value > 0 for value in given):
            raise InvalidValueError("parameters", "numbers above 0, or none", given)
        if self.protects not in PROTECTED or self.model not in MODELS:
            raise InvalidValueError("deployment", "a known unit and model", (self.protects, self.model))


@final
@dataclass(frozen=True, slots=True)
class Registered:
    """All records, in the order of their ε, and where and as of when (``as_of``, year and month) they are from."""

    records: tuple[Deployment, ...]
    name: str
    page: str
    licence: str
    as_of: str

    @property
    def with_epsilon(self) -> tuple[Deployment, ...]:
        """Those that state an ε, from the least to the largest."""
        return tuple(one for one in self.records if one.epsilon is not None)

    @property
    def epsilons(self) -> list[float]:
        """The ε that are stated, rising."""
        return [one.epsilon for one in self.records if one.epsilon is not None]

    @property
    def median(self) -> float:
        """Of the ε that are stated."""
        return median(self.epsilons)

    def protecting(self, what: str) -> tuple[Deployment, ...]:
        """Those with an ε for this, a key of ``PROTECTED``."""
        return tuple(one for one in self.with_epsilon if one.protects == what)


def read(text: str) -> Registered:
    """The records of the file; InvalidValueError for a value that none can have."""
    said: dict[str, Any] = json.loads(text)
    records = [Deployment(**one | {"organisations": tuple(one["organisations"])}) for one in said["records"]]
    source = said["source"]
    return Registered(tuple(records), *(source[key] for key in ("name", "page", "licence", "as_of")))


@cache
def registered() -> Registered:
    """What comes with the app."""
    return read(FILE.read_text(encoding="utf-8"))
