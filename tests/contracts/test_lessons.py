"""Each lesson has words for every step and a step for all words; a broken one is left out with a sentence."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pages.old.lessons
from pages.old.charts.lessons import RULER, guessed
from pages.old.experiment.lessons.step import Asked, Choice, Mark
from pages.old.learn import found
from pages.server.startup import warn_of

LESSONS = {one.name: one for one in found.lessons()}
STEPS = [(lesson.name, step) for lesson in LESSONS.values() for step in lesson.steps]
FOLDER = Path(pages.old.lessons.__file__).parents[1]

TEXT = """# Greeting
Hello.
## one: One
{hello}?
### Guess
How many
### Asked
How many?
### Chart
So many.
### Reveal
So many.
### Keep
Keep it.
## Try
Try it.
"""
MODULE = """from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
ORDER = 1
def find():
    return Found(1.0, lambda: (None, ""), lambda: Asked(None, ""), {"hello": "you"})
STEPS = {"one": Step(Mark(0, 1, 1, 0, "{}", "y"), find)}
def to_try(): ...
"""
OPTIONS = "- yes: Yes\n- no: No"
BROKEN = {  # the two files, and what the sentence says
    "no text": (MODULE, None, "has no pages/old/text/lessons/greeting.md"),
    "no module": (None, TEXT, "has no pages/old/lessons/greeting.py"),
    "a slip of the pen": ("def f(:\n", TEXT, "does not import: SyntaxError"),
    "nothing in the module": ("", TEXT, "without ORDER (a number) and STEPS (of Step, by name) and to_try() (a function)"),
    "an order that is none": (MODULE.replace("ORDER = 1", "ORDER = float('nan')"), TEXT, "without ORDER (a number)."),
    "no title": (MODULE, TEXT.replace("# Greeting", "Greeting", 1), "expected “# Title”"),
    "nothing to try": (MODULE, TEXT.partition("## Try")[0], "expected “## Try”"),
    "nothing to keep": (MODULE, TEXT.replace("### Keep\n", ""), "“### Keep” with words in the step “one”"),
    "nothing to guess on": (MODULE, TEXT.replace("### Asked\nHow many?\n", ""), "“### Guess”, “### Asked”, “### Chart”"),
    "a choice of one": (MODULE, TEXT.replace("How many\n", "- yes: Yes\n"), "expected two options or more in the step “one”"),
    "a chart without a title": (MODULE, TEXT.replace("### Chart\nSo many.\n", ""), "“### Chart”, “### Reveal”"),
    "no such page": (MODULE + "OPENS = 'nowhere'\n", TEXT, "without OPENS (a page's file)."),
    "a step without a name": (MODULE, TEXT.replace("## one: One", "## One"), "got “## One”"),
    "a heading twice": (MODULE, TEXT.replace("### Keep", "### Reveal"), "expected each heading once"),
    "no step": (MODULE, "# Greeting\nHello.\n## Try\nTry it.\n", "expected a step or more"),
    "another step": (MODULE, TEXT.replace("## one", "## two"), "the steps one in its module and two in its text"),
    "options for a number": (MODULE, TEXT.replace("How many\n", f"{OPTIONS}\n"), "the step one, whose guess is a choice in one"),
    "a number for options": (MODULE.replace('Mark(0, 1, 1, 0, "{}", "y")', "Choice()"), TEXT, "the step one, whose guess"),
}
Put = Callable[[str | None, str | None], None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """put(module, text): a folder of lessons that holds a greeting alone."""
    for folder in (tmp_path / "lessons", tmp_path / "text" / "lessons"):
        folder.mkdir(parents=True)

    def added(module: str | None, text: str | None) -> None:
        if module is not None:
            (tmp_path / "lessons" / "greeting.py").write_text(module)
        if text is not None:
            (tmp_path / "text" / "lessons" / "greeting.md").write_text(text)
        monkeypatch.setattr(found, "_PAGES", tmp_path)
        monkeypatch.setattr(pages.old.lessons, "__path__", [str(tmp_path / "lessons")])
        importlib.invalidate_caches()

    yield added
    sys.modules.pop("pages.old.lessons.greeting", None)
    found._read.cache_clear()


def test_every_lesson_of_ours_is_whole() -> None:
    assert found.findings() == ()
    assert {file.stem for file in FOLDER.glob("lessons/[!_]*.py")} == set(LESSONS)
    assert {file.stem for file in FOLDER.glob("text/lessons/*.md")} == set(LESSONS)
    assert len({one.order for one in LESSONS.values()}) == len(LESSONS)


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_what_is_so_can_be_guessed_and_is_said_and_drawn(lesson: str, step: str) -> None:
    how, at = LESSONS[lesson].steps[step].guess, LESSONS[lesson].steps[step].find()
    _all_that_can_be_guessed_is_on_the_figure(how, at.asked())
    assert LESSONS[lesson].numbers(step) == set(at.numbers)
    assert len(at.figure()[0].data) >= 1  # looking into it checks every property
    if isinstance(how, Choice):
        assert at.truth in LESSONS[lesson].words.steps[step].options
    else:
        assert isinstance(how, Mark)
        assert how.least < float(at.truth) < how.most
        assert abs(how.start - float(at.truth)) > how.by, "the slider does not begin at what is so"


def _all_that_can_be_guessed_is_on_the_figure(how: Choice | Mark, at: Asked) -> None:
    if isinstance(how, Choice):
        assert len(at.chart.data) >= 1
        return
    ends = how.least * at.per, how.most * at.per
    drawn = guessed(at.chart, how.start * at.per, how.axis, ends)
    low, high = drawn.ready()["layout"]["xaxis2" if how.axis == RULER else f"{how.axis}axis"]["range"]
    assert low <= ends[0] < ends[1] <= high
    assert drawn.data[-1][how.axis[0]][0] == pytest.approx(how.start * at.per)


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_lesson_is_left_out_with_a_sentence(put: Put, case: str, caplog: pytest.LogCaptureFixture) -> None:
    module, text, said = BROKEN[case]
    put(module, text)
    assert found.lessons() == ()
    (sentence,) = found.findings()
    assert sentence.startswith(("The lesson greeting has ", "The lesson greeting cannot be read"))
    assert said in sentence
    warn_of(found.findings())
    assert sentence in caplog.messages


def test_a_whole_one_is_found_and_so_is_a_choice(put: Put) -> None:
    put(MODULE, TEXT)
    (one,) = found.lessons()
    assert (one.name, one.words.title, found.findings()) == ("greeting", "Greeting", ())
