"""A file that was loaded and waits: for its table to be here, and for its holder's word that all of it is to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import streamlit as st

from pages.files.tables import Table
from pages.reports.saved.everything import Saved, read
from pages.state import ledger, pins, state, table_identity
from pages.state.listed import current_list
from pages.state.listed.link import to_plain
from pages.state.pinned_link import same
from pages.state.saved import merged_book, plans_and_views, sentences, writing
from pages.state.saved.merged_book import Joined
from pages.state.saved.plans_and_views import Views
from pages.wording.question_words import question

__all__ = ["Offer", "Waiting", "current", "keep", "leave", "load", "offer", "read", "table_of", "take"]

_KEY = "saved_waiting"
_DRAWING = "A release of this tab is being drawn: nothing was loaded. Load the file after it."
_CHANGED = (
    "Nothing was loaded: since this was shown, something of the table changed, perhaps in another tab. Read again what will "
    "change, then press."
)


@final
@dataclass(frozen=True, eq=False)
class Waiting:
    """A file that was read, under its name."""

    name: str
    saved: Saved


@final
@dataclass(frozen=True, eq=False)
class Offer:
    """What of a file would change here. ``table``: what it is about here, None where it speaks of no table's ledger."""

    table: Table | None
    joined: Joined | None
    views: Views | None
    said: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether there is anything to load."""
        found = self.joined
        accounts = found is not None and bool(
            found.lines or found.planned or found.late or found.doubted or found.ledgers != found.own
        )
        return accounts or self.views is not None or (found is not None and self.budget_changes)

    @property
    def budget_changes(self) -> bool:
        """Whether another budget would hold."""
        assert self.table is not None
        assert self.joined is not None
        return self.joined.budget != ledger.book().budgets.get(self.table.digest)


def take(name: str, content: bytes) -> Saved:
    """Read a file, which waits from now on; TableError for what is none, and then nothing changes."""
    saved = read(content)
    keep(name, saved)
    return saved


def keep(name: str, saved: Saved) -> None:
    """It waits from now on, in place of another one."""
    st.session_state[_KEY] = Waiting(name, saved)


def current() -> Waiting | None:
    """The file that waits."""
    found: Waiting | None = st.session_state.get(_KEY)
    return found


def leave() -> None:
    """It waits no more, and nothing was changed."""
    st.session_state.pop(_KEY, None)


def table_of(saved: Saved) -> Table | None:
    """The table here that the file is of."""
    if saved.table is None:
        return None
    return writing.found(saved.table, state.tables(), ledger.book(), state.scenario().table)


def offer(saved: Saved, table: Table | None, *, first: bool) -> Offer:
    """What would change. ``first``: whether its holder says that the file's plan came before the answers of this tab."""
    tables, book, said = state.tables(), ledger.book(), list[str]()
    found: Joined | None = None
    if table is not None and saved.table is not None:
        plan, gone = plans_and_views.fitting(saved, table, tables, state.example())
        found = merged_book.joined(book, table.digest, saved, plan, first=first)
        title = table.title or table.name
        said += sentences.of_accounts(found, saved, title, book.budgets.get(table.digest), gone)
    seen = plans_and_views.of(saved, table, tables, state.example())
    if seen is not None and _is_shown(seen):
        seen = None
    if seen is not None:
        asked = "" if seen.shown is None else question(seen.shown, tables[seen.shown.table])
        lists = current_list.current(table or state.table())
        said += sentences.of_views(seen, asked, len(pins.kept_pins()), 0 if lists is None else len(lists.questions))
    return Offer(table, found, seen, tuple(said))


def _is_shown(found: Views) -> bool:
    """Whether all of it stands here already."""
    if found.said or found.shown is None or not same(found.shown, state.scenario()):
        return False
    kept, lists = pins.scenarios(), current_list.all_of_them()
    pinned = set(found.pins) == set(kept) and all(same(one, kept[letter]) for letter, one in found.pins.items())
    if found.listed is None:
        return pinned
    mine = lists.get(found.listed.table)
    return pinned and mine is not None and to_plain(mine) == to_plain(found.listed)


def load(shown: Offer, *, first: bool) -> None:
    """Put all of it in place, if that is still what was shown; only what was shown and pinned can be undone."""
    state.begin()
    waiting, book = current(), ledger.book()
    if waiting is None:
        return
    with book.lock:
        if book.is_drawing:
            state.say(_DRAWING)
            return
        now = offer(waiting.saved, shown.table, first=first)
        if now.said != shown.said:
            state.say(_CHANGED)
            return
        if now.table is not None and now.joined is not None:
            merged_book.put(book, now.table.digest, now.table.title or now.table.name, waiting.saved.made, now.joined)
            if waiting.saved.table is not None:  # an earlier version that the file knows is this table too
                table_identity.of(book).files.append((now.table.digest, waiting.saved.table))
            _forget_fields(now.table)
    if now.views is not None:
        state.offer_undo(scenario=state.scenario(), pins=pins.kept_pins(), lists=current_list.all_of_them())
        if now.views.shown is not None:
            state.adopt(now.views.shown)
        pins.adopt(now.views.pins)
        if now.views.listed is not None:
            current_list.adopt(now.views.listed.table, now.views.listed)
    leave()
    state.say(_loaded(waiting.name, now))


def _loaded(name: str, now: Offer) -> str:
    accounts = now.joined is not None and bool(now.joined.ledgers or now.joined.budget)
    if now.views is None:
        return f"{name} was loaded. A ledger cannot be taken back." if accounts else f"{name} was loaded."
    undo = "what was shown and pinned before is one Undo away."
    return f"{name} was loaded. The ledger cannot be taken back; {undo}" if accounts else f"{name} was loaded: {undo}"


def _forget_fields(table: Table) -> None:
    """The fields of the budget begin with the one that holds now."""
    alias = ledger.alias(table.digest)
    for key in ("epsilon", "delta", "gamma"):
        st.session_state.pop(f"budget_{key}_{alias}", None)
