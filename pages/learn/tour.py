"""A tour in eight slides for a talk: each is a state of Explore on a wall, with a title, a sentence or two, and a note."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, final

import streamlit as st

from dpcore.guarantees import words as in_words
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages import charts
from pages.charts import live
from pages.charts.answers import dots
from pages.charts.drawn import Drawn
from pages.charts.encoded import text
from pages.charts.moving import value_of
from pages.experiment.lessons.example import Example
from pages.experiment.lessons.to_try import scenario
from pages.experiment.scenario import Scenario
from pages.learn import opening
from pages.learn.found import filled
from pages.learn.live_end import shown
from pages.reports.document import Part
from pages.shared import answer, counted_odds, figures, frame, how_far_off, proof
from pages.shared.escape import escaped
from pages.shared.live import counted_odds as live_odds
from pages.shared.live import mounts, parts
from pages.shared.picture import Picture
from pages.state import live_sliders, place
from pages.state.view import Shown

_FILE = Path(__file__).parents[1] / "text" / "tour.md"
_LARGE, _WORDY = 1.25, 1.1  # type of what has no axes, and of what is many words
_FAR = 1_000.0  # times the noise's scale: no answer is so far off
_STILL = frame.Frame(315, frame.ALONE.width)


@final
@dataclass(frozen=True, slots=True)
class Slide:
    """What of Explore is shown: under the hand the ``moving`` parts, with sliders of these names; else what ``still`` draws.

    ``type`` is that of the parts, in heights of a wall's type, and ``high`` how high a chart is.
    """

    moving: Callable[[Shown], tuple[Part, ...]] | None
    still: Callable[[Shown, str], None]
    sliders: tuple[str, ...] = ("epsilon",)
    type: float = 16 / frame.SMALLEST
    high: float = 315 / frame.SMALLEST


@final
@dataclass(frozen=True, slots=True)
class Words:
    """What stands on a slide."""

    title: str
    said: str


def show() -> None:
    """The slide that the address names, the first where it names none; and the ways between them."""
    name = place.of("tour")
    if name not in SLIDES:
        if name != BEGIN:
            st.warning(f"The link speaks of the slide “{escaped(name)}”, which is not in this tour. The first is shown instead.")
        name = next(iter(SLIDES))
    words = written()[name]
    st.markdown(f"## {words.title}")
    with st.container(key="wall_text"):
        st.markdown(filled(words.said, _numbers()))
    _draw(name, SLIDES[name])
    frame.ways_on_a_wall(list(SLIDES), name, lambda to: place.go("tour", to), also=_explore)


BEGIN = "1"


def show_button() -> None:
    """What begins it."""
    st.button("Present the tour", key="tour", icon=":material/slideshow:", on_click=place.go_to, args=(_BEGUN,))


_BEGUN = {place.PRESENT: "1", "tour": BEGIN}


def _explore() -> None:
    if st.button("On Explore", key="tour_explore", icon=":material/arrow_outward:", help="The same, to try it"):
        place.go_to(dict.fromkeys(_BEGUN, ""))
        opening.explore(state())


def state() -> Scenario:
    """What Explore shows of each slide."""
    return scenario(Example())


@lru_cache(maxsize=1)
def written() -> dict[str, Words]:
    """The words of each slide, by its name."""
    made = {}
    for part in _FILE.read_text(encoding="utf-8").split("\n## ")[1:]:
        head, _, body = part.partition("\n")
        name, _, title = head.partition(": ")
        made[name] = Words(title, " ".join(body.split()))
    return made


@lru_cache(maxsize=1)
def _numbers() -> Mapping[str, str]:
    """Those that the words say, computed."""
    of = state()
    least = {bound: OperatingPoint.for_gamma(of.gamma, bound=bound).m for bound in (Bound.DKW, Bound.RANK)}
    return {
        "n": f"{of.n:,}",
        "m": f"{of.m:,}",
        "share": in_words.at_most(of.gamma),
        "paper": f"{least[Bound.DKW]:,}",
        "ours": f"{least[Bound.RANK]:,}",
    }


@st.cache_resource(show_spinner=False)
def _view() -> Shown:
    """It is the same for everybody."""
    return shown(state())


def _draw(name: str, slide: Slide) -> None:
    if slide.moving is None or not live_sliders.offered():
        slide.still(_view(), name)
        return
    desk, (unseen, drawn) = f"tour_{name}", _parts(name)
    mounts.heed()
    with st.container(key="laid_tables"):
        for number, part in enumerate(unseen):
            mounts.alone(desk, part, number)
    for number, part in enumerate(drawn):
        if part.name == "slider":
            st.markdown(f":small[{part.title}]")
        mounts.alone(desk, part, number)


@st.cache_resource(show_spinner=False)
def _parts(name: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Those without a picture of their own, and the others: sliders first, charts as large as a wall has room for."""
    view, slide = _view(), SLIDES[name]
    assert slide.moving is not None, "expected a slide with parts under the hand"
    drawn = [replace(part, high=slide.high * (part.high > 0), type=slide.type) for part in slide.moving(view)]
    sliders = [replace(parts.slider(one), type=1.0) for one in slide.sliders]
    return parts.ground(view, odds=True), (*sliders, *drawn)


