"""A panel while its trials are made: the growing CDF, how far it is, and Cancel; afterwards what to do with what there is."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore import plots
from dpcore.answers.answer import moved_in
from dpcore.base.counted import counted
from pages.server.jobs import Job, keeper
from pages.shared import badges, picture, progress
from pages.shared.escape import escaped
from pages.shared.picture import Picture
from pages.state import draws, state
from pages.state.view import Waiting

_CHART = 224  # what is left of a panel under its progress, and over the sentence
_ONE_LOOK = "At one look, the interval for Δ̂ is right in 19 of 20 runs. If you keep looking, you see a wrong one more often."


def show(view: Waiting) -> None:
    """While it runs a fragment of its own, so that the rest of the page stays as it is."""
    if view.job.running:
        st.fragment(_running, run_every=progress.EVERY)(view, view.job)
    else:
        _ended(view, view.job)


def _running(view: Waiting, job: Job) -> None:
    keeper()  # the session is there
    if not job.running:
        st.rerun()
    progress.bar(job, job.stop)
    _chart(view, job)
    badges.public_draws()


def _ended(view: Waiting, job: Job) -> None:
    done = len(job.distances)
    if job.problem:
        st.warning(escaped(job.problem))
    st.markdown(f"Stopped after **{done:,} of {counted(job.m, ' trials')}**: they are kept.")
    prefix = job.draws.prefix if job.draws is not None else 0
    with st.container(horizontal=True):
        st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=draws.go_on, args=(view.scenario, view.table))
        if prefix:
            st.button(
                f"Take m = {prefix:,}",
                key="take",
                on_click=_take,
                args=(prefix,),
                help="Shows what these trials say, with the γ that they support. A release makes as many afresh.",
            )
    _chart(view, job)
    badges.public_draws()


def _take(m: int) -> None:
    state.change(m=m)


def _chart(view: Waiting, job: Job) -> None:
    distances = job.distances
    figure_: Any = plots.growing_cdf(distances, view.scenario.point, unit=moved_in(view.answer))
    alt = f"Cumulative distribution of how far the answer moves in the {counted(len(distances), ' trials')} made so far."
    if job.running:  # a picture of these trials would be another one each second
        st.plotly_chart(figure_, height=_CHART, key="growing", config={"displayModeBar": False}, alt=alt)
    else:
        picture.chart(figure_, "growing", alt, Picture("How sensitive is it? Trials that were stopped"), height=_CHART)
    st.markdown(f":small[{_ONE_LOOK}]")
