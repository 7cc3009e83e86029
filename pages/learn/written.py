"""Beside a lesson's steps: what moves under the hand at its end, and the lesson to take along, as a file or as a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from pages import charts
from pages.charts import live
from pages.charts.svg import Theme, drawn_or_said
from pages.experiment import cost, preview
from pages.experiment.lessons import tables
from pages.experiment.lessons.step import Found, Mark
from pages.experiment.no_cost import costs_no_accuracy
from pages.experiment.scenario import Scenario, TableRecords
from pages.learn import opening
from pages.learn.found import Lesson, filled, lessons
from pages.reports.code.cells import Program
from pages.reports.code.of_lesson import Told, of_lesson
from pages.reports.document import Block, Live, Part, Picture
from pages.reports.html import Lessons, Number, Options, Paragraphs, Run, WrittenLesson, WrittenStep, lessons_html, module
from pages.shared import answer, figures, how_far_off
from pages.shared.live import mounts, parts
from pages.shared.live.mounts import pieces
from pages.shared.reports.noise import made_with
from pages.shared.reports.view import picture, said
from pages.state import live_sliders
from pages.state.programs import or_why
from pages.state.view import Shown, Trials

# What moves under the hand at the end of a lesson: the same on the page and in the lesson's file.


# What the end of a lesson shows under the hand: its scenario on a table that is public, the same for everybody.


def shown(scenario: Scenario) -> Shown:
    """All of it, made anew. DpcoreError where there is no answer."""
    table = tables.table(scenario.table)
    assert table.public, "a lesson speaks of a table that everybody may see"
    oracle, columns = scenario.resolved_oracle(table), table.taken(scenario.columns, scenario.target)
    sample = preview.exploration(scenario, oracle).at(scenario.point)
    proved = preview.worst_case(scenario)
    worst = preview.calibrated_to(scenario, proved)
    fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
    headline = preview.headline(
        scenario, columns, preview.answer(scenario, table), preview.calibrated(scenario, sample), worst=worst, fresh=fresh
    )
    reference = preview.reference(scenario, oracle, cost.a_draw(scenario, oracle))
    return Shown(
        scenario=scenario,
        table=table,
        columns=columns,
        worst_case=proved,
        made=Trials(sample, reference),
        headline=headline,
        free=costs_no_accuracy(headline),
    )


_IN_A_ROW = 3


def desk_of(one: Lesson) -> Live | None:
    """With what stands still in its place; None where the lesson opens another page than Explore, or its answer has no charts
    that move."""
    return _live_end(one.name) if one.opens == "explore" else None


def show_desk(one: Lesson) -> None:
    """On the page, where the lesson is about what moves, and the browser draws it."""
    made = desk_of(one) if one.live and live_sliders.offered() else None
    if made is None:
        return
    unseen = [part for part in made.parts if part.name in ("hand", "tables")]
    sliders = [part for part in made.parts if part.name == "slider"]
    words = [part for part in made.parts if part.name == "words"]
    drawn = [part for part in made.parts if part.high]
    st.markdown(":small[Or move γ and ε here. The charts and the sentence follow.]")
    mounts.heed()
    with st.container(key="laid_tables"):
        _row(made.desk, unseen, 1)
    _row(made.desk, sliders[:2], 2)
    _row(made.desk, words, 1)
    _row(made.desk, drawn[:_IN_A_ROW], _IN_A_ROW)


def _row(desk: str, row: list[Part], columns: int) -> None:
    places = st.columns(columns, gap="medium") if columns > 1 else [st.container()]
    for number, part in enumerate(row):
        with places[number % columns]:
            if part.title:
                st.markdown(f":small[{part.title}]")
            mounts.alone(desk, part, number)


@st.cache_resource(show_spinner=False)
def _live_end(name: str) -> Live | None:
    """It is the same for everybody, and made once."""
    (one,) = (one for one in lessons() if one.name == name)
    try:
        view = shown(one.to_try())
    except DpcoreError:
        return None
    if not live.views(view.headline):
        return None
    off = how_far_off.usual_distance(view)
    moving = (
        *parts.ground(view),
        parts.slider("gamma"),
        parts.slider("epsilon"),
        parts.sentences(view),
        parts.sensitivity(view),
        parts.trials(view),
        parts.slider("epsilon"),
        *parts.answers(view, off),
    )
    return Live(f"lesson_{name}", moving, _still(view, off))


def _still(view: Shown, off: float) -> tuple[Block, ...]:
    """The same at the scenario's own γ and ε."""
    scenario = view.scenario
    at = f"At γ = {figure(scenario.gamma)} and ε = {figure(scenario.epsilon)}"
    possible = charts.as_dots(view.headline, view.leading, off) or figures.answers(view)
    moved = figures.sensitivity(view)
    shown = [one for one in (moved, figures.operating_points(view), possible) if one is not None]
    found = answer.sentences(view)
    return (*said(f"{at}: {found.heading}", found.body), *map(picture, shown))


