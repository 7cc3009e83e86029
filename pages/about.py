"""Show the promises of the app and their limits, and an audit of every mechanism."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore.audits.audit import CONFIDENCE, Check, Coverage, checks, coverages
from dpcore.guarantees.descriptions import figure, percent
from dpcore.registry import members, ordered
from pages.widgets import notices

TITLE = "About"
_TEXT = Path(__file__).parent / "text" / "about.md"
_STYLE = """<style>
.st-key-audit { margin-top: 0.5rem; }
@media (min-width: 900px) {
  .st-key-about [data-testid=stMarkdownContainer] { columns: 2; column-gap: 3rem; }
  .st-key-about h1 { column-span: all; }
  .st-key-about h2 { break-after: avoid; padding: 0.4rem 0 0.1rem; }
  .st-key-about li { break-inside: avoid; }
}
</style>"""


def show() -> None:
    """Show the page."""
    notices.show()
    st.html(_STYLE)
    with st.container(key="about"):
        st.markdown(_TEXT.read_text(encoding="utf-8"))
    if st.button("Audit every mechanism", key="audit", icon=":material/fact_check:"):
        st.session_state["audited"] = True
    if st.session_state.get("audited"):
        _show_audit()


@st.cache_resource(show_spinner="Auditing every mechanism…")
def audit() -> tuple[tuple[Check, ...], dict[str, Coverage]]:
    """Attack every mechanism, and count the changes that the sampler misses. Seeds are fixed, so the result is cached."""
    kinds = ordered(members("mechanisms").values())
    return checks(kinds), coverages()


def _show_audit() -> None:
    attacked, left_out = audit()
    draws = attacked[0].honest.draws
    st.markdown(
        f"For two neighbouring tables that are as far apart as the sensitivity allows, {draws:,} simulated answers to each give "
        "a lower bound of the ε that a mechanism really has. An honest mechanism stays below its ε, and one that secretly runs "
        f"at twice its ε has to be found out. Each bound holds with probability {CONFIDENCE}."
    )
    st.table(
        [
            {
                "mechanism": check.name,
                "promised": f"ε = {check.honest.epsilon:g}{f', δ = {check.honest.delta:g}' if check.honest.delta else ''}",
                "ε is at least": f"{figure(check.honest.lower)}: {'within the promise' if check.honest.holds else 'BROKEN'}",
                "at twice its ε": f"{figure(check.doubled.lower)}: {'not found out' if check.doubled.holds else 'found out'}",
            }
            for check in attacked
        ]
    )
    st.markdown(
        "For random differential privacy, one row of tables from the oracle is changed at random (the target is the mean of rows "
        "from Exponential(1)), and the changes are counted on which the worst answer loses more than ε."
    )
    st.table(
        [
            {
                "sampler": name,
                "promised γ": percent(found.gamma),
                "changes that lose more than ε": percent(found.missed / found.pairs),
                "interval": f"{percent(found.low)} to {percent(found.high)}",
                "result": "within the promise" if found.holds else "found out",
            }
            for name, found in left_out.items()
        ]
    )
