"""A link to a table that is not here: its question, its guarantee and the file to upload."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.quoted import quoted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from pages import state
from pages.escape import escaped
from pages.experiment.choices import title
from pages.experiment.descriptions import oracle_words, target_words
from pages.experiment.names import bound_words
from pages.experiment.noise import worst_case
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.csv_columns.header import listed
from pages.files.tables import Column
from pages.old.state import address
from pages.server.page_list import link_to
from pages.widgets import notices


def show() -> bool:
    """Show the link in place of the page if its table is not here, and return whether that is so."""
    waiting = address.absent_query()
    if waiting is None:
        return False
    notices.show()
    st.markdown(f"# The link is about {escaped(quoted(waiting['table']))}, which is not here")
    asked = address.asked(waiting)
    if asked is None:
        st.markdown("A link holds no data, and what this one asks cannot be read without its table.")
        columns = ""
    else:
        st.markdown("\n".join(f"- {line}" for line in _lines(asked)))
        columns = " with " + escaped(listed([*map(quoted, asked.columns)])) if asked.columns else ""
    st.markdown(
        f"**A link holds no data.** Upload the file of that name{columns} on the page Your data, declare it as it was, and click "
        "“Use this table”. Then this question is shown."
    )
    with st.container(horizontal=True):
        st.page_link(link_to("your_data"), label="Bring the table on Your data", icon=":material/upload_file:")
        st.button("Show the example instead", key="leave_link", on_click=_show_example, icon=":material/close:")
    return True


def _lines(asked: Scenario) -> list[str]:
    columns = tuple(map(Column, asked.columns))
    oracle = asked.oracle.words if isinstance(asked.oracle, TableRecords) else oracle_words(asked.oracle)
    delta = "" if asked.delta is None else f", δ = {asked.delta:g}"
    many = f"{'about ' * asked.adjacency.removes}{counted(asked.n, f' {words.counted_in(asked.adjacency)}')}"
    weaker = words.name(RandomDP(asked.epsilon, asked.delta or 0.0, asked.gamma, asked.confidence))
    promise = f"With sampled noise, it would promise **{weaker}**."
    if worst_case(asked) is not None:
        proper = PureDP(asked.epsilon) if asked.delta is None else ApproxDP(asked.epsilon, asked.delta)
        promise += f" With noise calibrated to the proved worst case, **{words.name(proper)}**: this is differential privacy."
    return [
        f"It asks for **{escaped(target_words(asked.target, columns))}**, of {many}.",
        f"Its oracle is **{escaped(oracle)}**.",
        f"It samples {counted(asked.m, ' pairs')} for γ = {asked.gamma:g} under {escaped(bound_words(asked.bound.name))}, with "
        f"**{title(type(asked.mechanism).__name__)}** noise at ε = {asked.epsilon:g}{delta}.",
        f"{promise} Differential privacy protects every change of {words.unit_of(asked.adjacency)}: random DP is weaker.",
    ]


def _show_example() -> None:
    address.leave()
    state.anew(state.example())
