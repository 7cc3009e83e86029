"""What do the bounds of a column cost? The error of a sum or a mean, split into what is clipped, what is missing, and noise."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.base.types import person_of
from pages.old.charts import people
from pages.old.shared import badges, bounds_slider, picture
from pages.old.shared.error_words import causes, truth, with_unit
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import while_open
from pages.old.state import doubts
from pages.old.state.contributions import Analysis, of_records
from pages.old.state.view import View

TITLE = "What do the bounds cost?"
_KEY = "bounds_chart"


def show(view: View) -> None:
    """Behind a line that is built only while it is open; nothing of people, whose bounds stand on the page People."""
    if person_of(view.scenario.target) is None:
        while_open(doubts.box(doubts.BOUNDS_COST, TITLE, "straighten"), partial(_split, view))


def _split(view: View) -> None:
    found = of_records(view.scenario, view.table)
    if isinstance(found, str):
        st.markdown(escaped(found))
        return
    st.markdown(" ".join(_sentences(found)))
    bounds_slider.show(found)
    if found.question.bounds is not None:
        values = view.table.column(view.scenario.columns[0]).unit
        drawn, alt = people.error_by_bound(found.map.table[0], found.question.bounds, unit=found.unit, of_values=values)
        badge = badges.of_chart(view.table)
        picture.chart(drawn, _KEY, alt, picture.Picture(TITLE, badge), height=300)
        st.markdown(f":small[{people.ADDS_UP}]")
    badges.show(badges.of_chart(view.table))


def _sentences(found: Analysis) -> list[str]:
    """How large the error is and why, and the least that other bounds have."""
    total, best = found.chosen.errors.total, found.map.best
    said = [
        "**All of this is about a made-up table from the oracle, not about yours.**" * found.simulated,
        f"With noise that is sized to the proved worst case, an answer is off by about {with_unit(found, total)}.",
        truth(found),
        causes(found),
    ]
    if found.question.bounds is not None:
        low, high = (f"{end:,.10g}" for end in best.bounds)
        least = f"The least error is {with_unit(found, best.errors.total)}, with values from {low} to {high}."
        said.append("Of all bounds shown, these have the least error." if best.bounds == found.question.bounds else least)
    return [sentence for sentence in said if sentence]
