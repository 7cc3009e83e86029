"""A choice of one is a sentence, whichever widget would offer it."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

_PAGE = """
import streamlit as st
from pages.shared.widgets import control

widget = getattr(st, st.session_state["widget"])
chosen = control(
    widget, "Oracle", st.session_state["offered"], key="pick", holds="*a*", act=lambda one: None, format_func=str.upper,
    **st.session_state["looks"],
)
st.text(f"chosen {chosen}")
"""


def _page(widget: str, offered: list[str], **looks: Any) -> AppTest:
    app = AppTest.from_string(_PAGE)
    app.session_state["widget"], app.session_state["offered"], app.session_state["looks"] = widget, offered, looks
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize("widget", ["selectbox", "radio", "segmented_control", "pills"])
def test_one_is_said_and_two_are_offered(widget: str) -> None:
    one = _page(widget, ["*a*"])
    assert [said.value for said in one.markdown] == ["Oracle: \\*A\\*"]
    assert one.text[0].value == "chosen *a*"
    assert not one.get(widget)
    two = _page(widget, ["*a*", "b"])
    assert not two.markdown
    assert two.text[0].value == "chosen *a*"


def test_a_hidden_label_stays_hidden() -> None:
    assert _page("radio", ["*a*"], label_visibility="collapsed").markdown[0].value == "\\*A\\*"


def test_several_of_one_can_still_be_none() -> None:
    app = AppTest.from_string(_PAGE.replace('holds="*a*"', 'holds=["*a*"]'))
    several = {"widget": "pills", "offered": ["*a*"], "looks": {"selection_mode": "multi"}}
    for name, value in several.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    assert not app.markdown
