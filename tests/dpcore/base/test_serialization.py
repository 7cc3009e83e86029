"""Plain data comes back as what was written, and everything else is refused by the name of its field."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpcore.base.serialization import (
    DEEPEST,
    at_least_0,
    below_1,
    from_plain,
    kind_to_plain,
    like,
    most,
    one_of,
    read_json,
    refuse_broken,
    to_plain,
)
from dpcore.errors import InvalidValueError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    share: Annotated[float, below_1]
    colour: Colour


@dataclass(frozen=True)
class Other:
    count: int


@dataclass(frozen=True)
class Outer:
    name: Annotated[str, like("[a-z]+", "small letters")]
    on: bool
    inner: Inner | None
    several: Annotated[tuple[Inner, ...], most(2)]
    kinds: Inner | Other
    cells: tuple[str | float, ...]
    by_name: dict[str, int]
    letters: frozenset[str]
    whatever: Any
    size: Annotated[float | None, at_least_0] = None
    sort: Annotated[str, one_of("", "up")] = ""


INNER = Inner(0.25, Colour.BLUE)
ONE = Outer(
    "a", True, INNER, (INNER, Inner(0.0, Colour.RED)), Other(3), ("x", 1.5), {"k": 2}, frozenset("ba"), [1, None], 2.0, "up"
)


def _said() -> dict[str, Any]:
    said: dict[str, Any] = to_plain(ONE) | {"kinds": kind_to_plain(ONE.kinds)}
    return said


def test_what_is_written_is_json_and_comes_back() -> None:
    said = json.loads(json.dumps(_said()))
    assert said["letters"] == ["a", "b"]
    assert said["inner"] == {"share": 0.25, "colour": "BLUE"}
    assert from_plain(Outer, said) == ONE
    assert from_plain(Outer, said | {"inner": None, "size": None}).inner is None


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"name": "A"}, "name"),
        ({"name": 3}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"on": 1}, "on"),
        ({"on": None}, "on"),
        ({"inner": []}, "inner"),
        ({"inner": {"share": 1.0, "colour": "RED"}}, "share"),
        ({"inner": {"share": True, "colour": "RED"}}, "share"),
        ({"inner": {"share": float("inf"), "colour": "RED"}}, "share"),
        ({"inner": {"share": 0.5, "colour": "red"}}, "colour"),
        ({"inner": {"share": 0.5}}, "inner"),
        ({"inner": {"share": 0.5, "colour": "RED", "more": 1}}, "inner"),
        ({"several": [{"share": 0.5, "colour": "RED"}] * 3}, "several"),
        ({"several": {}}, "several"),
        ({"kinds": {"kind": "Strange", "count": 1}}, "kinds"),
        ({"kinds": {"kind": ["Other"], "count": 1}}, "kinds"),
        ({"kinds": {"kind": "Other", "count": 1.0}}, "count"),
        ({"kinds": {"kind": "Other", "count": True}}, "count"),
        ({"kinds": {"kind": "Other", "count": 2**53 + 1}}, "count"),
        ({"by_name": {"k": "2"}}, "by_name"),
        ({"letters": "ab"}, "letters"),
        ({"size": -1}, "size"),
        ({"sort": "down"}, "sort"),
    ],
)
def test_another_value_is_refused_by_its_fields_name(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_plain(Outer, _said() | changes)
    assert caught.value.name == name


def test_from_plain_refuses_a_missing_field() -> None:
    said = _said()
    del said["sort"]
    with pytest.raises(InvalidValueError) as caught:
        from_plain(Outer, said, "the outer one")
    assert (caught.value.name, "sort" in caught.value.expected) == ("the outer one", True)


def test_to_plain_writes_arrays_as_lists() -> None:
    @dataclass(frozen=True, eq=False)
    class Series:
        x: NDArray[np.float64]

    assert to_plain(Series(np.array([1 / 3, 2.0])), lambda value: round(value, 2)) == {"x": [0.33, 2.0]}


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": Infinity}', "{", "[" * 10**5, b"\xff", "x" * 11])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    most_of_it = 10 if text == "x" * 11 else 10**6
    with pytest.raises(ValueError):  # noqa: PT011
        read_json(text, most_of_it)


@pytest.mark.parametrize("opens", ["[", '{"a":', '{"]}":'])
@pytest.mark.parametrize("levels", [DEEPEST + 1, 10_000])
def test_deep_nesting_is_refused_before_it_is_parsed(opens: str, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    for said in (opens * levels, (opens * levels).encode()):
        with pytest.raises(ValueError, match="more than 20 levels"):
            read_json(said, 10**6)


def test_brackets_in_strings_are_not_nesting() -> None:
    assert read_json(json.dumps(["[" * 99, '\\"{' * 99, *[[]] * 99, *[{"[": {}}] * 99]), 10**5)
    deep = json.loads("[" * DEEPEST + "]" * DEEPEST)
    assert read_json(json.dumps(deep), 10**5) == deep


def test_half_a_character_and_endless_numbers_are_broken() -> None:
    for value in ({"a": "\ud800"}, [float("inf")]):
        with pytest.raises(ValueError):  # noqa: PT011
            refuse_broken(value)
    assert read_json(b'\xef\xbb\xbf{"a": 1}', 100) == {"a": 1}
