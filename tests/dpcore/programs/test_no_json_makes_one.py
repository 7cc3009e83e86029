"""A program is made by code alone: whatever is read from JSON, and wherever in it a command stands, none is run."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import Column, targets
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.programs import Program
from dpcore.registry import catalog
from dpcore.registry.files import ROOMS
from tests.contracts.members import few, members
from tests.dpcore.programs.hostile import OTHERWISE_NAMED, PROGRAM, placed, places

ROOT = Path(__file__).parents[3]
COST = (Column("cost", bounds=(0.0, 100.0)),)
SUM = targets.On(targets.Sum((0.0, 1.0)), ("cost",))
COUNT = Program(("awk", "END { print NR - 1 }"), COST)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The programs that are made meanwhile."""
    found: list[Any] = []
    monkeypatch.setattr(Program, "__post_init__", found.append)
    return found


def test_it_is_no_kind_of_any_room() -> None:
    kinds = [kind for room in ROOMS for kind in catalog.members(room).values()]
    assert len(kinds) > 50
    assert not [kind for kind in kinds if not kind.__module__.startswith(tuple(f"dpcore.{room}." for room in ROOMS))]
    assert Program not in kinds
    assert catalog.findings() == ()


@pytest.mark.parametrize("room", [*ROOMS, "columns", "conditions", "groups"])
@pytest.mark.parametrize("name", OTHERWISE_NAMED)
def test_no_name_of_it_is_read(room: str, name: str, made: list[Any]) -> None:
    with pytest.raises(UnknownKindError):
        catalog.from_json(PROGRAM | {"kind": name}, room)
    assert not made


@pytest.mark.parametrize("room", ROOMS)
def test_at_no_place_within_a_member_is_it_read(room: str, made: list[Any]) -> None:
    """In the place of each value that a member of each kind holds, however deep."""
    tried = 0
    for member in few(members(room), 1):
        said = catalog.to_json(member)
        for at in places(said):
            with pytest.raises(DpcoreError):
                catalog.from_json(placed(said, at, PROGRAM), room)
            tried += 1
    assert tried > 3
    assert not made


@pytest.mark.parametrize("name", ["target", "parts", "question", "curve", "oracle", "where", "by", "table", "rows"])
def test_under_no_name_of_a_part_is_it_read(name: str, made: list[Any]) -> None:
    for kind in catalog.members("targets"):
        for part in (PROGRAM, [PROGRAM], [[PROGRAM]]):
            with pytest.raises(DpcoreError):
                catalog.from_json({"kind": kind, name: part}, "targets")
    assert not made


def test_it_is_written_nowhere_either() -> None:
    """As JSON, which links, pins, files and ledgers are made of, and as exported code; what holds one is not either."""
    for one in (COUNT, targets.Together((SUM, COUNT), (1.0, 1.0))):
        with pytest.raises(TypeError, match="Program is not in the catalogue"):
            catalog.to_json(one)
        with pytest.raises(TypeError, match="Program has no code that makes it"):
            catalog.to_code(one)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: targets.SampleAndAggregate(COUNT, 5, (0.0, 9.0)),
        lambda: targets.SampleAndAggregate(targets.Together((SUM, COUNT), (1.0, 1.0)), 5, (0.0, 9.0)),
    ],
)
def test_blocks_are_not_asked_of_it(asked: Any) -> None:
    """Their guarantee rests on each block being answered by what remembers no other, and a program can write down what it saw."""
    with pytest.raises(InvalidValueError, match="a process of its own that can leave nothing behind"):
        asked()


def test_it_says_nothing_that_would_make_it_more_than_sampled() -> None:
    assert (facts(COUNT).remembers_nothing, facts(COUNT).global_sensitivity, facts(COUNT).from_a_part) == (False, None, "")
    assert COUNT(np.array([(1.0,), (2.0,)], dtype=[("cost", float)])) == 2.0


def test_no_other_file_knows_of_programs() -> None:
    """So no page, no picker and no reader of files can make one."""
    files = [ROOT / "app.py", *ROOT.glob("dpcore/**/*.py"), *ROOT.glob("pages/**/*.py")]
    knowing = {file.relative_to(ROOT).parent.as_posix() for file in files if _imports_programs(file.read_text(encoding="utf-8"))}
    assert knowing == {"dpcore/programs"}
    assert _imports_programs("def f():\n    from dpcore import programs")
    assert _imports_programs("import dpcore.programs.program as p")


def _imports_programs(source: str) -> bool:
    for node in ast.walk(ast.parse(source if "programs" in source else "")):
        names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
        found = [f"{node.module}.{name}" for name in names] if isinstance(node, ast.ImportFrom) else names
        if any(f"{name}.".startswith("dpcore.programs.") for name in found):
            return True
    return False
