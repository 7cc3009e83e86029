"""Two charts of scenarios side by side: on shared axes where their units and targets agree, else each on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from pages import charts
from pages.charts.side_by_side import Density, Errors, Moves
from pages.experiment.defaults import kind_of
from pages.experiment.question import asked_alone
from pages.shared import badges, frame, panels
from pages.shared.picture import Picture
from pages.state import place
from pages.state.differences import Differences
from pages.state.pins import Stood
from pages.state.view import Shown

_PANELS = ("beside_cdf", "beside_answers")
_SHARED, _SMALL, _ON_A_WALL = frame.Frame(330), frame.Frame(250), frame.Frame(270, 560)
_FIRST, _ANSWERS, _ERRORS = "How sensitive?", "What would be published?", "How far off, at each ε?"
_APART = "Their answers are not of one kind, not in one unit, or lie too far apart, so each has axes of its own."
_TOO_FAR = 20.0  # times the widest density's reach: so far apart, shared axes would show spikes
Draw = Callable[[list[Stood], dict[str, str], frame.Frame, Any], None]


def show(stood: list[Stood], differ: Differences) -> None:
    """Both beside one another where each has shared axes, else one under the other."""
    says = dict(zip((one.name for one in stood), differ.legends or ("",) * len(stood), strict=True))
    moved, answered = [one for one in stood if one.ordered is not None], [one for one in stood if one.curve is not None]
    title, draw = _second(answered)
    first, second = len(set(map(_measured, moved))) < 2, _on_shared_axes(answered)
    large = any(frame.of(name, _SHARED).wide for name in _PANELS)
    boxes = st.columns(2, gap="medium") if first and second and not large else (st.container(), st.container())
    with boxes[0]:
        _chart_of(_cdfs, _FIRST, moved, says, _PANELS[0] if first else "")
    with boxes[1]:
        _chart_of(draw, title, answered, says, _PANELS[1] if second else "")


def _chart_of(draw: Draw, title: str, some: list[Stood], says: dict[str, str], panel: str) -> None:
    """One chart of all, the ``panel``, or one a scenario."""
    st.markdown(f"### {title}")
    if panel:
        size = _ON_A_WALL if place.presenting() else frame.of(panel, _SHARED)
        at = None if size is _ON_A_WALL else size.enlarge(panel)
        if some:
            draw(some, says, size, at)
        else:
            st.markdown("None of their trials are made." if draw is _cdfs else "None of them has an answer.")
        return
    st.markdown(_APART)
    for box, one in zip(st.columns(len(some), gap="small"), some, strict=True):
        with box:
            draw([one], says, _SMALL, None)


def _second(answered: list[Stood]) -> tuple[str, Draw]:
    """The second chart: as the third panel has it, if all have a density."""
    if panels.shows_errors() or any(one.density is None for one in answered):
        return _ERRORS, _errors
    return _ANSWERS, _densities


def _measured(one: Stood) -> tuple[str, ...]:
    """What its distances are: in one unit those of different targets can be compared, and numbers without a unit cannot."""
    return one.scenario.norm.name, one.unit, "" if one.unit else kind_of(asked_alone(one.scenario))


def _on_shared_axes(answered: list[Stood]) -> bool:
    if len({(_measured(one), *one.erring) for one in answered}) > 1:
        return False
    drawn = [one.density for one in answered if one.density is not None]
    if len(drawn) < len(answered) or panels.shows_errors() or not drawn:
        return True
    centres = [float(at[np.argmax(likely)]) for at, likely in drawn]
    reach = max(float(at[-1] - at[0]) / 2 for at, _ in drawn)
    return max(centres) - min(centres) <= _TOO_FAR * reach


def _cdfs(some: list[Stood], says: dict[str, str], size: frame.Frame, at: Any) -> None:
    moves = [
        Moves(name=one.name, says=says[one.name], ordered=one.ordered, point=one.scenario.point)
        for one in some
        if one.ordered is not None
    ]
    alt = f"Cumulative distributions of how far the answer moves in the trials of {_names(some)}, with each Δ̂."
    size.chart(
        charts.cdfs(moves, unit=some[0].unit), f"beside_cdf_{_key(some)}", alt, Picture(_FIRST, badges.PUBLIC_DRAWS, at=at)
    )
    if other := [one for one in some if isinstance(one.view, Shown) and one.view.leading is not one.view.noise]:
        st.markdown(f":small[Δ̂ does not size the noise of {_names(other)}: the worst case does.]")
    badges.show(badges.PUBLIC_DRAWS)


def _errors(some: list[Stood], says: dict[str, str], size: frame.Frame, at: Any) -> None:
    curves = [_curve(one, says[one.name]) for one in some]
    what, after = some[0].erring
    _of_answers(
        charts.errors_beside(curves, what=what, unit=after.strip()),
        some,
        size,
        f"Expected errors of {_names(some)} against ε, each marked at its own.",
        Picture(_ERRORS, _made_from(some), at=at),
    )


def _densities(some: list[Stood], says: dict[str, str], size: frame.Frame, at: Any) -> None:
    drawn = [
        Density(name=one.name, says=says[one.name], at=one.density[0], likely=one.density[1])
        for one in some
        if one.density is not None
    ]
    chart = charts.densities(drawn, unit=some[0].erring[1].strip())
    alt, picture = f"Possible private answers of {_names(some)}.", Picture(_ANSWERS, _made_from(some), at=at)
    _of_answers(chart, some, size, alt, picture)


def _of_answers(chart: Any, some: list[Stood], size: frame.Frame, alt: str, picture: Picture) -> None:
    """Which tables it was made from is said on it, or under it where they are not of one kind."""
    simulated = [one for one in some if isinstance(one.view, Shown) and one.view.headline.exact.simulated]
    if len(simulated) == len(some):
        chart, alt = charts.made_up(chart, alt)
    size.chart(chart, f"beside_answers_{_key(some)}", alt, picture)
    if simulated and len(simulated) < len(some):
        st.markdown(f":small[Made from a made-up table in place of a confidential one: {_names(simulated)}.]")
    _badges(some)


def _curve(one: Stood, says: str) -> Errors:
    """Under the noise that is said first, as on Explore."""
    assert isinstance(one.view, Shown)
    assert one.curve is not None
    shown, worst = one.view, one.curve.worst_case
    errors = one.curve.sampled if shown.leading is shown.noise or worst is None else worst
    chosen = shown.headline.error(shown.leading.law)
    return Errors(
        name=one.name, says=says, epsilons=one.curve.epsilons, errors=errors, epsilon=one.scenario.epsilon, chosen=chosen
    )


def _badges(some: list[Stood]) -> None:
    """What the errors were made from: each of its kinds once."""
    with st.container(horizontal=True):
        for view in _kinds(some):
            badges.show(badges.of_chart(view.table, simulated=view.headline.exact.simulated))


def _made_from(some: list[Stood]) -> str:
    """The same in a picture: a confidential table says so first."""
    said = {badges.of_chart(view.table, simulated=view.headline.exact.simulated) for view in _kinds(some)}
    return badges.CONFIDENTIAL if badges.CONFIDENTIAL in said else "; ".join(sorted(said))


def _kinds(some: list[Stood]) -> list[Shown]:
    views = [one.view for one in some if isinstance(one.view, Shown)]
    return list({(view.table.public, view.table.digest, view.headline.exact.simulated): view for view in views}.values())


def _names(some: list[Stood]) -> str:
    return ", ".join(one.name for one in some)


def _key(some: list[Stood]) -> str:
    return some[0].name if len(some) == 1 else "all"
