"""A random name for this browser, which all of its tabs share: it lives in local storage, so each table has one ledger there.

Beside it the browser keeps whether a release was begun in it: a server that was restarted does not know. This mark has no end. An
answer stays known however old it is, and a restarted server does not recognise the table that it came from. So at any time the
next release in this browser could be the second one of a table, with noise that is allowed only for the first. The mark names no
table, because that would tell of its data. If you are sure that nothing was released, erase what the browser keeps for the site.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import streamlit as st

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
    """Return the browser's name, or None until the browser has said it. A session without a browser gets a name of its own."""
    if "browser" not in st.session_state and not st.context.headers:
        st.session_state["browser"] = secrets.token_hex(16)
    name: str | None = st.session_state.get("browser")
    return name


def had_begun() -> bool:
    """Return whether a release was begun in this browser, as far as the browser or this session remembers."""
    return bool(st.session_state.get("browser_had_begun"))


def stores_name() -> bool:
    """Return whether the browser stores its name. If not, the name and its ledgers end with the page."""
    return bool(st.session_state.get("browser_stores_name", True))


def listen(*, begun: bool) -> None:
    """Ask the browser for its name until it has answered, and let it remember that a release was begun.

    The session remembers it too, because it can outlive the books: a developer's file watcher imports their module again.
    """
    if begun:
        st.session_state["browser_had_begun"] = True
    proposed: str = st.session_state.setdefault("proposed_name", secrets.token_hex(16))
    data = {"proposed": proposed, "known": known() is not None, "begun": begun}
    _component()(key=_KEY, data=data, on_answer_change=_take)


def _take() -> None:
    """Take the browser's answer, before the run that follows it.

    The answer ends with the name that this session proposed. A page that was open while its server was restarted still holds its
    answer to the session before; that one may be out of date, and the same words again would be no change for Streamlit.
    """
    said, proposed = str(st.session_state[_KEY]["answer"]), st.session_state["proposed_name"]
    if "browser" in st.session_state or not said.endswith(proposed):
        return
    answer = re.fullmatch(r"([0-9a-f]{32}) ([01]) ([01]) [0-9a-f]{32}", said)
    st.session_state["browser"] = answer[1] if answer else proposed
    st.session_state["browser_had_begun"] = answer is not None and answer[2] == "1"
    st.session_state["browser_stores_name"] = answer is not None and answer[3] == "1"
