"""Uploaders for screen readers: Streamlit gives the drop zone a name, but the role ``presentation``, which hides the name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_KEY = "dropzone"
_JS = """
export default function () {
  const zones = '[data-testid="stFileUploaderDropzone"][role="presentation"]';
  const mend = () => { for (const zone of document.querySelectorAll(zones)) { zone.setAttribute("role", "group"); } };
  const watching = new MutationObserver(mend);
  watching.observe(document.body, { attributeFilter: ["role"], childList: true, subtree: true });
  mend();
  return () => watching.disconnect();
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, html="<span hidden></span>", js=_JS)
    return component


def mend() -> None:
    """Give all drop zones of the page the role ``group``."""
    _component()(key=_KEY)
