"""What a target answers on blocks of the records, each by itself: one replaced place, or one person, changes one answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from dpcore.base.checks import named, set_fields, whole
from dpcore.base.declared import PERSON, Column
from dpcore.base.facts import SameAs, facts
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import RangeNorm, RangesNorm
from dpcore.base.slots import fits
from dpcore.base.types import Database, FloatArray, Target, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.dealt import places_of_blocks, rows_of_blocks, with_own_widths
from dpcore.targets.proved import N, proved

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


class AskedOfBlocks(ABC):
    """Scores of public candidates from what ``target`` answers on each of k blocks, to which a public ``seed`` deals the records.

    ``person``: the field that tells whose a row is; then a person's rows lie in the block of the person's key. A block on which
    the target fails, or answers otherwise than was stated, has the answer NaN. All that a mechanism sees hangs on these answers,
    of which a replaced place changes one (mathematics, section 20.1). Sets of blocks that overlap would take more calls and were
    found to gain little (mathematics, section 20.8).
    """

    __slots__ = ()
    target: Target
    k: int
    person: str | None
    seed: int
    scores: ClassVar[bool] = True
    only_to_choose: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52
    takes_fields: ClassVar[Any] = SameAs("target")
    takes: ClassVar[Any] = SameAs("target")
    columns: ClassVar[Any] = SameAs("target")

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """The scores of all candidates."""

    @property
    @abstractmethod
    def norm(self) -> RangeNorm | RangesNorm:
        """That of the mechanism which chooses."""

    @abstractmethod
    def _told(self, answer: FloatArray, times: float, /) -> FloatArray:
        """What a block's answer counts as, where a sum over the block is to be multiplied by ``times``; anything that is not
        ``_told_numbers`` finite numbers counts nowhere."""

    @property
    @abstractmethod
    def _told_numbers(self) -> int:
        """Of how many numbers that is."""

    @abstractmethod
    def _moved(self, changed: int, /) -> tuple[float, Sequence[float], str]:
        """How far the scores move in ``norm`` where so many answers change, how large those that move can be, and why."""

    @property
    def stands_for(self) -> Any:
        """What is asked of each block: a picker has its name."""
        return facts(self.target).stands_for or self.target

    @property
    def fields(self) -> tuple[str, ...]:
        """The target's, and the one that tells whose a row is."""
        own: tuple[str, ...] = facts(self.target).fields
        return own if self.person is None else tuple(dict.fromkeys((*own, self.person)))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Where the target's columns are followed by that of the people, if these are no column of its own."""
        if self.person is None or self.person in facts(self.target).fields:
            return fits(self.target, columns)
        named = bool(columns) and (columns[-1].name, columns[-1].role) == (self.person, PERSON)
        return named and fits(self.target, columns[:-1])

    def check_records(self, n: int) -> None:
        """InvalidValueError where there are more blocks than records, or people."""
        if self.k > n:
            raise InvalidValueError("k", f"at most {n:,}, as many blocks as there are rows or people", self.k)

    def answers(self, database: Database, /) -> FloatArray:
        """What the target's answer on each block counts as; NaN where it fails. (n, …) -> (k, d)"""
        missing, tried = np.full(self._told_numbers, np.nan), facts(self.target).tried
        if tried is None:
            return np.array([self._answer(block, times, missing) for block, times in self._blocks(database)])
        blocks = list(self._blocks(database))
        found = np.full((len(blocks), self._told_numbers), np.nan)
        for size in {len(block) for block, _ in blocks} - {0}:
            alike = [place for place, (block, _) in enumerate(blocks) if len(block) == size]
            answers, _ = tried(np.stack([blocks[place][0] for place in alike]))
            for place, answer in zip(alike, answers, strict=True):
                found[place] = self._counted(answer, blocks[place][1], missing)
        return found

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
        """What the scores move by, for each block that changes (mathematics, section 20.2, 20.3 and 20.7)."""
        n, changed = whole("n", n), _BLOCKS_CHANGED.get(adjacency)
        if changed is None or self.k > n or adjacency.of_records != (self.person is None) or norm != self.norm:
            return None
        value, largest, why = self._moved(changed)
        of_places = _OF_PLACES if self.person is None else _OF_PEOPLE[changed]
        return proved(self, value, largest, norm, n, f"{of_places}, and {why}.", adjacency=adjacency)

    def _check_blocks(self) -> None:
        """InvalidValueError for a target that may remember, and for blocks, people and a seed that cannot be."""
        _check_target(self.target)
        own = person_of(self.target)
        if own is not None and own != self.person:
            raise InvalidValueError("person", f"{own}, the field that the target itself asks", self.person)
        if self.person is not None and not takes_fields(self.target):
            raise InvalidValueError("target", "a question about columns with names, where rows are of people", self.target)
        person = self.person if self.person is None else named("person", self.person)
        set_fields(self, k=whole("k", self.k, least=2), person=person, seed=whole("seed", self.seed, least=0))
        if self.seed >= 2**64:
            raise InvalidValueError("seed", "a whole number below 2⁶⁴", self.seed)

    @property
    def _dealt(self) -> str:
        """In words, the blocks and who is in them."""
        whose = "" if self.person is None else " of whole people"
        return f"of each of {self.k:,} blocks{whose}, dealt by the number {self.seed}"

    def _blocks(self, database: Database) -> Iterator[tuple[Database, float]]:
        """The records of each block, and by how much a sum over them is to be multiplied."""
        if self.person is not None:
            yield from ((rows, float(self.k)) for rows in rows_of_blocks(database, self.person, self.k, self.seed))
            return
        n = len(database)
        self.check_records(n)
        yield from ((with_own_widths(database[places]), n / len(places)) for places in places_of_blocks(n, self.k, self.seed))

    def _answer(self, block: Database, times: float, missing: FloatArray) -> FloatArray:
        """(d,), ``missing`` where there are no rows, and wherever the target fails or answers in another shape."""
        if not len(block):
            return missing
        block.flags.writeable = False
        try:
            return self._counted(self.target(block), times, missing)
        except Exception:
            return missing

    def _counted(self, answer: object, times: float, missing: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            answer = self._told(np.array(answer, dtype=np.float64, ndmin=1), times)
        return answer if answer.shape == missing.shape and np.isfinite(answer).all() else missing


def _check_target(target: object) -> None:
    """InvalidValueError for what is no target, and for one that may remember."""
    if not isinstance(target, Target):
        raise InvalidValueError("target", "a function of a table", target)
    if not _of_the_catalogue(target):
        expected = (
            "of the catalogue: one that keeps state from block to block would carry a row into the answers of others, and no "
            "guarantee would hold"
        )
        raise InvalidValueError("target", expected, target)


def _of_the_catalogue(target: object) -> bool:
    """Whether it and all that it is made of are catalogue members: contract tests hold them to being functions of the records."""
    try:
        return isinstance(to_json(target), dict)
    except TypeError:
        return False
