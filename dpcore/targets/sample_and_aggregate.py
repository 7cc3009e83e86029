"""Sample and aggregate: pure DP for a function of a table, by the median of its answers on blocks of the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, even_edges, interval
from dpcore.base.checks import named, set_fields, whole
from dpcore.base.columns import Column
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import RANGE
from dpcore.base.types import FunctionTarget, Target, as_target
from dpcore.errors import InvalidValueError, NoAnswerError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Place, answer_of
from dpcore.targets.proved import N, proved

_POINTS, _MOST_POINTS = 1_001, 100_001
_CHANGES = {  # the number of blocks that a neighbour changes, and why (mathematics, section 20.1 and 20.3)
    Adjacency.REPLACE_ONE_RECORD: (
        1,
        "Neighbours are lists in which one place is replaced. Places were dealt to the blocks beforehand, so one block's answer "
        "changes",
    ),
    Adjacency.ADD_OR_REMOVE_ONE_USER: (
        1,
        "A person's id determines the block, so adding or removing a person changes one block's answer",
    ),
    Adjacency.REPLACE_ONE_USER: (
        2,
        "A person's id determines the block, so replacing a person changes two blocks' answers",
    ),
}


@final
@dataclass(frozen=True, slots=True)
class SampleAndAggregate(Target):
    """Scores of public places for the median of the target's answers on k blocks; (n, …) -> (places,).

    The target answers on each block separately (Nissim, Raskhodnikova & Smith 2007; Smith 2011), and a selection mechanism picks
    a place near the median of the answers. One replaced record changes one block's answer, by any amount. So this is pure
    differential privacy for any target that depends on its block only (mathematics, section 20.1). A block on which the target
    fails, or gives anything but one finite number, has no answer: it is not counted.

    Contract tests check that targets of the catalogue depend on their block only. Your own function is evaluated twice, in two
    orders, and refused if an answer differs. This finds some functions that remember earlier blocks, and not all of them.

    Each block is a copy, and its texts are as wide as its own longest text, so it tells nothing of other records. **Missing
    values** (NaN, empty text) stay in the block as they are in the database, and the target decides what happens to them. Most
    targets with public bounds count NaN as the middle of the bounds. If the target gives NaN, the block is not counted.

    Args:
        target: A target that answers with one number, or a plain function. A target says how its answer goes from a part of the
            rows to all of them (``from_a_part``); a function's answers are used as they are.
        k: Number of blocks, at least 2.
        bounds: Public bounds that answers are clipped to.
        person: Field that says whose a row is. Then all rows of a person are in the block of the person's key.
        seed: Public number below 2⁶⁴ that deals the records to the blocks.
        points: Number of places between the bounds.

    Raises:
        InvalidValueError: If an argument is wrong.

    Examples:
        >>> import numpy as np
        >>> from dpcore import ExponentialMechanism, PureDP, SampleAndAggregate, targets
        >>> blocks = SampleAndAggregate(targets.Mean((0.0, 20.0)), k=80, bounds=(0.0, 20.0))
        >>> chosen = ExponentialMechanism.suited(blocks).calibrate(blocks.proved(500), PureDP(1.0))
        >>> chosen.release(np.full(500, 3.0)).guarantee
        PureDP(epsilon=1.0)
        >>> SampleAndAggregate(np.median, k=2, bounds=(0.0, 20.0)).answers(np.array([1.0, 1.0, 1.0]))
        array([1., 1.])
    """

    target: Target
    k: int = field(metadata={"label": "Blocks", "min": 2, "step": 1})
    bounds: Interval
    person: str | None = None
    seed: int = 0
    points: int = _POINTS
    title: ClassVar[str] = "Sample and aggregate"
    scores: ClassVar[bool] = True
    chooses: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        target, own_person = as_target(self.target), as_target(self.target).person
        if own_person is not None and own_person != self.person:
            raise InvalidValueError("person", f"{own_person}, the field of the target's question", self.person)
        if self.person is not None and not target.accepts_structured:
            raise InvalidValueError("target", "a question about columns with names, because rows are of people", target)
        if not isinstance(target, FunctionTarget) and target.from_a_part not in ("alike", "in proportion"):
            expected = (
                "one that says how its answer goes from a part of the rows to all, “alike” as a mean or “in proportion” as a "
                "sum; a maximum or a number of different values goes neither way"
            )
            raise InvalidValueError("target", expected, target)
        person = None if self.person is None else named("person", self.person)
        k, seed, points = whole("k", self.k, least=2), whole("seed", self.seed, least=0), whole("points", self.points, least=2)
        if seed >= 2**64 or points > _MOST_POINTS:
            raise InvalidValueError("seed, points", f"below 2⁶⁴, and at most {_MOST_POINTS:,}", (seed, points))
        set_fields(self, target=target, person=person, k=k, seed=seed, points=points, bounds=interval("bounds", self.bounds))

    @property
    def accepts_structured(self) -> bool:
        """The target's."""
        return self.target.accepts_structured

    @property
    def columns(self) -> tuple[str, ...]:
        """The target's."""
        return self.target.columns

    @property
    def candidates(self) -> tuple[float, ...]:
        """The places between the bounds; fewer if there are fewer floats between them."""
        return even_edges(self.bounds, self.points - 1)

    @property
    def condition(self) -> str:
        """The condition on a function of your own, which no test can check; empty for targets of the catalogue."""
        return "" if _is_catalogued(self.target) else "if the function depends on its block only"

    @property
    def stands_for(self) -> Any:
        """The target on each block, whose name a picker shows."""
        return self.target.stands_for or self.target

    @property
    def fields(self) -> tuple[str, ...]:
        """The target's fields, and the one that says whose a row is."""
        own: tuple[str, ...] = self.target.fields
        return own if self.person is None else tuple(dict.fromkeys((*own, self.person)))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether these are the target's columns."""
        return self.target.fits(columns)

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """Return its kind of answer: a place on the scale of the target's answer."""
        own = answer_of(self.target, columns)
        return Place(own.labels[:1], own.unit, ranked=False)

    def said_around(self, what: str, /) -> str:
        """Return a description of the target on blocks, and of the median of its answers."""
        whose, (low, high) = "" if self.person is None else " of whole people", self.bounds
        dealt = f"of each of {self.k:,} blocks{whose}, dealt by the number {self.seed}"
        return f"{what}, {dealt}; the median of their answers, from {low:g} to {high:g}, on {self.points:,} places"

    def check_records(self, n: int) -> None:
        """Raise InvalidValueError for more blocks than records, or users."""
        if self.k > n:
            raise InvalidValueError("k", f"at most {n:,}, as many blocks as there are rows or people", self.k)

    def __call__(self, database: Database, /) -> FloatArray:
        return self.scores_of(self.answers(database))

    def scores_of(self, answers: FloatArray, /) -> FloatArray:
        """Return the scores of all places for these answers, which are clipped: (k,) -> (places,)."""
        return median_scores(np.clip(answers, *self.bounds), np.array(self.candidates))

    def answers(self, database: Database, /) -> FloatArray:
        """Return the target's answer on each block, scaled to all records; NaN if it fails: (n, …) -> (k,).

        Raises:
            NoAnswerError: If a function of your own answers differently when it is evaluated again, in the other order.
        """
        blocks = self._blocks(database)
        if self.target.tried is not None and not self.condition:
            return self._tried(blocks)
        answers = [self._answer(block, times) for block, times in blocks]
        if self.condition:
            again = [self._answer(block, times) for block, times in reversed(self._blocks(database))]
            if not np.array_equal(answers, again[::-1], equal_nan=True):
                raise NoAnswerError("the function's answers depend on more than its block")
        return np.array(answers)

    def proved(self, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[Any]:
        """Return its sensitivity for a table of n records, or users, in the norm of selection mechanisms.

        Args:
            n: Number of records, or users.
            adjacency: The neighbours; by default a replaced record, or an added or removed user.

        Raises:
            InvalidValueError: If nothing is proved: for more blocks than records, and for records that are added or removed,
                because they shift the places of others.
        """
        self.check_records(whole("n", n))
        usual = Adjacency.REPLACE_ONE_RECORD if self.person is None else Adjacency.ADD_OR_REMOVE_ONE_USER
        found = self.global_sensitivity(RANGE, n, adjacency or usual)
        if found is None:
            expected = "that of a replaced row, or that of a replaced or removed person if a field says whose a row is"
            raise InvalidValueError("adjacency", expected, adjacency)
        return found

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """Return 2 for each block that changes (mathematics, section 20.2 and 20.3); None if nothing is proved."""
        n, change = whole("n", n), _CHANGES.get(adjacency)
        if change is None or self.k > n or adjacency.of_records != (self.person is None) or norm != RANGE:
            return None
        changed, why = change
        value, largest = changed * 2.0 * (1 + 2.0**-48), (float(self.k),) * (2 * changed)
        proof = f"{why}, if the target depends on its block only. A changed answer moves each score by at most 1, up or down."
        return proved(self, value, largest, norm, n, proof, adjacency=adjacency)

    def _blocks(self, database: Database) -> list[tuple[Database, float]]:
        """Return a copy of the records of each block, and the factor from a sum over them to one over all records."""
        if self.person is not None:
            return [(rows, float(self.k)) for rows in rows_of_blocks(database, self.person, self.k, self.seed)]
        n = len(database)
        self.check_records(n)
        return [(own_copy(database[places]), n / len(places)) for places in places_of_blocks(n, self.k, self.seed)]

    def _tried(self, blocks: list[tuple[Database, float]]) -> FloatArray:
        """Return the answers of a target that gets many blocks of one length and one type in one call."""
        found = np.full(len(blocks), np.nan)
        for length, kind in {(len(block), block.dtype) for block, _ in blocks if len(block)}:
            alike = [place for place, (block, _) in enumerate(blocks) if (len(block), block.dtype) == (length, kind)]
            answers, _ = self.target.tried(np.stack([blocks[place][0] for place in alike]))
            found[alike] = [self._scaled(answer, blocks[place][1]) for place, answer in zip(alike, answers, strict=True)]
        return found

    def _answer(self, block: Database, times: float) -> float:
        """Return the target's answer on a block, scaled to all records; NaN without rows, and if the target fails."""
        block.flags.writeable = False
        try:
            return self._scaled(self.target(block), times) if len(block) else np.nan
        except Exception:
            return np.nan

    def _scaled(self, answer: object, times: float) -> float:
        """Return an answer on a block, scaled to all records; NaN for anything but one finite number."""
        numbers = np.array(answer, dtype=np.float64, ndmin=1)
        with np.errstate(all="ignore"):
            scaled = numbers * (times if self.target.from_a_part == "in proportion" else 1.0)
        return float(scaled[0]) if scaled.shape == (1,) and np.isfinite(scaled[0]) else np.nan


def _is_catalogued(target: Target) -> bool:
    """Return whether it consists of catalogue members: contract tests check that these are functions of the records."""
    try:
        return isinstance(to_json(target), dict)
    except TypeError:
        return False


# Places of a list, and users, are dealt to blocks by public numbers only, before any record is seen.


@lru_cache(maxsize=8)
def places_of_blocks(n: int, k: int, seed: int) -> tuple[NDArray[np.int64], ...]:
    """Return the places 0, …, n − 1 of each of k blocks, in order; block sizes differ by one at most (mathematics, section 20.1).

    The places depend on n, k and the seed, and on no record, so replacing a record leaves every place in its block.

    Examples:
        >>> [len(places) for places in places_of_blocks(10, 3, seed=0)]
        [4, 3, 3]
    """
    order = np.argsort(_mixed(np.arange(n, dtype=np.uint64), seed), kind="stable")
    return tuple(np.sort(part) for part in np.array_split(order, k))


def rows_of_blocks(database: Database, person: str, k: int, seed: int) -> tuple[Database, ...]:
    """Return the rows of the users of each of k blocks, by the keys of their ids only (mathematics, section 20.3).

    Within a block, users are in the order of their keys, with codes 0, 1, … of the block, and texts are as wide as the longest of
    the block: nothing of a block depends on other blocks.
    """
    keys = database[person][users.KEY]
    block = (_mixed(keys, seed) % np.uint64(k)).astype(np.int64)
    order = np.lexsort((database[person][users.CODE], keys, block))
    ends = np.searchsorted(block[order], np.arange(k + 1))
    blocks = tuple(own_copy(database[order[start:end]]) for start, end in pairwise(ends.tolist()))
    for rows in blocks:
        rows[person][users.CODE] = users.contiguous(rows[person][users.CODE])
    return blocks


def own_copy(rows: Database) -> Database:
    """Return a copy of rows in new memory, with a type that depends on these rows only (mathematics, section 20.1).

    The array that they come from has text columns as wide as the longest text of the whole table. In the copy a column is as
    wide as the longest text of these rows. The copy is a plain array, contiguous, with no other array as its base, and its type
    has no titles, metadata or gaps between fields.

    Raises:
        InvalidValueError: For Python objects, which other rows may share.

    Examples:
        >>> own_copy(np.array(["ab", "a much longer text"])[:1]).dtype.itemsize  # 4 bytes a character
        8
    """
    if rows.dtype.hasobject:
        raise InvalidValueError("database", "an array of rows of numbers or of texts", rows.dtype)
    rows = np.asarray(rows)
    copy = np.zeros(rows.shape, dtype=_own_type(rows))
    copy[...] = rows
    return copy


def _own_type(rows: Database) -> np.dtype[np.generic]:
    """Return the narrowest type that holds all texts of these rows; other types without what is attached to them."""
    kind = rows.dtype
    if kind.names is not None:
        return np.dtype([(name, _own_type(rows[name]), rows[name].shape[rows.ndim :]) for name in kind.names])
    if kind.kind in "US":
        longest = int(np.strings.str_len(rows).max(initial=1))
        return np.dtype((kind.type, longest)).newbyteorder(kind.byteorder)
    return np.dtype(kind.str)


def _mixed(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return users.mixed(numbers + users.mixed(np.array([seed], dtype=np.uint64)))


def median_scores(answers: FloatArray, places: FloatArray) -> FloatArray:
    """Return s(r) = −max(0, N/2 − #{a <= r}, #{a < r} − N/2) for the N answers that are not NaN, each at its nearest place.

    Answers are between the first place and the last. One changed answer moves each score by at most 1, up or down (mathematics,
    section 20.2). Unlike ranks it tells a place on which all answers agree from any other. (k,), (places,) -> (places,)

    Examples:
        >>> median_scores(np.array([0.0, 0.5, 0.6]), np.array([0.0, 0.5, 1.0]))
        array([-0.5, -0. , -1.5])
    """
    known = answers[~np.isnan(answers)]
    above = np.clip(np.searchsorted(places, known), 1, len(places) - 1)
    nearest = above - (known - places[above - 1] < places[above] - known)
    counts = np.bincount(nearest, minlength=len(places))
    up_to, half = np.cumsum(counts), len(known) / 2
    return np.asarray(-np.maximum(0.0, np.maximum(half - up_to, up_to - counts - half)))
