"""Declarations and a list of questions as one JSON file, for next month's file with the same columns. No Streamlit."""

from __future__ import annotations

import json
from typing import Any

from dpcore.base.serialization import an_object, from_plain, kind_to_plain, to_plain
from dpcore.base.text import quoted
from dpcore.base.users import MOST_ROWS
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from pages.experiment.error_sentences import plain
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Settings
from pages.files.header import listed
from pages.files.json_file import parsed

MOST_BYTES = 2**22
_KIND, _DEPTH = "declarations of a table, version 1", 16
_MEND = "Choose the file that “Save the declarations” gave you."


def write(settings: Settings, questions: Any = None) -> str:
    """Return the text of a file.

    Args:
        settings: The declarations. Nothing in them was computed from a row of a confidential table.
        questions: A list of questions as plain data, or None.
    """
    declared = to_plain(settings) | {"form": kind_to_plain(settings.form)}
    said = {"kind": _KIND, "settings": declared, "questions": questions}
    return json.dumps(said, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(content: bytes) -> tuple[Settings, Any]:
    """Return what a file declares, and its list of questions as plain data, which is not checked here.

    Raises:
        TableError: If the file is another one, too large, nested too deeply, or was changed.
    """
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB, and declarations have at most {MOST_BYTES // 2**20} MB.", _MEND
        )
    said = parsed(content, most=MOST_BYTES, depth=_DEPTH, remedy=_MEND)
    if not isinstance(said, dict) or said.get("kind") != _KIND:
        raise TableError("This file holds no declarations, or those of another version of this app.", _MEND)
    try:
        given = an_object("file", said, ("kind", "settings", "questions"))
        return _checked(from_plain(Settings, given["settings"])), given["questions"]
    except DpcoreError as error:
        raise TableError(f"The file was changed, and cannot be read. {plain(error)}", _MEND) from None


def _checked(settings: Settings) -> Settings:
    names = [one.name for one in settings.columns]
    if not names or len(set(names)) < len(names):
        raise InvalidValueError("columns", "at least one, of different names", names[:3])
    for one in settings.columns:
        if one.type not in TYPES:
            raise InvalidValueError(f"type of {quoted(one.name)}", f"one of {', '.join(TYPES)}", one.type)
    if settings.stated is not None and not 1 <= settings.stated <= MOST_ROWS:
        raise InvalidValueError("stated number of rows", f"a whole number from 1 to {MOST_ROWS:,}", settings.stated)
    return settings


def difference(settings: Settings, names: list[str]) -> str:
    """Return a sentence on columns that only the declarations or only the file have.

    Raises:
        TableError: If they have no column in common.
    """
    known = [one.name for one in settings.columns]
    new, gone = [name for name in names if name not in known], [name for name in known if name not in names]
    if len(new) == len(names):
        raise TableError(
            f"The declarations are of another table: they speak of {_few(known)}, and this one has {_few(names)}.",
            "Choose the declarations of this table.",
        )
    said = "The columns are declared as in the file."
    if gone:
        said += f" This table has no {_few(gone)}, which the declarations speak of: questions about that cannot be asked."
    if new:
        said += f" The declarations say nothing about {_few(new)}: look at what is proposed."
    return said


def _few(names: list[str]) -> str:
    return listed([*map(quoted, names)])
