"""Charts of scenarios side by side in which something differs: on shared axes where their units and targets agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.experiment.choices import kind_of
from pages.experiment.question import asked_alone
from pages.old import charts
from pages.old.charts.side_by_side import Curve, Moves
from pages.old.shared import answer, badges, frame
from pages.old.shared.picture import Picture
from pages.old.state.differences import Differences
from pages.old.state.pins import Stood
from pages.old.state.view import Shown

_PANELS = ("beside_cdf", "beside_errors")
_SHARED, _SMALL = frame.Frame(330), frame.Frame(250)
_FIRST, _ERRORS = "How sensitive?", "How far off, at each ε?"
_APART = "Their answers are not of one kind, or not in one unit, so each has axes of its own."
Figure = tuple[Any, str]
Draw = Callable[[list[Stood], dict[str, str]], Figure]


def show(stood: list[Stood], differ: Differences) -> None:
    """Each in which something differs: beside one another where both have shared axes, else one under the other."""
    says = dict(zip((one.name for one in stood), differ.legends or ("",) * len(stood), strict=True))
    moved, answered = [one for one in stood if one.ordered is not None], [one for one in stood if one.curve is not None]
    charts_of: list[tuple[Draw, str, list[Stood], str, bool]] = []
    if _differ(moved):
        charts_of.append((_cdfs, _FIRST, moved, _PANELS[0], len(set(map(_measured, moved))) < 2))
    if answered:
        charts_of.append((_errors, _ERRORS, answered, _PANELS[1], len({(_measured(one), *one.erring) for one in answered}) < 2))
    large = any(frame.of(panel, _SHARED).wide for *_, panel, _ in charts_of)
    beside = len(charts_of) > 1 and all(shared for *_, shared in charts_of) and not large
    boxes = st.columns(2, gap="medium") if beside else [st.container() for _ in charts_of]
    for box, (draw, title, some, panel, shared) in zip(boxes, charts_of, strict=True):
        with box:
            _chart_of(draw, title, some, says, panel if shared else "")


def _differ(moved: list[Stood]) -> bool:
    """Whether their trials do, or where these are inverted."""
    return len({(repr(one.ordered.tolist()), one.scenario.point.k) for one in moved if one.ordered is not None}) > 1


def _chart_of(draw: Draw, title: str, some: list[Stood], says: dict[str, str], panel: str) -> None:
    """One chart of all, the ``panel``, or one a scenario."""
    st.markdown(f"### {title}")
    if panel:
        size = frame.of(panel, _SHARED)
        _drawn(draw, some, says, size, size.enlarge(panel))
        return
    st.markdown(_APART)
    for box, one in zip(st.columns(len(some), gap="small"), some, strict=True):
        with box:
            _drawn(draw, [one], says, _SMALL, None)


def _measured(one: Stood) -> tuple[str, ...]:
    """What its distances are: in one unit those of different targets can be compared, and numbers without a unit cannot."""
    return one.scenario.norm.name, one.unit, "" if one.unit else kind_of(asked_alone(one.scenario))


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


def _of_whom(some: list[Stood], made: Figure) -> Figure:
    """Where all are of made-up tables, that is said on it."""
    return charts.made_up(*made) if len(_simulated(some)) == len(some) else made


def _simulated(some: list[Stood]) -> list[Stood]:
    return [one for one in some if isinstance(one.view, Shown) and one.view.headline.exact.simulated]


def _drawn(draw: Draw, some: list[Stood], says: dict[str, str], size: frame.Frame, at: Any) -> None:
    """A chart, the button that gives a picture of it, and what it was made from."""
    figure, alt = draw(some, says)
    title, key, made_from = (_FIRST, "cdf", badges.PUBLIC_DRAWS) if draw is _cdfs else (_ERRORS, "errors", _made_from(some))
    picture = Picture(title, made_from, _captions(some), at=at)
    size.chart(figure, f"beside_{key}_{_key(some)}", alt, picture)
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
            badges.show(badges.of_chart(view.table))


def _captions(some: list[Stood]) -> str:
    """What each promises, and does not protect."""
    said = [(one.name, answer.caption(one.view)) for one in some if one.view is not None]
    return "\n".join(f"{name}: {words}" for name, words in said if words)


def _made_from(some: list[Stood]) -> str:
    """The same in a picture."""
    return "; ".join(sorted({badges.of_chart(view.table) for view in _kinds(some)}))


def _kinds(some: list[Stood]) -> list[Shown]:
    views = [one.view for one in some if isinstance(one.view, Shown)]
    return list({(view.table.public, view.table.digest): view for view in views}.values())


def _names(some: list[Stood]) -> str:
    return ", ".join(one.name for one in some)


def _key(some: list[Stood]) -> str:
    return some[0].name if len(some) == 1 else "all"
