"""How the error falls with ε, kept while only ε is moved: the curve does not depend on it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.workbench.error_curve import ErrorCurve, error_curve
from pages.state.view import Shown

_KEPT = "error_curve"


def curve_of(view: Shown) -> ErrorCurve:
    """That of the view; what a session has seen last is not computed again."""
    headline, worst = view.headline, view.headline.worst
    key: tuple[Any, ...] = (
        view.table,
        view.scenario.with_(epsilon=1.0),
        headline.noise.sensitivity.value,
        None if worst is None else worst.sensitivity.value,
        headline.exact.simulated,
        headline.exact.value.tobytes(),
    )
    kept: tuple[tuple[Any, ...], ErrorCurve] | None = st.session_state.get(_KEPT)
    if kept is None or kept[0] != key:
        kept = st.session_state[_KEPT] = (key, error_curve(headline))
    return kept[1]
