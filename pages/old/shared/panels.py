"""The charts of Explore, each with what it was made from: what would be published, and how it is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpcore.guarantees import words
from pages import state
from pages.experiment.scenario import LEAST_GAMMA, LEAST_M, MOST_GAMMA, MOST_M
from pages.old.shared import answer, badges, figures, how_far_off, progress, proof
from pages.old.shared.escape import escaped
from pages.old.shared.frame import BESIDE, Frame
from pages.old.shared.live import explore, mounts, redraw
from pages.old.shared.picture import Picture
from pages.old.shared.widgets import control, epsilon, slider, spaced, while_open
from pages.old.state import place
from pages.old.state.view import Shown, View, Waiting

_SENSITIVE, _TRIALS, _PUBLISHED = mounts.SENSITIVE, mounts.TRIALS, mounts.PUBLISHED
_ANSWERS, _DENSITY, _ERROR = "Answers", "Density", "Error"
M_GRID = sorted({int(m) for m in spaced(LEAST_M, MOST_M, 60)} | {19, 99, 199, 999})
GAMMA_GRID = sorted({*spaced(LEAST_GAMMA, MOST_GAMMA, 40), 0.05})


def sensitivity(view: View, frame: Frame = BESIDE) -> None:
    """How far the target moves on random neighbours."""
    with frame.heading("sensitivity"):
        _title(view, frame, "sensitivity", _SENSITIVE, figures.sensitivity_message)
    at = slider(
        "m",
        f"Trials, m: made-up tables with {words.trial_of(view.scenario.adjacency)}",
        "m",
        M_GRID,
        view.scenario.m,
        lambda m: state.change(m=m),
        form="%d",
        beside=lambda: frame.enlarge("sensitivity"),
    )
    if isinstance(view, Waiting):
        _wait(view, frame, here=place.presenting())
        return
    picture = _picture(view, _SENSITIVE, figures.sensitivity_message(view), badges.PUBLIC_DRAWS, at)
    if view.trials is not None and explore.offered(view):
        picture.offered(lambda: _existing(figures.sensitivity(view)), "cdf")
        explore.sensitivity(view, frame.size, frame.room)
    elif view.trials is not None:
        chart, alt = _existing(figures.sensitivity(view))
        frame.chart(chart, "cdf", alt, picture)
    else:
        _instead(view.why, frame)
        return
    with _footer():
        badges.show(badges.PUBLIC_DRAWS)
        proof.numbers(view)


def operating_point(view: View, frame: Frame = BESIDE) -> None:
    """What m buys."""
    with frame.heading("trials"):
        _title(view, frame, "trials", _TRIALS, figures.operating_point_message)
    at = slider(
        "gamma",
        mounts.LABELS["gamma"],
        "γ",
        GAMMA_GRID,
        view.scenario.gamma,
        lambda gamma: state.change(gamma=gamma),
        beside=lambda: frame.enlarge("trials"),
        live=explore.offered(view),
    )
    picture = _picture(view, _TRIALS, figures.operating_point_message(view), badges.PUBLIC_DRAWS, at)
    if explore.offered(view):
        picture.offered(lambda: figures.operating_points(view), "points")
        explore.trials(view, frame.size, frame.room, proof.picked)
    else:
        figure, alt = figures.operating_points(view)
        frame.chart(figure, "points", alt, picture, on_select=proof.clicked, selection_mode="points")
    with _footer():
        badges.show(badges.PUBLIC_DRAWS)
        proof.proof(view)


def readers(view: View, frame: Frame = BESIDE) -> None:
    """What a private answer would look like, or how its error falls as ε grows."""
    as_dots = how_far_off.dots(view) if isinstance(view, Shown) else None
    offered = [_ANSWERS, _DENSITY, _ERROR] if as_dots else [_ANSWERS, _ERROR]
    chosen = _kept_view(offered)
    message = figures.error_message if chosen == _ERROR else figures.answers_message
    with frame.heading("answers"):
        _title(view, frame, "answers", _PUBLISHED, message)
        if place.presenting():
            _view_switch(offered)
        elif frame.wide:
            frame.size_button("answers")
    if place.presenting():
        trade(view)
    if not isinstance(view, Shown):
        if isinstance(view, Waiting):
            _wait(view, frame, here=not place.presenting())
        else:
            _instead(view.why, frame)
        with _footer():
            _size(view)
        return

    def make() -> tuple[Any, str]:
        if as_dots and chosen == _ANSWERS:
            return figures.said(view, as_dots)
        return (figures.errors if chosen == _ERROR else figures.answers)(view)

    movable = as_dots is not None and chosen == _ANSWERS
    moving = "error" if chosen == _ERROR else "dots" if movable else "density" if as_dots else "answers"
    if explore.draws(view, moving):
        explore.answers(view, moving, how_far_off.distance(view), frame.size)
    else:
        redraw.with_the_page()
        chart, alt = make()
        frame.chart(chart, "responses", alt, None)
    made_from = badges.of_chart(view.table)
    with _footer():
        if place.presenting():
            if movable:
                how_far_off.show_box(view)
        else:
            box = st.popover("Shown as", key="shown_as", on_change="rerun", type="tertiary", icon=":material/tune:")
            picture = _picture(view, _PUBLISHED, message(view), made_from, None)
            while_open(box, lambda: _ways_to_show(view, frame, offered, lambda: picture.show(make, "responses"), movable=movable))
        _size(view)
        badges.show(made_from)


def _ways_to_show(view: Shown, frame: Frame, offered: list[str], picture: Callable[[], None], *, movable: bool) -> None:
    """As dots, as a density or as errors; larger; and as a picture to take along."""
    _view_switch(offered)
    if movable:
        how_far_off.show_box(view)
    if not frame.wide:
        frame.size_button("answers")
    picture()


def _title(view: View, frame: Frame, panel: str, question: str, message: Callable[[View], str]) -> None:
    """The question; over a wide chart what it says, with numbers that follow the hand where they can. A chart of errors that
    follows it says its own number, so the question stands above it."""
    if not (frame.wide and isinstance(view, Shown) and explore.offered(view)):
        st.markdown(frame.title(question, message(view)))
    elif message is figures.error_message:
        st.markdown(frame.title(question, ""))
    else:
        explore.title(view, panel)


def _picture(view: View, question: str, message: str, made_from: str, at: Any) -> Picture:
    """Its title is what the chart says, where there is an answer, and its file is named after the question."""
    says = answer.caption(view)
    return Picture(message or question, made_from, says, file=question, at=at)


def _existing(figure: tuple[Any, str] | None) -> tuple[Any, str]:
    assert figure is not None  # the trials are made
    return figure


def trade(view: View) -> None:
    """ε: the one slider of the first screen."""
    with st.container(gap=None):
        st.html('<span id="epsilon"></span>')
        epsilon(view.scenario.epsilon, lambda: _beside_epsilon(view), live=explore.offered(view))


def _beside_epsilon(view: View) -> None:
    if place.presenting():
        return
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
        if isinstance(view, Shown):
            how_far_off.show_setting(view)


def _view_switch(offered: list[str]) -> None:
    control(
        st.segmented_control,
        "Shown",
        offered,
        key="readers",
        holds=_kept_view(offered),
        act=lambda chosen: st.session_state.update(readers_shown=chosen),
        label_visibility="collapsed",
        required=True,
    )


def _kept_view(offered: list[str]) -> str:
    """What was chosen here last, where there is such a view."""
    kept = str(st.session_state.get("readers_shown", _ANSWERS))
    return kept if kept in offered else _ANSWERS


def _footer() -> Any:
    return st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")


def _size(view: View) -> None:
    """A box for n, where a made-up table stands in for the table."""
    if not state.made_up():
        return
    own = view.table.size(view.scenario.columns, view.scenario.target)
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall"):
        st.markdown(f":small[{words.counted_in(view.scenario.adjacency).capitalize()}, n]", width="content")
        control(
            st.number_input,
            "Rows of the made-up table, n",
            1,
            max(own, state.MOST_MADE_UP),
            key="exact_n",
            holds=view.scenario.n,
            act=lambda n: state.change(n=n),
            step=1,
            format="%d",
            width=92,
            label_visibility="collapsed",
        )


def _wait(view: Waiting, frame: Frame, *, here: bool) -> None:
    """How far the trials are, with a way to end them: where the answer will stand; elsewhere a sentence."""
    if here:
        progress.show(view)
    else:
        _instead(view.why, frame)


def _instead(sentence: str, frame: Frame) -> None:
    with st.container(height=frame.height, border=True):
        st.markdown(escaped(sentence))
