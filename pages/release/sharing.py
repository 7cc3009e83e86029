"""At the button Release: whether the response may be shared, and what another press would be charged."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.ledger.accounting import Ledger, Line, Standing
from pages.files.tables import Table
from pages.state.book import Book


def show(book: Book, table: Table, lines: Sequence[Line], asked: Sequence[Line], *, spent: bool) -> None:
    """``lines``: those of the press as they stand or stood; ``asked``: the same before anything was said of what came before."""
    may = _may_share(lines, caveats=bool(book.caveats(table)))
    st.markdown(" ".join(part for part in (may, again(book, table, asked, spent=spent)) if part))


def _may_share(lines: Sequence[Line], *, caveats: bool) -> str:
    several = len(lines) > 1
    it = "the responses" if several else "the response"
    bare = [line for line in lines if line.guarantee is None]
    if len(bare) == len(lines):
        return f"Do not share {it} as {'private releases' if several else 'a private release'}."
    if caveats:
        return f"If you share {it}, share the warning above with it: the guarantee does not cover what was seen."
    if any(line.standing is Standing.HELD for line in lines):
        return f"If you share {it}, share with its guarantee that this holds by your word alone."
    if bare:
        return "**You may share those responses that have a guarantee, together with it.** The others are no private releases."
    return f"**You may share {it} together with {'their guarantee' if several else 'this guarantee'}.**"


def again(book: Book, table: Table, asked: Sequence[Line], *, spent: bool) -> str:
    """What another press of the same would be charged, what the ledger would then hold, and what a plan would have kept."""
    if len(asked) > 1:
        return "Each press is charged again, for every part of the list."
    try:
        first = book if spent else after(book, table, asked[0].redrawn("a press to come: a"))
        second, ledger = _next(first, table, asked[0].redrawn("a press to come: b"))
    except DpcoreError:  # it would be refused, and the press says why
        return ""
    said = f"Each press is charged again. {'Another press' if spent else 'A second press'} {_would(second, ledger)}"
    if second.standing in (Standing.LARGER, Standing.NONE):
        said += _planned(book, table, asked[0])
    return f"{said} The budget has no room for it." if not spent and first.refusal(table, asked[0]) else said


def _would(second: Line, ledger: Ledger) -> str:
    total = ledger.total()
    if second.standing is Standing.INEXACT:
        return "would have no guarantee either, because of how its noise is drawn."
    if second.standing is Standing.NONE:
        return "would have no guarantee, because this answer may have led to it."
    if second.standing is Standing.HELD:
        return "would have a guarantee of its own, which joins no total."
    if ledger.apart:
        return "would be charged to a ledger in which no one guarantee covers all."
    if total is None:
        return "would leave no promise for all together."
    why = " It is asked after an answer, so that its γ is larger." if second.standing is Standing.LARGER else ""
    return f"would bring this table's ledger to {words.name(total)}.{why}"


def after(book: Book, table: Table, line: Line) -> Book:
    """A copy of the book as it would be after this press, whatever a budget says."""
    copy = book.copied()
    copy.charge(table, lambda ledger: ledger.holding(line))
    return copy


def _next(book: Book, table: Table, line: Line) -> tuple[Line, Ledger]:
    """The press as it would stand, and the ledger that it would be charged to, with it."""
    sizes = [len(one.lines) for one in book.ledgers.get(table.digest, [])]
    grown = after(book, table, line).ledgers[table.digest]
    ledger = next(one for i, one in enumerate(grown) if i >= len(sizes) or len(one.lines) > sizes[i])
    return ledger.lines[-1], ledger


def _planned(book: Book, table: Table, asked: Line) -> str:
    """What two of them hold if both are listed before the first answer; empty where it is too late for a plan."""
    if book.responded(table):
        return ""
    both = Ledger().planned([asked, asked])
    total = both.holding(asked.redrawn("a press to come: a")).holding(asked.redrawn("a press to come: b")).total()
    return "" if total is None else f" Listed twice in a plan before the first answer, the two would hold {words.name(total)}."
