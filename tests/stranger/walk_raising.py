"""Walks a copy of the app in which members raise wherever they are asked: a sentence stands there, and the rest works."""

from __future__ import annotations

import json
import logging
import sys

from pages import state
from pages.exports.link import to_text
from tests.pages.visit import CHARTS, charts, go, link, notices, press, settled, text, visit

ASKED = sys.argv[1:]
PAGES = ("", "release", "people")  # those that show the target
ALL = (*PAGES, "your_data", "learn", "about")


class _Said(logging.Handler):
    """What was named in the log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def walk(kind: str) -> None:
    """Every page with a target of this kind: no page is an error, and what a person had is reached again."""
    said = _Said()
    logging.getLogger().addHandler(said)
    app = visit(s=json.dumps(json.loads(to_text(state.example())) | {"f": {"kind": kind, "bounds": [0, 20]}}))
    for page in (*(ALL if kind == ASKED[0] else PAGES), ""):
        settled(go(app, page))  # each look asserts that no error is on the page
    go(app, "release")
    if [box for box in app.button if box.key == "release"]:
        press(app, "release")
    named = [line for line in said.lines if kind in line or kind.lower() in line]
    assert len(named) == len(set(named)), named
    assert all("Zqzz" not in line for line in said.lines)  # what was raised could quote a value
    assert "Zqzz" not in text(app) + notices(app)
    back = settled(visit())
    assert charts(back).keys() >= CHARTS
    logging.getLogger().removeHandler(said)


def walk_others() -> None:
    """A mechanism whose law says no more than that it draws, which is refused, and an oracle that cannot draw."""
    for query, said in (
        ({"mechanism": {"kind": "PlainNoise"}}, "This answer would have no guarantee."),
        ({"oracle": {"kind": "Odd"}}, "What you chose stays."),
    ):
        app = link(**query)
        for page in (*ALL, ""):
            settled(go(app, page))
        go(app, "release")
        assert not any(box.key == "release" and not box.disabled for box in app.button)
        assert said in text(app)
        assert "Zqzz" not in text(app) + notices(app)


if __name__ == "__main__":
    walk_others()
    print("walked PlainNoise and Odd")
    for name in ASKED:
        walk(name)
        print(f"walked {name}")
