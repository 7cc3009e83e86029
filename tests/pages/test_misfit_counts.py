"""A private count of the cells that do not fit: what it counts, what it is charged, and when it is refused."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import TableError
from dpcore.guarantees.privacy import PureDP
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.declarations.misfits import misfits
from pages.files.declarations.whole_file import WholeFile
from pages.files.persons import Persons
from pages.files.tables import Format, Table, read_file
from pages.state import misfit_counts
from pages.state.book import Book

CONTENT = b"who,cost,ward\n" + b"a,5,x\n" * 30 + b"b,999,y\n" * 7 + b"c,abc,x\n" * 3 + b"d,,x\n" * 10
DECLARED = (
    Declaration(name="cost", type="number", lowest="0", highest="10"),
    Declaration(name="ward", type="category", categories=("x",)),
)


def _asked(persons: Persons | None = None) -> Table:
    draft = read_file(CONTENT, "t", Format(), public=False)
    table = declared_table(draft, CONTENT, DECLARED, public=False, persons=persons)
    return misfit_counts.as_table(table, misfits(draft, CONTENT, DECLARED, WholeFile()))


@pytest.mark.parametrize(
    ("persons", "cap", "counts", "scale"),
    [
        (None, 1, (10, 7), 2),
        (Persons("who"), 2, (4, 2), 4),
        (Persons("who", 5), 3, (6, 3), 6),
    ],
)
def test_it_counts_misfits_and_of_people_as_many_as_the_cap(
    persons: Persons | None, cap: int, counts: tuple[int, int], scale: float
) -> None:
    asked = _asked(persons)
    noise = misfit_counts.calibrated(asked, 1.0, cap)
    target = noise.sensitivity.target
    raw = noise.raw_response(asked.prepare(target.fields, target).database)
    assert raw.tolist() == pytest.approx(counts)
    assert (noise.law.scale, noise.guarantee) == (pytest.approx(scale, rel=1e-6), PureDP(1.0))
    assert noise.sensitivity.adjacency is asked.adjacency


def test_one_press_is_one_charge_under_pure_dp() -> None:
    book, asked = Book(), _asked()
    told = misfit_counts.count(book, asked, epsilon=20.0, cap=1, ticket="a")
    assert told is not None
    assert told.counts == pytest.approx({"cost": 10, "ward": 7}, abs=3)
    assert told.within == pytest.approx(0.1 * np.log(20), rel=1e-6)
    assert misfit_counts.count(book, asked, epsilon=20.0, cap=1, ticket="a") is None
    (ledger,) = book.ledgers[asked.digest]
    assert ledger.total() == PureDP(20.0)
    assert [line.about for line in ledger.lines] == [misfit_counts.ABOUT]
    assert asked.digest not in book.looked


def test_beyond_the_budget_nothing_is_counted_or_charged() -> None:
    book, asked = Book(), _asked()
    book.budgets[asked.digest] = PureDP(1.0)
    with pytest.raises(TableError, match="Nothing was counted"):
        misfit_counts.count(book, asked, epsilon=2.0, cap=1, ticket="a")
    assert not book.ledgers
    assert misfit_counts.count(book, asked, epsilon=1.0, cap=1, ticket="a") is not None


def test_a_count_that_fails_is_charged_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    book, asked = Book(), _asked()
    monkeypatch.setattr("dpcore.mechanisms.base.law_on", fails)
    with pytest.raises(ZeroDivisionError):
        misfit_counts.count(book, asked, epsilon=0.5, cap=1, ticket="a")
    assert book.ledgers[asked.digest][0].total() == PureDP(0.5)


def test_more_columns_than_are_counted_at_once_are_a_sentence() -> None:
    content = (",".join(f"c{i}" for i in range(21)) + "\n" + (",".join(["1"] * 21) + "\n") * 3).encode()
    declared = tuple(Declaration(name=f"c{i}", type="number", lowest="0", highest="2") for i in range(21))
    draft = read_file(content, "t", Format(), public=False)
    asked = misfit_counts.as_table(draft, misfits(draft, content, declared, WholeFile()))
    with pytest.raises(TableError, match="Cells of 21 columns cannot be counted at once: 20 can"):
        misfit_counts.calibrated(asked, 1.0, 1)
