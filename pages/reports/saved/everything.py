"""The settings file of version 2: whatever a tab knows of a table, each part of which may be absent. Both files of version 1 are
read as parts of it.

The checksum over its contents finds a line that was taken out or a number that was changed by hand. It is no signature: whoever
changes the file on purpose can write a new one.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, final

from dpcore.base.facts import facts
from dpcore.base.plain import a_list, an_object, from_plain, kind_to_plain, like, most, read_json, refuse_broken, to_plain
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Standing
from dpcore.ledger.charges import of_changed
from dpcore.ledger.saved import line_from_plain
from pages.files.declarations.settings import (
    CHANGED,
    KIND,
    ChangedSettingsError,
    Settings,
    is_settings,
    read_settings,
    settings_of,
)

# Of which table a file is: its name, its columns, and salted digests of its values.
#
# A digest of values confirms a guess of them. The salt makes every file's digests its own, so that no list of digests made in
# advance finds a table; whoever has the file and a guess can still check the guess.


_MOST = 20_000  # digests, and columns
Name = Annotated[str, most(10_000)]
Digest = Annotated[str, like("[0-9a-f]{64}", "64 hexadecimal digits")]


def _some(name: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    if not columns:
        raise InvalidValueError(name, "a list of at least one", columns)
    return columns


@final
@dataclass(frozen=True, slots=True)
class Whose:
    """``name`` is the table's in links and scenarios, ``title`` the one that people read. ``digests``: of the values of the table
    and of its telling columns, each with ``salt``."""

    name: Name
    title: Name
    columns: Annotated[tuple[Name, ...], most(_MOST), _some]
    salt: Digest
    digests: Annotated[frozenset[Digest], most(_MOST)]

    @classmethod
    def of(cls, name: str, title: str, columns: Iterable[str], digests: Iterable[str]) -> Whose:
        """With a salt of its own."""
        salt = secrets.token_hex(32)
        return cls(name, title, tuple(columns), salt, frozenset(_salted(salt, digest) for digest in digests))

    def has(self, digests: Iterable[str]) -> bool:
        """Whether a table with these digests is the same one: it has all values or one telling column in common."""
        return any(_salted(self.salt, digest) in self.digests for digest in digests)


def _salted(salt: str, digest: str) -> str:
    return hashlib.sha256(f"{salt} {digest}".encode()).hexdigest()


VERSION = 2
MOST_BYTES = 2**23
_KIND = "all that a tab knows of a table"
_VIEWS_OF_VERSION_1 = "scenarios side by side"
_ALL = ("declarations", "views", "table", "ledgers", "plan", "budget")
_MOST_LEDGERS, _MOST_PLANNED = 100, 200
_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
_ON_WORD = (Standing.HELD.name, Standing.APART.name)
_MEND = "Choose the file as it was saved."
_WARNING = (
    "Do not publish this file: it holds a digest of a confidential table, which confirms a guess of its values. Nothing else in "
    "it was computed from the table's rows but the answers that were released."
)
_HARMLESS = "This file holds settings, never data."


@final
@dataclass(frozen=True, slots=True)
class SavedPlan:
    """A release that was planned: its scenario as plain data, and the line that it was fixed as. Its ``name`` stays the same."""

    name: Annotated[str, like("[0-9a-f]{32}", "32 hexadecimal digits")]
    scenario: Any
    worst_case: bool
    line: Any  # a ``Line``, which is read as one of a plan


@final
@dataclass(frozen=True, kw_only=True)
class Saved:
    """What a file holds. ``made``: when it was saved; ``changed``: whether it was changed since. ``views``: the scenario shown,
    the pins and the list of questions as plain data, for they are checked against the tables that are there. ``on_word``: the
    charges of sampled lines that stood on a word already where it was saved."""

    made: str = ""
    changed: bool = False
    declarations: Settings | None = None
    views: dict[str, Any] | None = None
    table: Whose | None = None
    ledgers: tuple[Ledger, ...] = ()
    plan: tuple[SavedPlan, ...] = ()
    budget: Guarantee | None = None
    on_word: frozenset[str] = frozenset()

    @property
    def accounts(self) -> bool:
        """Whether it says what was released of a table, or may be."""
        return bool(self.ledgers or self.plan or self.budget)

    def to_json(self) -> str:
        """One object, which ``read`` reads; parts that are not there are left out."""
        all_parts = {
            "declarations": None if self.declarations is None else self.declarations.to_plain(),
            "views": self.views,
            "table": None if self.table is None else to_plain(self.table),
            "ledgers": [ledger.to_json() for ledger in self.ledgers] or None,
            "plan": to_plain(self.plan) or None,
            "budget": None if self.budget is None else kind_to_plain(self.budget),
        }
        parts = {name: part for name, part in all_parts.items() if part is not None}
        head = {"settings": _KIND, "version": VERSION, "note": _WARNING if self.table else _HARMLESS, "saved": self.made}
        said = head | {"checksum": _checksum(self.made, parts), "parts": parts}
        return json.dumps(said, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def is_saved(content: bytes) -> bool:
    """Whether a file is a settings file of any version, by its first bytes."""
    start = content[:200].lstrip(b"\xef\xbb\xbf \r\n\t")
    return is_settings(content) or (
        start.startswith(b"{") and any(kind.encode() in start for kind in (_KIND, _VIEWS_OF_VERSION_1))
    )


def read(content: bytes) -> Saved:
    """What a file holds, of version 2 or 1; TableError, in plain words, for another file, a newer one or a broken one."""
    said = _object(content)
    kind, version = said.get("settings"), said.get("version")
    if kind == _KIND and version == VERSION:
        return _read(said)
    newer = isinstance(version, int) and not isinstance(version, bool) and version > VERSION
    if not newer and kind == _VIEWS_OF_VERSION_1:
        return _views_of_version_1(said)
    if not newer and kind == KIND:
        return Saved(declarations=read_settings(content))
    if newer or kind == _KIND:
        raise TableError(
            f"The settings are of version {str(version)[:20]}, and this app reads versions 1 and {VERSION}.",
            "Save them anew with this version of the app, or load them with a newer one.",
        )
    raise TableError(
        "This is no settings file of this app.", "Choose the file that “Save all of this” or “Save settings” gave you."
    )


def _views_of_version_1(said: dict[str, Any]) -> Saved:
    if said.get("version") != 1:
        raise TableError(
            f"The settings are of version {str(said.get('version'))[:20]}, and this app reads versions 1 and {VERSION}.",
            "Ask for a new file.",
        )
    if not isinstance(said.get("pins"), dict):
        raise TableError("The settings file was changed, and its pins cannot be read.", "Ask for a new file.")
    return Saved(views={name: said[name] for name in ("shown", "pins", "list") if name in said})


def _object(content: bytes) -> dict[str, Any]:
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB, and a settings file has {MOST_BYTES // 2**20} MB at most.", _MEND
        )
    try:
        said = read_json(content, MOST_BYTES)
        refuse_broken(said, endless=True)  # its field says so
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise TableError(
            "This is no settings file of this app.", "Choose the file that “Save all of this” or “Save settings” gave you."
        )
    return said


def _read(said: dict[str, Any]) -> Saved:
    try:
        an_object("settings file", said, ("settings", "version", "note", "saved", "checksum", "parts"))
        parts = an_object("parts", said["parts"])
        if strange := sorted(set(parts) - set(_ALL)):
            raise InvalidValueError("part", f"one of {', '.join(_ALL)}", strange[0])
        made = said["saved"]
        if not isinstance(made, str) or not _DATE.fullmatch(made):
            raise InvalidValueError("saved", "a date such as 2026-01-31 09:30 UTC", made)
        found = _parts(parts, made)
        _refuse_repeated(found)
        return found if said["checksum"] == _checksum(made, parts) else _changed(found)
    except (DpcoreError, RecursionError) as error:
        raise ChangedSettingsError(CHANGED, _MEND, error if isinstance(error, DpcoreError) else None) from None


def _parts(parts: dict[str, Any], made: str) -> Saved:
    ledgers = most(_MOST_LEDGERS)("ledgers", a_list("ledgers", parts.get("ledgers", [])))
    planned = most(_MOST_PLANNED)("plan", a_list("plan", parts.get("plan", [])))
    found = Saved(
        made=made,
        declarations=settings_of(parts["declarations"]) if "declarations" in parts else None,
        views=_views(parts["views"]) if "views" in parts else None,
        table=from_plain(Whose, parts["table"], "table") if "table" in parts else None,
        ledgers=tuple(Ledger.from_json(one, loaded=made) for one in ledgers),
        plan=tuple(map(_planned, planned)),
        budget=_budget(parts["budget"]) if "budget" in parts else None,
        on_word=frozenset(line["charge"] for one in ledgers for line in one["lines"] if line["standing"] in _ON_WORD),
    )
    if found.accounts and found.table is None:
        raise InvalidValueError("parts", "with the table that ledgers, plan and budget are of", sorted(parts))
    return found


def _views(said: object) -> dict[str, Any]:
    given = an_object("views", said)
    an_object("views", given, ("shown", "pins", *(["list"] if "list" in given else [])))
    an_object("pins", given["pins"])
    return given


def _budget(said: object) -> Guarantee:
    found: Guarantee = from_plain(Guarantee, said, "guarantee")
    if facts(found).confidence is not None:
        raise InvalidValueError("budget", "one without a confidence", found)
    if not found.epsilon > 0:
        raise InvalidValueError("budget", "one with an ε above 0", found)
    return found


def _planned(said: object) -> SavedPlan:
    found: SavedPlan = from_plain(SavedPlan, said, "planned release")
    return replace(found, line=line_from_plain(found.line, planned=True))


def _refuse_repeated(found: Saved) -> None:
    charges = [line.charge for ledger in found.ledgers for line in ledger.lines]
    for name, values in (("lines", charges), ("planned releases", [one.name for one in found.plan])):
        if len(set(values)) < len(values):
            raise InvalidValueError(name, "each with a name of its own", len(values))


def _changed(found: Saved) -> Saved:
    """Its lines count as entered by hand, and none of them takes a place of the plan. Answers may have been taken out: the
    table counts as answered about."""
    if found.table is None:
        return replace(found, changed=True)
    ledgers = tuple(replace(one, lines=tuple(map(of_changed, one.lines)), after_responses=True) for one in found.ledgers)
    return replace(found, changed=True, ledgers=ledgers or (Ledger(after_responses=True),))


def _checksum(made: str, parts: dict[str, Any]) -> str:
    written = json.dumps([made, parts], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
