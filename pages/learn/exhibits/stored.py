"""Exhibits as files: JSON of one version, written with six digits, and read back with every part checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, final

import numpy as np

from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.workbench.scenario import Scenario
from pages.learn.exhibits.charts import Axis, Chart, Series, StoredTable
from pages.learn.exhibits.exhibit import Check, Deviation, Difference, Exhibit, Made, Stated

VERSION = 1
MOST_BYTES = 2**21
_KIND = "exhibit of the gallery"
_DIGITS = 6
T = TypeVar("T")


@final
@dataclass(frozen=True)
class Gallery:
    """The exhibits of a folder in their order, and a sentence on each file that is none."""

    exhibits: tuple[Exhibit, ...]
    left_out: tuple[str, ...] = ()


def read_gallery(folder: Path) -> Gallery:
    """Every ``*.json`` of the folder. One that is broken or of another version is left out, with a sentence; never an error."""
    exhibits, left_out = [], []
    for file in sorted(folder.glob("*.json")):
        try:
            exhibits.append(read_exhibit(file.read_bytes(), file.stem))
        except (TableError, OSError) as error:
            left_out.append(str(error) if isinstance(error, TableError) else f"The file “{file.name}” could not be read.")
    return Gallery(tuple(sorted(exhibits, key=lambda one: (one.place, one.name))), tuple(left_out))


def read_exhibit(content: bytes, name: str) -> Exhibit:
    """What ``written`` gave for the exhibit of this name; TableError, in plain words, for anything else."""
    again = "Make it again with “python -m data.make_gallery”."
    try:
        said = json.loads(content.decode("utf-8"), parse_constant=_refused) if len(content) <= MOST_BYTES else None
    except (UnicodeDecodeError, ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("stored") != _KIND:
        raise TableError(f"“{name}” is no stored result of the gallery.", again)
    if said.get("version") != VERSION:
        version = str(said.get("version"))[:20]
        raise TableError(f"“{name}” is of version {version}, and this app reads version {VERSION}.", again)
    try:
        exhibit = _exhibit({key: value for key, value in said.items() if key not in ("stored", "version")})
        if exhibit.name != name:
            raise InvalidValueError("name", f"that of its file, {name}", exhibit.name)
    except DpcoreError as error:
        raise TableError(f"“{name}” was changed, and cannot be read: {str(error).rstrip('.')}.", again) from None
    return exhibit


def written(exhibit: Exhibit) -> str:
    """JSON that ``read_exhibit`` reads back, a part a line; numbers with six significant digits."""
    parts = {"stored": _KIND, "version": VERSION} | _plain(exhibit)
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Scenario):
        return value.to_json()
    if isinstance(value, (Exhibit, Made, Chart, Axis, Series, StoredTable, Check, Deviation, Difference, Stated)):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value.tolist()]
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    return _short(value) if isinstance(value, float) else value


def _short(value: float) -> float | int:
    rounded = float(f"{value:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def _refused(constant: str) -> float:
    raise ValueError(constant)


def _exhibit(said: dict[str, Any]) -> Exhibit:
    parts = _object(said, Exhibit)
    live = parts["live"]
    return Exhibit(
        **parts
        | {name: tuple(_list(name, parts[name])) for name in ("paper", "ours", "agrees")}
        | {
            "deviations": _each(parts["deviations"], _of(Deviation)),
            "stated": _each(parts["stated"], _of(Stated)),
            "differs": _each(parts["differs"], _of(Difference)),
            "checks": _each(parts["checks"], _of(Check)),
            "charts": _each(parts["charts"], _chart),
            "tables": _each(parts["tables"], _stored_table),
            "live": None if live is None else Scenario.from_json(live),
            "made": _of(Made)(parts["made"]),
        }
    )


def _chart(said: object) -> Chart:
    parts = _object(said, Chart)
    axes = {name: _of(Axis)(parts[name]) for name in ("x", "y")}
    return Chart(**parts | axes | {"series": _each(parts["series"], _of(Series))})


def _stored_table(said: object) -> StoredTable:
    parts = _object(said, StoredTable)
    rows = tuple(tuple(_list("row", row)) for row in _list("rows", parts["rows"]))
    return StoredTable(**parts | {"columns": tuple(_list("columns", parts["columns"])), "rows": rows})


def _of(kind: Callable[..., T]) -> Callable[[object], T]:
    return lambda said: kind(**_object(said, kind))


def _each(said: object, read: Callable[[object], T]) -> tuple[T, ...]:
    return tuple(map(read, _list("list", said)))


def _list(name: str, said: object) -> Iterable[Any]:
    if not isinstance(said, list):
        raise InvalidValueError(name, "a list", said)
    return said


def _object(said: object, kind: Any) -> dict[str, Any]:
    names = [one.name for one in fields(kind)]
    if not isinstance(said, dict) or sorted(said) != sorted(names):
        raise InvalidValueError(kind.__name__.lower(), f"an object with {', '.join(names)}", said)
    return said
