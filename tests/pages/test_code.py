"""Code from the pages: of what Explore and People show, of a list, of releases, of lessons; or a sentence."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages.reports.code.cells import Lines, Program
from pages.reports.code.script import script

from dpcore import targets
from dpcore.ledger.derived import Derived, between
from pages.experiment import preview
from pages.learn import written
from pages.learn.found import lessons
from pages.shared.exports import NAME
from pages.state import programs, state
from tests.code import taken
from tests.pages.reports.code.run import cells_of, figures_in, ran, ran_text
from tests.pages.test_list import _begun
from tests.pages.visit import (
    ask,
    confidential,
    link,
    near,
    opened,
    pick,
    press,
    released,
    scenario,
    settled,
    sound,
    text,
    visit,
    within,
)

_LESSONS = {one.name: one for one in lessons()}


Files = list[tuple[str, str]]


def _given(files: Files, start: str) -> list[str]:
    """The files of the buttons whose keys begin so."""
    return [data for key, data in files if key.startswith(start)]


def _script(files: Files) -> str:
    """The last script that a page offered."""
    return _given(files, "script_")[-1]


def _release(files: Files) -> Any:
    """The last release's JSON."""
    return json.loads(_given(files, "download_")[-1])


def _shown_value(app: Any) -> str:
    """Δ̂ of what is shown, with all digits."""
    of = scenario(app)
    sample = preview.exploration(of, of.resolved_oracle(state.catalog()[of.table]))
    return repr(sample.at(of.point).sensitivity().value)


def test_explore_gives_a_script_and_a_notebook_beside_its_link(files: Files, download_names: list[str], tmp_path: Path) -> None:
    app = visit()
    assert not _given(files, "script_")  # nothing is built before somebody asks for it
    opened(app, "link")
    _, said = ran_text(_script(files), tmp_path)
    assert f"Δ̂ = {_shown_value(app)}" in said
    assert len(figures_in(tmp_path)) == 4  # the fifty dots among them
    book = json.loads(_given(files, "notebook_")[-1])
    assert [cell["cell_type"] for cell in book["cells"]][:3] == ["markdown", "code", "markdown"]
    assert {f"{NAME}.py", f"{NAME}.ipynb"} <= set(download_names)


@pytest.mark.slow
def test_people_give_theirs(files: Files, tmp_path: Path) -> None:
    app = opened(settled(visit("people")), "link")
    names, said = ran_text(_script(files), tmp_path)
    assert f"Δ̂ = {_shown_value(app)}" in said
    assert names["adjacency"].name == "REPLACE_ONE_USER"


@pytest.mark.slow
def test_a_confidential_answer_that_is_compared_with_is_in_no_code(files: Files, tmp_path: Path) -> None:
    """Nor is the limit of the dots, which may be chosen in view of it."""
    values = np.round(np.random.default_rng(5).uniform(100, 900, 500), 4)
    app = confidential(("income\n" + "\n".join(map(str, values))).encode(), 0, 1000)
    opened(app, "link")
    before = _given(files, "script_") + _given(files, "notebook_")
    sound(app.toggle(key="compare").set_value(True).run())
    sound(within(app, "off").number_input(key="off").set_value(7.125).run())
    after = [_script(files), _given(files, "notebook_")[-1]]
    for said in before + after:
        assert not [value for value in values.tolist() if repr(value) in said]
        assert repr(float(values.mean()))[:9] not in said
        assert "7.125" not in said
    names, _ = ran_text(_script(files), tmp_path)
    assert abs(float(names["exact"][0]) - values.mean()) > 1e-6


def test_a_release_is_made_anew_from_its_provenance(files: Files, tmp_path: Path) -> None:
    app = released(visit("release"))
    made = _release(files)
    opened(app, f"code_{made['release']}")
    code, seed = _script(files), f"seed={made['provenance']['seed']}"
    names, _ = ran_text(code, tmp_path)
    assert repr(names["sensitivity"].value) == repr(made["provenance"]["sensitivity"])
    assert names["noise"].law.scale == made["scale"]
    assert names["answer"].plain(names["response"]) == made["response"]
    assert made["in_words"][:60] in code.replace("\n# ", " ")
    assert "RECORDS" not in code
    assert seed in code
    with pytest.raises(AssertionError, match="The app showed"):
        ran_text(code.replace(seed, "seed=1"), tmp_path)


