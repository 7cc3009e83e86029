"""The answers: in place of the questions after the click, and those of earlier releases below."""

from __future__ import annotations

import math
from html import escape

import streamlit as st

from dpcore.answers.kind import KindOfAnswer
from dpcore.answers.numbers import SHARE
from dpcore.base.rounded import EMPTY, rows
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import RandomDP
from pages.escape import escaped
from pages.exports.release_report import answered
from pages.figures.released import released_chart
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.ledger.entry import Entry
from pages.ledger.press import Press
from pages.ledger.reach import ranks_in_words, ranks_short
from pages.widgets import badges, release_report, share
from pages.widgets.charts import show_chart
from pages.widgets.release_report import how_made
from pages.widgets.tables import show_table


def show(asked: Press | None, table: Table) -> None:
    """Show the answers about a table: those of this release first, in the order of the questions, then earlier ones.

    Args:
        asked: The release that the page is about; None if it was not made yet.
        table: The table.
    """
    book = ledger.book()
    with book.lock:  # a release of another tab may add to them meanwhile
        kept = [entry for entry in book.entries if entry.digest == book.name_of(table)]
    tickets = set[str]() if asked is None else {line.ticket for line in asked.lines}
    now = [entry for entry in kept if entry.ticket in tickets]
    releases: dict[str, list[Entry]] = {}
    for entry in kept:
        if entry.ticket not in tickets:
            releases.setdefault(entry.ticket.partition(".")[0], []).append(entry)  # a list's tickets end with the number
    if now:
        st.markdown("## Answers")
        _show_all(now)
    if kept:
        with st.container(horizontal=True):
            release_report.of_releases(book, table)
    if releases:
        st.markdown("## Earlier answers" if now else "## Answers")
        for release in reversed(releases.values()):
            _show_all(release)


def _show_all(entries: list[Entry]) -> None:
    """Show the answers of one release, with one badge for all that a guarantee covers."""
    if any(entry.covered for entry in entries if entry.release is not None):
        badges.show(badges.PRIVATE)
    for entry in entries:
        with st.container(border=True, key=f"entry_{entry.ticket}"):
            _show_entry(entry)


def _show_entry(entry: Entry) -> None:
    if entry.release is None:
        st.markdown(f"**{escaped(entry.title)}**")
        st.error(escaped(entry.problem))
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"tools_of_{entry.ticket}"):
        st.markdown(f"**{escaped(entry.title)}**", width="stretch")
        with st.popover("Details", type="tertiary"):
            for paragraph in _details(entry):
                st.markdown(paragraph)
        share.show_released(entry)
        st.download_button(
            "JSON",
            entry.as_json(),
            f"release-{entry.ticket}.json",
            "application/json",
            key=f"download_{entry.ticket}",
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )
    _show_response(entry)
    if entry.reach is not None and entry.line is not None and isinstance(entry.line.guarantee, RandomDP):
        st.markdown(":small[The pairs were sampled afresh, so the ± differs a little from the predicted one.]")
    if left_out := entry.not_protected:
        said, rest = left_out.split(":", 1)
        st.markdown(f":small[**{said}**: {escaped(rest)}]")
    for caveat in entry.caveats:
        st.warning(caveat)
    if not entry.covered:
        badges.show(badges.NO_GUARANTEE)


def made_from(entry: Entry) -> str:
    """Return the badge of an answer, and the guarantee that the badge is about, for its pictures and tables."""
    if entry.line is None or not entry.covered:
        return badges.NO_GUARANTEE
    return f"{badges.PRIVATE}: {descriptions.name(entry.line.guarantee)}"


def _guarantee_of(entry: Entry) -> str:
    """Return the guarantee of an answer, short enough for a narrow picture."""
    return badges.NO_GUARANTEE if entry.line is None or not entry.covered else descriptions.name(entry.line.guarantee)


def _show_response(entry: Entry) -> None:
    """Show the answer with its ±: one in a line, several in a table below their chart."""
    about, reach, one = entry.about, entry.reach, answered(entry)
    said = rows(one.kind, one.response, one.alone)
    chart = released_chart(one.response, one.kind, reach, _guarantee_of(entry))
    if chart is not None:
        show_chart(chart, f"curve_{entry.ticket}", escape(entry.title, quote=False))
    if len(said) > 1:
        show_table(_rows(said, one.kind), f"answer-of-{entry.ticket}", marks={"guarantee": made_from(entry)})
    else:
        st.markdown("".join(f"{escaped(name)}: **{escaped(f'{text} {near}'.rstrip())}**" for name, text, near in said))
    if entry.ranks is not None:
        st.markdown(f"**{ranks_short(entry.ranks)}**")
    if about.foretold:
        st.markdown(escaped(about.foretold))
    if math.inf in [near for some in entry.near or () for near in some]:
        st.markdown(EMPTY)
    if entry.guess:
        st.markdown(escaped(entry.guess))


def _details(entry: Entry) -> list[str]:
    """Return how the answer was made, what its ± says, and its guarantee word for word."""
    said = [f"This is {escaped(entry.about.target)}. {how_made(entry)} It was released on {entry.made}."]
    several = len(entry.near[0]) > 1 if entry.near else False
    if isinstance(entry.reach, float) and math.isfinite(entry.reach):
        each = "each number, taken alone," if several else "the answer"
        shares = " The numbers are shares of all rows." * (entry.about.answer.unit == SHARE)
        said.append(f"The ± is of the noise: 95% of the time, {each} is this close to the exact value.{shares}")
    if entry.ranks is not None and entry.release is not None:
        said.append(ranks_in_words(entry.ranks, entry.release.adjacency))
    return [*said, escaped(entry.promise)]


def _rows(said: tuple[tuple[str, str, str], ...], kind: KindOfAnswer) -> list[dict[str, str]]:
    """Return name, private answer with its unit, and its own ± if it is known."""
    answer = "private answer" + " (share of all rows)" * (kind.unit == SHARE)
    found = [{"of": name, answer: text} for name, text, _ in said]
    if any(near for _, _, near in said):
        found = [row | {"±, 95 in 100, each alone": near} for row, (_, _, near) in zip(found, said, strict=True)]
    return found
