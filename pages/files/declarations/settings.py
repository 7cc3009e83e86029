"""What a holder declared of a table, as plain data that fits the next file with the same columns; the file of version 1 too."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, final

from dpcore.base.plain import an_object, from_plain, json_or_none, to_plain
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.guarantees.unit import Unit
from pages.files.csv_columns.header import listed
from pages.files.csv_columns.header import quoted as quoted_names
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import MOST_CODES, Declaration, few_texts
from pages.files.declarations.whole_file import WholeFile
from pages.files.forms import from_json, to_json
from pages.files.persons import Guesses, Persons, stated_number

VERSION = 1
MOST_BYTES = 2**22
KIND = "declarations of a table"
CHANGED = "The settings file was changed, and cannot be read."
_START = '{"settings": "' + KIND  # by which the file is known when it comes where a table is expected


def _different(name: str, columns: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    names = [one.name for one in columns]
    if not names or len(set(names)) < len(names):
        raise InvalidValueError(name, "at least one, of different names", names)
    for one in columns:
        if one.type not in TYPES:
            raise InvalidValueError(f"type of {quoted(one.name)}", f"one of {', '.join(TYPES)}", one.type)
        few_texts(f"codes of {quoted(one.name)}", one.codes, MOST_CODES)
    return columns


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
    bounds, categories and codes of a table that is ``public``."""

    form: Any  # a ``Form``
    public: bool
    unit: Unit
    columns: Annotated[tuple[Declaration, ...], _different]
    persons: Persons | None = None
    guesses: Guesses = field(default_factory=Guesses)
    stated: Annotated[int | None, stated_number] = None
    whole: WholeFile = field(default_factory=WholeFile)

    def to_plain(self) -> dict[str, Any]:
        """Plain data that ``settings_of`` reads."""
        said: dict[str, Any] = {"public": self.public, "form": to_json(self.form), "unit": to_plain(self.unit)}
        if self.persons is not None:
            said["persons"] = to_plain(self.persons)
        if self.stated is not None:
            said["stated"] = self.stated
        if self.guesses != Guesses():
            said["guesses"] = to_plain(self.guesses)
        if self.whole != WholeFile():
            said["whole"] = to_plain(self.whole)
        return said | {"columns": [_without_usual(to_plain(one)) for one in self.columns]}


_USUAL = to_plain(Declaration(name="", type=""))
_LATER = ("codes", "codes_count", "unit_behind", "spellings")  # fields that columns of older files do not have


def _without_usual(column: dict[str, Any]) -> dict[str, Any]:
    """So that an older app reads a file that says nothing new."""
    return {name: value for name, value in column.items() if name not in _LATER or value != _USUAL[name]}


def is_settings(content: bytes) -> bool:
    """Whether a file is one, by its first bytes."""
    return content[:200].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(_START.encode())


def read_settings(content: bytes) -> Settings:
    """A file of version 1; TableError, in plain words, for another version, another file, or what was edited to be neither."""
    said = json_or_none(content, MOST_BYTES)
    if not isinstance(said, dict) or said.get("settings") != KIND:
        raise TableError("This is no settings file of this app.", "Choose the file that “Save settings” gave you.")
    if said.get("version") != VERSION:
        version = str(said.get("version"))[:20]
        raise TableError(
            f"The settings are of version {version}, and this app reads version {VERSION}.",
            "Declare the columns again, and save the settings anew.",
        )
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
        raise TableError(
            f"The settings are of another table: they speak of {_few(list(known))}, and this one has {_few(names)}.",
            "Choose the settings of this table, or declare its columns.",
        )
    said = []
    if gone:
        said.append(f"This file has no {_few(gone)}, of which the settings speak: questions about that cannot be asked of it.")
    if new:
        said.append(f"The settings say nothing of {_few(new)}: look at what is proposed.")
    return tuple(known.get(one.name, one) for one in proposed), " ".join(said)


def settings_of(said: object) -> Settings:
    """What ``to_plain`` gave; InvalidValueError for anything else."""
    given = an_object("settings", said)
    if "persons" in given:
        an_object("persons", given["persons"])
    if isinstance(given.get("columns"), list):
        later = {name: _USUAL[name] for name in _LATER}
        given["columns"] = [later | one if isinstance(one, dict) else one for one in given["columns"]]
    usual = {"persons": None, "stated": None, "guesses": to_plain(Guesses()), "whole": to_plain(WholeFile())}
    found: Settings = from_plain(Settings, usual | given)
    return replace(found, form=from_json(found.form))


def _few(names: list[str]) -> str:
    return listed(quoted_names(names))