def test_a_worst_case_release_is_too(files: Files, tmp_path: Path) -> None:
    app = link("release", table="diabetes", columns=["age"])
    sound(app.radio(key="way").set_value(app.radio(key="way").options[1]).run())
    press(app, "release")
    made = _release(files)
    assert made["guarantee"] == "PureDP"
    opened(app, f"code_{made['release']}")
    names, _ = ran_text(_script(files), tmp_path)
    assert names["proved"].value == made["provenance"]["sensitivity"]
    assert names["noise"].law.scale == made["scale"]
    assert "oracle" not in names


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [{}, {"oracle": {"kind": "TableRecords"}}], ids=["laws", "the table's own rows"])
def test_a_list_is_made_anew_and_so_are_its_releases(oracle: dict[str, Any], files: Files, tmp_path: Path) -> None:
    """Of the table's own records too, which all lines of a press draw together."""
    app = ask(_begun(**oracle), "Median of Age")
    opened(app, "code_list")
    _, said = ran_text(_script(files), tmp_path)
    assert [float(one) for one in re.findall(r"question \d: ± (\S+)", said)] == pytest.approx(
        [near(app, place) for place in range(3)], rel=0.01
    )
    press(app, "release_list")
    given = {made["release"]: made for made in map(json.loads, _given(files, "download_"))}
    assert len(given) == 2
    for made in given.values():
        opened(app, f"code_{made['release']}")
        names, said = ran_text(_given(files, f"script_{made['release']}")[-1], tmp_path)
        assert names["sensitivity"].value == made["provenance"]["sensitivity"]
        if made["questions"]:
            _compared(names, said, made)


def _compared(names: dict[str, Any], said: str, made: dict[str, Any]) -> None:
    """The differences and ratios that it prints are those of the page, whose intervals are of the response alone."""
    numbers = names["answer"].shown(names["response"])
    assert len(numbers) == 4
    ratio = between(numbers[0], numbers[1], Derived.RATIO, scale=made["scale"], composes_as="laplace")
    assert f"{ratio.value!r}{ratio.after}, within {ratio.within}" in said
    assert "difference" not in said  # they have three units


@pytest.mark.parametrize("name", _LESSONS)
def test_a_lesson_is_made_anew_with_its_words_and_numbers(name: str, tmp_path: Path) -> None:
    one = _LESSONS[name]
    made = written.of_the_lesson(one, lambda step: one.steps[step].find())
    assert isinstance(made, Program), made
    names, _ = ran(made, tmp_path)
    assert names["numbers"] == dict(one.steps[list(one.steps)[-1]].find().numbers)
    assert len(figures_in(tmp_path)) == len(one.steps)
    _alone(script(made))
    code = "\n".join(cell.code for cell in made.cells if isinstance(cell, Lines))
    functions = re.findall(r"^def (\w+)", code, re.MULTILINE)
    assert len(functions) == len(set(functions)) >= len(one.steps)
    assert sum(kind == "markdown" and cell.startswith("## ") for kind, cell in cells_of(made)) >= len(one.steps)


def test_learn_gives_it_beside_its_link(files: Files) -> None:
    opened(visit("learn", lesson="neighbours"), "code_lesson")
    assert "# %% Neighbours" in _script(files)


def test_where_there_is_no_answer_there_is_a_sentence(files: Files) -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "KnownMean")
    app.session_state["scenario"] = scenario(app).with_(target=targets.KnownCount())  # of all records: no trial moves it
    seen = len(_given(files, "script_"))
    opened(app, "link")
    assert "# No private answer at this choice" in text(app)
    assert not _given(files, "script_")[seen:]
    assert "there is nothing to make anew" in text(app)


def test_a_target_of_somebodys_own_has_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Program:
        raise TypeError("Mine is not in the catalogue")

    monkeypatch.setattr(programs, "of_scenario", refused)
    assert "not one of dpcore's own" in text(opened(visit(), "link"))


@pytest.mark.parametrize("name", ["of_explore", "of_confidential", "of_questions", "of_a_release"])
def test_a_program_takes_what_it_needs_from_dpcore_and_plotly_alone(name: str) -> None:
    _alone(script(getattr(taken, name)()))


def _alone(text: str) -> None:
    """Nothing of it is the app's."""
    tree = ast.parse(text)
    named = {one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    named |= {name.name for one in ast.walk(tree) if isinstance(one, ast.Import) for name in one.names}
    rooms = {name.split(".")[1] for name in named if name.startswith("dpcore.")}
    assert not rooms & {"workbench", "plots"}
    assert {name.split(".")[0] for name in named} - set(sys.stdlib_module_names) <= {"dpcore", "numpy", "plotly", "scipy"}
