"""About and limits: the guarantee as a reader may rely on it, and what is known to be weak."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import streamlit as st

from dpcore.audits.audit import CONFIDENCE, Coverage
from dpcore.audits.worst_pairs import Check, checks, coverages
from dpcore.guarantees.words import figure, percent
from dpcore.registry.catalog import members
from dpcore.registry.fit import ordered
from pages.escape import escaped
from pages.old.state import place, unfolded
from pages.server import uploads
from pages.server.pool import pool
from pages.widgets import badges, notices
from pages.widgets.controls import while_open
from pages.widgets.tables import show_table

# The audit of every mechanism, as it comes out on this server.


@st.cache_resource(show_spinner="Auditing every mechanism…")
def _results() -> tuple[tuple[Check, ...], dict[str, Coverage]]:
    kinds = ordered(members("mechanisms").values())
    return checks(kinds), coverages(kinds)


def show_audits() -> None:
    """Two tables: what responses give away on a worst pair, and how often a sampled sensitivity keeps its promise."""
    audits, shares = _results()
    draws = audits[0].honest.draws
    st.markdown(
        f"For two neighbouring tables that are as far apart as the sensitivity allows, {draws:,} simulated answers to each "
        "bound from below how much they give away. A mechanism that keeps its promise stays under its ε; one that secretly runs "
        f"at twice its ε must be seen above it. Each bound holds with probability {CONFIDENCE}. The project's tests do the same "
        "with the noise of releases, and compare that with the simulated one."
    )
    show_table([_row(check) for check in audits], "worst-pairs")
    st.markdown(
        "For random DP, one row is changed at random in tables from the oracle (the target is the mean of Exponential(1) "
        "rows). Those changes are counted on which the worst answer loses more than ε."
    )
    show_table([_share(name, found) for name, found in shares.items()], "shares-left-out")


def _row(check: Check) -> dict[str, str]:
    honest, doubled = check.honest, check.doubled
    promised = f"{honest.epsilon:g}" + (f", δ = {honest.delta:g}" if honest.delta else "")
    return {
        "mechanism": check.name,
        "promised ε": promised,
        "gives away at least": f"{figure(honest.lower)}: {'within the promise' if honest.holds else 'BROKEN'}",
        "at twice its ε": f"{figure(doubled.lower)}: {'not seen' if doubled.holds else 'caught'}",
    }


def _share(name: str, found: Coverage) -> dict[str, str]:
    return {
        "sampler": name,
        "promised γ": percent(found.gamma),
        "changes that lose more than ε": percent(found.missed / found.pairs),
        "interval": f"{percent(found.low)} to {percent(found.high)}",
        "verdict": "within the promise" if found.holds else "caught",
    }


# What is in sight, and what opens.


TITLE = "About and limits"
ORDER = 9
PLACES = (place.OPEN,)
_AUDIT = "about_audit"
LINES = {  # of what opens: the heading in the text, and an icon
    "about_rely": ("What you may rely on", "gavel"),
    "about_several": ("Several questions about one table", "playlist_add_check"),
    "about_limits": ("What is not promised, in full", "gpp_maybe"),
    "about_noise": ("The mechanisms", "graphic_eq"),
    "about_bounds": ("The bounds", "function"),
    "about_data": ("Your data", "database"),
    _AUDIT: ("The audit of every mechanism", "fact_check"),
}


def show() -> None:
    """In plain words, what may be shown and what is not promised; and lines that open."""
    notices.show()
    first, plain, limits, *rest = sections()
    st.markdown(f"{first}\n{plain}")
    badges.legend()
    with st.container(key="limits_about"):
        st.markdown(limits)
    under = {text.split("\n", 1)[0].removeprefix("## "): text.split("\n", 1)[1] for text in rest}
    for key, (title, icon) in LINES.items():
        build = show_audits if key == _AUDIT else partial(_section, key, under[title])
        while_open(unfolded.box(place.OPEN, tuple(LINES), key, title, icon), build)


def sections() -> list[str]:
    """The text, parted where a heading begins."""
    return re.split(r"\n(?=## )", (Path(__file__).parents[1] / "text" / "about.md").read_text(encoding="utf-8"))


def _section(key: str, text: str) -> None:
    st.markdown(text)
    if key == "about_data":
        st.markdown(f"**Limits of an upload.** {uploads.in_words()}")
        st.markdown(f"Long runs are made **{escaped(pool().where)}**. {escaped(pool().trouble)}")
