"""The theme that is remembered is the one that Streamlit works out, until its options are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session

from pages.server import startup

_OWN = {"theme": "", "theme.light": "light", "theme.dark": "dark", "theme.sidebar": "sidebar"}
_SIDEBARS = {"theme.light.sidebar": "light", "theme.dark.sidebar": "dark"}
_PLAIN: Any = app_session._populate_theme_msg


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Streamlit's function as ``remember`` leaves it; the plain one is put back."""
    monkeypatch.setattr(app_session, "_populate_theme_msg", _PLAIN)
    startup.remember()
    yield app_session._populate_theme_msg
    monkeypatch.undo()
    config.get_config_options(force_reparse=True)


def _told(populate: Callable[..., None]) -> bytes:
    """A message as Streamlit fills it, section by section."""
    session = NewSession()
    custom = session.custom_theme
    for section, part in _OWN.items():
        populate(getattr(custom, part) if part else custom, section)
    for section, part in _SIDEBARS.items():
        populate(getattr(custom, part).sidebar, section)
    return session.SerializeToString(deterministic=True)


def test_every_answer_is_told_the_same_theme_to_the_byte(remembered: Callable[..., None]) -> None:
    right = _told(_PLAIN)
    assert b"#4DA8E0" in right  # this project's own
    assert [_told(remembered) for _ in range(3)] == [right] * 3


def test_options_are_read_once_and_again_where_they_were_changed(
    remembered: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    reading = config.get_options_for_section
    monkeypatch.setattr(config, "get_options_for_section", lambda section: read.append(section) or reading(section))
    before = _told(remembered)
    assert sorted(read) == sorted([*_OWN, *_SIDEBARS])
    assert _told(remembered) == before
    assert len(read) == 6
    config.get_config_options(force_reparse=True, options_from_flags={"theme.sidebar.primaryColor": "#123456"})
    assert b"#123456" in _told(remembered) == _told(_PLAIN)
