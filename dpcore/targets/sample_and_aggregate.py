"""Any function of a table under pure DP: it is asked of blocks of the records, and a median of its answers is chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer, answer_of
from dpcore.answers.grouped import Grouped
from dpcore.answers.place import Place
from dpcore.base.bounds import Bounds, bounds_or_none, intervals
from dpcore.base.checks import named, numbers, set_fields, whole
from dpcore.base.declared import PERSON, Column
from dpcore.base.facts import SameAs, facts
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import RangeNorm, RangesNorm, ranges
from dpcore.base.slots import fits
from dpcore.base.types import Database, FloatArray, Target, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.dealt import places_of_blocks, rows_of_blocks
from dpcore.targets.median_scores import MOST_POINTS, grid, median_scores
from dpcore.targets.proved import N, proved

_POINTS = 1_001
_LEAST, _MOST = 1e-6, 1e6  # of a width
_BLOCKS_CHANGED = {  # by one replaced place, or one person (mathematics, section 20.1 and 20.3)
    Adjacency.REPLACE_ONE_RECORD: 1,
    Adjacency.ADD_OR_REMOVE_ONE_USER: 1,
    Adjacency.REPLACE_ONE_USER: 2,
}
_OF_PLACES = (
    "Neighbours are lists in which one place is replaced. Places were dealt to the blocks beforehand, so one block's answer "
    "changes"
)
_OF_PEOPLE = {
    1: "A person's block is that of the id, so one block's answer changes where somebody is added or removed",
    2: "A person's block is that of the id, so two blocks' answers change where somebody is replaced",
}


@final
@dataclass(frozen=True, slots=True)
class SampleAndAggregate:
    """Scores of public places for the median of what the target answers on each of k blocks; (n, …) -> (d·places,).

    The target is asked of each block by itself (Nissim, Raskhodnikova & Smith 2007; Smith 2011), and a mechanism that chooses
    picks a place near the median of its answers. One replaced record changes one block's answer, however far, so this is
    differential privacy itself for any target that remembers nothing from block to block (mathematics, section 20.1). Where the
    target fails on a block, or answers otherwise than with d finite numbers, the block counts nowhere.

    ``bounds`` are public, one interval for each of the d numbers; answers are clipped to them. Of one number a place is one of
    ``points`` between its bounds; of several it is a share of them, which ``on_their_scales`` turns into numbers. ``widths``:
    each number's share of the noise, all alike where it is None. ``person``: the field that tells whose a row is; then a person's
    rows lie in the block of the person's key. ``seed`` is public too.

        >>> from dpcore import Exponential, PureDP, targets
        >>> blocks = targets.SampleAndAggregate(targets.Mean((0.0, 20.0)), k=80, bounds=(0.0, 20.0))
        >>> chosen = Exponential.suited(blocks).calibrate(blocks.proved(500), PureDP(1.0))
        >>> chosen.release(np.full(500, 3.0)).guarantee
        PureDP(epsilon=1.0)
    """

    target: Target
    k: int = field(metadata={"label": "Blocks", "min": 2, "step": 1})
    bounds: Bounds
    widths: tuple[float, ...] | None = None
    person: str | None = None
    seed: int = 0
    points: int = _POINTS
    title: ClassVar[str] = "Sample and aggregate"
    scores: ClassVar[bool] = True
    only_to_choose: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    takes_fields: ClassVar[Any] = SameAs("target")
    takes: ClassVar[Any] = SameAs("target")
    columns: ClassVar[Any] = SameAs("target")

    def __post_init__(self) -> None:
        _check_target(self.target)
        own = person_of(self.target)
        if own is not None and own != self.person:
            raise InvalidValueError("person", f"{own}, the field that the target itself asks", self.person)
        if self.person is not None and not takes_fields(self.target):
            raise InvalidValueError("target", "a question about columns with names, where rows are of people", self.target)
        bounds = bounds_or_none("bounds", self.bounds)
        if bounds is None:
            raise InvalidValueError("bounds", "public bounds, one interval for each number that the target answers with", None)
        set_fields(
            self,
            k=whole("k", self.k, least=2),
            bounds=bounds,
            person=self.person if self.person is None else named("person", self.person),
            seed=whole("seed", self.seed, least=0),
            points=whole("points", self.points, least=2),
        )
        if self.seed >= 2**64:
            raise InvalidValueError("seed", "a whole number below 2⁶⁴", self.seed)
        if self.points > MOST_POINTS:
            raise InvalidValueError("points", f"at most {MOST_POINTS:,}", self.points)
        ranges(self.numbers)
        if self.widths is not None:
            widths = numbers("widths", self.widths)
            if len(widths) != self.numbers or not all(_LEAST <= width <= _MOST for width in widths):
                expected = f"{self.numbers}, one for each number, each from {_LEAST:g} to {_MOST:g}"
                raise InvalidValueError("widths", expected, self.widths)
            set_fields(self, widths=widths)

    @property
    def stands_for(self) -> Any:
        """What is asked of each block: a picker has its name."""
        return facts(self.target).stands_for or self.target

    @property
    def numbers(self) -> int:
        """How many numbers the target answers with, d."""
        return len(intervals(self.bounds))

    @property
    def groups(self) -> tuple[str, ...]:
        """The numbers, of which each has a place of its own; () of a single one."""
        return tuple(f"number {g}" for g in range(1, self.numbers + 1)) if self.numbers > 1 else ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The target's, and the one that tells whose a row is."""
        own: tuple[str, ...] = facts(self.target).fields
        return own if self.person is None else tuple(dict.fromkeys((*own, self.person)))

    @property
    def candidates(self) -> tuple[float, ...]:
        """The places: of one number between its bounds, of several in shares of theirs."""
        return tuple(self._grid.tolist())

    @property
    def norm(self) -> RangeNorm | RangesNorm:
        """That of the mechanism which chooses a place for each number."""
        return ranges(self.numbers)

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """A place on the scale of the target's answer; of several numbers one in shares of each number's bounds."""
        if self.numbers > 1:
            return Grouped(Place(("Share of its bounds",), ranked=False), self.groups)
        own = answer_of(self.target, columns)
        return Place(own.labels[:1], own.unit, ranked=False)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where the target's columns are followed by that of the people, if these are no column of its own."""
        if self.person is None or self.person in facts(self.target).fields:
            return fits(self.target, columns)
        named = bool(columns) and (columns[-1].name, columns[-1].role) == (self.person, PERSON)
        return named and fits(self.target, columns[:-1])

    def said_around(self, what: str, /) -> str:
        """What is asked of each block, with how its answers are made one."""
        whose = "" if self.person is None else " of whole people"
        scales = " and ".join(f"{low:g} to {high:g}" for low, high in intervals(self.bounds))
        shares = "" if self.widths is None else f", in shares of the noise of {', '.join(f'{width:g}' for width in self.widths)}"
        dealt = f"of each of {self.k:,} blocks{whose}, dealt by the number {self.seed}"
        return f"{what}, {dealt}; the median of their answers, from {scales}, on {self.points:,} places{shares}"

    def check_records(self, n: int) -> None:
        """InvalidValueError where there are more blocks than records, or people."""
        if self.k > n:
            raise InvalidValueError("k", f"at most {n:,}, as many blocks as there are rows or people", self.k)

    def __call__(self, database: Database, /) -> FloatArray:
        return self.scores_of(self.answers(database))

    def scores_of(self, answers: FloatArray, /) -> FloatArray:
        """The scores of all places for these answers, clipped: each number's over its width. (k, d) -> (d·places,)"""
        low, high = np.array(intervals(self.bounds)).T
        clipped = np.clip(answers, low, high)
        own = clipped if self.numbers == 1 else (clipped - low) / (high - low)
        parts = zip(own.T, self._widths, strict=True)
        return np.concatenate([median_scores(part, self._grid) / width for part, width in parts])

    def answers(self, database: Database, /) -> FloatArray:
        """What the target answers on each block, scaled to all records; NaN where it fails. (n, …) -> (k, d)"""
        missing = np.full(self.numbers, np.nan)
        return np.array([self._answer(block, times, missing) for block, times in self._blocks(database)])

    def on_their_scales(self, response: tuple[float, ...], /) -> FloatArray:
        """The numbers of a response, each in its own unit: (d,)."""
        low, high = np.array(intervals(self.bounds)).T
        return np.asarray(response if self.numbers == 1 else low + np.asarray(response) * (high - low), dtype=np.float64).ravel()

    def proved(self, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[Any]:
        """Its sensitivity for a table of n records, or people, in the norm of the mechanism that chooses.

        InvalidValueError where nothing is proved: for more blocks than records, and for records that are added or removed, for
        they shift the places of others.
        """
        usual = Adjacency.REPLACE_ONE_RECORD if self.person is None else Adjacency.ADD_OR_REMOVE_ONE_USER
        self.check_records(whole("n", n))
        found = self.global_sensitivity(self.norm, n, adjacency or usual)
        if found is None:
            expected = "that of a replaced row, or where a field says whose a row is that of a person, replaced or removed"
            raise InvalidValueError("adjacency", expected, adjacency or usual)
        return found

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """2·Σ 1/width in the ranges of all numbers added, for each block that changes (mathematics, section 20.2 and 20.3)."""
        n, changed = whole("n", n), _BLOCKS_CHANGED.get(adjacency)
        if changed is None or self.k > n or adjacency.of_records != (self.person is None) or norm != self.norm:
            return None
        of_places = _OF_PLACES if self.person is None else _OF_PEOPLE[changed]
        proof = f"{of_places}, and a changed answer moves the score of each place by at most 1, up or down."
        value = changed * math.fsum(2 / width for width in self._widths) * (1 + 2.0**-48)
        largest = [self.k / width for width in self._widths for _ in range(2 * changed)]
        return proved(self, value, largest, norm, n, proof, adjacency=adjacency)

    @property
    def _grid(self) -> FloatArray:
        return grid(intervals(self.bounds)[0] if self.numbers == 1 else (0.0, 1.0), self.points)

    @property
    def _widths(self) -> tuple[float, ...]:
        return self.widths or (1.0,) * self.numbers

    def _blocks(self, database: Database) -> Iterator[tuple[Database, float]]:
        """The records of each block, and by how much a sum over them is to be multiplied."""
        if self.person is not None:
            yield from ((rows, float(self.k)) for rows in rows_of_blocks(database, self.person, self.k, self.seed))
            return
        n = len(database)
        self.check_records(n)
        yield from ((database[places], n / len(places)) for places in places_of_blocks(n, self.k, self.seed))

    def _answer(self, block: Database, times: float, missing: FloatArray) -> FloatArray:
        """(d,), ``missing`` where there are no rows, and wherever the target fails or answers in another shape."""
        if not len(block):
            return missing
        block.flags.writeable = False
        try:
            with np.errstate(all="ignore"):
                answer = np.array(self.target(block), dtype=np.float64, ndmin=1)
                if facts(self.target).from_a_part == "in proportion":
                    answer = answer * times
        except Exception:
            return missing
        return answer if answer.shape == missing.shape and np.isfinite(answer).all() else missing


def of_blocks(target: Target, k: int, bounds: Bounds) -> SampleAndAggregate:
    """The target asked of so many blocks of rows."""
    return SampleAndAggregate(target, k, bounds)


def _check_target(target: object) -> None:
    """InvalidValueError for one that may remember, and for one that does not say how its answer goes from a part to all."""
    if not isinstance(target, Target):
        raise InvalidValueError("target", "a function of a table", target)
    if not (_of_the_catalogue(target) or facts(target).remembers_nothing is True):
        expected = (
            "of the catalogue, or a function that answers each block in a process of its own: one that keeps state from block to "
            "block would carry a row into the answers of others, and no guarantee would hold"
        )
        raise InvalidValueError("target", expected, target)
    if facts(target).from_a_part not in ("alike", "in proportion"):
        expected = (
            "one that says how its answer goes from a part of the rows to all, “alike” as a mean or “in proportion” as a sum; "
            "a maximum or a number of different values goes neither way"
        )
        raise InvalidValueError("target", expected, target)


def _of_the_catalogue(target: object) -> bool:
    """Whether it and all that it is made of are catalogue members: contract tests hold them to being functions of the records."""
    try:
        return isinstance(to_json(target), dict)
    except TypeError:
        return False
