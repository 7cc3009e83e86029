"""Files that are no tables, and tables with holes: a sentence each, and never an exception."""

from __future__ import annotations

import gc
import time
import weakref

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.errors import TableError
from dpcore.guarantees.privacy import Unit
from pages.experiment.choices import target_kinds
from pages.experiment.error_sentences import plain
from pages.files.limits import MOST_BYTES
from pages.files.tables import Table, best, proposed, read_csv, read_file
from pages.server import uploads
from tests.pages.visit import (
    CHARTS,
    answer,
    charts,
    declarations,
    declare,
    edit,
    go,
    notices,
    pick,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

BAD = {
    "not a table": (b"<html><body>hello</body></html>", "not a CSV"),
    "json": (b'{"a": [1, 2]}', "not a CSV"),
    "empty": (b"", "empty"),
    "blank": (b" \n \n", "empty"),
    "zip": (b"PK\x03\x04rest", "The workbook is broken"),
    "parquet": (b"PAR1rest", "Parquet"),
    "old excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "The workbook is broken"),
    "pdf": (b"%PDF-1.7 rest", "a PDF"),
    "jpeg": (b"\xff\xd8\xff\xe0rest", "a picture"),
    "gif": (b"GIF89a rest", "a picture"),
    "gzip": (b"\x1f\x8b\x08rest", "gzip archive"),
    "sqlite": (b"SQLite format 3\x00", "database of SQLite"),
    "program": (b"\x7fELF\x02\x01", "a program"),
    "binary": (b"a,b\n1,\x00\n", "binary"),
    "nothing": (b"a,b\n,\n,\n", "No column holds numbers or short text"),
    "beyond": (b"Report\n", "0 rows"),
    "one row": (b"a,b\n1,2\n", "1 row"),
    "no row": (b"a,b\n", "0 rows"),
    "ragged": (b"a,b\n1,2\n3,4,5\n6,7\n", "as many values as there are names"),
    "all ragged": (b"a,b\n1,2,3\n4,5,6\n", "as many values as there are names"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_a_sentence(case: str) -> None:
    content, words = BAD[case]
    with pytest.raises(TableError) as caught:
        read_file(content, "bad.csv", best(proposed(content)).form, public=False)
    assert words in plain(caught.value)


@pytest.mark.parametrize("name", ["photo.png", "stays.xyz", "no extension", ".csv"])
def test_the_first_bytes_say_what_a_file_is_and_not_its_name(name: str) -> None:
    """The uploader takes every name, so that a refusal is always a sentence of the page."""
    assert list(go(visit(), "your_data").file_uploader(key="file").proto.type) == []
    app = upload(visit(), name, b"income,b\n1,2\n3,4\n")
    assert not app.error
    assert "2 rows" in text(app)


def test_a_file_over_the_limit_is_refused_with_both_sizes() -> None:
    with pytest.raises(TableError, match="at most 50 MB") as caught:
        read_csv(b"a\n" + b"1\n" * (MOST_BYTES // 2), "big.csv", public=True)
    assert "columns or rows" in caught.value.remedy


def test_a_bad_file_after_a_good_one_offers_no_table() -> None:
    app = upload(visit(), "good.csv", b"a\n1\n2\n")
    upload(app, "bad.csv", b"")
    assert "The file is empty" in _errors(app)
    assert "good.csv: 2 rows" not in text(app)


_REFUSED = (
    (0.0, None, "income needs its lowest and its highest possible value."),
    (5.0, 1.5, "The lowest value of income is 5, and that is above its highest, 1.5. Enter two numbers, the lower one first."),
)


def test_bounds_that_are_missing_or_reversed_are_a_sentence() -> None:
    app = upload(visit(), "mine.csv", b"income\n1\n2\n3\n")
    for low, high, said in _REFUSED:
        ends = ("" if end is None else f"{end:.17g}" for end in (low, high))
        use(edit(app, "income", used=True, **dict(zip(("lowest", "highest"), ends, strict=True))))
        shown = " ".join(error.value for error in app.error)
        assert said in shown
        assert not any(code in shown for code in ("(", "must be", "got", "None"))
        assert scenario(app).table == "loan_defaults"


def test_a_confidential_table_keeps_every_record_whatever_is_missing() -> None:
    content = b"income,b\n1,1\n,2\ninf,3\n-inf,4\nnan,5\n4,6\n"
    app = use(declare(upload(visit(), "mine.csv", content), "income", 0, 10))
    assert scenario(app).n == 6
    assert charts(app).keys() >= CHARTS


def test_a_public_table_drops_records_without_a_value_and_says_so() -> None:
    content = b"income,b\n1,1\n,2\ninf,3\n-inf,4\nnan,5\n4,6\n7,7\n"
    app = use(upload(visit(), "mine.csv", content, kind="Public"))
    assert scenario(app).n == 3
    assert "4 rows without a usable value in income" in notices(app)
    assert charts(app).keys() >= CHARTS


def test_the_bounds_of_a_confidential_column_are_never_read_off_it() -> None:
    app = upload(visit(), "mine.csv", b"income\n1\n2\n3\n")
    assert _ends(app) == ("", "")
    sound(app.radio(key="kind").set_value("Public").run())
    assert _ends(app) == ("1", "3")
    sound(app.radio(key="kind").set_value("Confidential").run())
    assert _ends(app) == ("", "")


def _ends(app: AppTest) -> tuple[str, str]:
    first = declarations(app).value.iloc[0]
    return first["lowest"], first["highest"]


def _drafted(name: str = "stays.csv", content: bytes = b"income\n1\n2\n3\n", *, kind: str = "Confidential") -> AppTest:
    return declare(upload(visit(), name, content, kind=kind), "income", 0, 10)


def _unit(app: AppTest) -> Unit:
    table: Table = app.session_state["uploads"][scenario(app).table]
    return table.unit


@pytest.mark.parametrize("kind", ["Confidential", "Public"])
def test_whether_one_person_can_have_several_rows_is_asked_and_nothing_is_preselected(kind: str) -> None:
    app = _drafted(kind=kind)
    assert app.radio(key="several_rows").label == "Can one person have several rows?"
    assert app.radio(key="several_rows").value is None
    assert app.radio(key="several_rows").options == ["No, one row is one person", "Yes", "The rows are not about persons"]
    open_question = "**This question is still open.** Without an answer nothing is assumed"
    assert (open_question in text(app)) is (kind == "Confidential")
    assert "every guarantee says that only one row is protected" in text(app)


@pytest.mark.parametrize("kind", ["Confidential", "Public"])
def test_a_table_goes_on_without_the_answer_and_keeps_that_it_is_open(kind: str) -> None:
    app = use(_drafted(kind=kind))
    assert scenario(app).table == "stays.csv"
    assert _unit(app) == Unit()
    assert not _unit(app).answered


@pytest.mark.parametrize(
    ("option", "unit"),
    [
        ("No, one row is one person", Unit("stay", several=False)),
        ("Yes", Unit("stay", several=True)),
        ("The rows are not about persons", Unit("stay", answered=True)),
    ],
)
def test_the_answer_and_the_name_of_a_row_stay_with_the_table(option: str, unit: Unit) -> None:
    app = answer(_drafted(), option, " stay ")
    assert "still open" not in text(app)
    assert _unit(use(app)) == unit


def test_several_rows_of_one_person_are_warned_of_at_once() -> None:
    app = answer(_drafted(), name="stay")
    assert not app.warning
    answer(app, "Yes")
    assert "**The guarantee will protect one stay, not one person.**" in notices(app)
    assert "10 times ε" in notices(app)
    assert "Random DP promises nothing for all rows of one person together." in notices(app)
    answer(app, "No, one row is one person")
    assert not app.warning
    assert "The guarantee will protect one person's row." in text(app)


@pytest.mark.parametrize("name", ["a\u202eb", "\u200b"])
def test_a_name_that_cannot_be_shown_is_a_sentence_and_holds_the_table_back(name: str) -> None:
    app = answer(_drafted(), "Yes", name)
    assert "This name cannot be shown. Take a word or a few, of at most 40 letters." in text(app)
    assert app.button(key="use_table").disabled


def test_the_closest_bounds_have_charts_or_a_sentence_for_every_target() -> None:
    app = use(declare(upload(visit(), "mine.csv", b"income\n1\n2\n3\n"), "income", 1e99, 1.00000000001e99, constant="1e99"))
    assert scenario(app).columns == ("income",)
    kinds = target_kinds(app.session_state["uploads"]["mine.csv"])
    assert len(kinds) > 5
    for kind in kinds:
        pick(app, "target", kind)
        assert kind in str(scenario(app).target)
        assert charts(app).keys() >= CHARTS or notices(app) or "No private answer" in text(app)


def _errors(app: AppTest) -> str:
    return " ".join(error.value for error in app.error)


def test_a_tab_keeps_no_more_files_than_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (b"income\n" + b"1\n2\n3\n" * 10 + b"%d\n" % i for i in range(3))
    monkeypatch.setattr(uploads, "MOST_OF_A_TAB", 2 * len(one))
    app = use(declare(upload(visit(), "one.csv", one), "income", 0, 10))
    app = use(declare(upload(app, "two.csv", two), "income", 0, 10))
    assert not app.error
    upload(app, "three.csv", three)
    assert "Reload the page to start without the files of before; the ledger stays." in _errors(app)
    assert "three.csv: 31 rows" not in text(app)
    assert not upload(visit(), "three.csv", three).error


def test_a_file_that_is_looked_at_and_left_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_OF_A_TAB", 100)
    app = visit()
    for i in range(5):
        assert not upload(app, f"{i}.csv", b"income\n" + b"1\n2\n3\n" * 10).error


@pytest.mark.parametrize(("said", "megabytes"), [("0", 0), ("500", 500), ("", 2_000), ("plenty", 2_000), ("-1", 2_000)])
def test_the_servers_limit_is_a_setting(said: str, megabytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPCORE_UPLOADS_MB", said)
    assert uploads.most_of_the_server() == megabytes * 2**20


def test_a_file_beyond_the_servers_limit_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPCORE_UPLOADS_MB", "0")
    assert _errors(upload(visit(), "mine.csv", b"income\n1\n2\n3\n")).endswith(
        "The uploads of all visitors take the 0 MB that this server has for them. Try again later, or with a smaller file."
    )


def test_what_a_tab_held_is_free_once_it_is_gone() -> None:
    others = list(uploads._held)
    app = use(declare(upload(visit(), "mine.csv", b"income\n1\n2\n3\n"), "income", 0, 10))
    [held] = (weakref.ref(one) for one in uploads._held if all(one is not other for other in others))
    del app
    until = time.monotonic() + 10  # the thread of the last run may still be ending
    while held() is not None and time.monotonic() < until:
        gc.collect()
        time.sleep(0.1)
    assert held() is None


def test_memory_that_runs_out_is_a_sentence_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("pages.files.text_file.cleaned", none_left)
    assert "too little memory left to read this file now" in _errors(upload(visit(), "mine.csv", b"income\n1\n2\n"))
