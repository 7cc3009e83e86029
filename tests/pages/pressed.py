"""What a click releases, without a page."""

from __future__ import annotations

from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.book import Account, Book
from pages.ledger.press import AskedLine, Press


def account(book: Book, name: str) -> Account:
    """The account of the table of this name."""
    return book.accounts.setdefault(name, Account())


def charged(book: Book) -> set[str]:
    """Names of the tables whose ledgers have lines."""
    return {name for name, one in book.accounts.items() if one.ledger.lines}


def of_one(ticket: str, scenario: Scenario, table: Table, *, worst_case: bool) -> Press:
    """A list of one question, as it stands on a receipt."""
    return Press(ticket, (AskedLine(ticket, scenario, table, worst_case),))
