"""A confidential table's own answer is nowhere before its holder asks for it, and later releases say that they did."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pages.visit import (
    charts,
    confidential,
    declare,
    everything,
    go,
    notices,
    opened,
    press,
    sound,
    text,
    upload,
    use,
    visit,
)

MEAN = 7777.7731  # no draw from the oracle has it
_RECORDS = [MEAN - 1234.5, MEAN + 1234.5] * 30
CSV = ("income\n" + "\n".join(f"{record:.4f}" for record in _RECORDS)).encode()
TRACES = ("7777.77", "7,780", "6543.27", "9012.27")


def _compare(app: Any, *, on: bool = True) -> Any:
    return sound(app.toggle(key="compare").set_value(on).run())


def test_nothing_of_the_table_is_sent_before_the_comparison_is_switched_on(files: list[tuple[str, str]]) -> None:
    app = visit()
    seen = [everything(upload(app, "mine.csv", CSV))]
    use(declare(app, "income", 0, 10_000))
    seen.append(everything(opened(app, "options", "numbers", "proof", "picture_cdf", "picture_responses")))
    go(app, "release")
    seen.append(everything(opened(press(app, "release"), "report", "link")))
    assert files
    for canary in TRACES:
        assert all(canary not in sent for sent in [*seen, *(data for _, data in files)])


def test_the_search_finds_the_answer_once_the_comparison_is_on() -> None:
    app = opened(_compare(confidential(CSV, 0, 10_000)), "numbers")
    sent = everything(app)
    assert "7777.77" in sent
    assert "7,780" in sent
    assert "uses the confidential table: do not publish" in text(app)
    assert "simulated table" not in text(app)


@pytest.mark.slow
def test_before_the_comparison_the_badge_says_simulated_and_after_switching_off_again() -> None:
    app = confidential(CSV, 0, 10_000)
    for _ in range(2):
        assert "simulated table" in text(app)
        assert "do not publish" not in text(app)
        _compare(app)
        _compare(app, on=False)


@pytest.mark.slow
def test_a_release_after_a_comparison_carries_the_caveat(downloads: list[str]) -> None:
    app = _compare(_compare(confidential(CSV, 0, 10_000)), on=False)
    go(app, "release")
    assert "looked at before" in notices(app)
    press(app, "release")
    assert any("no guarantee covers choices made in view of it" in caveat for caveat in json.loads(downloads[-1])["caveats"])
    assert "choices made in view of the table are not covered" in text(app)
    assert "may be published under the printed guarantee" not in text(app)


def test_a_release_without_a_comparison_has_no_caveat(downloads: list[str]) -> None:
    press(go(confidential(CSV, 0, 10_000), "release"), "release")
    assert json.loads(downloads[-1])["caveats"] == []


def test_another_file_of_the_same_name_starts_with_the_comparison_off() -> None:
    app = _compare(confidential(b"income\n" + b"1\n2\n3\n" * 20, 0, 10_000))
    use(declare(upload(app, "mine.csv", CSV), "income", 0, 10_000))
    assert "do not publish" not in text(app)
    assert "7777.77" not in everything(app)


def test_a_confidential_table_is_no_oracle_for_itself() -> None:
    app = confidential(CSV, 0, 10_000)
    assert "Rows of this table" not in app.selectbox(key="pick_oracle").options


def test_a_public_table_has_no_comparison_and_no_warning() -> None:
    app = use(upload(visit(), "mine.csv", CSV, kind="Public"))
    assert not app.toggle
    assert "do not publish" not in text(app)
    assert "7777.77" in json.dumps(charts(app)["responses"])


def test_records_that_were_declared_public_first_carry_the_caveat() -> None:
    content = b"income\n" + b"10\n20\n30\n" * 100
    app = use(declare(upload(visit(), "a.csv", content, kind="Public"), "income", 0, 40))
    app = use(declare(upload(app, "b.csv", content), "income", 0, 40))
    assert "was looked at before this release" in text(go(app, "release"))


def test_a_column_name_is_never_read_as_markdown() -> None:
    app = use(declare(upload(visit(), "a.csv", b"x [a](http://b.c)\n" + b"1\n2\n3\n" * 9), "x [a](http://b.c)", 0, 4))
    shown = text(go(app, "release"))
    assert "[a](" not in shown
    assert "\\[a\\]" in shown
