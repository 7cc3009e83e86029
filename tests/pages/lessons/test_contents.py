"""All lessons: text and computation agree, and every guess and every answer is on its chart."""

from __future__ import annotations

import time
from pathlib import Path
from string import Formatter

import plotly.graph_objects as go
import pytest

import pages.lessons
from pages.figures.lessons import large, with_guess
from pages.lessons import lesson as reading
from pages.lessons.contents import LESSONS, lesson_named
from pages.lessons.lesson import Choice, Slider, read_lesson
from pages.server.page_list import PAGES

FOLDER = Path(pages.lessons.__file__).parent
STEPS = {f"{lesson.name} {step.name}": (lesson, step) for lesson in LESSONS for step in lesson.steps}


def test_every_text_belongs_to_a_lesson() -> None:
    names = [lesson.name for lesson in LESSONS]
    assert len(names) == len(set(names)) == 13
    assert {file.stem for file in (FOLDER / "text").glob("*.md")} == set(names)
    assert lesson_named("coin") is LESSONS[0]
    assert {lesson.opens for lesson in LESSONS} < set(PAGES)
    assert {lesson.live for lesson in LESSONS} == {"", "epsilon", "gamma"}


@pytest.mark.parametrize("name", STEPS)
def test_step_says_what_it_computes(name: str) -> None:
    lesson, step = STEPS[name]
    step.compute()
    start = time.process_time()
    result = step.compute()
    assert time.process_time() - start < 2, "0.4 s on an idle machine"
    texts = [step.title, step.question, step.prompt, step.before, step.after, step.reveal, step.keep]
    texts += [lesson.to_try] if step is lesson.steps[-1] else []
    assert {name for text in texts for _, name, _, _ in Formatter().parse(text) if name} == set(result.numbers)
    assert all(result.numbers.values())
    for chart in (result.before, result.after):
        assert chart.alt
        assert len([trace for trace in chart.traces if trace["name"]]) <= 6
        go.Figure(large(chart, 15, 330))  # plotly checks every property
    how = step.guess
    if isinstance(how, Choice):
        assert result.truth in step.options
        assert len(step.options) > 1
        return
    truth = float(result.truth)
    assert not step.options
    assert how.low < truth < how.high
    assert abs(how.start - truth) > how.step, "the slider starts at the answer"
    _assert_guesses_are_in_sight(how, result)


def _assert_guesses_are_in_sight(how: Slider, result: reading.Result) -> None:
    """Both charts have the same axes, wide enough for each guess and for the answer."""
    ends = how.low * result.unit, how.high * result.unit
    charts = [with_guess(chart, how.axis, how.start * result.unit, *ends) for chart in (result.before, result.after)]
    axis = {"x": "xaxis", "y": "yaxis", "ruler": "xaxis2"}[how.axis]
    assert charts[0].layout[axis]["range"] == charts[1].layout[axis]["range"]
    low, high = charts[0].layout[axis]["range"]
    assert low <= ends[0] < ends[1] <= high
    guess = charts[0].traces[-1]
    assert guess["name"] == "your guess"
    assert list(guess["y" if how.axis == "y" else "x"]) == [how.start * result.unit] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [("### Keep", "### Kept"), ("## two_bars:", "## bars:"), ("## Try", "## Then")],
    ids=["part", "step", "end"],
)
def test_text_of_another_form_is_refused(old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FOLDER / "text" / "bins.md").read_text()
    (tmp_path / "bins.md").write_text(text.replace(old, new, 1))
    monkeypatch.setattr(reading, "_FOLDER", tmp_path)
    bins = lesson_named("bins")
    assert bins is not None
    with pytest.raises(ValueError, match="Expected"):
        read_lesson("bins", {step.name: (step.guess, step.compute) for step in bins.steps}, bins.scenario)
