"""The audit on About: every mechanism keeps its promise, every broken one is caught, and the page would say otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpcore.registry import members, title_of
from pages import about as page
from tests.pages.visit import press, text, visit


@pytest.fixture
def fresh() -> Iterator[None]:
    """The audit's results are computed anew, and those of this test are forgotten."""
    page.audit.clear()
    yield
    page.audit.clear()


@pytest.fixture(scope="module")
def about() -> Any:
    return press(visit("about"), "audit")


@pytest.fixture(scope="module")
def results(about: Any) -> Any:
    """What the page shows, of mechanisms and of samplers."""
    return page.audit()


def _rows(app: Any, column: str) -> list[dict[str, str]]:
    return next(table.value.to_dict("records") for table in app.table if column in table.value.columns)


def test_every_audited_mechanism_keeps_its_promise(about: Any) -> None:
    rows = _rows(about, "ε is at least")
    named = " ".join(row["mechanism"] for row in rows)
    assert [kind for kind in members("mechanisms").values() if title_of(kind) not in named] == []
    assert "Permute-and-flip" in named
    assert [row["mechanism"] for row in rows if "δ" in row["promised"]] == ["Gaussian"]
    for row in rows:
        found, verdict = row["ε is at least"].split(": ")
        assert verdict == "within the promise", row
        assert 0 < float(found) <= float(row["promised"].removeprefix("ε = ").split(",")[0])


def test_every_mechanism_at_twice_its_epsilon_is_caught(about: Any) -> None:
    rows = _rows(about, "at twice its ε")
    assert len(rows) >= 6
    for row in rows:
        found, verdict = row["at twice its ε"].split(": ")
        assert verdict == "found out", row
        assert float(found) > float(row["promised"].removeprefix("ε = ").split(",")[0])


def test_samplers_keep_gamma_and_mistakes_are_caught(about: Any) -> None:
    rows = _rows(about, "sampler")
    verdicts = {row["sampler"]: row["result"] for row in rows}
    assert {name for name, verdict in verdicts.items() if verdict == "found out"} == {n for n in verdicts if "by mistake" in n}
    assert sorted(set(verdicts.values())) == ["found out", "within the promise"]
    for row in rows:
        low, high = (float(end) for end in re.findall(r"([\d.]+) %", row["interval"]))
        promised, share = (float(row[key].split()[0]) for key in ("promised γ", "changes that lose more than ε"))
        assert low <= share <= high
        assert (low > promised) == (row["result"] == "found out")


def test_broken_mechanism_blind_audit_and_sampler_are_named(monkeypatch: pytest.MonkeyPatch, results: Any, fresh: None) -> None:
    (first, *rest), shares = results
    broken = replace(first, honest=replace(first.honest, lower=first.honest.epsilon * 1.1))
    blind = replace(rest[0], doubled=replace(rest[0].doubled, lower=rest[0].doubled.epsilon * 0.9))
    monkeypatch.setattr(page, "checks", lambda kinds: (broken, blind))
    missing = {name: replace(item, low=item.gamma * 1.5, high=item.gamma * 2) for name, item in shares.items()}
    monkeypatch.setattr(page, "coverages", lambda: missing)
    app = press(visit("about"), "audit")
    one, two = _rows(app, "ε is at least")
    assert one["ε is at least"].endswith("BROKEN")
    assert two["at twice its ε"].endswith("not found out")
    assert {row["result"] for row in _rows(app, "sampler")} == {"found out"}


def test_nothing_is_audited_before_the_audit_is_opened(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setattr(page, "checks", lambda kinds: pytest.fail("an audit that nobody asked for"))
    app = visit("about")
    assert "# About" in text(app)
    assert not app.table
