"""The parts of the page that a change of a list draws anew: what its questions share, the questions with their receipt and the
button, or both.

What stands beside them says nothing of the list. Where that changes too, as by a release, the whole page is drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import streamlit as st

from pages import state
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.old.experiment.listed.question_list import QuestionList
from pages.old.release.listed import sharing
from pages.old.release.listed import show as listed
from pages.old.shared import member_errors, notices
from pages.old.state import address, place
from pages.old.state.listed import current_list

_SHARED, _QUESTIONS = "list_shared", "list_questions"  # the two parts, as Streamlit knows them


@final
@dataclass(eq=False)
class _Page:
    """As it was drawn last.

    ``left`` is where the receipt stands, ``bar`` where its button does. ``shared``: what was shown of what the questions share.
    """

    table: Table
    left: Any
    bar: Any
    beside: tuple[object, ...]
    shared: sharing.Shown | None = None
    is_drawn: bool = False


def stands(table: Table) -> bool:
    """Whether a list is shown, and no release is being drawn in its place."""
    return current_list.current(table) is not None and not ledger.book().is_drawing


def show(table: Table, left: Any, bar: Any) -> None:
    """Parts of their own: a change within them leaves the rest of the page as it is."""
    made = current_list.current(table)
    if made is not None:
        listed.show_title(made, table)
    notices.show_standing()
    page = _Page(table, left, bar, _beside())
    if made is not None and listed.fitting(made, table) is not None:
        _shared(page)
    _questions(page)


def _beside() -> tuple[object, ...]:
    """All that the rest of the page says something of; each is another object once it has changed."""
    book = ledger.book()
    return (book, book.drawing, state.table(), state.scenario(), *book.ledgers.values(), *book.entries, *book.budgets.values())


def _begin(page: _Page, *, again: bool) -> QuestionList | None:
    """The list as it is now. A part that is drawn ``again`` asks for the whole page, where more has changed than it shows."""
    made = current_list.current(page.table)
    if again and (made is None or list(map(id, page.beside)) != list(map(id, _beside())) or not listed.fits(made, page.table)):
        _ask_for_the_page()
    return made


def _ask_for_the_page() -> None:
    address.say_again()  # a hand began this run, and the next one brings the same address
    st.rerun()


@st.fragment(key=_SHARED)
def _shared(page: _Page) -> None:
    """What the questions share: most changes of one leave it as it is, and it takes a browser as long as ten questions do."""
    made = _begin(page, again=page.shared is not None)
    if made is not None:
        member_errors.guarded(partial(_share, made, page))


def _share(made: QuestionList, page: _Page) -> None:
    page.shared = sharing.show(made, page.table, then=_both)


def _both() -> None:
    """After a change of what the questions share. Without a browser the whole page is drawn anew in any case."""
    if st.context.headers:
        st.rerun([_SHARED, _QUESTIONS])


@st.fragment(key=_QUESTIONS)
def _questions(page: _Page) -> None:
    made = _begin(page, again=page.is_drawn)
    if page.is_drawn and made is not None:
        if page.shared is not None and page.shared != page.shared.now(made, page.table):
            _ask_for_the_page()
        address.publish((place.OPEN,))
    page.is_drawn = True
    if made is not None:
        member_errors.guarded(partial(_parts, made, page))
    address.finish()


def _parts(made: QuestionList, page: _Page) -> None:
    notices.show_last(over=True)
    if listed.fits(made, page.table):
        receipt = listed.show(made, page.table, page.bar)
        with page.left:
            receipt()
