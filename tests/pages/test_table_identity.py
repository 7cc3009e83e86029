"""Which uploads of a browser are the same table: their ledger goes on, and no digest of their values is sent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.base import table_digests
from dpcore.base.norms import L1
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.ledger.accounting import Ledger
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.targets import Mean
from pages.files.tables import Table, read_csv
from pages.ledger.book import Account, Book
from tests.pages.pressed import account
from tests.pages.visit import QUESTION, confidential, declare, everything, go, only, press, sound, text, upload, use

_ROWS = [(20 + i * i % 37, i % 2, f"p{i * 7 % 31}") for i in range(30)]
CSV = b"income,flag,person\n" + b"".join(b"%d,%d,%s\n" % (one, two, three.encode()) for one, two, three in _ROWS)
OTHER = b"income,flag\n" + b"".join(b"%d,%d\n" % (90 - i * i % 41, i % 2) for i in range(30))

SAME = {
    "another name": CSV,
    "a newline at the end": CSV + b"\n",
    "no newline at the end": CSV.rstrip(),
    "line ends of Windows": CSV.replace(b"\n", b"\r\n"),
    "another separator": CSV.replace(b",", b";"),
    "a mark of byte order": b"\xef\xbb\xbf" + CSV,
    "a column renamed": CSV.replace(b"income", b"salary"),
    "columns in another order": b"".join(b",".join(line.split(b",")[::-1]) + b"\n" for line in CSV.splitlines()),
    "numbers written otherwise": CSV.replace(b"\n20,", b"\n2.0e1,"),
    "zero with a minus sign": CSV.replace(b",0,", b",-0.0,"),
    "quotation marks": CSV.replace(b"p0\n", b'"p0"\n'),
    "spaces": CSV.replace(b",", b", "),
}
SHARING = {
    "the rows sorted anew": b"\n".join([CSV.splitlines()[0], *sorted(CSV.splitlines()[1:])]),
    "sorted anew, with a column less": b"\n".join(
        line.rpartition(b",")[0] for line in [CSV.splitlines()[0], *sorted(CSV.splitlines()[1:], reverse=True)]
    ),
    "a cell changed": CSV.replace(b"p0\n", b"q0\n"),
    "a column dropped": b"".join(line.split(b",")[0] + b"\n" for line in CSV.splitlines()),
    "a column added": b"".join(line + b",%d\n" % i if i else line + b",n\n" for i, line in enumerate(CSV.splitlines())),
}


def _table(content: bytes) -> Table:
    return read_csv(content, "t", public=False)


@pytest.mark.parametrize("case", SAME)
def test_digest_ignores_form_of_file_and_names(case: str) -> None:
    assert _table(SAME[case]).digest == _table(CSV).digest
    assert _table(SAME[case]).told_by == _table(CSV).told_by


@pytest.mark.parametrize("content", [*SHARING.values(), OTHER, CSV + b"1,1,p1\n", CSV.replace(b"\n20,0", b"\n21,0")])
def test_digest_differs_for_other_values(content: bytes) -> None:
    assert _table(content).digest != _table(CSV).digest


@pytest.mark.parametrize("case", SHARING)
def test_file_sharing_a_column_shares_its_digest(case: str) -> None:
    assert set(_table(SHARING[case]).told_by) & set(_table(CSV).told_by)
    assert not set(_table(OTHER).told_by) & set(_table(CSV).told_by)


@pytest.mark.parametrize("values", [b"0 1", b"a b", b"5 5", b" 3", b"1 2 3 4 5", b"0 1 2", b"nan nan 1 2"])
def test_flags_and_running_numbers_are_not_telling(values: bytes) -> None:
    assert not _table(b"x,y\n" + b"".join(value + b",1\n" for value in values.split(b" "))).told_by


@pytest.mark.parametrize("values", [b"1 2 4", b"3 2 1", b"a b c", b"a  b c", b"0 -1 nan 5", b"inf inf -inf 1"])
def test_three_values_are_telling(values: bytes) -> None:
    assert len(_table(b"x,y\n" + b"".join(value + b",1\n" for value in values.split(b" "))).told_by) == 1


def test_sorted_column_is_telling_only_if_rare() -> None:
    rng = np.random.default_rng(2)
    order, names = rng.permutation(60), np.array([f"p{i * i % 47}" for i in range(60)])
    rare = {"name": names, "income": rng.normal(size=60)}
    assert len(table_digests.unordered(rare)) == 3  # each column, and both together
    assert table_digests.unordered({name: values[order].copy() for name, values in rare.items()}) == table_digests.unordered(rare)
    assert table_digests.unordered(rare | {"name": names.astype("U40")}) == table_digests.unordered(rare)
    assert not table_digests.unordered({"number": order.astype(float)})  # a running number in another order
    assert not table_digests.unordered({"flag": (order % 2).astype(float)})
    balanced = table_digests.unordered({"ward": np.repeat(np.arange(12.0) * 1.5, 5)[order]})
    assert len(balanced) == 1  # no column by itself, for it is balanced: the table as a whole


def _begun() -> AppTest:
    return confidential(CSV, 0, 100)


def _names(app: AppTest) -> dict[str, str]:
    return {name: table.digest for name, table in app.session_state["uploads"].items()}


def _question(app: AppTest) -> Any:
    return next((box for box in app.selectbox if box.label == QUESTION), None)


@pytest.mark.parametrize("case", ["a column renamed", "sorted anew, with a column less"])
def test_same_table_in_another_file_is_recognised(case: str) -> None:
    app = upload(_begun(), "again.csv", (SAME | SHARING)[case])
    assert _question(app) is None
    assert "This browser has had this table before, or one with a column in common: **mine.csv**." in text(app)
    column = "salary" if case == "a column renamed" else "income"
    use(declare(only(app, column), column, 0, 100))
    first, again = _names(app).values()
    assert first == again


def test_ledger_goes_on_if_cell_was_changed() -> None:
    app = press(go(confidential(CSV, 0, 100), "release"), "release")
    app = use(declare(upload(app, "again.csv", SHARING["a cell changed"]), "income", 0, 100))
    assert "Nothing was released" not in text(go(app, "release"))
    assert len(app.table) == 1


def test_table_without_common_column_is_asked_about_first() -> None:
    app = declare(upload(_begun(), "other.csv", OTHER), "income", 0, 100)
    assert _question(app).options == ["No, about others", "Yes, about the same as mine.csv"]
    assert _question(app).value is None
    assert next(button for button in app.button if button.key == "use_table").disabled
    assert "Say first whether these rows are about the same people or things" in text(app)
    use(app)
    assert len(set(_names(app).values())) == 2


def test_new_version_by_owners_word_goes_on() -> None:
    app = upload(_begun(), "more.csv", CSV + b"31,1,p99\n")
    sound(_question(app).select_index(1).run())
    use(declare(app, "income", 0, 100))
    assert len(set(_names(app).values())) == 1
    assert _question(upload(app, "again.csv", CSV + b"31,1,p99\n\n")) is None


def test_owners_word_is_asked_for_each_file() -> None:
    app = upload(_begun(), "more.csv", CSV + b"31,1,p99\n")
    sound(_question(app).select_index(1).run())
    sound(app.file_uploader(key="file").set_value(("other.csv", OTHER, "text/csv")).run())
    assert _question(app).value is None


def test_table_declared_confidential_later_is_asked_about() -> None:
    app = upload(confidential(CSV, 0, 100), "other.csv", OTHER, kind="Public")
    sound(app.radio(key="kind").set_value("Confidential").run())
    sound(_question(app).select_index(1).run())
    use(declare(app, "income", 0, 100))
    assert len(set(_names(app).values())) == 1


def test_third_table_joins_two_earlier_ones() -> None:
    """A release of one counts for all three, under one name."""
    app = _begun()
    app = press(go(use(declare(upload(app, "other.csv", OTHER), "income", 0, 100)), "release"), "release")
    assert len(set(_names(app).values())) == 2
    lines = [a + b"," + b.split(b",")[0] for a, b in zip(CSV.splitlines(), OTHER.splitlines(), strict=True)]
    both = b"\n".join(lines).replace(b"person,income", b"person,second")
    app = upload(app, "both.csv", both)
    assert "**mine.csv** and **other.csv**" in text(app)
    use(declare(app, "income", 0, 100))
    assert len(set(_names(app).values())) == 1
    assert "Nothing was released" not in text(go(app, "release"))


def _charged(book: Book, name: str, epsilon: float) -> None:
    proved = GlobalSensitivity(Mean((0.0, 1.0)), 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", 30)
    account(book, name).ledger = Ledger().holding(LaplaceMechanism().calibrate(proved, PureDP(epsilon)))
    account(book, name).budget = PureDP(epsilon)


_THIRD = b"a,b\n" + b"".join(b"%d,%d\n" % (20 + i * i % 37, 90 - i * i % 41) for i in range(30))


def test_joined_table_without_answers_takes_account() -> None:
    for which in (0, 1):
        book = Book()
        names = book.settle(_table(CSV)), book.settle(_table(OTHER))
        _charged(book, names[which], 2.0)
        account(book, names[which]).confidential = True
        account(book, names[1]).demonstrated = True
        book.settle(_table(_THIRD))
        assert account(book, names[0]).total == PureDP(2.0)
        assert account(book, names[0]).confidential
        assert account(book, names[0]).demonstrated
        assert not any(one.closed for one in book.accounts.values())


@pytest.mark.parametrize("charged", [False, True])
def test_joined_account_stays_unknown_if_one_was(charged: bool) -> None:
    """A loaded ledger without lines may lack answers, so nothing sampled is accepted after the two tables are one."""
    unknown = Account(Ledger(after_responses=True))
    proved = Mean((0.0, 1.0)).global_sensitivity(L1, 5)
    assert isinstance(proved, GlobalSensitivity)
    line = LaplaceMechanism().calibrate(proved, PureDP(1.0))
    other = Account(Ledger(lines=(Ledger().foresee(line),)) if charged else Ledger())
    for one, two in ((unknown, other), (other, unknown)):
        assert one.joined(two).ledger.after_responses
        assert one.joined(two).ledger.lines == other.ledger.lines


def test_other_browser_knows_no_name() -> None:
    assert Book().settle(_table(CSV)) != Book().settle(_table(CSV))


def test_no_digest_is_sent(downloads: list[str]) -> None:
    """Nor is one of a column, on any page, in a widget's key, in a download."""
    app = upload(confidential(CSV, 0, 100), "again.csv", SHARING["a cell changed"])
    sent = [everything(app)]
    app = only(app, "income")
    use(declare(app, "income", 0, 100))
    sent.append(everything(app))
    go(app, "release")
    sent.append(everything(app))
    sent.append(everything(press(app, "release")))
    assert any("budget_epsilon" in page for page in sent)
    tables = [_table(content) for content in (CSV, SHARING["a cell changed"])]
    secrets = {digest for table in tables for digest in (table.digest, *table.told_by)}
    assert len(secrets) == 10
    assert not [digest for digest in secrets for page in (*sent, *downloads, repr(tables)) if digest in page]
