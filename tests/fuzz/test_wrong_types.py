"""Some of the wrong types at every place of what strangers can give the app, and that the search finds what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import wrong_types
from tests.fuzz.documents import links
from tests.fuzz.wrong_types import Case

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_some_of_them_are_read_or_refused_in_sentences() -> None:
    """As the script does it, for it leaves the app without a session's caches."""
    command = [sys.executable, "-m", "tests.fuzz.wrong_types", "--one-in", "241"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ": 0 were not taken as they should be" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("columns",), {"a": 1}),
        (("list", "questions"), [{}]),
        (("pins", "B"), {"columns": {"a": 1}}),
        (("pins", "B"), {"norm": []}),
    ],
)
def test_what_once_broke_a_page_costs_a_sentence(place: tuple[str, ...], value: object) -> None:
    tree = wrong_types._with(links()["link 1"], place, value)
    assert wrong_types.complaint(Case("link 1", place, tree), wrong_types.of_link) == ""


def test_every_place_is_tried_and_each_case_once() -> None:
    made = list(wrong_types.cases("small", {"a": [1], "b": {"c": "x"}}))
    assert {case.path for case in made} == {("a",), ("a", 0), ("b",), ("b", "c")}
    assert {str(case.tree) for case in made if case.path == ("a", 0)} >= {
        "{'a': [{}], 'b': {'c': 'x'}}",
        "{'a': [None], 'b': {'c': 'x'}}",
    }


def test_a_traceback_is_found() -> None:
    def faulty(case: Case) -> None:
        raise KeyError(case.path[0])

    case = next(wrong_types.cases("small", {"a": 1}))
    assert "KeyError" in wrong_types.complaint(case, faulty)
