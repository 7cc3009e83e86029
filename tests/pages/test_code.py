"""Scripts and notebooks from the pages: of what Explore and People show, and of releases; or a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import targets
from pages import state
from pages.old.experiment import preview
from pages.old.shared import exports
from pages.old.shared.exports import NAME
from pages.old.state import ledger
from tests.pages.reports.run import ran
from tests.pages.visit import confidential, link, opened, pick, released, scenario, sound, text, visit, within

Files = list[tuple[str, str]]


def _given(files: Files, start: str) -> list[str]:
    """The files of the buttons whose keys begin so."""
    return [data for key, data in files if key.startswith(start)]


def _numbers(app: Any) -> str:
    """k, Δ̂ and the scale of what is shown, as a script prints them."""
    of = scenario(app)
    sample = preview.exploration(of, of.resolved_oracle(state.catalog()[of.table]))
    noise = preview.calibrated(of, sample)
    return (
        f"k = {of.point.k} of m = {of.m}\n"
        f"sampled sensitivity = {noise.sensitivity.value} and scale of the noise = {noise.law.scale}\n"
    )


def test_explore_gives_a_script_and_a_notebook_beside_its_link(files: Files, download_names: list[str]) -> None:
    app = visit()
    assert not _given(files, "script_")  # nothing is built before somebody asks for it
    opened(app, "link")
    _, said = ran(_given(files, "script_")[-1])
    assert said.startswith(_numbers(app))
    assert json.loads(_given(files, "notebook_")[-1])["nbformat"] == 4
    assert {f"{NAME}.py", f"{NAME}.ipynb"} <= set(download_names)


@pytest.mark.slow
def test_nothing_of_a_confidential_table_is_in_a_script(files: Files) -> None:
    values = np.round(np.random.default_rng(5).uniform(100, 900, 500), 4)
    app = confidential(("income\n" + "\n".join(map(str, values))).encode(), 0, 1000)
    opened(app, "link")
    sound(within(app, "off").number_input(key="off").set_value(7.125).run())
    for said in _given(files, "script_") + _given(files, "notebook_"):
        assert not [value for value in values.tolist() if repr(value) in said]
        assert repr(float(values.mean()))[:9] not in said
        assert "7.125" not in said
        assert "worst = " in said, "the worst case leads"


@pytest.mark.parametrize("worst", [False, True], ids=["sampled", "worst case"])
def test_a_release_is_sized_again_from_its_provenance(files: Files, worst: bool) -> None:
    app = link("release", table="diabetes", columns=["age"])
    app = released(sound(app.radio(key="way").set_value(app.radio(key="way").options[worst]).run()))
    made = json.loads(_given(files, "download_")[-1])
    assert made["guarantee"] == ("PureDP" if worst else "RandomDP")
    opened(app, f"code_{made['release']}")
    code = _given(files, "script_")[-1]
    _, said = ran(code)
    of = "worst case" if worst else "sampled sensitivity"
    assert f"{of} = {made['provenance']['sensitivity']} and scale of the noise = {made['scale']}\n" in said
    assert worst or f"seed={made['provenance']['seed']}" in code
    assert ("sample_sensitivity" in code) is not worst
    assert str(made["response"]) not in code


def test_a_release_of_a_tables_own_rows_has_one_while_that_table_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    app = released(link("release", table="sine", columns=["x"], oracle={"kind": "TableRecords"}))
    (entry,) = ledger._book(app.session_state["tab"]).entries
    assert entry.release is not None
    whose = state.catalog()["sine"]
    monkeypatch.setattr(state, "tables", lambda: {"sine": whose})
    _, said = ran(str(exports._released(entry)))
    assert f"scale of the noise = {entry.release.scale}\n" in said
    for other in (None, replace(whose, public=False), replace(whose, values={**whose.values, "x": whose.values["x"] / 2})):
        monkeypatch.setattr(state, "tables", lambda other=other: {} if other is None else {"sine": other})
        assert exports._released(entry) is None


def test_where_there_is_no_answer_there_is_a_sentence(files: Files) -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "KnownMean")
    app.session_state["scenario"] = scenario(app).with_(target=targets.KnownCount())  # of all records: no trial moves it
    seen = len(_given(files, "script_"))
    opened(app, "link")
    assert "# No private answer at this choice" in text(app)
    assert not _given(files, "script_")[seen:]
    assert "so there is no script of it" in text(app)
