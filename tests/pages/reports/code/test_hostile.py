"""Texts from outside in every place of a program: it stays the same Python, and its words show them as they are."""

from __future__ import annotations

import ast
import html
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages.reports.code.asked import Told
from pages.reports.code.cells import Program
from pages.reports.code.script import in_markdown, one_line, script

from dpcore import Condition, Groups, targets
from pages.files.tables import Column, Table
from tests.pages.reports.code.run import cells_of, ran
from tests.pages.reports.code.shown import program, scenario
from tests.pages.test_hostile_names import HOSTILE

_PIECES = (
    *HOSTILE,
    "'",
    '"',
    '"""',
    "'''",
    "\\",
    "\n",
    "\r",
    "\u2028",
    "\u202e",
    "{}",
    "{x}",
    "%s",
    "#",
    "# %%",
    "\x00",
    "\x0c",
    ";import os;",
    '");__import__("os").system("x")#',
    "\nimport os\n",
    "${x}",
    "$$",
    "\\N{BULLET}",
    "\ud800",
    "é",
    "漢",
    "<script>",
    "```",
    "    x",
)
_TEXTS = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), min_size=1, max_size=4).map("".join).filter(bool)
_MARK = re.compile(r"[!-+./:-@\[-`{-~]")  # of Markdown, HTML and formulas; a comma and a hyphen within words are none


def _made(name: str, other: str, unit: str, category: str, title: str) -> Program:
    """A public table of 20 records of a number and a text, and a question with a condition and groups."""
    columns = (Column(name, label=unit, unit=unit, bounds=(0.0, 1.0)), Column(other, role="text", categories=(category, "b")))
    values = {name: np.linspace(0, 1, 20), other: np.array([category, "b"] * 10)}
    whose = Table(title, columns, values, public=True, title=title)
    on = targets.On(
        targets.KnownMean((0.0, 1.0)), (name,), (Condition(other, category, excluded=True),), Groups(other, (category, "b"))
    )
    of = scenario(whose, "", on.fields, target=on, m=19)
    made: Program = program(of, whose, Told(question=title, target=name, oracle=unit, table=title))
    return made


def _structure(code: str) -> str:
    """What the Python does, whatever its literals are."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, float)):
            node.value = type(node.value)()
    return ast.dump(tree)


_PLAIN = _made("a", "c", "years", "yes", "Table")
_SAME, _CELLS = _structure(script(_PLAIN)), cells_of(_PLAIN)


@pytest.mark.slow
@settings(derandomize=True, max_examples=30, deadline=None, database=None)
@given(st.lists(_TEXTS, min_size=5, max_size=5, unique=True))
def test_the_code_does_the_same_under_any_names_and_runs_nothing_of_them(texts: list[str]) -> None:
    try:
        made = _made(*texts)
    except (UnicodeEncodeError, ValueError):  # no such name of a column, or text: refused long before
        return
    assert _structure(script(made)) == _SAME
    cells = cells_of(made)
    assert [kind for kind, _ in cells] == [kind for kind, _ in _CELLS]
    for (kind, text), (_, other) in zip(cells, _CELLS, strict=True):
        if kind == "code":
            assert _structure(text) == _structure(other)
        else:
            assert text.count("\n") == other.count("\n")
            assert text.count("#") - text.count("&#") == other.count("#") - other.count("&#")


def test_a_hostile_program_runs_and_computes_the_same(tmp_path: Path) -> None:
    made = _made('"x\n# y', "<b>$z$</b>\\", "it's\u202e", '{0}"""', "'''; import os #")
    names, _ = ran(made, tmp_path)
    plain, _ = ran(_PLAIN, tmp_path)
    assert names["sensitivity"].value == plain["sensitivity"].value
    assert (names["exact"] == plain["exact"]).all()
    assert "os" not in names


@pytest.mark.slow
@settings(derandomize=True, max_examples=300, deadline=None, database=None)
@given(_TEXTS)
def test_markdown_has_no_mark_of_the_text_and_shows_it(text: str) -> None:
    made = in_markdown(text)
    shown = html.unescape(re.sub(r"</?span>", "", made))
    assert shown == one_line(text)
    assert not _MARK.search(re.sub(r"</?span>|&#\d+;|(?<=\w)'(?=\w)|%(?=[ ]|$)|(?<=\d)\.(?=\d)", "", made))
    assert one_line(text).isprintable()


@pytest.mark.parametrize("text", ["Mean of x", "18 to 65", "0.05 years", "5 %", "it's a well-known name, or two"])
def test_a_plain_text_stays_as_it_is(text: str) -> None:
    assert in_markdown(text) == text


def _calls(code: str) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)}


def test_a_program_calls_what_it_is_to_call_and_nothing_else() -> None:
    calls = _calls(script(_PLAIN))
    rooms = ("np.", "targets.", "oracles.")
    assert {call for call in calls if not call.startswith(rooms)} == {
        "Condition",
        "Groups",
        "Laplace",
        "OperatingPoint.for_both",
        "Path",
        "PureDP",
        "base64.b64decode",
        "chart.write_html",
        "fresh.sensitivity",
        "go.Figure",
        "mechanism.calibrate",
        "mechanism.calibrate(fresh.sensitivity(), privacy).release",
        "noise.simulate",
        "print",
        "replace",
        "sample.sensitivity",
        "sample_sensitivity",
        "secrets.randbits",
        "target",
        "target.global_sensitivity",
        "zlib.decompress",
    }
    assert {call for call in calls if call.startswith(rooms)} == {
        "np.atleast_1d",
        "np.frombuffer",
        "np.random.default_rng",
        "targets.On",
        "targets.KnownMean",
        "oracles.Product",
        "oracles.Uniform",
        "oracles.Categorical",
    }
