"""What a file cost an answer its guarantee stays lost when the table turns out to be one with another upload."""

from __future__ import annotations

import pytest
from pages.reports.saved.everything import Saved

from dpcore.ledger.accounting import Ledger, Standing
from pages.state.book import Book
from pages.state.table_identity import become_one
from tests.pages.saved.books import DIGEST, ask, lines, load, median

CHANGED = Saved(changed=True, ledgers=(Ledger(after_responses=True),))  # by hand: what was in it may have come before all answers


@pytest.mark.parametrize("names", [(DIGEST, "other"), ("other", DIGEST)])
def test_a_line_that_lost_its_guarantee_to_a_changed_file_does_not_get_it_back(names: tuple[str, str]) -> None:
    book = Book()
    assert ask(book, "a", median(0.5)).standing is Standing.FIXED
    load(book, CHANGED)
    assert [line.standing for line in lines(book)] == [Standing.NONE]
    become_one(book, *names)
    (ledger,) = book.ledgers[names[0]]
    assert [line.standing for line in ledger.lines] == [Standing.NONE]
    assert not book.entries[0].covered
    become_one(book, names[0], "a third")
    assert not book.entries[0].covered