Find = Callable[[Lesson, str], Found | None]
_SIZE = (480, 320)
_ABOUT = "Guess first, then look. What you fill in stays in this file: it loads nothing and sends nothing."
_MANY = "Each takes three to five minutes, and they build on one another."
_KEY = "lessons_box"


def show_files(one: Lesson, find: Find) -> None:
    """Both files, in a box; each is made when it is asked for."""
    box = st.popover("File", key=_KEY, on_change="rerun", icon=":material/description:")
    if box.open:
        with box:
            st.markdown("**Lessons to take along.** One file opens in any browser. It loads nothing and sends nothing.")
            _button(
                "This lesson as a file", f"lesson-{one.name.replace('_', '-')}.html", "lesson_file", lambda: of_one(one, find)
            )
            _button("All lessons as one file", "lessons.html", "lessons_file", lambda: of_all(find))


def _button(label: str, name: str, key: str, make: Callable[[], str]) -> None:
    st.download_button(label, make, name, "text/html", key=key, on_click="ignore", icon=":material/download:", width="stretch")


def of_one(one: Lesson, find: Find) -> str:
    """The file of a lesson."""
    return _file(one.words.title, _ABOUT, (one,), find)


def of_all(find: Find) -> str:
    """All of them in their order."""
    return _file("Lessons on what privacy costs", f"{_ABOUT} {_MANY}", lessons(), find)


def _file(title: str, about: str, which: tuple[Lesson, ...], find: Find) -> str:
    number = {one.name: place for place, one in enumerate(lessons(), 1)}
    written = tuple((number.get(one.name, 1), _written(one, find)) for one in which)
    moves = any(one.desk is not None for _, one in written)
    made = f"Made with {made_with()}. The numbers are computed at fixed seeds, so they are the same in the app."
    return lessons_html(Lessons(title, about, written, made, module() if moves else None))


def _written(one: Lesson, find: Find) -> WrittenLesson:
    """Without the steps that could not be computed, which the server's log names."""
    found = {name: find(one, name) for name in one.steps}
    steps = tuple(_step(one, name, result) for name, result in found.items() if result is not None)
    last = list(found.values())[-1]
    to_try = _paragraphs(one.words.to_try, last.numbers) if last is not None else ()
    return WrittenLesson(one.name, one.words.title, one.words.about, steps, opening.title(one.opens), to_try, desk_of(one))


def _step(one: Lesson, name: str, found: Found) -> WrittenStep:
    words, how, numbers = one.words.steps[name], one.steps[name].guess, found.numbers
    guess: Number | Options
    if isinstance(how, Mark):
        guess, so = Number(filled(words.label, numbers), how.least, how.most, how.by), how.words(found.truth)
    else:
        options = {key: filled(option, numbers) for key, option in words.options.items()}
        guess, so = Options(tuple(options.values())), options[str(found.truth)]
    return WrittenStep(
        name,
        filled(words.title, numbers),
        _paragraphs(words.question, numbers),
        _picture(lambda: (found.asked().chart, found.asked().alt), words.asked, numbers),
        guess,
        so,
        _paragraphs(words.reveal, numbers),
        _picture(found.figure, words.chart, numbers),
        _paragraphs(words.keep, numbers),
    )


def _picture(make: Callable[[], tuple[Any, str]], title: str, numbers: Mapping[str, str]) -> Picture:
    figure, alt = make()
    wide, high = _SIZE
    return Picture(drawn_or_said([(figure, alt, "")], width=wide, height=high, theme=Theme.PAGE), filled(title, numbers))


def _paragraphs(markdown: str, numbers: Mapping[str, str]) -> Paragraphs:
    """Of the text of a lesson, which has paragraphs and bold type."""
    texts = [" ".join(part.split()) for part in filled(markdown, numbers).split("\n\n")]
    return tuple(tuple(Run(piece["text"], bool(piece.get("bold"))) for piece in pieces(text)) for text in texts if text)


# A lesson as a program; or a sentence where there is none.


_FAILED = "There is no code of this lesson, because one of its steps could not be computed."


def of_the_lesson(lesson: Lesson, found: Callable[[str], Found | None]) -> Program | str:
    """A lesson; ``found`` says what is found at a step, None where that fails."""
    steps = []
    for name, words in lesson.words.steps.items():
        here = found(name)
        if here is None:
            return _FAILED
        said = {part: filled(getattr(words, part), here.numbers) for part in ("title", "question", "chart", "reveal", "keep")}
        steps.append(
            Told(**said, find=getattr(lesson.steps[name].find, "__name__", ""), numbers=here.numbers, figure=here.figure())
        )
    brought = {(table, name): tables.column(table, name) for table, name in lesson.columns}
    file = f"pages/lessons/{lesson.name}.py"
    title, about = lesson.words.title, lesson.words.about
    return or_why(lambda: of_lesson(title, about, tuple(steps), module=file, text=lesson.text, columns=brought))
