"""The answers: in place of the questions after the click, and those of earlier releases below."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import streamlit as st

from dpcore.base.text import EMPTY, rows
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import RandomDP
from dpcore.mechanisms.base import Release
from dpcore.result_types.numbers import SHARE
from pages.escape import escaped
from pages.exports.release_report import how_made
from pages.figures.released import released_chart
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.ledger.entry import CLOSED, Entry, ranks_in_words, ranks_short
from pages.ledger.press import Press
from pages.widgets import guarantees, share
from pages.widgets.charts import show_chart, show_table


def show(asked: Press | None, table: Table) -> None:
    """Show the answers about a table: those of this release first, in the order of the questions, then earlier ones.

    Args:
        asked: The release that the page is about; None if it was not made yet.
        table: The table.
    """
    book = ledger.book()
    with book.lock:  # a release of another tab may add to them meanwhile
        kept = [entry for entry in book.entries if entry.digest == book.name_of(table)]
    releases: dict[str, list[Entry]] = {}
    for entry in kept:
        releases.setdefault(entry.ticket, []).append(entry)
    now = [] if asked is None else releases.pop(asked.ticket, [])
    if now:
        st.markdown("## Answers")
        _show_all(now)
    if kept:
        with st.container(horizontal=True):
            share.show_report(book, table)
    if releases:
        st.markdown("## Earlier answers" if now else "## Answers")
        for release in reversed(releases.values()):
            _show_all(release)


def _show_all(entries: list[Entry]) -> None:
    """Show the answers of one release, with one badge for all that a guarantee covers."""
    if any(entry.covered for entry in entries if entry.release is not None):
        guarantees.show_badge(guarantees.PRIVATE)
    for entry in entries:
        with st.container(border=True, key=f"entry_{entry.key}"):
            _show_entry(entry)


def _show_entry(entry: Entry) -> None:
    release = entry.release
    if release is None:
        st.markdown(f"**{escaped(entry.title)}**")
        st.error(escaped(entry.problem))
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"tools_of_{entry.key}"):
        st.markdown(f"**{escaped(entry.title)}**", width="stretch")
        with st.popover("Details", type="tertiary"):
            for paragraph in _details(entry, release):
                st.markdown(paragraph)
        share.show_released(entry)
        st.download_button(
            "JSON",
            entry.as_json(),
            f"release-{entry.key}.json",
            "application/json",
            key=f"download_{entry.key}",
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )
    _show_response(entry, release)
    if entry.reach is not None and entry.line is not None and isinstance(entry.line.guarantee, RandomDP):
        st.markdown(":small[New pairs were sampled, so the ± differs a little from the predicted one.]")
    if left_out := entry.not_protected:
        said, rest = left_out.split(":", 1)
        st.markdown(f":small[**{said}**: {escaped(rest)}]")
    if entry.closed:
        st.warning(CLOSED)
    if not entry.covered:
        guarantees.show_badge(guarantees.NO_GUARANTEE)


def _show_response(entry: Entry, release: Release[Any]) -> None:
    """Show the answer with its ±: one in a line, several in a table below their chart."""
    kind, near = entry.about.answer, entry.near or ()
    said = rows(kind, release.response, near)
    chart = released_chart(release.response, kind, entry.reach, _guarantee_of(entry))
    if chart is not None:
        show_chart(chart, f"curve_{entry.key}", escape(entry.title, quote=False))
    if len(said) > 1:
        answer = "private answer" + " (share of all rows)" * (kind.unit == SHARE)
        found = [{"of": name, answer: text, "±, 95%, each by itself": near} for name, text, near in said]
        if not any(near for _, _, near in said):
            found = [{"of": name, answer: text} for name, text, _ in said]
        show_table(found)
    elif said:
        ((name, text, alone),) = said
        st.markdown(f"{escaped(name)}: **{escaped(f'{text} {alone}{ranks_short(entry.ranks)}'.rstrip())}**")
    notes = [entry.about.foretold, EMPTY if math.inf in near else ""]
    for note in filter(None, notes):
        st.markdown(escaped(note))


def _guarantee_of(entry: Entry) -> str:
    """Return the guarantee of an answer, short enough for a narrow picture."""
    return guarantees.NO_GUARANTEE if entry.line is None or not entry.covered else descriptions.name(entry.line.guarantee)


def _details(entry: Entry, release: Release[Any]) -> list[str]:
    """Return how the answer was made, what its ± says, and its guarantee word for word."""
    said = [f"This is {escaped(entry.about.target)}. {escaped(how_made(entry))} It was released on {entry.made}."]
    if isinstance(entry.reach, float) and math.isfinite(entry.reach):
        each = "each number by itself" if entry.near and len(entry.near) > 1 else "the answer"
        shares = " The numbers are shares of all rows." * (entry.about.answer.unit == SHARE)
        said.append(f"The ± is of the noise: 95% of the time, {each} is this close to the exact value.{shares}")
    if entry.ranks is not None:
        said.append(ranks_in_words(entry.ranks, release.adjacency))
    return [*said, escaped(entry.promise)]
