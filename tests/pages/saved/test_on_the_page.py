"""Saved on Release, loaded on Release or on Your data: said first, then all is back, or all stays as it is."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from pages.reports.saved.everything import read
from streamlit.testing.v1 import AppTest

from dpcore import PureDP, targets
from dpcore.registry.catalog import to_json
from pages.files.tables import read_csv
from pages.state import ledger
from tests.pages.test_reports import report
from tests.pages.visit import (
    confidential,
    declare,
    everything,
    go,
    link,
    notices,
    only,
    press,
    sampled,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

_ROWS = [(20 + i * i % 37, i % 2) for i in range(30)]
CSV = b"income,flag\n" + b"".join(b"%d,%d\n" % row for row in _ROWS)
OTHER = b"income,flag\n" + b"".join(b"%d,%d\n" % (90 - i * i % 41, i % 2) for i in range(30))


def _saved(downloads: list[str]) -> bytes:
    return [said for said in downloads if said.startswith('{\n "settings": "all that') and '"table"' in said][-1].encode()


def _drop(app: AppTest, content: bytes, name: str = "settings.json") -> AppTest:
    go(app, "release")
    uploader = next(one for one in app.file_uploader if str(one.key).startswith("saved_release"))
    return sound(uploader.set_value((name, content, "application/json")).run())


def _ledger(app: AppTest) -> list[dict[str, str]]:
    return [line for table in app.table for line in table.value.to_dict("records")]


def _budget(app: AppTest, symbol: str, value: float | None = None) -> Any:
    box = next(box for box in app.number_input if box.label.endswith(f"total {symbol}"))
    return box.value if value is None else sound(box.set_value(value).run())


_KEPT: list[bytes] = []  # of the first test that asks for it


@pytest.fixture
def content(downloads: list[str]) -> bytes:
    """A plan of two, one of them made, and a budget."""
    if _KEPT:
        return _KEPT[0]
    app = confidential(CSV, 0, 100)
    sampled(go(app, "release"))
    press(press(app, "plan_add"), "plan_add")
    _budget(app, "ε", 5.0)
    _budget(app, "γ", 0.3)
    press(app, "release")
    assert "This server forgets the ledger when it restarts: save it." in text(app)
    _KEPT.append(_saved(downloads))
    return _KEPT[0]


def test_all_is_back_in_a_tab_that_has_the_table(content: bytes) -> None:
    app = _drop(confidential(CSV, 0, 100), content)
    said = text(app)
    for sentence in (
        "1 line comes to the ledger of “mine.csv”.",
        "A plan of 2 releases comes",
        "takes the place of none",
    ):
        assert sentence in said
    assert not _ledger(app)
    press(app, "saved_load")
    assert [(line["charge"], line["ε"]) for line in _ledger(app)] == [
        ("release, from a file, fixed beforehand by its holder's word", "1")
    ]
    assert (_budget(app, "ε"), _budget(app, "γ")) == (5.0, 0.3)
    assert text(app).count("This ledger was loaded from a file of") == 2  # on the receipt and over the ledger
    assert "**fixed beforehand by its holder's word**" in text(app)
    assert not [box for box in app.button if box.key == "saved_load"]
    press(sampled(app), "release")
    assert [line["charge"] for line in _ledger(app)][-1] == "release, fixed beforehand by its holder's word"
    again = _drop(app, content)
    assert "Nothing would change" in text(again)


def test_a_report_says_that_its_ledger_may_be_incomplete_and_what_rests_on_a_word(
    content: bytes, files: list[tuple[str, str]]
) -> None:
    app = press(sampled(press(_drop(confidential(CSV, 0, 100), content), "saved_load")), "release")
    said = " ".join(report(files, app).split())
    assert "This ledger was loaded from a file of" in said
    assert "fixed beforehand by its holder&#39;s word" in said or "fixed beforehand by its holder's word" in said
    assert "alone: that it was fixed before the first answer about the table" in said


def test_what_is_left_changes_nothing(content: bytes) -> None:
    app = press(_drop(confidential(CSV, 0, 100), content), "saved_leave")
    assert (_ledger(app), _budget(app, "ε")) == ([], None)
    assert "If you load it" not in text(app)


def test_it_waits_for_its_table_and_fills_the_form_of_declarations(content: bytes) -> None:
    app = _drop(visit(), content)
    assert "The file is of the table “mine.csv”, with “flag” and “income”, which is not here." in text(app)
    assert not [box for box in app.button if box.key == "saved_load"]
    upload(app, "mine.csv", CSV)
    app.session_state["load_settings"] = True
    sound(app.run())
    uploader = next(one for one in app.file_uploader if str(one.key).startswith("settings_"))
    sound(uploader.set_value(("settings.json", content, "application/json")).run())
    assert "All columns are declared as in the settings." in text(app)
    use(app)
    assert "1 line comes to the ledger of “mine.csv”." in text(app)
    go(press(app, "saved_load"), "release")
    assert len(_ledger(app)) == 1


def test_a_file_under_another_name_is_the_same_table(content: bytes) -> None:
    app = use(declare(upload(visit(), "renamed.csv", CSV.replace(b",", b";")), "income", 0, 100))
    press(_drop(app, content), "saved_load")
    assert len(_ledger(app)) == 1
    assert scenario(app).table == "renamed.csv"


@pytest.mark.slow
def test_a_file_of_another_table_is_refused_and_of_a_new_version_asked_about(content: bytes) -> None:
    app = use(only(declare(upload(visit(), "other.csv", OTHER), "income", 0, 100), "income"))
    assert "The file is of the table “mine.csv”" in text(_drop(app, content))
    assert "saved_version" not in {one.key for one in app.radio}
    app = _drop(confidential(OTHER, 0, 100), content)
    assert not [box for box in app.button if box.key == "saved_load"]
    box = app.radio(key="saved_version")
    sound(box.set_value(box.options[-1]).run())
    assert "which is not here" in text(app)
    sound(app.radio(key="saved_version").set_value(box.options[0]).run())
    assert "1 line comes to the ledger of “mine.csv”." in text(app)
    press(app, "saved_load")
    assert len(_ledger(app)) == 1


@pytest.mark.slow
def test_the_version_that_a_file_was_saved_of_is_known_once_the_file_was_loaded_for_a_newer_one(content: bytes) -> None:
    """Its values are not here, and the file's digests tell it: what was released of the one counts for the other."""
    app = _drop(confidential(OTHER, 0, 100), content)
    sound(app.radio(key="saved_version").set_value(app.radio(key="saved_version").options[0]).run())
    press(app, "saved_load")
    app = upload(app, "old.csv", CSV)
    assert "This tab has had this table before" in text(app)
    go(use(declare(app, "income", 0, 100)), "release")
    assert len(_ledger(app)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("order", ["the file first", "its download first"])
def test_a_release_that_comes_by_the_file_and_by_its_download_counts_once(order: str, downloads: list[str]) -> None:
    press(go(confidential(CSV, 0, 100), "release"), "release")
    content, download = _saved(downloads), next(said for said in reversed(downloads) if '"response"' in said).encode()
    app = go(confidential(CSV, 0, 100), "release")
    for way in ("file", "download") if order == "the file first" else ("download", "file"):
        if way == "file" and "Nothing would change" not in text(_drop(app, content)):
            press(app, "saved_load")
        elif way == "file":
            press(app, "saved_leave")
        else:
            uploader = next(one for one in app.file_uploader if str(one.key).startswith("entered_file"))
            sound(uploader.set_value(("release.json", download, "application/json")).run())
            press(app, "enter_loaded")
    assert len(_ledger(app)) == 1


def test_a_table_that_has_answers_is_asked_which_came_first(content: bytes) -> None:
    app = press(sampled(go(confidential(CSV, 0, 100), "release")), "release")
    _drop(app, content)
    assert not [box for box in app.button if box.key == "saved_load"]
    box = app.radio(key="saved_first")
    sound(box.set_value(box.options[1]).run())
    assert "nothing tells which came first" in text(app)
    assert "The plan of the file does not come" in text(app)
    press(app, "saved_load")
    assert {line["charge"] for line in _ledger(app)} == {
        "release, chosen after an answer: no guarantee",
        "release, from a file, chosen after an answer: no guarantee",
    }


def test_an_answer_that_comes_before_the_press_stops_it(content: bytes) -> None:
    """Of the same tab, in another window: what would change is another thing by then."""
    app = _drop(confidential(CSV, 0, 100), content)
    (table,) = app.session_state["uploads"].values()
    ledger._book(app.session_state["tab"]).enter(table, 30, PureDP(1.0), made="now", note="elsewhere", first=True)
    press(app, "saved_load")
    assert "Nothing was loaded: since this was shown, something of the table changed" in notices(app)
    assert [line["charge"] for line in _ledger(app)] == ["entered by hand"]


def test_a_file_that_was_changed_says_so(content: bytes) -> None:
    said = json.loads(content)
    said["parts"]["ledgers"][0]["lines"][0]["epsilon"] = 0.1
    app = _drop(confidential(CSV, 0, 100), json.dumps(said).encode())
    assert "This file was changed since it was saved. So its lines count as entered by hand" in text(app)
    press(app, "saved_load")
    assert [line["charge"] for line in _ledger(app)] == ["entered by hand, from a file, a guarantee of its own"]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (b"income\n1\n", "This is no settings file of this app."),
        (b"[" * 100_000, "no settings file"),
        (b'{"settings": "all that a tab knows of a table", "version": 3}', "of version 3"),
        (b'{"settings": "all that a tab knows of a table", "version": 2}', "cannot be read"),
        (b'{"settings": "declarations of a table", "version": 1}', "was changed"),
        (
            b'{"settings": "declarations of a table", "version": 1, "public": 1, "form": {}, "unit": {}, "columns": []}',
            "The public must be true or false, but 1 was given.",
        ),
        (b" " * (2**23 + 1), "8 MB"),
    ],
)
def test_what_cannot_be_read_is_a_sentence_and_nothing_changes(bad: bytes, words: str) -> None:
    app = _drop(visit(), bad)
    (problem,) = app.error
    assert words in problem.value
    assert "; got " not in problem.value  # a programmer's words
    assert problem.value.endswith("Nothing was changed.")


