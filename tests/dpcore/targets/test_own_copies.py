"""A block depends on its own records only: not on how wide the texts of others are, and not through the memory of the table.

A text column of an array is as wide as the longest text of the whole table, so a function that is given a slice of it reads the
length of a record that is in another block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from dpcore import per_user, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import SampleAndAggregate
from dpcore.targets.sample_and_aggregate import own_copy, places_of_blocks, rows_of_blocks
from tests.dpcore.targets.blocks import EPSILON, calibrated, worst_loss

N, K = 60, 20
BOUNDS = (0.0, 400.0)
SHORT, LONG = "ab", "a" * 80


@dataclass(frozen=True)
class Reading(Target):
    """A function that reads something of the block's array instead of the values of its records."""

    read: Callable[[Database], float]
    from_a_part: ClassVar[str] = "alike"
    accepts_structured: ClassVar[bool] = True

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([self.read(database)])


def _itemsize(database: Database) -> float:
    return float(database.dtype.itemsize)


def _field_width(database: Database) -> float:
    """The width of the first text, however deep."""
    kind = database.dtype
    while kind.names is not None:
        kind = kind[0].base
    return float(kind.itemsize)


def _strides(database: Database) -> float:
    return float(database.strides[0])


def _bytes(database: Database) -> float:
    return float(database.nbytes / len(database))


def _base(database: Database) -> float:
    """The size of the array that the block is a view of, and of what that is a view of."""
    size, one = 0.0, database.base
    while isinstance(one, np.ndarray):
        size, one = max(size, one.nbytes), one.base
    return size


def _description(database: Database) -> float:
    """All that the type says of itself."""
    kind = database.dtype
    return float(len(repr((kind, kind.descr, kind.metadata, kind.fields))))


def _writable(database: Database) -> float:
    """What is in memory of the array's own once it is made writable."""
    database.flags.writeable = True
    return _itemsize(database)


READS = (_itemsize, _field_width, _strides, _bytes, _base, _description, _writable)


def _texts(texts: list[str]) -> Database:
    return np.array(texts)


def _codes(texts: list[str]) -> Database:
    return np.array([text.encode() for text in texts])


def _fields(texts: list[str]) -> Database:
    names = np.array(texts)
    rows = np.empty(len(names), dtype=[("name", names.dtype), ("cost", float)])
    rows["name"], rows["cost"] = names, 1.0
    return rows


def _nested(texts: list[str]) -> Database:
    """A field with fields, one of which holds two texts a record."""
    names = np.array(texts)
    rows = np.zeros(len(names), dtype=[("who", [("name", names.dtype, (2,)), ("born", np.int16)]), ("cost", float)])
    rows["who"]["name"] = names[:, None]
    return rows


def _aligned(texts: list[str]) -> Database:
    """With gaps between the fields, a title and metadata that says how long the longest text is."""
    names = np.array(texts)
    kind = np.dtype([(("a title", "name"), names.dtype), ("yes", np.bool_), ("cost", float)], align=True)
    kind = np.dtype(kind, metadata={"longest": names.dtype.itemsize})
    rows = np.zeros(len(names), dtype=kind)
    rows["name"] = names
    return rows


def _selected(texts: list[str]) -> Database:
    """Two of three fields: a view with gaps as wide as the field between them."""
    names = np.array(texts)
    rows = np.zeros(len(names), dtype=[("short", "U2"), ("name", names.dtype), ("cost", float)])
    rows["name"] = names
    return rows[["short", "cost"]]


def _matrix(texts: list[str]) -> Database:
    """Two texts a record, one column behind the other in memory."""
    return np.array([texts, texts]).T


def _reversed(texts: list[str]) -> Database:
    """A view from the end."""
    return np.array(texts[::-1])[::-1]


TABLES = (_texts, _codes, _fields, _nested, _aligned, _selected, _matrix, _reversed)


def _blocks(read: Callable[[Database], float], person: str | None = None) -> SampleAndAggregate:
    return SampleAndAggregate(Reading(read), K, BOUNDS, person, points=401)


def _pair(made: Callable[[list[str]], Database]) -> tuple[Database, Database]:
    """Two neighbours: the first text is short, or the only long one."""
    return made([SHORT] * N), made([LONG, *[SHORT] * (N - 1)])


@pytest.mark.parametrize(("made", "read"), list(product(TABLES, READS)))
def test_one_longer_text_changes_one_block(made: Callable[[list[str]], Database], read: Callable[[Database], float]) -> None:
    one, other = _pair(made)
    blocks = _blocks(read)
    answers = blocks.answers(one), blocks.answers(other)
    assert np.isfinite(answers).all()
    changed = np.flatnonzero(answers[0] != answers[1])
    own = next(block for block, places in enumerate(places_of_blocks(N, K, 0)) if 0 in places)
    assert set(changed.tolist()) <= {own}


