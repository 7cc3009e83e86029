"""Uploads with columns of text: what is asked for, what is kept, and what is offered for them."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.oracles import Names
from dpcore.targets import LetterCounts, Mean, Query
from pages.files.limits import MOST_TEXT_BYTES
from pages.files.tables import read_csv
from tests.pages.visit import (
    CHARTS,
    charts,
    declarations,
    declare,
    note,
    notices,
    only,
    pick,
    scenario,
    text,
    upload,
    use,
    visit,
)

_MIXED = b"person,salary\nAda,10\nBob,20\nCyd,30\nAda,40\n"


def _declared(app: Any, field: str) -> dict[str, str]:
    shown = declarations(app).value
    return dict(zip(shown["name"], shown[field], strict=True))


@pytest.mark.parametrize("kind", ["Public", "Confidential"])
def test_a_column_of_names_needs_no_bounds_and_is_explored_by_its_letters(kind: str) -> None:
    app = upload(visit(), "people.csv", b"name\nAda\nBob\nCyd\n", kind=kind)
    assert _declared(app, "type") == {"name": "text"}
    assert "**Ready:** name." in text(app)
    use(app)
    shown = scenario(app)
    assert (shown.table, shown.columns, shown.n) == ("people.csv", ("name",), 3)
    assert (shown.target, shown.oracle) == (LetterCounts(), Names())
    assert shown.mechanism == ExponentialMechanism(tuple("abcdefghijklmnopqrstuvwxyz"))
    assert charts(app).keys() >= CHARTS


def test_the_records_of_a_public_column_are_an_oracle_and_those_of_a_confidential_one_are_not() -> None:
    public = use(upload(visit(), "a.csv", b"name\nAda\nBob\nCyd\n", kind="Public"))
    assert public.selectbox(key="pick_oracle").options == ["Names", "Rows of this table"]
    secret = use(upload(visit(), "a.csv", b"name\nAda\nBob\nCyd\n"))
    assert secret.selectbox(key="pick_oracle").options == ["Names"]


def test_a_public_column_drops_empty_names_and_says_so_and_a_confidential_one_keeps_them() -> None:
    content = b"name,b\nAda,1\n,2\n  ,3\nNA,4\nnan,5\nBob,6\n"
    app = use(only(upload(visit(), "people.csv", content, kind="Public"), "name"))
    assert scenario(app).n == 4  # nobody who is called NA or nan is lost
    assert "2 rows without a usable value in name" in notices(app)
    app = use(only(upload(visit(), "people.csv", content), "name"))
    assert scenario(app).n == 6
    assert not notices(app)


def test_names_and_numbers_together_offer_the_targets_of_both() -> None:
    app = only(upload(visit(), "staff.csv", _MIXED, kind="Public"), "person", "salary")
    assert _declared(app, "lowest") == {"person": "", "salary": "10"}
    assert _declared(app, "highest") == {"person": "", "salary": "40"}
    use(app)
    targets = app.selectbox(key="pick_target").options
    assert {"Mean", "Letter counts", "Kernel density"} <= set(targets)
    assert "Kernel regression" not in targets  # that takes two columns of numbers
    for target, columns in (("LetterCounts", ("person",)), ("Mean", ("salary",)), ("KernelDensity", ("salary",))):
        pick(app, "target", target)
        assert scenario(app).columns == columns
        assert charts(app).keys() >= CHARTS


def test_a_confidential_table_of_both_asks_for_the_bounds_of_its_numbers_alone() -> None:
    app = only(upload(visit(), "staff.csv", _MIXED), "person", "salary")
    assert "salary needs its lowest and its highest possible value" in text(app)
    assert "**Ready:** person." in text(app)
    use(declare(app, "salary", 0, 100))
    assert scenario(app).table == "staff.csv"
    assert [column.name for column in app.session_state["uploads"]["staff.csv"].columns] == ["person", "salary"]


def test_entries_that_are_no_numbers_propose_text_and_the_holders_word_makes_them_missing_values() -> None:
    app = upload(visit(), "odd.csv", b"income\n10\n20\nmuch\n")
    assert _declared(app, "type") == {"income": "text"}
    assert "Types are proposed from the file; you can change them." in text(app)
    use(declare(app, "income", 0, 40, type="number"))
    assert (scenario(app).n, scenario(app).target) == (3, Query(Mean((0.0, 40.0)), ("income",)))


def test_a_link_to_an_uploaded_table_is_a_sentence_elsewhere() -> None:
    app = use(upload(visit(), "people.csv", b"name\nAda\nBob\nCyd\n", kind="Public"))
    other = visit(**dict(app.query_params))
    assert "“people.csv”, which is not here" in text(other)
    assert scenario(other).table == "loan_defaults"


def test_text_that_is_too_long_to_keep_is_not_offered() -> None:
    width = 20_000
    content = b"note,n\n" + b"x" * width + b",1\n" + b"y,2\n" * (MOST_TEXT_BYTES // (4 * width) + 1)
    assert [column.name for column in read_csv(content, "long.csv", public=True).columns] == ["n"]
    app = upload(visit(), "long.csv", content, kind="Public")
    assert note(app, "note").startswith("Cannot be used")
    assert scenario(use(app)).columns == ("n",)
