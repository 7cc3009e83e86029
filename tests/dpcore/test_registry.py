"""Members from JSON, strictly, and to code that makes an equal object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import dpcore
from dpcore import (
    oracles,
    registry,
)
from dpcore.base.fingerprint import to_json
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.registry import FOLDERS, from_json
from tests.contracts.members import few, members


@pytest.mark.parametrize("folder", ["targets", "curves", "oracles", "mechanisms"])
def test_every_built_member_survives_json(folder: str) -> None:
    """But one that holds a table: it is never in a link, and equals itself alone."""
    built = [member for member in members(folder) if type(member).__eq__ is not object.__eq__]
    of_tables = {oracles.Resample, oracles.ResamplePeople, oracles.Copula}
    assert {type(member) for member in built} >= set(registry.members(folder).values()) - of_tables
    for member in built:
        assert from_json(json.loads(json.dumps(to_json(member))), folder) == member


def test_a_curve_is_looked_for_among_curves_alone() -> None:
    with pytest.raises(UnknownKindError):
        from_json({"kind": "OnLattice", "curve": {"kind": "Mean"}, "degree": 3}, "targets")
    with pytest.raises(UnknownKindError):
        from_json({"kind": "KernelDensity"}, "targets")


@pytest.mark.parametrize("value", [None, 1, "Mean", [], [{"kind": "Mean"}]])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_json(value, "targets")
    assert caught.value.got == value


@pytest.mark.parametrize("kind", [None, 1, "", "mean", "object", "__class__", "Uniform", ["Mean"], {"kind": "Mean"}])
def test_an_unknown_kind_is_refused_with_the_known_ones(kind: object) -> None:
    with pytest.raises(UnknownKindError) as caught:
        from_json({"kind": kind}, "targets")
    assert caught.value.got == kind
    assert "Mean" in caught.value.known


UNKNOWN: dict[str, Any] = {"kind": "Command", "command": ["/bin/sh", "-c", "touch /tmp/a-command-was-run"]}


def _places(said: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a value stands in plain data: the whole, each entry but a name of a kind, and what is in them."""
    yield at
    if isinstance(said, dict):
        for name, value in said.items():
            if name != "kind":
                yield from _places(value, (*at, name))
    elif isinstance(said, list):
        for place, value in enumerate(said[:3]):
            yield from _places(value, (*at, place))


def _placed(said: Any, at: tuple[Any, ...], value: Any) -> Any:
    if not at:
        return value
    copy = inner = deepcopy(said)
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = value
    return copy


@pytest.mark.parametrize("room", FOLDERS)
def test_unknown_kind_is_refused_at_every_depth(room: str) -> None:
    tried = 0
    for member in few(members(room), 1):
        said = to_json(member)
        for at in _places(said):
            with pytest.raises(DpcoreError):
                from_json(_placed(said, at, UNKNOWN), room)
            tried += 1
    assert tried > 3


def test_every_kind_is_of_a_file_of_its_room() -> None:
    kinds = [(room, kind) for room in FOLDERS for kind in registry.members(room).values()]
    assert len(kinds) > 50
    assert not [kind for room, kind in kinds if not kind.__module__.startswith(f"dpcore.{room}.")]


def test_an_unknown_field_is_refused_by_its_name() -> None:
    with pytest.raises(UnknownKindError) as caught:
        from_json({"kind": "Mean", "__init__": 1}, "targets")
    assert caught.value.got == "__init__"


def test_a_missing_field_is_refused_with_those_needed() -> None:
    with pytest.raises(InvalidValueError, match="high, low"):
        from_json({"kind": "Uniform", "low": 1}, "oracles")


@pytest.mark.parametrize("p", [True, "0.5", None, [0.5], {"kind": "Bernoulli", "p": 0.5}, float("nan"), 10**400])
def test_a_value_of_another_type_is_refused(p: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_json({"kind": "Bernoulli", "p": p}, "oracles")
    assert caught.value.name == "p"


@pytest.mark.parametrize("folder", list(FOLDERS))
def test_a_member_is_what_its_repr_says(folder: str) -> None:
    """Names of all folders differ, so that one namespace has them all. Members that hold a table equal themselves alone."""
    namespace = {name: value for package in (dpcore, *FOLDERS.values()) for name, value in vars(package).items()}
    built = [member for member in members(folder) if type(member).__eq__ is not object.__eq__]
    assert built
    for member in built:
        assert eval(repr(member), {"nan": float("nan"), "inf": float("inf")}, namespace) == member
