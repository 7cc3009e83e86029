"""Distributions of one column of categories or texts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray, Inverse
from dpcore.base.bounds import Interval
from dpcore.base.checks import categories, numbers, set_fields, share
from dpcore.base.columns import ONE_NUMBER_OR_CATEGORY, ONE_TEXT, Column, Slots, of_numbers, of_text
from dpcore.base.installation import needs
from dpcore.base.types import Oracle, jump
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True)
class Bernoulli(Oracle):
    """Independent records that are 1 or 0, such as yes or no.

    Args:
        p: Probability of 1, above 0 and below 1.

    Raises:
        InvalidValueError: If ``p`` is out of range.

    Examples:
        >>> from dpcore import oracles
        >>> oracles.Bernoulli(0.25).chances
        {0.0: 0.75, 1.0: 0.25}
    """

    p: float = field(metadata={"label": "Share of ones"})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    named_after_somebody: ClassVar[bool] = True
    support: ClassVar[Interval] = (0.0, 1.0)

    def __post_init__(self) -> None:
        set_fields(self, p=share("p", self.p))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Bernoulli | None:
        """Return equal chances for a column with the categories 0 and 1, otherwise None."""
        return cls(0.5) if columns[0].categories == (0.0, 1.0) else None

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        """Return simulated databases, shape (databases, records)."""
        return (rng.random((databases, records)) < self.p).astype(np.float64)

    @property
    def chances(self) -> dict[float, float]:
        """P(0) = 1 − p and P(1) = p."""
        return {0.0: 1 - self.p, 1.0: self.p}

    def difference_cdf(self, d: FloatArray, /) -> FloatArray:
        """Return P(|x − x'| <= d): P(x = x') = 1 − 2p(1 − p) below d = 1, and then 1."""
        return jump(1 - 2 * self.p * (1 - self.p), 1.0)(d)

    def inverse(self, u: FloatArray, /) -> FloatArray:
        """Return F⁻¹(u) = 0 for u <= 1 − p, otherwise 1."""
        return (u > 1 - self.p).astype(np.float64)


@final
@dataclass(frozen=True)
class Categorical(Oracle):
    """Independent records in one of several categories.

    A record is the code j = 0, 1, … of its category, or its text if ``categories`` are given.

    Args:
        p: Probability of each category; they sum to 1.
        categories: Different texts, one for each probability, or None.

    Raises:
        InvalidValueError: If an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> blood = oracles.Categorical((0.45, 0.4, 0.1, 0.05), ("O", "A", "B", "AB"))
        >>> blood.draw(1, 3, rng=np.random.default_rng(1))
        array([['A', 'AB', 'O']], dtype='<U2')
    """

    p: tuple[float, ...] = field(metadata={"label": "Shares", "title": "Shares of the categories"})
    categories: tuple[str, ...] | None = field(default=None, metadata={"declared": True})
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY

    def __post_init__(self) -> None:
        p = checked_shares("p", self.p)
        texts = None
        if self.categories is not None:
            texts = tuple(item for item in categories("categories", self.categories) if isinstance(item, str))
            if len(texts) != len(p):
                raise InvalidValueError("categories", f"{len(p)} different texts, one a share", self.categories)
        set_fields(self, p=p, categories=texts)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Categorical | None:
        """Return equal shares for a column of texts with categories, or with the codes 0, 1, …; otherwise None."""
        known = columns[0].categories or ()
        even = (1 / max(1, len(known)),) * len(known)
        texts = tuple(item for item in known if isinstance(item, str))
        if texts:
            return cls(even, texts)
        return cls(even) if known and known == tuple(map(float, range(len(known)))) else None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether it is one column, of texts if it draws texts."""
        return len(columns) == 1 and (of_numbers if self.categories is None else of_text)(columns[0])

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, shape (databases, records)."""
        codes = draw_codes(self.p, rng.random((databases, records)))
        return codes.astype(np.float64) if self.categories is None else np.array(self.categories)[codes]

    @property
    def support(self) -> Interval | None:
        """The first and the last code; None for texts."""
        return (0.0, len(self.p) - 1.0) if self.categories is None else None

    @property
    def chances(self) -> dict[float, float] | dict[str, float]:
        """P(j) = p[j]."""
        if self.categories is not None:
            return dict(zip(self.categories, self.p, strict=True))
        return {float(code): p for code, p in enumerate(self.p)}

    @property
    def inverse(self) -> Inverse | None:
        """F⁻¹(u), the first code j with p[0] + … + p[j] >= u; None for texts."""
        return self._inverse if self.categories is None else None

    def _inverse(self, u: FloatArray) -> FloatArray:
        return np.searchsorted(_cumulative_shares(self.p), u, side="left").astype(np.float64)


def checked_shares(name: str, value: object, *, above_0: bool = False) -> tuple[float, ...]:
    """Return numbers of at least 0, or above 0, that sum to 1; InvalidValueError for others."""
    shares = numbers(name, value)
    if min(shares) < 0 or (above_0 and min(shares) == 0) or abs(math.fsum(shares) - 1) > 1e-9:
        raise InvalidValueError(name, f"shares {'above' if above_0 else 'of at least'} 0 that sum to 1", shares)
    return shares


def draw_codes(weights: tuple[float, ...], u: FloatArray) -> NDArray[np.int64]:
    """Return the code j = 0, 1, … that each uniform number draws: j with probability weights[j]/Σ weights.

    Args:
        weights: Numbers of at least 0, with a sum above 0.
        u: Uniform numbers from 0 up to 1, of any shape.

    Returns:
        Codes, of the shape of ``u``.
    """
    return np.searchsorted(_cumulative_shares(weights), u, side="right")


def _cumulative_shares(weights: tuple[float, ...]) -> FloatArray:
    steps = np.cumsum(weights)
    return np.asarray(steps / steps[-1])  # the last is exactly 1, so every uniform number has a code


@final
@dataclass(frozen=True)
class Names(Oracle):
    """Independent full names of people in the United States, such as "Mary Smith".

    P(first, last) = ½·(female(first) + male(first))·all(last), with the shares of the 1990 U.S. census as the PyPI package
    ``names`` has them, divided by the share that its tables cover (about 90%): Smith has 1.006/90.483.

    Raises:
        ModuleNotFoundError: At the first draw, if the package ``names`` is not installed.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> oracles.Names().draw(1, 2, rng=np.random.default_rng(1)).shape
        (1, 2)
    """

    independent_records: ClassVar[bool] = True
    takes: ClassVar[Slots] = ONE_TEXT
    extra: ClassVar[str] = "names"

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Names:
        """Return the oracle for a column of texts."""
        return cls()

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, shape (databases, records), always of the same text width."""
        (firsts, first_steps), (lasts, last_steps) = _name_tables()
        first = np.searchsorted(first_steps, rng.random((databases, records)), side="right")
        last = np.searchsorted(last_steps, rng.random((databases, records)), side="right")
        return np.strings.add(firsts[first], lasts[last])