# What the slides show, under the hand and still.


def _fifty(view: Shown) -> charts.Described:
    """Fifty possible answers, none of them called wrong, and without a legend: a slide says what they are."""
    made = dots(view.headline, view.noise, _FAR * view.noise.law.scale)
    assert made is not None, "expected an answer that is one number"
    ready = made[0].ready()
    return Drawn({"data": ready["data"], "layout": ready["layout"] | {"showlegend": False}}, made[0].moves()), made[1]


def _dots(view: Shown) -> tuple[Part, ...]:
    return (Part("answers", text(live.followed(*_fifty(view))), high=1.0),)


def _within(view: Shown) -> tuple[Part, ...]:
    """The same with lines as far off as Explore begins with."""
    return parts.answers(view, how_far_off.usual_distance(view))[:1]


def _still_within(view: Shown) -> Any:
    return charts.as_dots(view.headline, view.leading, how_far_off.usual_distance(view))


def _protected(view: Shown) -> tuple[Part, ...]:
    return (Part("odds", text(live_odds.protected(view))),)


def _left_out(view: Shown) -> tuple[Part, ...]:
    """Of the furthest change that is left out, without how that is counted."""
    return (Part("odds", text({"parts": live_odds.beyond(view)["parts"][-1:]})),)


def _still_of(make: Callable[[Shown], Any]) -> Callable[[Shown, str], None]:
    def drawn(view: Shown, name: str) -> None:
        figure, alt = make(view)
        _STILL.chart(figure, f"tour_{name}", alt, Picture(written()[name].title))

    return drawn


def _still_dots(view: Shown) -> Any:
    chart, alt = _fifty(view)
    return chart, str(value_of(alt))


def _still_odds(which: str) -> Callable[[Shown, str], None]:
    return lambda view, _: counted_odds.show(view, which)


def _table_1(view: Shown, name: str) -> None:
    st.table([{escaped(head): escaped(cell) for head, cell in row.items()} for row in proof.rows(view.scenario, proof.FIX_GAMMA)])


def _sentences(view: Shown, name: str) -> None:
    for which in ("headings", "promises", "known"):
        answer.show(view, which)


SLIDES = {
    "released": Slide(_dots, _still_of(_still_dots), (), high=430 / frame.SMALLEST),
    "noise": Slide(_within, _still_of(_still_within)),
    "attacker": Slide(_protected, _still_odds("protected"), type=1.0),
    "trade": Slide(parts.errors, _still_of(figures.errors)),
    "trials": Slide(lambda view: (parts.sensitivity(view),), _still_of(figures.sensitivity), ("gamma",)),
    "table_1": Slide(None, _table_1, ()),
    "unprotected": Slide(_left_out, _still_odds("beyond"), (), type=_LARGE),
    "takeaway": Slide(lambda view: (parts.sentences(view),), _sentences, type=_WORDY),
}
