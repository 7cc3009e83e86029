"""The ledger of a table as one JSON file: written, read strictly, and loaded into an empty ledger of the same table."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, final

from dpcore.base.serialization import from_plain, like, most, one_of, to_plain
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.ledger.accounting import Ledger
from pages.experiment.error_sentences import plain
from pages.files.json_file import parsed
from pages.files.tables import Table
from pages.ledger.book import Book, smaller
from pages.ledger.entry import now

MOST_BYTES = 2**22
_KIND = "ledger of a table, version 1"
_DEPTH = 5  # of objects and lists within one another
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
class LedgerFile:
    """The contents of a file.

    A digest of values confirms a guess of them. Because of the salt, no list of digests that was made in advance finds a table.

    Args:
        kind: Says that it is such a file.
        note: A warning for people.
        saved: When it was written.
        title: Title of the table.
        salt: Part of each digest.
        digests: Salted digests of the table's values and of its telling columns.
        ledger: The lines, and the budget.
    """

    kind: Annotated[str, one_of(_KIND)]
    note: str
    saved: Annotated[str, like(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "a date such as 2026-01-31 09:30 UTC")]
    title: Annotated[str, most(10_000)]
    salt: _Digest
    digests: Annotated[frozenset[_Digest], most(20_000)]
    ledger: Ledger

    def __post_init__(self) -> None:
        budget = self.ledger.budget
        if budget is not None and (budget.confidence is not None or not budget.epsilon > 0):
            raise InvalidValueError("budget", "one with an ε above 0 and without a confidence", budget)
        if not self.ledger.lines:
            raise InvalidValueError("lines", "at least one", 0)

    def is_of(self, digests: Iterable[str]) -> bool:
        """Return whether a table with these digests is the same one: it shares all values or one telling column."""
        return any(_salted(self.salt, digest) in self.digests for digest in digests)


def _salted(salt: str, digest: str) -> str:
    return hashlib.sha256(f"{salt} {digest}".encode()).hexdigest()


def write(book: Book, table: Table) -> str:
    """Return the file of the table's ledger, as it is now."""
    salt = secrets.token_hex(32)
    with book.lock:
        ledger = replace(book.ledger(table), budget=book.account(table).budget)
        digests = frozenset(_salted(salt, digest) for digest in book.digests(table))
    file = LedgerFile(_KIND, _NOTE, now(), table.title or table.name, salt, digests, ledger)
    return json.dumps(to_plain(file), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(content: bytes) -> LedgerFile:
    """Return the contents of a file.

    Raises:
        TableError: If it is another file, or not as it was saved.
    """
    if len(content) > MOST_BYTES:
        size, largest = len(content) / 2**20, MOST_BYTES // 2**20
        raise TableError(f"The file has {size:.0f} MB, and a ledger has {largest} MB at most.", _MEND)
    said = parsed(content, most=MOST_BYTES, depth=_DEPTH, remedy=_MEND)
    try:
        found: LedgerFile = from_plain(LedgerFile, said, "ledger file")
    except DpcoreError as error:
        raise TableError(f"This is not a ledger file of this app, or it was changed. {plain(error)}", _MEND) from None
    return found


def load(book: Book, table: Table, file: LedgerFile) -> str:
    """Replace the table's empty ledger by that of a file, or return why that is not possible.

    A file cannot prove that it has all releases, so nothing sampled is accepted afterwards.
    """
    with book.lock:
        account, title = book.account(table), table.title or table.name
        if book.is_drawing:
            return _DRAWING
        if not file.is_of(book.digests(table)):
            return f"The file is the ledger of “{file.title}”, and “{title}” has other values. Show that table first."
        if account.ledger.lines:
            return _NOT_EMPTY
        book.begun = True
        account.budget = smaller(file.ledger.budget, account.budget)
        account.ledger = replace(file.ledger, budget=None)
        account.saved = file.saved
        account.confidential = True  # whether it was public when its answers came is unknown
    return ""
