"""Walks a copy of the app in which a target and an oracle are broken: the rest of it works as ever."""

from __future__ import annotations

from dpcore.registry import catalog
from tests.pages.visit import CHARTS, charts, go, notices, pick, text, visit


def walk() -> None:
    """Each step asserts what a person would see."""
    said = catalog.findings()
    wanted = ("dpcore/targets/trimmed.py ", "dpcore/oracles/far.py ")
    assert [sentence.split(" ")[0] + " " for sentence in said] == list(wanted), said
    app = visit()
    assert not notices(app), notices(app)
    assert charts(app).keys() >= CHARTS, text(app)[:400]
    assert {info["url_pathname"] for info in app._registered_pages.values()} >= {"", "about", "release"}
    assert charts(pick(app, "target", "Quantile")).keys() >= CHARTS
    assert "What is promised" in text(go(app, "about"))


if __name__ == "__main__":
    walk()
    print("walked")