def test_no_digest_and_no_record_is_in_a_file(downloads: list[str]) -> None:
    """But salted ones, of a salt that is another one each time."""
    app = press(go(confidential(CSV, 0, 100), "release"), "release")
    app = sound(app.run())
    files = [said for said in downloads if '"salt"' in said]
    table = read_csv(CSV, "mine.csv", public=False)
    assert len({json.loads(said)["parts"]["table"]["salt"] for said in files}) == len(files) >= 2
    for said in (*files, everything(app)):
        assert not [digest for digest in (table.digest, *table.told_by) if digest in said]
    assert "Do not publish this file" in json.loads(files[-1])["note"]


@pytest.mark.slow
def test_twenty_questions_are_saved_and_loaded_within_a_second(downloads: list[str]) -> None:
    """A list of as many as there can be, its plan and its ledger."""
    app = link("release", target=to_json(targets.Mean((0.0, 20.0))))
    for _ in range(20):
        press(app, "plan_add")
    press(app, "release")
    content = next(said for said in reversed(downloads) if '"salt"' in said).encode()
    start = time.monotonic()
    assert len(read(content).plan) == 20
    assert time.monotonic() - start < 1
    app = _drop(visit(), content)
    start = time.monotonic()
    press(app, "saved_load")
    assert time.monotonic() - start < 3  # with all of the page, on a busy machine
    assert len(_ledger(app)) == 1
