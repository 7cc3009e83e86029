"""How every page looks, where Streamlit has no setting for it."""

from __future__ import annotations

import streamlit as st

# A button that copies is seen, not only under a pointer.
# A wide chart has both, names at its lines and a second legend of them: where the window is narrow, that is what can be read.
_STYLE = """<style>
[data-testid="stCode"] div:has([data-testid="stElementToolbarButton"]) { visibility: visible !important; opacity: 1 !important; }
.st-key-laid_tables { position: absolute; max-width: 1px; overflow: hidden; }
[class*="st-key-tools_"] { margin-left: auto; }
[class*="st-key-enlarge_"] button, [class*="st-key-picture_"] button { min-height: 0; min-width: 0; padding: 0.15rem 0; }
@media (min-width: 900px) { [class*="st-key-heading_"] { min-height: 42px; margin-bottom: -0.7rem; } }
[class*="st-key-heading_"] h2 { padding: 0; }
.st-key-how_accurate { margin-left: 0.5rem; position: relative; z-index: 1; }
.st-key-how_accurate button { min-height: 0; padding: 0.15rem 0; }
@media (max-width: 899px) { [class*="st-key-enlarge_"] { display: none; } }
[class*="st-key-picture_"] button [aria-hidden="true"]:has(> span > [data-testid="stIconMaterial"]) { display: none; }
[class*="st-key-enlarge_"] p, [class*="st-key-picture_"] button p {
  position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%);
}
[class*="st-key-wide_"] svg text { fill: currentColor !important; }
@media (min-width: 900px) { [class*="st-key-wide_"] .legend2 { display: none; } }
</style>"""


def show() -> None:
    """At the top of each page."""
    st.html(_STYLE)
