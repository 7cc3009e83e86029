"""Several numeric questions as one target: one run of draws, one ε and one γ for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import answer_of
from dpcore.answers.several import Several
from dpcore.base.checks import numbers, positive, whole
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import (
    Database,
    FloatArray,
    LatticeTarget,
    SteppedTarget,
    Target,
    asked_together,
    only_to_choose,
    person_of,
    takes_fields,
)
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.parts_together import METHODS, attempted, one_by_one, rows_of, size_of, ways_of
from dpcore.targets.proved import N, largest_in_shares, together

MOST_PARTS = 20
_TOTAL = "one that answers every table with finite numbers: change it, or ask without it"
_SAYS = "one that says by “numbers” how many numbers it answers with, or answers with one: change it, or ask without it"
_SECONDS_A_RECORD = 1e-7  # of a question that adds up records, measured on 2 shared cores


@final
@dataclass(frozen=True, slots=True)
class Together:
    """f(D) = (f₁(D)/b₁, …, f_q(D)/b_q), one after another; (n, ...) -> (d₁ + … + d_q,) (mathematics, section 19).

    ``parts``: 1 to 20 targets whose answers are numbers, all of the same records: all take whole records, or all are questions
    that name their columns (``On``), or all are about the same people (``Capped``). ``widths``: each part's share b_i of the
    noise, above 0 and public. Under Laplace noise of scale Δ/ε in L1, part i gets noise of scale b_i·Δ/ε in its own unit, and
    ``own`` gives it back in that unit: one ε and one γ for all answers, where a release each costs their sums.

    A sampled Δ̂ is that of all parts: where fewer pairs than γ move a part, it says nothing of that one, whose noise is then as
    small as its width. Alone its Δ̂ would be zero and refused; beside others give it no smaller width than its worst case.

    All parts are measured on the same pair of tables, by a way that every one of them has; never by the direct way. Where a
    part fails, or answers with another number of numbers than it says, InvalidValueError says which.
    """

    parts: tuple[Target, ...]
    widths: tuple[float, ...]
    title: ClassVar[str] = "Questions together"
    asks_together: ClassVar[bool] = True

    def __post_init__(self) -> None:
        given: object = self.parts
        if not isinstance(given, (list, tuple)):
            raise InvalidValueError("questions", "a sequence of targets", given)
        object.__setattr__(self, "parts", tuple(given))
        if not 1 <= len(self.parts) <= MOST_PARTS:
            raise InvalidValueError("questions", f"1 to {MOST_PARTS} at a time", len(self.parts))
        for place, part in enumerate(self.parts):
            self._check(place, part)
        widths = numbers("widths", self.widths)
        if len(widths) != len(self.parts):
            raise InvalidValueError("widths", f"one for each of the {len(self.parts)} questions", self.widths)
        widths = tuple(positive(f"width of {self.called(place)}", width) for place, width in enumerate(widths))
        object.__setattr__(self, "widths", widths)

    def _check(self, place: int, part: object) -> None:
        if not isinstance(part, Target) or asked_together(part):
            raise InvalidValueError(f"question {place + 1}", "a target, and no list of them", part)
        if isinstance(part, (SteppedTarget, LatticeTarget)) or only_to_choose(part):
            raise InvalidValueError(self.called(place), "one whose answer is numbers: no choice, no curve and no steps", part)
        if takes_fields(part) != takes_fields(self.parts[0]):
            expected = "like the first: all name their columns, or all take whole rows"
            raise InvalidValueError(self.called(place), expected, part)
        if person_of(part) != person_of(self.parts[0]):
            expected = "like the first about the people of the same column, or like it about rows"
            raise InvalidValueError(self.called(place), expected, person_of(part))

    def called(self, place: int) -> str:
        """What a sentence calls the question at a place: its number, what it is, and of which columns."""
        part: Any = self.parts[place]
        kind = type(facts(part).stands_for or part)
        name = str(facts(kind).title or kind.__name__) if isinstance(kind, type) else str(kind)
        columns = ", ".join(part.columns) if takes_fields(part) else ""
        return f"question {place + 1} ({name}{f' of {columns}' if columns else ''})"

    @property
    def takes_fields(self) -> bool:
        """Whether the questions name their columns."""
        return takes_fields(self.parts[0])

    @property
    def takes_missing(self) -> bool:
        """Where every part takes missing values."""
        return all(facts(part).takes_missing is True for part in self.parts)

    @property
    def regardless_of_n(self) -> bool:
        """Where no part's answer hangs on how many records there are."""
        return all(facts(part).regardless_of_n is True for part in self.parts)

    @property
    def person(self) -> str | None:
        """The field of the people that all questions are about; None where they are about records."""
        return person_of(self.parts[0])

    @property
    def fields(self) -> tuple[str, ...]:
        """Every column that a question reads, each once, and that of the people at the end."""
        names: list[str] = [name for part in self.parts for name in facts(part).fields if name != self.person]
        return tuple(dict.fromkeys(names + ([] if self.person is None else [self.person])))

    @property
    def ways(self) -> tuple[str, ...]:
        """Which of the methods below every part makes possible: what a part adds up can stand in for a pair and a batch."""
        have = [ways_of(part) for part in self.parts]
        return tuple(way for way in METHODS if all(way in own or "additive" in own for own in have))

    @property
    def relative_resolution(self) -> float:
        """Those of the parts added: relative to the largest number of all, so the rounding of all of them is below it."""
        return math.fsum(float(facts(part).relative_resolution) for part in self.parts)

    @property
    def seconds(self) -> Callable[[int], float] | None:
        """About how long a call takes on n records; parts that do not say add up records. None where no part says."""
        stated: list[Any] = [part for part in self.parts if facts(part).seconds is not None]
        if not stated:
            return None
        rest = len(self.parts) - len(stated)
        return lambda n: math.fsum(part.seconds(n) for part in stated) + rest * _SECONDS_A_RECORD * n

    @property
    def numbers(self) -> int:
        """How many numbers the answer has, where every part says."""
        return sum(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many numbers each part answers with: as it says, else one a candidate and group that it names, else one."""
        return tuple(size_of(part) for part in self.parts)

    def columns_of(self, columns: tuple[Column, ...]) -> tuple[tuple[Column, ...], ...]:
        """Each question's own columns, out of those of all."""
        of = {column.name: column for column in columns}
        return tuple(tuple(of[name] for name in facts(part).fields or of) for part in self.parts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where these are its columns in order, and each question fits its own."""
        if not self.takes_fields or tuple(column.name for column in columns) != self.fields:
            return False
        asked: list[tuple[Any, tuple[Column, ...]]] = list(zip(self.parts, self.columns_of(columns), strict=True))
        return all(part.fits(own) for part, own in asked)

    def answer(self, columns: tuple[Column, ...], /) -> Several:
        """The parts' own answers, one after another."""
        asked = zip(self.parts, self.columns_of(columns), strict=True)
        return Several(tuple(answer_of(part, own) for part, own in asked), self.sizes, self.widths)

    def own(self, response: FloatArray, /) -> tuple[FloatArray, ...]:
        """A response as each part's own numbers, in its own unit: (d,) -> one (d_i,) a part.

        >>> import numpy as np
        >>> from dpcore import targets
        >>> both = targets.Together((targets.Mean((0.0, 1.0)), targets.Count(category=1.0)), widths=(0.5, 10.0))
        >>> [float(part[0]) for part in both.own(both(np.array([0.0, 1.0])))]
        [0.5, 1.0]
        """
        values = np.asarray(response, dtype=np.float64)
        if values.shape != (self.numbers,):
            expected = f"a vector of {self.numbers} numbers, as many as the questions say that they answer with"
            raise InvalidValueError("response", expected, values.shape)
        ends = np.cumsum(self.sizes)[:-1]
        return tuple(part * width for part, width in zip(np.split(values, ends), self.widths, strict=True))

    def __call__(self, database: Database, /) -> FloatArray:
        return self._joined(lambda part: np.atleast_1d(np.asarray(part(database), dtype=np.float64)))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, ...) -> (b, d)"""
        return self._joined(lambda part: rows_of(part.contribution(records, n), len(records)))

    def each(self, rows: Database, /) -> FloatArray:
        """Every person's own part of the answer: (rows,) -> (people, d)"""
        return self._joined(lambda part: np.asarray(part.each(rows), dtype=np.float64))

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """(b, n + 1, ...) -> (b, d), (b, d): without the last record, and without the last but one."""
        first, second = self._joined(lambda part: self._pair_of(part, extended))
        return first, second

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n, ...) -> (b, d)"""
        return self._joined(lambda part: self._batch_of(part, databases))

    @property
    def batch_of_people(self) -> Callable[[Iterable[Database]], FloatArray] | None:
        """Databases of people, b of any lengths -> (b, d), where a part answers many in one call; None where no part does."""
        known = any(facts(part).batch_of_people is not None for part in self.parts)
        return self._of_people if known else None

    def _of_people(self, databases: Iterable[Database]) -> FloatArray:
        held = [database.copy() for database in databases]  # each gives way to the next one
        for database in held:
            database.flags.writeable = False
        return self._joined(lambda part: (facts(part).batch_of_people or one_by_one(part))(held))

    def global_sensitivity(self, norm: N, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[N] | None:
        """The parts' own over their widths, added; less where no record can be in several of them (mathematics, section 19.2).

        In L1, L2 and L∞; None where a part has none, or does not say how large its answer can be (``largest``).
        """
        return together(self, norm, whole("n", n), adjacency)

    @property
    def largest(self) -> Callable[[int], tuple[float, ...]] | None:
        """How large each number can be, in its share; None where a part does not say."""
        if any(facts(part).largest is None for part in self.parts):
            return None
        return lambda n: largest_in_shares(self.parts, self.widths, n)

    def _pair_of(self, part: Any, extended: Database) -> FloatArray:
        """Both neighbours' answers: (2, b, d_i)."""
        if "pair" in ways_of(part):
            return np.stack([rows_of(answers, len(extended)) for answers in part.pair(extended)])
        added = self._contributions(part, extended, extended.shape[1] - 1)
        shared = added[:, :-2].sum(axis=1)
        return np.stack([shared + added[:, -2], shared + added[:, -1]])

    def _batch_of(self, part: Any, databases: Database) -> FloatArray:
        if "batch" in ways_of(part):
            return rows_of(part.batch(databases), len(databases))
        return np.asarray(self._contributions(part, databases, databases.shape[1]).sum(axis=1))

    def _contributions(self, part: Any, databases: Database, n: int) -> FloatArray:
        """What each record of each database adds, (b, records, d_i)."""
        records = databases.reshape(-1, *databases.shape[2:])
        records.flags.writeable = False
        return rows_of(part.contribution(records, n), len(records)).reshape(*databases.shape[:2], -1)

    def _joined(self, evaluate: Callable[[Any], FloatArray]) -> FloatArray:
        """The parts' answers, each over its width, on the last axis."""
        answers = []
        for place, (part, size, width) in enumerate(zip(self.parts, self.sizes, self.widths, strict=True)):
            answer, kind = attempted(evaluate, part)
            if answer is None:
                raise InvalidValueError(self.called(place), _TOTAL, kind)
            if not np.isfinite(answer).all():
                raise InvalidValueError(self.called(place), _TOTAL, "a number that is not finite")
            if answer.shape[-1] != size:
                raise InvalidValueError(self.called(place), _SAYS, f"{answer.shape[-1]} numbers where it says {size}")
            answers.append(answer / width)
        return np.concatenate(answers, axis=-1)


def in_shares(parts: tuple[Target, ...], widths: tuple[float, ...]) -> Together:
    """These questions together, each for its width of the noise."""
    return Together(parts, widths)
