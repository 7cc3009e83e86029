"""At the button Release: whether the answer may be published, and what another press would be charged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.ledger.accounting import Ledger, Line, Standing
from pages.charts.spending import PIXELS, Bar, spending
from pages.charts.svg import Theme
from pages.files.tables import Table
from pages.release import filling
from pages.shared import picture
from pages.state.book import Book

_WIDTH, _WIDE = 360, "min(100%, 30rem)"  # of the bars: pixels as they are drawn, and how wide they are on the page


def sharing(book: Book, table: Table, lines: Sequence[Line], *, refused: bool, asked: Sequence[Line], spent: bool) -> None:
    """``lines``: those of the press as they stand or stood; ``asked``: the same before anything was said of what came before.
    Where the press is ``refused``, the bars alone."""
    if not refused:
        st.markdown(may_share(lines, caveats=bool(book.caveats(table))))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        if not refused:
            with st.container(key="limits_again", width="stretch"):
                st.markdown(again(book, table, asked, spent=spent))
        at = st.container(width="content")
    if bars := filling.bars(book, table, asked, spent=spent):
        picture.Picture("What each answer spends", at=at).offered(lambda: spending(bars), "spending")
        st.html(_image(bars, picture.page_theme()))


@lru_cache(maxsize=64)
def _image(bars: tuple[Bar, ...], theme: Theme) -> str:
    """Drawn once: few changes of a list change what is spent."""
    drawn, said = spending(bars)
    return picture.image_on(theme, drawn, said, (_WIDTH, PIXELS * len(bars)), _WIDE)


def may_share(lines: Sequence[Line], *, caveats: bool) -> str:
    """Of those that have a guarantee how, and of the others that they may not be; empty of a press that had no response."""
    holding = [line for line in lines if line.guarantee is not None]
    several = len(lines) > 1
    if not holding:
        private = "the answers as private ones" if several else "the answer as a private one"
        return f"Do not publish {private}." * bool(lines)
    bare = "Do not publish an answer that has no guarantee as a private one. " * (len(holding) < len(lines))
    it = "the others" if bare else "the answers" if several else "the answer"
    if caveats:
        return f"{bare}If you publish {it}, publish the warning above with it: the guarantee does not cover what was seen."
    this = "each guarantee" if several else "this guarantee"
    if any(line.standing is Standing.HELD for line in holding):
        word = "its guarantee that this holds" if not several else "each guarantee whether it holds"
        return f"{bare}If you publish {it}, publish with {word} by your word alone."
    return f"{bare}You may publish {it} together with {this}."


def again(book: Book, table: Table, asked: Sequence[Line], *, spent: bool) -> str:
    """What another press of the same would be charged, and what the ledger would then hold."""
    if len(asked) > 1:
        return "Each press is charged again, for every part of the list."
    try:
        first = book if spent else after(book, table, asked[0].redrawn("a press to come: a"))
        second, ledger = _next(first, table, asked[0].redrawn("a press to come: b"))
    except DpcoreError:  # it would be refused, and the press says why
        return ""
    said = ["Each press is charged again."]
    said += [f"{'Another press' if spent else 'A second press'} {would}"] if (would := _would(second, ledger)) else []
    said += ["The budget has no room for it."] if not spent and first.refusal(table, asked[0]) else []
    return " ".join(said)


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
    if facts(total).delta:  # of which the bars are silent
        return f"would bring this table's ledger to {words.name(total)}."
    return ""


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
