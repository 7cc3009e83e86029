"""Streamlit's manager of all sessions, which it does not promise: what leans on it gets it here."""

from __future__ import annotations

from typing import Any

import streamlit as st


def session_manager() -> Any:
    """Who is connected, who has left, and where those are kept. While the server runs."""
    runtime: Any = st.runtime.get_instance()
    return runtime._session_mgr