def test_slices_would_tell_more_than_epsilon() -> None:
    """What the tests above guard against: the answers of a width that all blocks have from the table."""
    one, other = _pair(_texts)
    blocks = _blocks(_itemsize)
    sliced = [
        blocks.scores_of(np.array([_itemsize(table[places]) for places in places_of_blocks(N, K, 0)])) for table in (one, other)
    ]
    assert worst_loss(calibrated(blocks, N).law, [(sliced[0], sliced[1])]) > 4 * EPSILON


def _people(longest: str) -> Database:
    ids = np.repeat(np.arange(N), 2)
    names = np.array([longest if one == 7 else SHORT for one in ids])
    rows = np.empty(len(ids), dtype=[("name", names.dtype)])
    rows["name"] = names
    return per_user(rows, ids)


@pytest.mark.parametrize("read", READS)
def test_one_longer_text_of_a_person_changes_one_block(read: Callable[[Database], float]) -> None:
    blocks = _blocks(read, person="person")
    one, other = _people(SHORT), _people(LONG)
    answers = blocks.answers(one), blocks.answers(other)
    assert (answers[0] != answers[1])[np.isfinite(answers[0])].sum() <= 1
    loss = worst_loss(calibrated(blocks, N, Adjacency.REPLACE_ONE_USER).law, [(blocks(one), blocks(other))])
    assert loss <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize("made", TABLES)
def test_a_copy_has_the_same_values_in_memory_of_its_own(made: Callable[[list[str]], Database]) -> None:
    table = made([*["", "é", "日本", LONG][: N if made is not _codes else 1], *[SHORT] * N])
    for places in (np.array([0]), np.array([0, 5, 6]), np.arange(len(table))):
        block = own_copy(table[places])
        np.testing.assert_equal(block.tolist(), table[places].tolist())
        assert type(block) is np.ndarray
        assert block.base is None
        assert block.flags.c_contiguous
        assert block.flags.owndata
        assert not np.shares_memory(block, table)
        assert block.dtype.metadata is None
        packed = block.dtype if block.dtype.names is None else np.dtype([(name, block.dtype[name]) for name in block.dtype.names])
        assert block.dtype == packed


def test_numbers_keep_their_type_and_their_missing_values() -> None:
    for table in (
        np.array([1.0, np.nan, -0.0, np.inf]),
        np.array([[1.0, np.nan], [2.0, 3.0]], order="F"),
        np.array([1, 2, 3], dtype=">i4"),
        np.array([True, False]),
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    ):
        block = own_copy(table)
        assert block.dtype == table.dtype
        np.testing.assert_array_equal(block, table)
        assert block.base is None


def test_texts_in_another_byte_order_stay_what_they_are() -> None:
    block = own_copy(np.array(["ab", "ü"], dtype=">U9"))
    assert block.tolist() == ["ab", "ü"]
    assert block.dtype == np.dtype(">U2")


def test_what_other_rows_may_share_is_refused() -> None:
    """Python objects; and an array with attributes of its own is copied as a plain one."""

    class Labelled(np.ndarray):
        longest = 80

    for shared in (np.array([SHORT, None], dtype=object), np.zeros(2, dtype=[("name", object)])):
        with pytest.raises(InvalidValueError, match="an array of rows of numbers or of texts"):
            own_copy(shared)
        with pytest.raises(InvalidValueError, match="an array of rows of numbers or of texts"):
            SampleAndAggregate(targets.Mean(), 2, BOUNDS)(shared)
    assert type(own_copy(np.array([SHORT]).view(Labelled))) is np.ndarray
    assert type(own_copy(np.ma.masked_array([1.0, 2.0], [True, False]))) is np.ndarray


@dataclass(frozen=True)
class Together(Reading):
    """One that could be asked of many blocks at once, and would see of each how wide the others are."""

    def tried(self, databases: Database, /) -> tuple[FloatArray, dict[int, str]]:
        raise AssertionError("blocks of a function that is none of the catalogue are handed over one by one")


def test_own_function_gets_one_block_a_call() -> None:
    one, _ = _pair(_texts)
    assert (SampleAndAggregate(Together(_itemsize), K, BOUNDS).answers(one) == 8.0).all()


def test_rows_of_people_are_copies_too() -> None:
    for block in rows_of_blocks(_people(LONG), "person", 5, 0):
        assert block.base is None
        assert block.dtype["name"].itemsize == 4 * max([1, *map(len, block["name"].tolist())])
