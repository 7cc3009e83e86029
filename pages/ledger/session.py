"""The random name of this browser, and its book.

All tabs of a browser share its name, because it is in local storage. So each table has one ledger there, which survives a reload.
Beside its name the browser keeps whether a release was begun in it, because a server that was restarted does not know. This mark
has no end: a restarted server does not recognise the table of an earlier answer, so the next release could always be the second
one of a table. The mark names no table, because that would tell of its data. Users who are sure that nothing was released can
erase what the browser keeps for the site.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages import state
from pages.ledger.book import BOOKS, Book
from pages.server import jobs

_KEY = "browser_name"

# Two tabs that open at the same moment both find no name. Each writes the one that was proposed to it, marked as new, and reads
# again after a pause: by then both see the name that was written last. A tab that finds a new name waits too.
# BEGUN is written by the click itself, before its message leaves the browser.
_JS = """
const NAME = "dp-browser", BEGUN = "dp-release-begun", PAUSE = 300;
const RELEASE = ".st-key-release button";
const memory = window.dpMemory ??= {};  // for a browser that stores nothing: it lasts as long as the page

function stored(key) {
  try { return window.localStorage.getItem(key); } catch (error) { return null; }
}

function read(key) { return stored(key) || memory[key] || ""; }

function write(key, value) {
  memory[key] = value;
  try { window.localStorage.setItem(key, value); } catch (error) { /* the memory has it */ }
}

async function settle(proposed) {
  const found = read(NAME);
  if (/^[0-9a-f]{32}$/.test(found)) { return found; }
  if (!/^new [0-9a-f]{32}$/.test(found)) { write(NAME, "new " + proposed); }
  await new Promise(resolve => setTimeout(resolve, PAUSE));
  const name = read(NAME).replace("new ", "");
  write(NAME, name);
  return name;
}

function begin(event) {
  if (event.target.closest?.(RELEASE)) { write(BEGUN, "1"); }
}

export default function ({ data, setStateValue }) {
  window.addEventListener("click", begin, true);
  if (data.begun) { write(BEGUN, "1"); }
  if (data.known) { return; }
  settle(data.proposed).then(name => {
    const begun = read(BEGUN) === "1" ? "1" : "0", stores = stored(NAME) === name ? "1" : "0";
    setStateValue("answer", [name, begun, stores, data.proposed].join(" "));
  });
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, html="<span hidden></span>", js=_JS)
    return component


def known() -> str | None:
    """Return the browser's name, or None until the browser has said it. A session without a browser gets a random name."""
    if "browser" not in st.session_state and not st.context.headers:
        st.session_state["browser"] = secrets.token_hex(16)
    name: str | None = st.session_state.get("browser")
    return name


def stores_name() -> bool:
    """Return whether the browser stores its name. If not, the name and its ledgers end with the page."""
    return bool(st.session_state.get("browser_stores_name", True))


def book() -> Book:
    """Return this browser's book; an empty one until the browser has said its name."""
    name = known()
    return Book() if name is None else BOOKS.get(name)


def hold() -> None:
    """Keep long draws of a release going, and notice a ledger that the server forgot. Every page calls it.

    The draws of a release go on while any page of its browser is open. Uploads that another tab showed to be one table get its
    name.
    """
    mine = book()
    state.rename_tables(mine.same)
    if not mine.lost and _is_forgotten(mine):
        with mine.lock:  # another tab may have released, or joined two tables, meanwhile
            state.rename_tables(mine.same)
            mine.lost = _is_forgotten(mine)
    if mine.drawing is not None and mine.drawing.open:
        jobs.keeper().hold(mine.drawing.job)


def _is_forgotten(mine: Book) -> bool:
    """Return whether this is a new book although the browser had one: the server was restarted, or is another one.

    The browser remembers that it began a release, and the session has uploads that only the earlier book knows.
    """
    begun = bool(st.session_state.get("browser_had_begun")) and not mine.begun
    return begun or any(table.digest not in mine.titles for table in st.session_state.get("uploads", {}).values())


def listen() -> None:
    """Ask the browser for its name until it has answered, and let it remember that a release was begun.

    The session remembers it too, because it can outlive the books: a developer's file watcher imports their module again.
    """
    begun = book().begun
    if begun:
        st.session_state["browser_had_begun"] = True
    proposed: str = st.session_state.setdefault("proposed_name", secrets.token_hex(16))
    data = {"proposed": proposed, "known": known() is not None, "begun": begun}
    _component()(key=_KEY, data=data, on_answer_change=_take)


def _take() -> None:
    """Take the browser's answer, before the run that follows it.

    The answer ends with the name that this session proposed. A page that was open while its server was restarted still has its
    answer to the session before, which may be out of date. Streamlit would not report the same answer again.
    """
    said, proposed = str(st.session_state[_KEY]["answer"]), st.session_state["proposed_name"]
    if "browser" in st.session_state or not said.endswith(proposed):
        return
    answer = re.fullmatch(r"([0-9a-f]{32}) ([01]) ([01]) [0-9a-f]{32}", said)
    st.session_state["browser"] = answer[1] if answer else proposed
    st.session_state["browser_had_begun"] = answer is not None and answer[2] == "1"
    st.session_state["browser_stores_name"] = answer is not None and answer[3] == "1"
