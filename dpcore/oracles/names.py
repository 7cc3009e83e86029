"""Independent full names of people in the United States."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.extras import needs
from dpcore.base.slots import ONE_TEXT, Slots
from dpcore.base.types import Database, FloatArray, Oracle


@final
@dataclass(frozen=True, slots=True)
class Names(Oracle):
    """Records "First Last", half with a female first name and half with a male one, the last name independent of it.

    P(first, last) = ½·(female(first) + male(first))·all(last), with the shares of the 1990 U.S. census as the PyPI package
    ``names`` holds them, divided by what its tables cover (about 90 %): Smith is 1.006/90.483 of all.
    """

    independent_records: ClassVar[bool] = True
    takes: ClassVar[Slots] = ONE_TEXT
    extra: ClassVar[str] = "names"

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Names:
        """For a column of text."""
        return cls()

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """-> (databases, records), of one dtype whatever was drawn."""
        (firsts, first_steps), (lasts, last_steps) = _tables()
        first = np.searchsorted(first_steps, rng.random((databases, records)), side="right")
        last = np.searchsorted(last_steps, rng.random((databases, records)), side="right")
        return np.strings.add(firsts[first], lasts[last])


@cache
def _tables() -> tuple[tuple[Database, FloatArray], tuple[Database, FloatArray]]:
    """First names, each with a blank after it, and last names; each with its cumulative shares, which end at 1."""
    female, female_steps = _table("dist.female.first")
    male, male_steps = _table("dist.male.first")
    firsts = np.strings.add(np.concatenate([female, male]), " ")
    return (firsts, np.concatenate([female_steps, 1 + male_steps]) / 2), _table("dist.all.last")


def _table(file: str) -> tuple[Database, FloatArray]:
    """Names and their cumulative shares.

    A line holds a name, its percentage, the cumulative percentage, and the rank. The percentages are rounded to thousandths,
    70,000 rare last names (11 % of people) to 0; so the cumulative ones are used, and names that share a step share it evenly.
    """
    with needs(Names.extra):
        text = resources.files("names").joinpath(file).read_text(encoding="ascii")
    lines = [line.split() for line in text.splitlines()]
    percentages = np.array([float(line[2]) for line in lines])
    ends = np.flatnonzero(np.diff(percentages, append=np.inf))
    steps = np.interp(np.arange(len(lines)), ends, percentages[ends])
    return np.array([line[0].capitalize() for line in lines]), steps / steps[-1]
