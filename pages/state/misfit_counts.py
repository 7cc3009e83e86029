"""A private count of the cells that do not fit, a number a column: noise from the system, and a line of the table's ledger.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.rounded import plus_minus
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.privacy import PureDP
from dpcore.ledger.accounting import Ledger
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.targets.proved import worst_case_of
from dpcore.targets.together import MOST_PARTS, known_of_each
from pages.experiment.defaults import first_mechanism
from pages.files.declarations.misfits import Misfits
from pages.files.tables import Table
from pages.state.book import LOOKED, Book
from pages.state.release_entry import now

ABOUT = "Number of cells that do not fit, in each column"
_DRAWING = "A release of this tab is being drawn."


@final
@dataclass(frozen=True)
class Counted:
    """What was released of each column, and how close 95 in 100 such numbers lie to the true one. ``cap``: how many rows of one
    person counted; None where rows are protected. ``caveats``: what is to be said beside its guarantee."""

    epsilon: float
    counts: dict[str, float]
    within: float
    cap: int | None
    caveats: tuple[str, ...]


def as_table(table: Table, found: Mapping[str, Misfits]) -> Table:
    """With a known value in the place of each cell that does not fit, and none in the place of every other one."""
    whose = {} if table.persons is None else {table.persons.column: table.values[table.persons.column]}
    values = {name: np.where(one.rows, 1.0, np.nan) for name, one in found.items()}
    columns = tuple(Column(name, bounds=(0.0, 1.0)) for name in found)
    return replace(table, columns=columns, values=values | whose, public=False)


def calibrated(table: Table, epsilon: float, cap: int) -> Calibrated[Any]:
    """Noise for the number of known values of every column of the table. One record moves each number by at most one, and one
    person by at most ``cap``."""
    names = tuple(column.name for column in table.columns)
    if len(names) > MOST_PARTS:
        raise TableError(
            f"Cells of {len(names)} columns cannot be counted at once: {MOST_PARTS} can.",
            "Untick columns under Use, and count again.",
        )
    person = None if table.persons is None else table.persons.column
    target = known_of_each(names, person, cap)
    mechanism = first_mechanism(target)
    proved = worst_case_of(target, mechanism.norm, table.size((), target), table.adjacency)
    if proved is None:
        raise InvalidValueError("worst case", "proved for this target", None)
    return mechanism.calibrate(proved, PureDP(epsilon))


def caveats_of(book: Book, table: Table, *, in_view: bool) -> tuple[str, ...]:
    """What a count says beside its guarantee. ``in_view``: whether the declarations came from somebody who had looked."""
    return tuple(dict.fromkeys((*((LOOKED,) if in_view else ()), *book.caveats(table))))


def count(book: Book, table: Table, *, epsilon: float, cap: int, ticket: str, in_view: bool = False) -> Counted | None:
    """One release of the counts, and its charge; None where the ticket was spent before.

    ``table``: as ``as_table`` gives it, under its name in the book; ``in_view`` as above. TableError, with nothing charged, where
    the budget has no room or another release is being drawn.
    """
    noise = calibrated(table, epsilon, cap)
    target: Any = noise.sensitivity.target
    database = table.prepare(target.fields, target).database
    with book.lock:
        caveats = caveats_of(book, table, in_view=in_view)
        about = {"part": ABOUT, "about": ". ".join((ABOUT, *caveats)), "made": now()}
        if ticket in book.spent:
            return None
        if book.is_drawing:
            raise TableError(_DRAWING, "Wait for its answer, and count then.")
        if refused := book.refusal(table, [Ledger().foresee(noise).told(about=ABOUT)]):
            raise TableError("Nothing was counted.", refused)
        book.spent.add(ticket)
        try:
            release = noise.release(database)
        except BaseException:  # that it failed was itself a response
            book.charge(table, lambda ledger: ledger.add_failed(noise, n=noise.sensitivity.n or 0, **about))
            raise
        counts = dict(zip(target.fields, np.concatenate(target.own(release.response)).tolist(), strict=False))
        law: Any = noise.law
        within = float(law.half_width(SHARE_WITHIN))
        said = f"{', '.join(f'{name} {number:.0f}' for name, number in counts.items())}, each {plus_minus(within, ' cells')}"
        book.charge(table, lambda ledger: ledger.add(release, answer=said, **about))
    return Counted(epsilon, counts, within, cap if table.persons is not None else None, caveats)
