"""Rows of people: whose each row is, whatever its id looks like and whoever else is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.users import CODE, KEY, MOST_ROWS, PERSON, check, count, mixed, per_user
from dpcore.errors import InvalidValueError


def _rows(n: int) -> Any:
    rows = np.zeros(n, dtype=[("x", float)])
    rows["x"] = np.arange(n)
    return rows


def _people(ids: Any) -> Any:
    return per_user(_rows(len(ids)), np.array(ids), person="who")


def _together(database: Any) -> list[list[float]]:
    return [database["x"][database["who"][CODE] == code].tolist() for code in range(count(database["who"]))]


def test_per_user_keeps_order_of_rows() -> None:
    database = _people(["b", "a", "b", "c", "a"])
    assert sorted(_together(database)) == [[0, 2], [1, 4], [3]]
    check(database["who"])
    assert not database.flags.writeable


@pytest.mark.parametrize(
    ("ids", "people"),
    [
        ([" a", "a ", "a", "A"], [[0, 1, 2], [3]]),
        ([1, 2, 1], [[0, 2], [1]]),
        ([1.0, np.nan, 1.0, np.nan], [[0, 2], [1], [3]]),
        (["", "a", " ", "a"], [[0], [1, 3], [2]]),
        (["1", "1.0"], [[0], [1]]),
        ([2**62, 2**62 + 1], [[0], [1]]),
        ([True, False], [[0], [1]]),
        ([], []),
    ],
)
def test_per_user_trims_ids_and_separates_missing_ones(ids: Any, people: list[list[float]]) -> None:
    database = per_user(_rows(len(ids)), np.array(ids or [], dtype=None if ids else "U1"), person="who")
    assert sorted(_together(database)) == sorted(people)


def test_key_depends_only_on_the_id() -> None:
    few, many = _people(["ab", "a"]), _people(["zzzzzzzz", "ab", "a", "q"])
    keys = [dict(zip(database["x"].tolist(), database["who"][KEY].tolist(), strict=True)) for database in (few, many)]
    assert (keys[0][0], keys[0][1]) == (keys[1][1], keys[1][2])
    assert len({*keys[1].values()}) == 4


def test_a_word_for_nobody_is_nobody_beside_blanks() -> None:
    database = per_user(_rows(5), np.array(["NA", "a", "", " NA ", "a"]), person="who", missing=" NA")
    assert sorted(_together(database)) == [[0], [1, 4], [2], [3]]


def test_texts_that_share_a_key_are_different_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcore.base.users.text_keys", lambda texts: np.zeros(len(texts), dtype=np.uint64))
    assert sorted(_together(_people(["b", "a", "b"]))) == [[0, 2], [1]]


def test_mixed_numbers_are_those_of_the_published_generator() -> None:
    # the first numbers of SplitMix64 from the seed 1234567, as its authors' C program prints them
    seeds = np.array([1234567], dtype=np.uint64) + np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert mixed(seeds).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def _broken(*codes: int) -> Any:
    people = np.zeros(len(codes), dtype=PERSON)
    people[CODE] = codes
    return people


@pytest.mark.parametrize("people", [_broken(1), _broken(0, 2), _broken(0, 1, 0), np.zeros(2)], ids=["1", "gap", "back", "none"])
def test_wrong_user_field_is_refused(people: Any) -> None:
    with pytest.raises(InvalidValueError, match="per_user"):
        check(people)


@pytest.mark.parametrize(
    ("rows", "ids", "person"),
    [
        (np.zeros(2), np.zeros(2), "who"),
        (_rows(2), np.zeros(3), "who"),
        (_rows(2), np.zeros(2), "x"),
        (_rows(2), np.array([object(), 1]), "who"),
        (np.broadcast_to(_rows(1), MOST_ROWS + 1), np.broadcast_to(0.0, MOST_ROWS + 1), "who"),
    ],
    ids=["no fields", "an id too many", "a name twice", "objects", "too many"],
)
def test_other_rows_are_refused_in_a_sentence(rows: Any, ids: Any, person: str) -> None:
    with pytest.raises(InvalidValueError):
        per_user(rows, ids, person=person)
