"""Two charts of scenarios side by side: on shared axes where their units and targets agree, else each on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from pages import charts
from pages.charts.side_by_side import Curve, Moves
from pages.experiment.defaults import kind_of
from pages.experiment.question import asked_alone
from pages.shared import answer, badges, frame, panels
from pages.shared.picture import Part, Picture
from pages.state import place
from pages.state.differences import Differences
from pages.state.pins import Stood
from pages.state.view import Shown

_PANELS = ("beside_cdf", "beside_answers")
_SHARED, _SMALL, _ON_A_WALL = frame.Frame(330), frame.Frame(250), frame.Frame(270, 560)
_FIRST, _ANSWERS, _ERRORS = "How sensitive?", "What would be published?", "How far off, at each ε?"
_APART = "Their answers are not of one kind, not in one unit, or lie too far apart, so each has axes of its own."
_TOO_FAR = 20.0  # times the widest density's reach: so far apart, shared axes would show spikes
_PICTURE = "Pinned choices side by side"
Figure = tuple[Any, str]
Draw = Callable[[list[Stood], dict[str, str]], Figure]


def show(stood: list[Stood], differ: Differences) -> None:
    """Both beside one another where each has shared axes, else one under the other; and one picture of all."""
    says = dict(zip((one.name for one in stood), differ.legends or ("",) * len(stood), strict=True))
    moved, answered = [one for one in stood if one.ordered is not None], [one for one in stood if one.curve is not None]
    title, draw = _second(answered)
    first, second = len(set(map(_measured, moved))) < 2, _on_shared_axes(answered)
    large = any(frame.of(name, _SHARED).wide for name in _PANELS)

    def parts() -> list[Part]:
        every: list[tuple[Draw, str, list[Stood]]] = [(_cdfs, _FIRST, some) for some in _together(moved, shared=first)]
        every += [(draw, title, some) for some in _together(answered, shared=second)]
        return [(*make(some, says), words if len(some) > 1 else f"{words} {some[0].name}") for make, words, some in every]

    if moved or answered:
        made_from = _made_from(answered)
        Picture(_PICTURE, made_from, _captions(stood, made_from)).offered_of_several(parts, "beside")
    boxes = st.columns(2, gap="medium") if first and second and not large else (st.container(), st.container())
    with boxes[0]:
        _chart_of(_cdfs, _FIRST, moved, says, _PANELS[0] if first else "")
    with boxes[1]:
        _chart_of(draw, title, answered, says, _PANELS[1] if second else "")


def _together(some: list[Stood], *, shared: bool) -> list[list[Stood]]:
    """Those of each chart."""
    return [some] * bool(some) if shared else [[one] for one in some]


def _captions(stood: list[Stood], made_from: str) -> str:
    """What each promises, and does not protect."""
    secret = made_from == badges.CONFIDENTIAL
    said = [(one.name, answer.caption(one.view, of_the_table=secret)) for one in stood if one.view is not None]
    return "\n".join(f"{name}: {words}" for name, words in said if words)


def _chart_of(draw: Draw, title: str, some: list[Stood], says: dict[str, str], panel: str) -> None:
    """One chart of all, the ``panel``, or one a scenario."""
    st.markdown(f"### {title}")
    if panel:
        size = _ON_A_WALL if place.presenting() else frame.of(panel, _SHARED)
        if size is not _ON_A_WALL:
            size.enlarge(panel)
        if some:
            _drawn(draw, some, says, size)
        else:
            st.markdown("None of their trials are made." if draw is _cdfs else "None of them has an answer.")
        return
    st.markdown(_APART)
    for box, one in zip(st.columns(len(some), gap="small"), some, strict=True):
        with box:
            _drawn(draw, [one], says, _SMALL)


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


def _cdfs(some: list[Stood], says: dict[str, str]) -> Figure:
    moves = [
        Moves(name=one.name, says=says[one.name], ordered=one.ordered, point=one.scenario.point)
        for one in some
        if one.ordered is not None
    ]
    alt = f"Cumulative distributions of how far the answer moves in the trials of {_names(some)}, with each Δ̂."
    return charts.cdfs(moves, unit=some[0].unit), alt


def _errors(some: list[Stood], says: dict[str, str]) -> Figure:
    curves = [_curve(one, says[one.name]) for one in some]
    what, after = some[0].erring
    alt = f"Expected errors of {_names(some)} against ε, each marked at its own."
    return _of_whom(some, (charts.errors_beside(curves, what=what, unit=after.strip()), alt))


def _densities(some: list[Stood], says: dict[str, str]) -> Figure:
    drawn = []
    for one in some:
        if one.density is not None:
            (at, likely), top = one.density, int(np.argmax(one.density[1]))
            drawn.append(Curve(name=one.name, says=says[one.name], x=at, y=likely, mark=(float(at[top]), float(likely[top]))))
    made = charts.densities(drawn, unit=some[0].erring[1].strip()), f"Possible private answers of {_names(some)}."
    return _of_whom(some, made)


def _of_whom(some: list[Stood], made: Figure) -> Figure:
    """Where all are of made-up tables, that is said on it."""
    return charts.made_up(*made) if len(_simulated(some)) == len(some) else made


def _simulated(some: list[Stood]) -> list[Stood]:
    return [one for one in some if isinstance(one.view, Shown) and one.view.headline.exact.simulated]


def _drawn(draw: Draw, some: list[Stood], says: dict[str, str], size: frame.Frame) -> None:
    """A chart, and what it was made from."""
    figure, alt = draw(some, says)
    size.chart(figure, f"{'beside_cdf' if draw is _cdfs else 'beside_answers'}_{_key(some)}", alt, None)
    if draw is _cdfs:
        if other := [one for one in some if isinstance(one.view, Shown) and one.view.leading is not one.view.noise]:
            st.markdown(f":small[Δ̂ does not size the noise of {_names(other)}: the worst case does.]")
        badges.show(badges.PUBLIC_DRAWS)
        return
    if (simulated := _simulated(some)) and len(simulated) < len(some):
        st.markdown(f":small[Made from a made-up table in place of a confidential one: {_names(simulated)}.]")
    _badges(some)


def _curve(one: Stood, says: str) -> Curve:
    """Under the noise that is said first, as on Explore."""
    assert isinstance(one.view, Shown)
    assert one.curve is not None
    shown, worst = one.view, one.curve.worst_case
    errors = one.curve.sampled if shown.leading is shown.noise or worst is None else worst
    mark = one.scenario.epsilon, shown.headline.error(shown.leading.law)
    return Curve(name=one.name, says=says, x=one.curve.epsilons, y=errors, mark=mark)


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
