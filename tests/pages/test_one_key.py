"""Numbers and choices find what their key holds, without a copy of all that the session holds."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.server import startup

_PLAIN: Any = vars(SafeSessionState)["filtered_state"]


def _page() -> None:
    import streamlit as st

    st.session_state.setdefault("given", {"empty": None, "full": 2.5})
    for name, value in st.session_state["given"].items():
        st.session_state[name] = value
        st.number_input(name, value=7.0, key=name)
    st.session_state["choice"] = None
    st.selectbox("One of", ["a", "b"], key="choice")
    st.text_input("Without a key")
    st.markdown(f"{sorted(st.session_state)}, {len(st.session_state)}")


def _drawn() -> tuple[object, ...]:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    return *(box.value for box in app.number_input), app.selectbox[0].value, app.markdown[0].value


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One for each time that a session's whole state was copied."""
    monkeypatch.setattr(SafeSessionState, "filtered_state", _PLAIN)
    counted: list[bool] = []
    copied: Any = vars(SessionState)["filtered_state"].fget

    def copy(session: SessionState) -> object:
        counted.append(True)
        return copied(session)

    monkeypatch.setattr(SessionState, "filtered_state", property(copy))
    return counted


def test_what_is_drawn_is_the_same_and_a_copy_is_made_where_all_is_asked_for(copies: list[bool]) -> None:
    before = _drawn()
    assert before == (None, 2.5, None, "['choice', 'empty', 'full', 'given'], 4")
    plainly = len(copies)
    startup.look_up_one()
    assert _drawn() == before
    assert len(copies) - plainly == plainly - 4  # none for two numbers, a choice and a text
