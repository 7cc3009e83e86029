"""What a page offers for download, which AppTest does not show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st


@pytest.fixture
def download_names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What their files would be called."""
    given: list[str] = []
    button: Callable[..., bool] = st.download_button

    def recorded(*rest: Any, **more: Any) -> bool:
        given.append(more["file_name"] if "file_name" in more else rest[2])
        return button(*rest, **more)

    monkeypatch.setattr(st, "download_button", recorded)
    return given


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the download buttons of the page would give."""
    given: list[str] = []
    button: Callable[..., bool] = st.download_button

    def recorded(label: str, data: str, *rest: Any, **more: Any) -> bool:
        given.append(data() if callable(data) else data)  # which is written once it is asked for
        return button(label, data, *rest, **more)

    monkeypatch.setattr(st, "download_button", recorded)
    return given
