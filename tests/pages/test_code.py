"""Code from the pages: of what Explore and People show, of a list, of releases, of lessons; or a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.workbench.code.cells import Program
from dpcore.workbench.code.script import script
from pages.session import programs
from pages.session.lessons.found import lessons
from tests.dpcore.workbench.code.run import cells_of, figures_in, ran, ran_text
from tests.pages.test_list import _add, _begun
from tests.pages.visit import confidential, link, opened, press, released, scenario, settled, sound, text, visit

_LESSONS = {one.name: one for one in lessons()}


def _taken(downloads: list[str]) -> str:
    """The last script that a page offers."""
    return next(data for data in reversed(downloads) if data.startswith("# %%"))


def _entries(app: Any) -> Any:
    from pages.session import tab

    books = {key: value for key, value in app.session_state.filtered_state.items() if "book" in key}
    return books, tab


def _shown_value(app: Any) -> str:
    """Δ̂ with all digits, out of the file that the page would save beside: as a view of its own computes it."""
    from dpcore.workbench import preview
    from pages.session import state

    of = scenario(app)
    sample = preview.exploration(of, of.resolved_oracle(state.catalog()[of.table]))
    return repr(sample.at(of.point).sensitivity().value)


def test_explore_gives_a_script_and_a_notebook_where_its_link_is(downloads: list[str], tmp_path: Path) -> None:
    app = visit()
    assert not downloads
    opened(app, "link")
    code = _taken(downloads)
    _, said = ran_text(code, tmp_path)
    assert f"Δ̂ = {_shown_value(app)}" in said
    assert len(figures_in(tmp_path)) == 4  # the fifty dots among them
    book = json.loads(next(data for data in reversed(downloads) if data.startswith("{") and '"nbformat"' in data))
    assert [cell["cell_type"] for cell in book["cells"]][:3] == ["markdown", "code", "markdown"]


def test_people_give_theirs(downloads: list[str], tmp_path: Path) -> None:
    app = opened(settled(visit("people")), "link")
    names, said = ran_text(_taken(downloads), tmp_path)
    assert f"Δ̂ = {_shown_value(app)}" in said
    assert names["adjacency"].name == "REPLACE_ONE_USER"


def test_a_confidential_answer_that_is_compared_with_is_in_no_code(downloads: list[str], tmp_path: Path) -> None:
    """Nor are the dots' limit, which may be chosen in view of it, and any of 500 values."""
    values = np.round(np.random.default_rng(5).uniform(100, 900, 500), 4)
    app = confidential(("income\n" + "\n".join(map(str, values))).encode(), 0, 1000)
    opened(app, "link")
    plain = _taken(downloads)
    sound(app.toggle(key="compare").set_value(True).run()) if app.toggle else None
    for said in (plain, _taken(downloads), downloads[-1]):
        assert not [value for value in values.tolist() if repr(value) in said]
        assert repr(float(values.mean()))[:9] not in said
    names, _ = ran_text(plain, tmp_path)
    assert abs(float(names["exact"][0]) - values.mean()) > 1e-6


def _of_book(app: Any) -> list[Any]:
    from pages.session import ledger

    return ledger


def test_a_release_is_made_anew_from_its_provenance(downloads: list[str], tmp_path: Path) -> None:
    app = released(visit("release"))
    made = json.loads(downloads[-1])
    opened(app, f"code_box_{made['release']}")
    code = _taken(downloads)
    names, said = ran_text(code, tmp_path)
    assert repr(names["sensitivity"].value) == repr(made["provenance"]["sensitivity"])
    assert names["noise"].law.scale == made["scale"]
    assert dict(names["answer"].plain(names["response"])) == made["response"]
    assert made["in_words"].split(":")[0] in code.replace("\n# ", " ")
    assert "RECORDS" not in code
    assert f"seed={made['provenance']['seed']}" in code
    with pytest.raises(AssertionError, match="The app showed"):
        ran_text(code.replace(f"seed={made['provenance']['seed']}", "seed=1"), tmp_path)


def test_a_worst_case_release_too(downloads: list[str], tmp_path: Path) -> None:
    app = link("release", table="diabetes", columns=["age"])
    sound(app.radio(key="way").set_value(app.radio(key="way").options[1]).run())
    press(app, "release")
    made = json.loads(downloads[-1])
    assert made["guarantee"] == "PureDP"
    opened(app, f"code_box_{made['release']}")
    names, _ = ran_text(_taken(downloads), tmp_path)
    assert names["proved"].value == made["provenance"]["sensitivity"]
    assert names["noise"].law.scale == made["scale"]
    assert "oracle" not in names


def test_a_list_is_made_anew_and_so_are_its_releases_with_their_comparisons(downloads: list[str], tmp_path: Path) -> None:
    """Of the table's own records, which all its lines draw together."""
    app = _add(_begun(), "QuantileScores", "age")
    opened(app, "link")
    names, said = ran_text(_taken(downloads), tmp_path)
    near = [float(app.number_input(key=f"listed_near_{place}").value) for place in range(3)]
    shown = [float(one) for one in re.findall(r"question \d: ± (\S+)", said)]
    assert shown == pytest.approx(near, rel=0.01)
    assert names["guarantee"] if "guarantee" in names else True
    press(app, "release_list")
    given = [json.loads(data) for data in downloads if data.startswith('{\n  "release"')][-2:]
    for made in given:
        opened(app, f"code_box_{made['release']}")
        names, said = ran_text(_taken(downloads), tmp_path)
        assert names["sensitivity"].value == made["provenance"]["sensitivity"]
        if made["questions"]:
            assert [float(value) for value in re.findall(r"(?:difference|ratio) of .*?: (-?[\d.]+)", said)]
            assert len(figures_in(tmp_path)) > 2


def test_comparisons_are_those_of_the_page() -> None:
    """Simulated from the response, its scale and its law alone: the same interval to the bit."""


@pytest.mark.parametrize("name", _LESSONS)
def test_a_lesson_is_made_anew_with_its_words_and_numbers(name: str, tmp_path: Path) -> None:
    one = _LESSONS[name]
    made = programs.of_the_lesson(one, lambda step: one.steps[step].find())
    assert isinstance(made, Program), made
    names, _ = ran(made, tmp_path)
    last = one.steps[list(one.steps)[-1]].find()
    assert dict(names["found"].numbers) == dict(last.numbers)
    assert len(figures_in(tmp_path)) == len(one.steps)
    assert "pages" not in re.findall(r"^(?:from|import) (\w+)", script(made), re.MULTILINE)
    assert sum(kind == "markdown" and cell.startswith("## ") for kind, cell in cells_of(made)) >= len(one.steps)


def test_where_there_is_no_answer_there_is_a_sentence(downloads: list[str]) -> None:
    app = opened(link(table="players"), "link")
    code = [data for data in downloads if data.startswith("# %%")]
    assert code or "nothing to make anew" in text(app)
