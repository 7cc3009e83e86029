"""How often each letter occurs: scores for the most frequent one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import whole
from dpcore.base.columns import ONE_TEXT, Column, Slots
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.text import counted
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import Numbers, short
from dpcore.targets.columns import Places, whole_sums
from dpcore.targets.proved import N, proved, raised, removed

_MOST_LETTERS = 10**6  # of one record
_LARGEST_ALPHABET = 1_000
_AT_ONCE = 2**20  # letters of many records, or counts of them
_SCALES = {L1: 2.0, L2: 2.0**0.5, LINF: 1.0, RANGE: 2.0}


_CASE = {
    "title": "Capitals",
    "choices": {False: "Are letters of their own, as in diffpriv's example", True: "Count as small letters"},
}
_LONGEST = {
    "label": "Longest row",
    "title": "Letters that count of one row",
    "min": 1,
    "words": "number of letters that count",
    "empty": "all: without a limit there is no finite worst case",
}


@final
@dataclass(frozen=True, slots=True)
class LetterCounts(Target):
    """f(D)_c = how often the letter c occurs in all records together; records are strings (n,), scores (letters,).

    Args:
        alphabet: The letters.
        ignore_case: Whether a capital counts as its small letter, and the reverse. By default each letter counts only as it is in
            the alphabet, as in the example of diffpriv. The worst case is the same.
        longest: Number of first characters of a record that count, which gives a worst case; None counts all.
    """

    alphabet: str = field(default="abcdefghijklmnopqrstuvwxyz", metadata={"label": "Letters"})
    ignore_case: bool = field(default=False, metadata=_CASE)
    longest: int | None = field(default=None, metadata=_LONGEST)
    takes: ClassVar[Slots] = ONE_TEXT
    place: ClassVar[int] = 3
    whole_numbers: ClassVar[bool] = True  # every answer is one
    accepts_missing: ClassVar[bool] = True  # the empty text has no letters
    regardless_of_n: ClassVar[bool] = True
    scores: ClassVar[bool] = True  # of the letters, one of which is to be picked

    def __post_init__(self) -> None:
        if not isinstance(self.alphabet, str) or len(self.alphabet) < 2 or "\0" in self.alphabet:
            raise InvalidValueError("alphabet", "a text of at least two letters", self.alphabet)
        if len(self.alphabet) > _LARGEST_ALPHABET:
            raise InvalidValueError("alphabet", f"of at most {_LARGEST_ALPHABET:,} letters", len(self.alphabet))
        if not isinstance(self.ignore_case, bool):
            raise InvalidValueError("ignore_case", "true or false", self.ignore_case)
        folded = self.alphabet.lower() if self.ignore_case else self.alphabet
        if len(set(folded)) != len(self.alphabet):
            raise InvalidValueError("alphabet", "made of distinct letters", self.alphabet)
        if self.longest is not None:
            if whole("longest", self.longest) > _MOST_LETTERS:
                raise InvalidValueError("longest", f"at most {_MOST_LETTERS:,}", self.longest)
            object.__setattr__(self, "longest", int(self.longest))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> LetterCounts:
        """The letters a to z of a column of text."""
        return cls()

    @property
    def candidates(self) -> tuple[str, ...]:
        """What the scores belong to."""
        return tuple(self.alphabet)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A count a letter, without a unit."""
        return Numbers(short(self.candidates))

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The counts of each group: (n, ...) -> (groups, counts)"""
        return whole_sums(self.contribution(database, len(database)), places, groups)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        if records.ndim != 1 or records.dtype.kind != "U":
            raise InvalidValueError("records", "strings, one a row", (str(records.dtype), records.shape))
        counts = np.empty((len(records), len(self.alphabet)))
        step = max(1, _AT_ONCE // max(records.dtype.itemsize // 4, len(self.alphabet) + 1))
        for start in range(0, len(records), step):
            counts[start : start + step] = self._counts(records[start : start + step])
        return counts

    def _counts(self, records: Database) -> FloatArray:
        """(b,) -> (b, letters)"""
        size, width = len(self.alphabet), records.dtype.itemsize // 4
        codes = np.ascontiguousarray(records, dtype=f"=U{width}").view(np.uint32).reshape(len(records), width)[:, : self.longest]
        letters = _letter_of_code(self.alphabet, self.ignore_case).take(codes, mode="clip")  # a code beyond all is no letter
        places = np.arange(len(records))[:, None] * (size + 1) + letters  # column 0 for what is no letter
        counts = np.bincount(places.ravel(), minlength=len(records) * (size + 1))
        return counts.reshape(len(records), size + 1)[:, 1:].astype(np.float64)

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """2·longest in L1 and RANGE, √2·longest in L2, longest in L∞ (mathematics, section 10.3); None for records of any length.

        None too where all letters together, n·longest, may be more than floats count exactly.
        """
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        if self.longest is None or n * self.longest > MOST_RECORDS or norm not in _SCALES:
            return None
        letters = counted(self.longest, " letters")
        proof = f"A row has at most {letters}: taking it out and putting another in moves that many each."
        return proved(self, np.nextafter(_SCALES[norm] * self.longest, np.inf), (0.0,), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a text gets lost, or is found: longest in every norm (mathematics, section 10.3); None as above."""
        if self.longest is None or n * self.longest > MOST_RECORDS or norm not in _SCALES:
            return None
        return raised(float(self.longest), (0.0,), n)


@lru_cache(maxsize=4)
def _letter_of_code(alphabet: str, ignore_case: bool) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """For each code point the letter's place from 1, or 0."""
    places = np.zeros(0x110000, dtype=np.int32)
    for fold in (str, str.lower, str.upper) if ignore_case else (str,):
        for place, letter in enumerate(alphabet, 1):
            form = fold(letter)
            if len(form) == 1 and not places[ord(form)]:  # a form that two letters share is the first one's
                places[ord(form)] = place
    return places
