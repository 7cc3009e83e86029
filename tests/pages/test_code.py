"""Scripts and notebooks of releases; or a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pages import state
from pages.experiment.scenario import Noise
from pages.exports import ExportError
from pages.exports.script import script_of_release
from pages.ledger import session as ledger
from pages.widgets import share
from tests.pages.exports.run import ran
from tests.pages.test_list import SHARED, _begun
from tests.pages.visit import book, link, opened, press, released, sampled, sized

Files = list[tuple[str, str]]


def _given(files: Files, start: str) -> list[str]:
    """The files of the buttons whose keys begin so."""
    return [data for key, data in files if key.startswith(start)]


@pytest.mark.parametrize("worst", [False, True], ids=["sampled", "worst case"])
def test_a_release_is_sized_again_from_its_provenance(files: Files, worst: bool) -> None:
    app = link("release", table="diabetes", columns=["age"])
    app = released(sized(app, Noise.WORST_CASE if worst else Noise.SAMPLED))
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
    app = released(sampled(link("release", table="sine", columns=["x"], oracle={"kind": "TableRecords"})))
    (entry,) = ledger.BOOKS.get(app.session_state["browser"]).entries
    assert entry.release is not None
    whose = state.catalog()["sine"]
    monkeypatch.setattr(state, "tables", lambda: {"sine": whose})
    _, said = ran(str(share.script_of_entry(entry)))
    assert f"scale of the noise = {entry.release.scale}\n" in said
    for other in (None, replace(whose, public=False), replace(whose, values={**whose.values, "x": whose.values["x"] / 2})):
        monkeypatch.setattr(state, "tables", lambda other=other: {} if other is None else {"sine": other})
        with pytest.raises(ExportError, match="is not here as it was"):
            share.script_of_entry(entry)


def test_answers_of_a_list_share_the_oracle_of_all_their_columns() -> None:
    app = press(_begun(oracle=SHARED["oracle"]), "release")
    entries = book(app).entries
    table = state.catalog()["diabetes"]
    for entry in entries:
        _, said = ran(script_of_release(entry, table, entries))
        assert f"scale of the noise = {entry.release.scale}\n" in said
        assert f"seed={entry.release.provenance['seed']}" in script_of_release(entry, table, entries)
    with pytest.raises(ExportError):
        script_of_release(entries[0], table)
