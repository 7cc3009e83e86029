"""Files that are no tables, and tables with holes: a sentence each, and never an exception."""

from __future__ import annotations

import pytest

from dpcore.csv_columns import MOST_BYTES
from dpcore.errors import TableError
from dpcore.tables import read_csv
from tests.pages.visit import CHARTS, charts, declare, notices, scenario, sound, text, upload, use, visit

BAD = {
    "not a table": (b"<html><body>hello</body></html>", "not a CSV"),
    "json": (b'{"a": [1, 2]}', "not a CSV"),
    "empty": (b"", "empty"),
    "blank": (b" \n \n", "empty"),
    "zip": (b"PK\x03\x04rest", "ZIP archive or an Excel workbook"),
    "parquet": (b"PAR1rest", "Parquet"),
    "binary": (b"a,b\n1,\x00\n", "binary"),
    "utf-16": ("a,b\n1,2\n".encode("utf-16"), "UTF-16"),
    "latin-1": ("größe\n1\n2\n".encode("latin-1"), "not in UTF-8"),
    "nothing": (b"a,b\n,\n,\n", "No column holds numbers or short text"),
    "no name": (b"a,,c\n1,2,3\n4,5,6\n", "has no name"),
    "twice": (b"a,b,a\n1,2,3\n4,5,6\n", "more than once"),
    "no header": (b"1,2\n3,4\n5,6\n", "numbers, not names"),
    "one record": (b"a,b\n1,2\n", "1 record"),
    "no record": (b"a,b\n", "0 records"),
    "ragged": (b"a,b\n1,2\n3,4,5\n6,7\n", "as many values as the header"),
    "all ragged": (b"a,b\n1,2,3\n4,5,6\n", "as many values as the header"),
}
ODD = {
    "space after a name": b"income ,b\n1,2\n3,4\n",
    "space in quotes": b'" income","b"\n1,2\n3,4\n',
    "a line break in a name": b'"inc\nome",b\n1,2\n3,4\n',
    "old line ends": b"income,b\r1,2\r3,4\r",
    "an open quote": b'"income,b\n1,2\n3,4\n',
    "a long field": b"income\n1\n" + b"2" * 200_000 + b"\n",
    "a long header": b"x" * 200_000 + b"\n1\n2\n",
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_a_sentence_on_the_page(case: str) -> None:
    content, words = BAD[case]
    app = upload(visit(), "bad.csv", content)
    assert words in " ".join(error.value for error in app.error)


@pytest.mark.parametrize("case", ODD)
def test_an_odd_file_is_read_or_refused_and_never_an_exception(case: str) -> None:
    try:
        records = len(read_csv(ODD[case], "odd.csv", public=True))
    except TableError:
        return
    assert records == 2


def test_a_file_over_the_limit_is_refused_with_both_sizes() -> None:
    with pytest.raises(TableError, match="at most 50 MB") as caught:
        read_csv(b"a\n" + b"1\n" * (MOST_BYTES // 2), "big.csv", public=True)
    assert "columns or records" in caught.value.remedy


def test_a_bad_file_after_a_good_one_offers_no_table() -> None:
    app = upload(visit(), "good.csv", b"a\n1\n2\n")
    upload(app, "bad.csv", b"")
    assert app.error
    assert "good.csv: 2 records" not in text(app)


@pytest.mark.parametrize(("low", "high"), [(None, None), (0.0, None), (None, 1.0), (5.0, 1.0), (3.0, 3.0)])
def test_bounds_that_are_missing_or_reversed_are_a_sentence(low: float | None, high: float | None) -> None:
    app = use(declare(upload(visit(), "mine.csv", b"income\n1\n2\n3\n"), "income", low, high))
    assert "income" in " ".join(error.value for error in app.error)
    assert scenario(app).table == "loan_defaults"


def test_a_confidential_table_keeps_every_record_whatever_is_missing() -> None:
    content = b"income,b\n1,1\n,2\ninf,3\n-inf,4\nnan,5\n4,6\n"
    app = use(declare(upload(visit(), "mine.csv", content), "income", 0, 10))
    assert scenario(app).n == 6
    assert len(charts(app)) == CHARTS


def test_a_public_table_drops_records_without_a_value_and_says_so() -> None:
    content = b"income,b\n1,1\n,2\ninf,3\n-inf,4\nnan,5\n4,6\n7,7\n"
    app = use(upload(visit(), "mine.csv", content, kind="Public"))
    assert scenario(app).n == 3
    assert "4 records have no finite income" in notices(app)
    assert len(charts(app)) == CHARTS


def test_the_bounds_of_a_confidential_column_are_never_read_off_it() -> None:
    app = upload(visit(), "mine.csv", b"income\n1\n2\n3\n")
    assert all(box.value is None for box in app.number_input)
    sound(app.radio(key="kind").set_value("Public").run())
    assert [box.value for box in app.number_input][:2] == [1.0, 3.0]
    sound(app.radio(key="kind").set_value("Confidential").run())
    assert all(box.value is None for box in app.number_input)
