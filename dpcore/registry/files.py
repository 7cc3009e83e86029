"""What the files of a room declare: their kinds, and a sentence for each file that is none and no help to one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, final

from dpcore.base.facts import facts
from dpcore.base.rooms import file_of
from dpcore.base.types import Curve, Oracle, Target
from dpcore.mechanisms.base import Mechanism

ROOMS = ("targets", "curves", "oracles", "mechanisms")
_PICKED_TOGETHER = ("targets", "curves")  # and so known by name alone: what both have is one name for two things
_PROTOCOLS: dict[str, tuple[type[Any], str]] = {
    "targets": (Target, "can be called with a database"),
    "curves": (Curve, "has values(database, points)"),
    "oracles": (Oracle, "has draw(databases, records, rng=)"),
    "mechanisms": (Mechanism, "inherits Mechanism"),
}


@final
@dataclass(frozen=True, slots=True)
class Declared:
    """The kinds of a room by name, and a sentence for each of its files that was left out."""

    kinds: dict[str, type[Any]]
    findings: tuple[str, ...]


def declared(room: str) -> Declared:
    """What the files of ``dpcore.<room>`` declare. A kind is a frozen dataclass that its file is named after.

    ``trimmed_mean.py`` holds ``TrimmedMean``. A file without a kind helps others: another file of its room imports from it.
    Any other file is left out, as if it were not there, and has a sentence in ``findings``.
    """
    package = importlib.import_module(f"dpcore.{room}")
    kinds, findings = dict[str, type[Any]](), []
    for file in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        found = _kind(room, file, package)
        if isinstance(found, str):
            findings.append(f"dpcore/{room}/{file}.py {found}")
        elif found is not None:
            kinds[found.__name__] = found
    for name in sorted(set(kinds) & _names_elsewhere(room)):
        findings.append(f"dpcore/{room}/{file_of(name)}.py {_taken(name, room)}")
        del kinds[name]
    return Declared(dict(sorted(kinds.items())), tuple(findings))


def _kind(room: str, file: str, package: ModuleType) -> type[Any] | str | None:
    """The kind that a file declares, what is wrong with the file, or None for one that helps others."""
    try:
        module = importlib.import_module(f"dpcore.{room}.{file}")
    except (Exception, SystemExit) as error:  # whatever somebody's file does
        said = " ".join(str(error).split())
        return f"does not import: {type(error).__name__}{f', {said}' if said else ''}. Mend it, or take it out of the folder."
    classes = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__]
    own = list(dict.fromkeys(classes))
    named = [kind for kind in own if file_of(kind.__name__) == file]
    if len(named) == 1:
        return _fault(room, named[0]) or named[0]
    if named:
        return f"declares {' and '.join(kind.__name__ for kind in named)}: expected one kind a file. Rename all but one."
    others = _others(package, file)
    return None if any(_helps(file, room, source) for source in others.values()) else _no_kind(file, own, set(others))


def _fault(room: str, kind: type[Any]) -> str:
    """What a class of the right name lacks of a kind; empty where it lacks nothing."""
    protocol, has = _PROTOCOLS[room]
    name, what = kind.__name__, room.removesuffix("s")
    if "__dataclass_params__" not in vars(kind) or not vars(kind)["__dataclass_params__"].frozen:
        return f"declares {name}, which is no frozen dataclass: expected @dataclass(frozen=True). Decorate the class so."
    if not issubclass(kind, protocol):
        return f"declares {name}, which is no {what}: expected one that {has}. Add that to the class."
    left = sorted(getattr(kind, "__abstractmethods__", ()))
    if room == "mechanisms" and facts(kind).privacy is None:
        left.append("privacy")
    return f"declares {name}, which is no whole {what}: expected {' and '.join(left)} too. Add it to the class." if left else ""


def _no_kind(file: str, own: list[type[Any]], others: set[str]) -> str:
    came = [kind.__name__ for kind in own if is_dataclass(kind)]
    if not came:
        expected = "".join(word[:1].upper() + word[1:] for word in file.split("_"))
        return (
            f"declares no kind, and no file of its folder imports from it: expected a frozen dataclass {expected}, as the file "
            "is called, but there is no dataclass. Add it, or take the file out of the folder."
        )
    proper = f"{file_of(came[0])}.py"
    rename = f"Rename the class: {proper} is there already" if proper in others else f"Rename the file to {proper}, or the class"
    return f"declares {', '.join(came)}: expected a frozen dataclass with the name of its file. {rename}."


def _taken(name: str, room: str) -> str:
    other = next(one for one in _PICKED_TOGETHER if one != room)
    return (
        f"declares {name}, which is the name of dpcore/{other}/{file_of(name)}.py: expected a name that neither targets nor "
        "curves have, for they are picked by name together. Rename the class and its file."
    )


def _names_elsewhere(room: str) -> set[str]:
    """The names that another room has with which this one is picked: those that a room lists are its own."""
    if room not in _PICKED_TOGETHER:
        return set()
    listed = {one: set[str](importlib.import_module(f"dpcore.{one}").__all__) for one in _PICKED_TOGETHER}
    others = listed["curves"] if room == "targets" else set(declared("targets").kinds)
    return others - listed[room]


def _helps(file: str, room: str, source: str) -> bool:
    """Whether a file's source imports from another of its room."""
    own, name = rf"dpcore\.{room}", re.escape(file)
    ways = (rf"from {own}\.{name} import", rf"import {own}\.{name}\b", rf"from {own} import .*\b{name}\b")
    return re.search(rf"^\s*({'|'.join(ways)})", source, re.MULTILINE) is not None


def _others(package: ModuleType, file: str) -> dict[str, str]:
    """The text of every other file of a room, by its name."""
    paths = [path for folder in package.__path__ for path in Path(folder).glob("*.py")]
    return {path.name: path.read_text(errors="replace") for path in paths if path.stem not in (file, "__init__")}
