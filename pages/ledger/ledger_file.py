"""The ledger of a table as one JSON file: written, read strictly, and loaded into an empty ledger of the same table."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, final

from dpcore.base.serialization import an_object, from_plain, like, most, to_plain
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.ledger.accounting import Ledger
from pages.experiment.error_sentences import plain
from pages.files.json_file import parsed
from pages.files.tables import Table
from pages.ledger.book import Book, smaller
from pages.ledger.entry import now

MOST_BYTES = 2**22
_KIND, _VERSION = "ledger of a table", 1
_DEPTH = 6  # of objects and lists within one another
_NOTE = (
    "Do not publish this file: it holds a salted digest of a table, which confirms a guess of its values. Nothing else in it was "
    "computed from the table's rows, except the answers that were released."
)
_MEND = "Choose the file as “Save the ledger” gave it."
_DRAWING = "A release of this browser is being drawn. Load the file after it."
_NOT_EMPTY = "This table's ledger has lines already. A file is loaded only into an empty ledger: load it in another browser."
_Digest = Annotated[str, like("[0-9a-f]{64}", "64 hexadecimal digits")]


@final
@dataclass(frozen=True, slots=True)
class Whose:
    """The table of a ledger: its title, and salted digests of its values and of its telling columns.

    A digest of values confirms a guess of them. Because of the salt, no list of digests that was made in advance finds a table.
    """

    title: Annotated[str, most(10_000)]
    salt: _Digest
    digests: Annotated[frozenset[_Digest], most(20_000)]

    def has(self, digests: Iterable[str]) -> bool:
        """Return whether a table with these digests is the same one: it shares all values or one telling column."""
        return any(_salted(self.salt, digest) in self.digests for digest in digests)


def _salted(salt: str, digest: str) -> str:
    return hashlib.sha256(f"{salt} {digest}".encode()).hexdigest()


@final
@dataclass(frozen=True, slots=True)
class LedgerFile:
    """The contents of a file. ``saved``: when it was written."""

    saved: Annotated[str, like(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "a date such as 2026-01-31 09:30 UTC")]
    table: Whose
    ledger: Ledger


def write(book: Book, table: Table) -> str:
    """Return the file of the table's ledger, as it is now."""
    salt = secrets.token_hex(32)
    with book.lock:
        ledger, digests = replace(book.ledger(table), budget=book.account(table).budget), book.digests(table)
    whose = Whose(table.title or table.name, salt, frozenset(_salted(salt, digest) for digest in digests))
    said = {"kind": _KIND, "version": _VERSION, "note": _NOTE}
    return json.dumps(said | to_plain(LedgerFile(now(), whose, ledger)), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(content: bytes) -> LedgerFile:
    """Return the contents of a file.

    Raises:
        TableError: If it is another file, or not as it was saved.
    """
    if len(content) > MOST_BYTES:
        size, largest = len(content) / 2**20, MOST_BYTES // 2**20
        raise TableError(f"The file has {size:.0f} MB, and a ledger has {largest} MB at most.", _MEND)
    said = parsed(content, most=MOST_BYTES, depth=_DEPTH, remedy=_MEND)
    if not isinstance(said, dict) or said.get("kind") != _KIND:
        raise TableError("This is no ledger file of this app.", _MEND)
    if said.get("version") != _VERSION or isinstance(said["version"], bool):
        raise TableError(f"The ledger is of version {str(said.get('version'))[:20]}; this app reads version {_VERSION}.", _MEND)
    try:
        given = an_object("ledger file", said, ("kind", "version", "note", "saved", "table", "ledger"))
        found: LedgerFile = from_plain(LedgerFile, {name: given[name] for name in ("saved", "table", "ledger")})
        _check(found.ledger)
    except DpcoreError as error:
        raise TableError(f"The ledger file was changed, and cannot be read. {plain(error)}", _MEND) from None
    return found


def _check(ledger: Ledger) -> None:
    budget = ledger.budget
    if budget is not None and (budget.confidence is not None or not budget.epsilon > 0):
        raise InvalidValueError("budget", "one with an ε above 0 and without a confidence", budget)
    if not ledger.lines:
        raise InvalidValueError("lines", "at least one", 0)


def load(book: Book, table: Table, file: LedgerFile) -> str:
    """Put a file's ledger in the place of the table's empty one, or return why that is not possible.

    A file cannot prove that it has all releases, so nothing sampled is accepted afterwards.
    """
    with book.lock:
        account, title = book.account(table), table.title or table.name
        if book.is_drawing:
            return _DRAWING
        if not file.table.has(book.digests(table)):
            return f"The file is the ledger of “{file.table.title}”, and “{title}” has other values. Show that table first."
        if account.ledger.lines:
            return _NOT_EMPTY
        book.begun = True
        account.budget = smaller(file.ledger.budget, account.budget)
        account.ledger = replace(file.ledger, budget=None)
        account.saved = file.saved
        account.confidential = True  # whether it was public when its answers came is unknown
    return ""
