"""At the button Release: whether the answer may be published, and what another press would be charged."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.ledger.accounting import Line
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.old.shared.escape import escaped


def show(book: Book, table: Table, lines: Sequence[Line], asked: Sequence[Line], *, spent: bool) -> None:
    """``lines``: those of the press as they are charged; ``asked``: the same before anything was said of what came before."""
    st.markdown(may_share(lines))
    with st.container(key="limits_again"):
        st.markdown(escaped(again(book, table, asked, spent=spent)))


def may_share(lines: Sequence[Line]) -> str:
    """Of a press that had no response nothing is said."""
    several = len(lines) > 1
    it, this = ("the answers", "each guarantee") if several else ("the answer", "this guarantee")
    if not lines:
        return ""
    return f"You may publish {it} together with {this}."


def again(book: Book, table: Table, asked: Sequence[Line], *, spent: bool) -> str:
    """What another press of the same would be charged, and what the ledger would then hold."""
    if spent and (refused := book.refusal(table, asked)):
        return f"Each press is charged again. Another one is refused now. {refused}"
    if any(line.drawn is not None for line in asked):
        return "Noise is sized by trials only in the first release of a table: this press is it."
    try:
        ledger = book.ledger(table)
        for line in [*asked, *([] if spent else asked)]:
            ledger = ledger.holding(line)
    except DpcoreError:
        return ""
    total = ledger.total()
    if total is None:
        return "Each press is charged again."
    which = "Another press" if spent else "A second press"
    return f"Each press is charged again. {which} would bring this table's ledger to {words.name(total)}."
