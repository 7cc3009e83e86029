"""One more record changes how no other one is read: what a cell of a listed word counts as hangs on the list alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.files.declarations import declared_table as module
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.form import Format
from pages.files.tables import Table, read_file

_WORD = "a word of twenty-five ends"
_COLUMNS = 8
_DECLARED = (
    Declaration(name="k0", type="category", categories=(_WORD, "b")),
    *(Declaration(name=f"k{place}", type="category", categories=("a", "b")) for place in range(1, _COLUMNS - 1)),
    Declaration(name=f"k{_COLUMNS - 1}", type="text"),
)


def _table(records: int, *, stated: int | None) -> Table:
    names = ",".join(f"k{place}" for place in range(_COLUMNS))
    row = ",".join([_WORD, *"abababa"[: _COLUMNS - 2], "some words that can be of any length"])
    content = "\n".join([names, *[row] * records, ""]).encode()
    draft = replace(read_file(content, "t", Format(), public=False), stated=stated)
    return declared_table(draft, _DECLARED, public=False)


@pytest.mark.parametrize("stated", [None, 100], ids=["one replaced", "one added or removed"])
def test_a_listed_word_is_that_word_however_many_records_there_are(monkeypatch: pytest.MonkeyPatch, stated: int | None) -> None:
    monkeypatch.setattr(module, "MOST_TEXT_BYTES", 4 * _COLUMNS * 100 * len(_WORD))  # as much as 100 records of such words take
    for records in (99, 100, 101, 400):
        values = _table(records, stated=stated).values
        assert np.array_equal(values["k0"], [_WORD] * records)


def test_where_their_number_is_protected_one_more_record_cuts_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TEXT_BYTES", 4 * 100 * 20)
    first, second = (_table(records, stated=100).values["k7"] for records in (100, 101))
    assert np.array_equal(first, second[:100])
    assert not np.array_equal(*(_table(records, stated=None).values["k7"][:100] for records in (100, 300)))  # where it is public
