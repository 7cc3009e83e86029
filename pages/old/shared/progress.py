"""How far a long run of the sampler is, and how to end it: on Explore and on Release."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpcore.answers.answer import moved_in
from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from pages import state
from pages.old import charts
from pages.old.shared import badges, picture
from pages.old.shared.escape import escaped
from pages.old.state.long_release import Drawing
from pages.old.state.view import Waiting
from pages.server.jobs import Job, keeper
from pages.server.pool import pool

SILENT = 10.0  # seconds without any draw, from which it is said
EVERY = 0.4  # seconds between two looks
_STOPS_IN = 0.3  # seconds that Cancel waits for the workers
_MINUTE = 90  # seconds from which minutes are clearer


def bar(job: Job, cancel: Callable[[], None]) -> None:
    """Trials, time left and place, with Cancel; and why the cluster is not used, where it is not."""
    done = len(job.distances)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / job.m, text=f"{done:,} of {counted(job.m, ' trials')} {_left(job)}{escaped(pool().where)}")
        st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=_ended, args=(job, cancel))
    if job.silent > SILENT:
        st.markdown(f":material/hourglass_top: No worker has answered for {job.silent:.0f} s.")
    if pool().trouble:
        st.markdown(f":material/warning: {escaped(pool().trouble)}")


def _ended(job: Job, end: Callable[[], None]) -> None:
    end()
    job.wait(_STOPS_IN)


def _left(job: Job) -> str:
    seconds = job.seconds_left
    if seconds is None:
        return ""
    return f"· about {figure(seconds)} s left " if seconds < _MINUTE else f"· about {seconds / 60:.0f} min left "


def of_release(drawing: Drawing) -> None:
    """In the receipt's place while the draws of a press are made."""
    st.markdown("## Drawing for your release")
    st.fragment(_of_release, run_every=EVERY)(drawing)  # of lost workers too: "Go on" would not set it going again


def _of_release(drawing: Drawing) -> None:
    job, m = drawing.job, drawing.scenario.m
    keeper().hold(job)
    if not drawing.open:
        st.rerun()
    are = "is" if m == 1 else "are"
    st.markdown(
        f"{counted(m, ' fresh trials')} {are} being made with tables from the oracle. The answer follows the last one by "
        "itself, and you first see Δ̂ with it. If you cancel, there is no answer, and γ is charged all the same."
    )
    if job.running or not job.lost:
        bar(job, drawing.cancel)
    else:
        st.warning(escaped(job.problem))
        with st.container(horizontal=True):
            st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=drawing.go_on)
            st.button("Cancel", key="cancel", icon=":material/stop_circle:", on_click=_ended, args=(job, drawing.cancel))
    if drawing.may_end_early:
        st.button(
            "Release with the trials so far",
            key="end_early",
            on_click=_ended,
            args=(job, drawing.end_early),
            help="The time-uniform bound holds whenever you stop, once there are trials enough for γ.",
        )


# A panel while its trials are made: the growing CDF, how far it is, and Cancel; afterwards what to do with what there is.


_CHART = 224  # what is left of a panel under its progress, and over the sentence
_ONE_LOOK = "At one look, the interval for Δ̂ is right in 19 of 20 runs. If you keep looking, you see a wrong one more often."


def show(view: Waiting) -> None:
    """While it runs a fragment of its own, so that the rest of the page stays as it is."""
    if view.job.running:
        st.fragment(_running, run_every=EVERY)(view, view.job)
    else:
        _ended_while_growing(view, view.job)


def _running(view: Waiting, job: Job) -> None:
    keeper()  # the session is there
    if not job.running:
        st.rerun()
    bar(job, job.stop)
    _chart(view, job)
    badges.show(badges.PUBLIC_DRAWS)


def _ended_while_growing(view: Waiting, job: Job) -> None:
    done = len(job.distances)
    if job.problem:
        st.warning(escaped(job.problem))
    st.markdown(f"Stopped after **{done:,} of {counted(job.m, ' trials')}**: they are kept.")
    prefix = job.draws.prefix if job.draws is not None else 0
    with st.container(horizontal=True):
        st.button("Go on", key="go_on", icon=":material/play_arrow:", on_click=view.exploration.go_on)
        if prefix:
            st.button(
                f"Take m = {prefix:,}",
                key="take",
                on_click=lambda: state.change(m=prefix),
                help="Shows what these trials say, with the γ that they support. A release makes as many afresh.",
            )
    _chart(view, job)
    badges.show(badges.PUBLIC_DRAWS)


def _chart(view: Waiting, job: Job) -> None:
    distances = job.distances
    figure_: Any = charts.growing_cdf(distances, view.scenario.point, unit=moved_in(view.answer))
    alt = f"Cumulative distribution of how far the answer moves in the {counted(len(distances), ' trials')} made so far."
    if job.running:  # a picture of these trials would be another one each second
        st.plotly_chart(picture.on_ground(figure_), height=_CHART, key="growing", config={"displayModeBar": False}, alt=alt)
    else:
        picture.chart(figure_, "growing", alt, picture.Picture("How sensitive is it? Trials that were stopped"), height=_CHART)
    st.markdown(f":small[{_ONE_LOOK}]")
