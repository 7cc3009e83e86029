"""What a holder declared of a table, as plain data that fits the next file with the same columns; the file of version 1 too."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any, final

from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.guarantees.unit import Unit
from pages.files.csv_columns.header import listed
from pages.files.csv_columns.header import quoted as quoted_names
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration
from pages.files.forms import Form, from_json, to_json
from pages.files.guesses import Guesses, read_guesses
from pages.files.persons import Persons

VERSION = 1
MOST_BYTES = 2**22
KIND = "declarations of a table"
CHANGED = "The settings file was changed, and cannot be read."
_FIELDS = {one.name for one in fields(Declaration)}
_START = '{"settings": "' + KIND  # by which the file is known when it comes where a table is expected


@dataclass(eq=False)
class ChangedSettingsError(TableError):
    """A settings file that is not as it was saved. ``why``: what of it is refused, None where it is nested too deeply."""

    why: DpcoreError | None = None

    def __str__(self) -> str:
        return f"{self.problem} {self.why or 'It is nested too deeply.'} {self.remedy}"


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How the file is read, what one row is, and a declaration a column. Nothing in it was computed from a record, but for
    bounds and categories of a table that is ``public``."""

    form: Form
    public: bool
    unit: Unit
    columns: tuple[Declaration, ...]
    persons: Persons | None = None
    guesses: Guesses = field(default_factory=Guesses)

    def to_plain(self) -> dict[str, Any]:
        """Plain data that ``settings_of`` reads."""
        unit = {"name": self.unit.name, "several": self.unit.several, "answered": self.unit.answered}
        said: dict[str, Any] = {"public": self.public, "form": to_json(self.form), "unit": unit}
        if self.persons is not None:
            said["persons"] = asdict(self.persons)
        if self.guesses != Guesses():
            said["guesses"] = asdict(self.guesses)
        return said | {"columns": [asdict(one) for one in self.columns]}


def is_settings(content: bytes) -> bool:
    """Whether a file is one, by its first bytes."""
    return content[:200].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(_START.encode())


def read_settings(content: bytes) -> Settings:
    """A file of version 1; TableError, in plain words, for another version, another file, or what was edited to be neither."""
    try:
        said = json.loads(content.decode("utf-8-sig")) if len(content) <= MOST_BYTES else None
    except (UnicodeDecodeError, ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("settings") != KIND:
        raise TableError("This is no settings file of this app.", "Choose the file that “Save settings” gave you.")
    if said.get("version") != VERSION:
        version = str(said.get("version"))[:20]
        problem = f"The settings are of version {version}, and this app reads version {VERSION}."
        raise TableError(problem, "Declare the columns again, and save the settings anew.")
    try:
        return settings_of({name: value for name, value in said.items() if name not in ("settings", "version")})
    except DpcoreError as error:
        raise ChangedSettingsError(CHANGED, "Undo the change, or save the settings anew.", error) from None


def fitted(settings: Settings, proposed: tuple[Declaration, ...]) -> tuple[tuple[Declaration, ...], str]:
    """The declarations of this file's columns, proposed ones where the settings have none, and a sentence on the difference.

    TableError where no column has a name that the settings know.
    """
    known = {one.name: one for one in settings.columns}
    names = [one.name for one in proposed]
    new, gone = [name for name in names if name not in known], [name for name in known if name not in names]
    if len(new) == len(names):
        problem = f"The settings are of another table: they speak of {_few(list(known))}, and this one has {_few(names)}."
        raise TableError(problem, "Choose the settings of this table, or declare its columns.")
    said = []
    if gone:
        said.append(f"This file has no {_few(gone)}, of which the settings speak: questions about that cannot be asked of it.")
    if new:
        said.append(f"The settings say nothing of {_few(new)}: look at what is proposed.")
    return tuple(known.get(one.name, one) for one in proposed), " ".join(said)


def settings_of(said: object) -> Settings:
    """What ``to_plain`` gave; InvalidValueError for anything else."""
    if not isinstance(said, dict) or set(said) - {"persons", "guesses"} != {"public", "form", "unit", "columns"}:
        got = sorted(map(str, said)) if isinstance(said, dict) else said
        raise InvalidValueError("settings", "an entry with public, form, unit and columns", got)
    if not isinstance(said["public"], bool):
        raise InvalidValueError("public", "true or false", said["public"])
    persons = None if "persons" not in said else _persons(said["persons"])
    guesses = read_guesses(said["guesses"]) if "guesses" in said else Guesses()
    return Settings(from_json(said["form"]), said["public"], _unit(said["unit"]), _columns(said["columns"]), persons, guesses)


def _persons(said: object) -> Persons:
    if not isinstance(said, dict) or set(said) != {"column", "stated", "left_out"}:
        raise InvalidValueError("persons", "an entry with column, stated and “left_out”", said)
    return Persons(**said)


def _unit(said: object) -> Unit:
    if not isinstance(said, dict) or set(said) != {"name", "several", "answered"} or not isinstance(said["answered"], bool):
        raise InvalidValueError("unit", "an entry with name, several and answered", said)
    return Unit(**said)


def _columns(said: object) -> tuple[Declaration, ...]:
    if not isinstance(said, list) or not said:
        raise InvalidValueError("columns", "a list of at least one", said)
    found = tuple(map(_column, said))
    if len({one.name for one in found}) < len(found):
        raise InvalidValueError("columns", "of different names", [one.name for one in found])
    return found


def _column(said: object) -> Declaration:
    if not isinstance(said, dict) or set(said) != _FIELDS:
        raise InvalidValueError("column", f"an entry with {', '.join(sorted(_FIELDS))}", said)
    if not isinstance(said["type"], str) or said["type"] not in TYPES:
        raise InvalidValueError(f"type of {quoted(said['name'])}", f"one of {', '.join(TYPES)}", said["type"])
    return Declaration(**said)


def _few(names: list[str]) -> str:
    return listed(quoted_names(names))
