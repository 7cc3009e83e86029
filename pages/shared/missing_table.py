"""In the place of a page: what a link to a table that is not here asks, what it would promise, and what to bring. No data."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from pages.experiment import preview
from pages.experiment.defaults import title
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.csv_columns.header import listed, quoted
from pages.files.tables import Column
from pages.server.page_list import link_to
from pages.shared import notices
from pages.shared.escape import escaped
from pages.state import address, state
from pages.wording.sentences import oracle_words, target_words
from pages.wording.values import bound_words


def show() -> bool:
    """Whether a link waits for its table; then all of it is said here, and the page has nothing of another table."""
    waiting = address.absent_query()
    if waiting is None:
        return False
    notices.show(over=True)
    st.markdown(f"# The link is about {escaped(quoted([waiting['table']])[0])}, which is not here")
    asked = address.asked(waiting)
    if asked is None:
        st.markdown("A link holds no data, and what this one asks cannot be read without its table.")
    else:
        st.markdown("\n".join(f"- {line}" for line in _lines(asked)))
    st.markdown(_bring(asked))
    with st.container(horizontal=True):
        st.page_link(link_to("your_data"), label="Bring the table on Your data", icon=":material/upload_file:")
        st.button("Show the example instead", key="leave_link", on_click=_example, icon=":material/close:")
    return True


def _lines(asked: Scenario) -> list[str]:
    columns = tuple(map(Column, asked.columns))
    drawn = asked.oracle
    oracle = drawn.words if isinstance(drawn, TableRecords) else oracle_words(drawn)
    delta = "" if asked.delta is None else f", δ = {asked.delta:g}"
    return [
        f"It asks for **{escaped(target_words(asked.target, columns))}**, of {_how_many(asked)}.",
        f"Its oracle is **{escaped(oracle)}**.",
        f"Its operating point: γ = {asked.gamma:g}, {counted(asked.m, ' trials')}, under "
        f"{escaped(bound_words(asked.bound.name))}; **{title(type(asked.mechanism).__name__)}** noise at "
        f"ε = {asked.epsilon:g}{delta}.",
        f"What it would promise: {_promise(asked)} No answer and no Δ̂ is known before the table is here.",
    ]


def _how_many(asked: Scenario) -> str:
    one = words.counted_in(asked.adjacency)
    about = "about " * (asked.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER)
    return f"{about}{counted(asked.n, f' {one}')}"


def _promise(asked: Scenario) -> str:
    """Under each way of sizing the noise that there is."""
    alone = PureDP(asked.epsilon) if asked.delta is None else ApproxDP(asked.epsilon, asked.delta)
    weaker = words.name(RandomDP(asked.epsilon, asked.delta or 0.0, asked.gamma, asked.confidence))
    sampled = f"**{weaker}**, which is weaker than differential privacy, with noise sized to the trials"
    try:
        proved = preview.worst_case(asked)
    except DpcoreError:
        proved = None
    if proved is None:
        return f"{sampled}. No worst case is proved for it."
    return f"{sampled}; **{words.name(alone)}**, differential privacy itself, with noise sized to the proved worst case."


def _bring(asked: Scenario | None) -> str:
    """Which file to upload, and what of it the question needs."""
    named = "" if asked is None or not asked.columns else f" with {'the column' if len(asked.columns) == 1 else 'the columns'} "
    needs = "" if asked is None else escaped(listed(quoted(list(asked.columns))))
    return (
        f"**A link holds no data.** Upload the file of that name{named}{needs} on the page Your data, declare it as it was, and "
        "press “Explore this table”: then the link takes hold."
    )


def _example() -> None:
    address.leave()
    state.anew(state.example())
