"""Scores of candidates for selection: those of a plain function, and how often each letter occurs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.checks import checked_candidates, set_fields, whole
from dpcore.base.columns import ONE_TEXT, Column, Slots
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.text import counted
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import Numbers, short
from dpcore.targets.columns import SumOfRecords
from dpcore.targets.proved import raised


@final
@dataclass(frozen=True)
class Scores(Target):
    """A plain function that scores candidates, the largest score being the best, for the exponential mechanism.

    Args:
        function: From a read-only database to the scores, (candidates,).
        candidates: At least two different texts or numbers.

    Raises:
        InvalidValueError: If ``function`` cannot be called, or the candidates are of another form.

    Examples:
        >>> import numpy as np
        >>> from dpcore.targets import Scores
        >>> votes = Scores.of(lambda database: [(database == name).sum() for name in ("ann", "bob")], ("ann", "bob"))
        >>> votes(np.array(["ann", "bob", "ann"]))
        array([2., 1.])
    """

    function: Callable[[Database], Any]
    candidates: tuple[str | float, ...]
    scores: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidValueError("function", "a function of a database that returns a score for each candidate", self.function)
        set_fields(self, candidates=checked_candidates(self.candidates))

    @classmethod
    def of(cls, function: Callable[[Database], Any], candidates: Iterable[str | float]) -> Scores:
        """Return the target of a plain function and its candidates."""
        return cls(function, tuple(candidates))

    @property
    def numbers(self) -> int:
        """One score for each candidate."""
        return len(self.candidates)

    def __call__(self, database: Database, /) -> FloatArray:
        scores = np.asarray(self.function(database), dtype=np.float64)
        if scores.shape != (len(self.candidates),):
            raise ValueError(f"the function returned an array of shape {scores.shape} for {len(self.candidates):,} candidates")
        return scores


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
    "empty": "all: without a limit the worst case is infinite",
}


@final
@dataclass(frozen=True, slots=True)
class LetterCounts(SumOfRecords):
    """How often each letter occurs in all records together: texts (n,) -> (letters,).

    Args:
        alphabet: The letters.
        ignore_case: Whether a capital counts as its small letter, and the reverse. By default each letter counts only as it is in
            the alphabet, as in the example of diffpriv. The worst case is the same.
        longest: Number of first characters of a record that count, which gives a worst case; None counts all.

    Raises:
        InvalidValueError: If the alphabet repeats a letter or has fewer than two, or another argument is out of range.

    Examples:
        >>> import numpy as np
        >>> LetterCounts("abc", longest=4)(np.array(["cab", "banana"]))
        array([3., 2., 1.])
    """

    alphabet: str = field(default="abcdefghijklmnopqrstuvwxyz", metadata={"label": "Letters"})
    ignore_case: bool = field(default=False, metadata=_CASE)
    longest: int | None = field(default=None, metadata=_LONGEST)
    takes: ClassVar[Slots] = ONE_TEXT
    place: ClassVar[int] = 3
    whole_numbers: ClassVar[bool] = True
    whole_parts: ClassVar[bool] = True
    accepts_missing: ClassVar[bool] = True  # the empty text has no letters
    regardless_of_n: ClassVar[bool] = True
    scores: ClassVar[bool] = True  # of the letters, one of which is selected

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
            set_fields(self, longest=whole("longest", self.longest))
            if self.longest > _MOST_LETTERS:
                raise InvalidValueError("longest", f"at most {_MOST_LETTERS:,}", self.longest)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> LetterCounts:
        """Return the member for the letters a to z."""
        return cls()

    @property
    def candidates(self) -> tuple[str, ...]:
        """The letters."""
        return tuple(self.alphabet)

    @property
    def proof(self) -> str:
        """Why a replaced record moves the answer by no more than ``worst_case``."""
        letters = counted(self.longest or 0, " letters")
        return f"A row has at most {letters}: taking it out and putting another in moves that many each."

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a count for each letter, without a unit."""
        return Numbers(short(self.candidates))

    def parts(self, records: Database, /) -> FloatArray:
        """Return how often each letter occurs in each record: (b,) -> (b, letters)."""
        if records.ndim != 1 or records.dtype.kind != "U":
            raise InvalidValueError("records", "strings, one a row", (str(records.dtype), records.shape))
        counts = np.empty((len(records), len(self.alphabet)))
        step = max(1, _AT_ONCE // max(records.dtype.itemsize // 4, len(self.alphabet) + 1))
        for start in range(0, len(records), step):
            counts[start : start + step] = self._counts(records[start : start + step])
        return counts

    def _counts(self, records: Database) -> FloatArray:
        size, width = len(self.alphabet), records.dtype.itemsize // 4
        codes = np.ascontiguousarray(records, dtype=f"=U{width}").view(np.uint32).reshape(len(records), width)[:, : self.longest]
        letters = _letter_of_code(self.alphabet, self.ignore_case).take(codes, mode="clip")  # the last code is 0, too
        places = np.arange(len(records))[:, None] * (size + 1) + letters  # column 0 counts other characters
        counts = np.bincount(places.ravel(), minlength=len(records) * (size + 1))
        return counts.reshape(len(records), size + 1)[:, 1:].astype(np.float64)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2·longest in L1 and RANGE, √2·longest in L2, longest in L∞ (mathematics, section 10.3).

        None for records of any length, and if n·longest is more than floats count exactly.
        """
        return self._raised(math.nextafter(_SCALES[norm] * self._limit, math.inf), n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return longest, in every norm (mathematics, section 10.3); None as above."""
        return self._raised(self._limit, n)

    def _raised(self, value: float, n: int) -> float | None:
        return None if n * self._limit > MOST_RECORDS else raised(value, (0.0,), n)

    @property
    def _limit(self) -> float:
        return math.inf if self.longest is None else float(self.longest)


@lru_cache(maxsize=4)
def _letter_of_code(alphabet: str, ignore_case: bool) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return each code point's letter, counted from 1; 0 for other characters."""
    places = np.zeros(0x110000, dtype=np.int32)
    for fold in (str, str.lower, str.upper) if ignore_case else (str,):
        for place, letter in enumerate(alphabet, 1):
            form = fold(letter)
            if len(form) == 1 and not places[ord(form)]:  # a form that two letters share is the first one's
                places[ord(form)] = place
    return places
