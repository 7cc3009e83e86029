"""A confidential table's own answer is nowhere before its holder asks for it, and later releases say that they did."""

from __future__ import annotations

import json

import pytest

from tests.pages.visit import (
    book,
    confidential,
    declare,
    everything,
    go,
    opened,
    pick,
    press,
    released,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

MEAN = 7777.7731  # no draw from the oracle has it
_RECORDS = [MEAN - 1234.5, MEAN + 1234.5] * 30
CSV = ("income\n" + "\n".join(f"{record:.4f}" for record in _RECORDS)).encode()
WORD = "zwieback"
TRACES = ("7777.77", "7,780", "6543.27", "9012.27")


def test_nothing_of_the_table_is_sent(files: list[tuple[str, str]]) -> None:
    app = visit()
    seen = [everything(upload(app, "mine.csv", CSV))]
    use(declare(app, "income", 0, 10_000))
    seen.append(everything(opened(app, "options", "numbers")))
    go(app, "release")
    seen.append(everything(opened(press(app, "release"), "report", "link")))
    assert files
    for canary in TRACES:
        assert all(canary not in sent for sent in [*seen, *(data for _, data in files)])


def test_a_release_has_no_caveat(downloads: list[str]) -> None:
    press(go(confidential(CSV, 0, 10_000), "release"), "release")
    assert json.loads(downloads[-1])["caveats"] == []


def test_a_confidential_table_is_no_oracle_for_itself() -> None:
    app = confidential(CSV, 0, 10_000)
    assert "Rows of this table" not in app.selectbox(key="pick_oracle").options


def test_a_column_name_is_never_read_as_markdown() -> None:
    app = use(declare(upload(visit(), "a.csv", b"x [a](http://b.c)\n" + b"1\n2\n3\n" * 9), "x [a](http://b.c)", 0, 4))
    shown = text(go(app, "release"))
    assert "[a](" not in shown
    assert "\\[a\\]" in shown


@pytest.mark.parametrize("query", ["SELECT sum(note::INT) FROM data", "SELECT sum(income::SMALLINT * 30000::SMALLINT) FROM data"])
def test_a_query_that_fails_on_the_table_quotes_no_cell(
    query: str, files: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    """One income is a word, which is missing there. No screen after the upload, file, log or ledger has it or a number."""
    rows = [f"{record:.4f},{WORD}" for record in _RECORDS]
    app = upload(visit(), "mine.csv", "\n".join(["income,note", *rows, f"{WORD},{WORD}"]).encode())
    declare(app, "note", type="text")
    app = pick(use(declare(app, "income", 0, 10_000, type="number")), "target", "SqlQuery")
    seen = [everything(app)]
    app = sound(app.text_area(key="query").set_value(query).run())
    seen.append(everything(app))
    released(go(app, "release"))
    seen.append(everything(app))
    assert scenario(app).target.query == query
    assert book(app).entries
    seen.append(repr(book(app).entries) + repr(book(app).accounts))
    for canary in (WORD, *TRACES):
        assert all(canary not in said for said in [*seen, caplog.text, *(data for _, data in files)])
