"""No place outside the room of a kind names it: what there is to know of a kind stands in its own file."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpcore.registry.catalog import members
from dpcore.registry.files import ROOMS

ROOT = Path(__file__).parents[2]
FACE = Path("dpcore/__init__.py")  # gives its users their names
LESSONS = ("pages/lessons/", "pages/experiment/lessons/")  # each is about one example, and so is the program that is made of it
FILES = sorted(path.relative_to(ROOT) for folder in ("dpcore", "pages") for path in (ROOT / folder).rglob("*.py"))


def _of_room(room: str) -> set[str]:
    """The kinds of a room, and the other classes of their files, as the laws of mechanisms."""
    modules = [importlib.import_module(kind.__module__) for kind in members(room).values()]
    classes = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    return {value.__name__ for value in classes if value.__module__ in {module.__name__ for module in modules}}


_OF_ROOM = {room: _of_room(room) for room in ROOMS}
ROOMS_OF = {name: {room for room in ROOMS if name in _OF_ROOM[room]} for names in _OF_ROOM.values() for name in names}


def names_of_kinds(source: str, room: str = "") -> list[str]:
    """The kinds that a file names, those of its own room left out: in code, and in texts that are a kind's name and no more.

    A text is left alone where it is a docstring or words for people: a value in a dictionary of a field's metadata, or the title
    of a page.
    """
    return sorted({name for name in _named(ast.parse(source)) if room not in ROOMS_OF.get(name, {room})})


def _named(tree: ast.Module) -> Iterator[str]:
    words = set(_words_for_people(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            yield node.value


def _words_for_people(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Assign) and (isinstance(node, ast.Expr) or _title(node)):
            yield id(node.value)
        elif isinstance(node, ast.keyword) and node.arg == "metadata" and isinstance(node.value, ast.Dict):
            yield from map(id, node.value.values)


def _title(node: ast.Assign) -> bool:
    """Whether it is the title of a page."""
    return [getattr(one, "id", "") for one in node.targets] == ["TITLE"]


def _room(path: Path) -> str:
    return path.parts[1] if path.parts[0] == "dpcore" and len(path.parts) > 2 else ""


def test_a_file_names_no_kind_of_another_room() -> None:
    files = [path for path in FILES if path != FACE and not str(path).startswith(LESSONS)]
    assert len(files) > 100
    named = {str(path): names_of_kinds((ROOT / path).read_text(), _room(path)) for path in files}
    assert {path: names for path, names in named.items() if names} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from dpcore.targets import Mean",
        "from dpcore.oracles import Normal as N",
        "import dpcore\nisinstance(x, dpcore.targets.Mean)",
        'def f(kind):\n    return kind == "Mean"',
        '_PROPER = ("Laplace",)',
        'KIND = "Mean"',
        'KNOWN = {"Bernstein": 1}',
        "def f() -> Laplace: ...",
        "from dpcore import targets\ntargets.OnLattice(1)",
        "assert isinstance(law, SelectionLaw)",
    ],
)
def test_a_name_is_found(source: str) -> None:
    assert len(names_of_kinds(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""Mean"""',
        'def f():\n    """Laplace"""',
        'x = "the Mean of it"',
        'x: float = field(metadata={"label": "Mean"})',
        "mean = 1",
        'TITLE = "Mean"',
        "from dpcore.targets.on_lattice import of_curve",
    ],
)
def test_what_is_no_name_of_a_kind_is_left_alone(source: str) -> None:
    assert names_of_kinds(source) == []


def test_the_rooms_themselves_may_name_their_own() -> None:
    assert names_of_kinds("from dpcore.oracles.bernoulli import Bernoulli", "oracles") == []
    assert names_of_kinds("from dpcore.oracles.bernoulli import Bernoulli", "targets") == ["Bernoulli"]
    assert len(ROOMS_OF) > 20
