"""What others chose: the ε of deployments in a public registry beside the one on the page, by what each protects."""

from __future__ import annotations

from calendar import month_name

import streamlit as st

from dpcore.guarantees import words
from pages.charts.others_epsilon import others_epsilon
from pages.experiment.registered import PROTECTED, Deployment, Registered, registered
from pages.shared import picture
from pages.shared.escape import escaped, table
from pages.shared.widgets import while_open
from pages.state.view import Shown, View

TITLE = "What others chose"
_WIDTH = 560  # pixels; less in a narrower window
_NOT_ADVICE = "This is no advice: each was chosen for other data and other readers."
_PERIODS = (
    "An ε for one event or one day is not an ε for all data of a person: whoever is in it on 100 days has 100 times that ε."
    " So compare yours with the row that protects what yours does."
)


def show(view: View) -> None:
    """A popover that is built only while it is open."""
    box = st.popover(
        "Others’ ε",
        key="others_epsilon",
        icon=":material/groups:",
        type="tertiary",
        on_change="rerun",
        help="What others chose: the ε of deployments in a public registry",
    )
    while_open(box, lambda: _compare(view, registered()))


def _compare(view: View, found: Registered) -> None:
    epsilon = view.scenario.epsilon
    with st.container(width=_WIDTH):
        st.markdown(f"**{TITLE}.** {in_words(found)} {_NOT_ADVICE}")
        st.markdown(f"{_PERIODS} {escaped(_yours(view))}{_weaker(view)}")
        chart, alt = others_epsilon(found, epsilon)
        picture.chart(
            chart, "others_epsilon_chart", alt, picture.Picture(TITLE, says=f"{_source(found)}{_weaker(view)}"), height="content"
        )
        table([row(one) for one in found.with_epsilon], "others-epsilon")
        st.markdown(f":small[{_source(found)} Rows by what an ε protects are ours. [The registry]({found.page})]")


def in_words(found: Registered) -> str:
    """How many state an ε, and which, in a sentence."""
    least, most, half = (words.figure(value) for value in (found.epsilons[0], found.epsilons[-1], found.median))
    return (
        f"Of {len(found.records)} deployments in a public registry, {len(found.epsilons)} state an ε: from {least} to {most}, "
        f"half of them at most {half}."
    )


def _yours(view: View) -> str:
    return f"Yours is for {words.unit_of(view.scenario.adjacency)} of this table, and for one answer."


def _weaker(view: View) -> str:
    """That a sampled guarantee is another promise than theirs."""
    if isinstance(view, Shown) and view.proved:
        return ""
    return (
        f" Theirs are promises of differential privacy. Yours is random DP at γ = {view.scenario.gamma:g}, which is weaker: it "
        "leaves unusual changes out."
    )


def row(one: Deployment) -> dict[str, str]:
    """Of the table below the chart."""
    return {
        "ε": words.figure(one.epsilon or 0.0),
        "Protects": PROTECTED[one.protects],
        "Deployment": f"{one.product}, {', '.join(one.organisations)}, {one.year}",
        "Unit in the registry": one.unit or "–",
        "δ": "–" if one.delta is None else f"{one.delta:g}",
        "Model": one.model.lower(),
        "Variant": one.variant or "–",
    }


def _source(found: Registered) -> str:
    year, month = found.as_of.split("-")
    return f"Source: {found.name}, as of {month_name[int(month)]} {year}, licence {found.licence.split(',')[0]}."
