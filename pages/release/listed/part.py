"""The part of the page that a change of a list draws anew: the list, its receipt, and the button that saves all of it.

What stands beside them says nothing of the list. Where that changes too, as by a release, the whole page is drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import streamlit as st

from pages.experiment.listed.question_list import QuestionList
from pages.files.tables import Table
from pages.release.listed import show as listed
from pages.shared import member_errors, notices, saved_files
from pages.state import address, ledger, place, state
from pages.state.listed import current_list


@final
@dataclass(eq=False)
class _Page:
    """As it was drawn last. ``left`` is where the receipt stands, ``saving`` where the button stands that saves all."""

    table: Table
    left: Any
    saving: Any
    beside: tuple[object, ...]
    is_drawn: bool = False


def stands(table: Table) -> bool:
    """Whether a list is shown, and no release is being drawn in its place."""
    return current_list.current(table) is not None and not ledger.book().is_drawing


def show(table: Table, left: Any, saving: Any) -> None:
    """A part of its own: a change within it leaves the rest of the page as it is."""
    if (made := current_list.current(table)) is not None:
        listed.show_title(made, table)
    _drawn(_Page(table, left, saving, _beside()))


def _beside() -> tuple[object, ...]:
    """All that the rest of the page says something of; each is another object once it has changed."""
    book = ledger.book()
    ledgers = (one for some in book.ledgers.values() for one in some)
    return (book, book.drawing, state.table(), state.scenario(), *ledgers, *book.entries, *book.budgets.values())


@st.fragment
def _drawn(page: _Page) -> None:
    made = current_list.current(page.table)
    if page.is_drawn:
        if made is None or list(map(id, page.beside)) != list(map(id, _beside())):
            address.say_again()  # a hand began this run, and the next one brings the same address
            st.rerun()
        address.publish((place.OPEN,))
    page.is_drawn = True
    if made is not None:
        member_errors.guarded(partial(_parts, made, page))
    address.finish()


def _parts(made: QuestionList, page: _Page) -> None:
    notices.show(over=True)
    receipt = listed.show(made, page.table)
    with page.left:
        receipt()
    with page.saving:
        saved_files.show(page.table)