@cache
def _name_tables() -> tuple[tuple[Database, FloatArray], tuple[Database, FloatArray]]:
    """Return first names, with a blank after each, and last names, both with cumulative shares that end at 1."""
    female, female_steps = _name_table("dist.female.first")
    male, male_steps = _name_table("dist.male.first")
    firsts = np.strings.add(np.concatenate([female, male]), " ")
    return (firsts, np.concatenate([female_steps, 1 + male_steps]) / 2), _name_table("dist.all.last")


def _name_table(file: str) -> tuple[Database, FloatArray]:
    """Return the names of a file and their cumulative shares.

    A line has a name, its percentage, the cumulative percentage and the rank. Percentages are rounded to thousandths, which
    makes those of 70,000 rare last names (11% of people) 0. So the cumulative percentages are used, and names with the same
    one share its step evenly.
    """
    from importlib import resources  # takes a tenth of the time of importing dpcore

    with needs(Names.extra):
        text = resources.files("names").joinpath(file).read_text(encoding="ascii")
    lines = [line.split() for line in text.splitlines()]
    percentages = np.array([float(line[2]) for line in lines])
    ends = np.flatnonzero(np.diff(percentages, append=np.inf))
    steps = np.interp(np.arange(len(lines)), ends, percentages[ends])
    return np.array([line[0].capitalize() for line in lines]), steps / steps[-1]
