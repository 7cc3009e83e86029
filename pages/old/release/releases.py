"""What this browser has released, and what that has spent."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.numbers import SHARE
from dpcore.base.rounded import EMPTY, rows
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Ledger, Line
from pages.exports import release_report as spent
from pages.exports.release_report import answered
from pages.files.tables import Table
from pages.ledger import browser
from pages.ledger import session as ledger
from pages.ledger.book import CLOSED, Book
from pages.ledger.entry import Entry
from pages.ledger.reach import ranks_in_words, ranks_short
from pages.old.charts.answers import published
from pages.old.release import compared
from pages.old.shared import badges, exports, picture, standing_words
from pages.old.shared.escape import escaped
from pages.old.shared.escape import table as as_table
from pages.widgets import release_report as taking
from pages.widgets.release_report import how_made

FILE = "private answer"  # what a picture of one is named after: the question can have names of the table


_STORES_NOTHING = (
    ":material/history_toggle_off: **This browser stores nothing for this site**, as in some private windows. So this ledger "
    "belongs to this tab alone, and after a reload it is empty: save it as a file, and use no other tab for this table."
)


def made_from(entry: Entry) -> str:
    """What a picture of a response says of it: its badge, and the guarantee that the badge is about."""
    badge = _badge(entry)
    promised = entry.line.guarantee if entry.covered and entry.line is not None else None
    return badge if promised is None else f"{badge}: {words.name(promised)}"


def _badge(entry: Entry) -> str:
    return badges.PRIVATE if entry.covered else badges.NO_GUARANTEE


def ledgers(table: Table) -> None:
    """Every table's ledger, this one's first: each with its total, or why there is none."""
    book = ledger.book()
    with book.lock:  # a press of another tab may change it meanwhile
        filled = {name: one for name, one in book.ledgers.items() if one.lines}
        titles = dict(book.titles)
    if any(len(one.lines) > 1 and one.fixed_beforehand for one in filled.values()):
        st.number_input(
            "Tight total at δ",
            0.0,
            0.5,
            value=None,
            key="tight_delta",
            format="%g",
            width=160,
            placeholder="none",
            help="By privacy loss distributions: a smaller ε at this δ. It holds only if number, mechanism, ε and δ of all "
            "releases were fixed before the first answer: for one list, with nothing released after it.",
        )
    if table.digest not in filled:
        st.markdown(f"Nothing was released of **{escaped(table.title or table.name)}** in this browser.")
    if not browser.stores_name():
        st.markdown(_STORES_NOTHING)
    if incomplete := book.incomplete(table):
        st.markdown(f":material/draft: {incomplete}")
    for name in sorted(filled, key=lambda other: other != table.digest):
        st.markdown(f"**{escaped(titles[name])}**")
        _ledger(book, name, filled[name], table.unit if name == table.digest else None)


def _ledger(book: Book, name: str, one: Ledger, unit: Unit | None) -> None:
    as_table([_row(line) for line in one.lines], f"ledger-{ledger.alias(name)}")
    total = None if name in book.closed else one.total()
    if total is not None:
        st.markdown(f"**Together: {words.name(total)}.**")
        _tight(one)
        standing_words.in_full(total, unit, one.lines[0].adjacency)
    elif name in book.closed:
        st.markdown(f"**No guarantee covers all.** {CLOSED}")
    else:
        st.markdown("**No promise is left:** the shares γ of changes left out sum to 1 or more.")


def _tight(one: Ledger) -> None:
    delta = st.session_state.get("tight_delta")
    if not delta or len(one.lines) < 2 or not one.fixed_beforehand:
        return
    total, plain = one.total(delta=delta), one.total()
    if total is not None and plain is not None and total.epsilon >= plain.epsilon:
        st.markdown(f"At δ = {delta:g} nothing is gained on the plain sum.")
    elif total is None:
        st.markdown(f"At δ = {delta:g} there is no total with a finite ε.")
    else:
        st.markdown(f"**At δ = {delta:g}: {words.name(total)}**, by privacy loss distributions.")


def _row(line: Line) -> dict[str, str]:
    numbers = dict(zip("εδγ", spent.numbers(line), strict=True))
    told = {"question": line.about or line.target, "answer": line.answer or "none", "time": line.made}
    return {"charge": line.words} | told | numbers


def entries(table: Table) -> None:
    """Show the answers about a table, the last release first and its answers in the order of the questions, and a report."""
    book = ledger.book()
    with book.lock:  # a release of another tab may add to them meanwhile
        name = book.name_of(table)
        kept = [entry for entry in book.entries if entry.digest == name]
    if kept:
        st.markdown("## Answers")
    with st.container(horizontal=True):
        taking.of_releases(book, table)
    releases: dict[str, list[Entry]] = {}
    for entry in kept:
        releases.setdefault(entry.ticket.partition(".")[0], []).append(entry)  # a list's tickets end with the question's number
    for release in reversed(releases.values()):
        for entry in release:
            with st.container(border=True, key=f"entry_{entry.ticket}"):
                _entry(entry)


def _entry(entry: Entry) -> None:
    st.markdown(f"**{escaped(entry.title)}**")
    if entry.release is None:
        st.error(escaped(entry.problem))
        return
    _response(entry)
    compared.show_comparison(entry, entry.release)
    if entry.line is not None:
        unit, adjacency = entry.about.protected, entry.line.adjacency
        standing_words.show_promise(entry.line.guarantee, unit, adjacency, key=entry.ticket)
    if left_out := entry.not_protected:
        said, rest = left_out.split(":", 1)
        st.markdown(f"**{said}**: {escaped(rest)}")
    st.markdown(f"This is {escaped(entry.about.target)}. {how_made(entry)} It was released on {entry.made}.")
    for caveat in entry.caveats:
        st.warning(caveat)
    badges.show(_badge(entry))
    with st.container(horizontal=True):
        st.download_button(
            "Download as JSON",
            entry.as_json(),
            f"release-{entry.ticket}.json",
            "application/json",
            key=f"download_{entry.ticket}",
            on_click="ignore",
        )
        exports.show_released(entry)


def _response(entry: Entry) -> None:
    """The chart if its kind has one, then the parts by their names, with unit and ±: several in a table."""
    about, reach, one = entry.about, entry.reach, answered(entry)
    said = rows(one.kind, one.response, one.alone)
    chart = published(one.response, one.kind, reach)
    if chart is not None:
        taken = picture.Picture(about.target, made_from(entry), file=FILE)
        picture.chart(chart, f"curve_{entry.ticket}", "The private answer.", taken, height=240)
    if len(said) > 1:
        as_table(_rows(said, one.kind), f"answer-of-{entry.ticket}", marks={"guarantee": made_from(entry)})
    else:
        st.markdown("".join(f"{escaped(name)}: **{escaped(f'{text} {near}'.rstrip())}**" for name, text, near in said))
    several = len(entry.near[0]) > 1 if entry.near else False
    if isinstance(reach, float) and math.isfinite(reach):
        each = "each number, taken alone," if several else "the answer"
        shares = " The numbers are shares of all rows." * (about.answer.unit == SHARE)
        sampled = entry.line is not None and isinstance(entry.line.guarantee, RandomDP)
        fresh = " Its trials are drawn afresh, so it is not quite Explore's." * sampled
        st.markdown(
            f"The ± is of the noise: in 95 of 100 such releases {each} lies this close to the one without noise.{fresh}{shares}"
        )
    if entry.ranks is not None and entry.release is not None:
        st.markdown(f"**{ranks_short(entry.ranks)}.** {ranks_in_words(entry.ranks, entry.release.adjacency)}")
    if about.foretold:
        st.markdown(escaped(about.foretold))
    if math.inf in [near for some in entry.near or () for near in some]:
        st.markdown(EMPTY)
    if entry.guess:
        st.markdown(escaped(entry.guess))


def _rows(said: tuple[tuple[str, str, str], ...], kind: KindOfAnswer) -> list[dict[str, str]]:
    """Name, private answer with its unit, and its own ± if it is known."""
    answer = "private answer" + " (share of all rows)" * (kind.unit == SHARE)
    found = [{"of": name, answer: text} for name, text, _ in said]
    if any(near for _, _, near in said):
        found = [row | {"±, 95 in 100, each alone": near} for row, (_, _, near) in zip(found, said, strict=True)]
    return found
