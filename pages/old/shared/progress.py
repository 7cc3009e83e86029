"""How far a long run of the sampler is, and how to end it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from pages.escape import escaped
from pages.ledger.long_release import Drawing
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
