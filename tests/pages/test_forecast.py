"""A ± that is foretold of a confidential table rests on guesses that are typed, and says so; after the press it is held against
what was released."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pages.ledger import session as ledger
from tests.pages.visit import (
    answer,
    declare,
    details,
    edit,
    everything,
    go,
    only,
    press,
    settled,
    sound,
    text,
    upload,
    use,
    visit,
)

_PEOPLE = 800
_RANDOM = re.compile(r"\b[0-9a-f]{16,32}\b|(?<=_)[0-9a-f]{16,32}\b")  # names of a browser, a table, widgets and downloads
_RANGE = re.compile(r"± ([\d,.]+) to ([\d,.]+)")


def _csv(seed: int, *, blank: float = 0.0) -> bytes:
    """1,200 stays of 800 people."""
    rng = np.random.default_rng(seed)
    rows = 1 + rng.multinomial(400, np.ones(_PEOPLE) / _PEOPLE)
    whose = np.repeat(np.arange(_PEOPLE), rows)
    cost = np.clip(rng.lognormal(8.2, 0.7, len(whose)), 0, 20_000).round()
    there = rng.random(len(whose)) >= blank
    lines = (f"p{who:03},{value if known else '':.6},{'ABC'[i % 3]}" for i, (who, value, known) in _numbered(whose, cost, there))
    return ("who,cost,ward\n" + "\n".join(lines) + "\n").encode()


def _numbered(whose: Any, cost: Any, there: Any) -> Any:
    return enumerate(zip(whose, (f"{value:.0f}" for value in cost), there, strict=True))


def _declared(content: bytes, **guesses: float) -> Any:
    app = declare(upload(visit(), "stays.csv", content), "cost", 0, 20_000, unit="€")
    edit(app, "ward", categories="A; B; C")
    only(app, "cost", "ward")
    answer(app, "Yes", "stay")
    sound(app.selectbox(key="person_column").set_value("who").run())
    sound(app.radio(key="people_number").set_value(app.radio(key="people_number").options[1]).run())
    sound(app.number_input(key="people_stated").set_value(_PEOPLE).run())
    for name, value in guesses.items():
        sound(app.number_input(key=f"guess_{name}").set_value(value).run())
    return app


def _explored(content: bytes, **guesses: float) -> Any:
    return settled(use(_declared(content, **guesses)))


def _ends(said: str) -> tuple[float, float]:
    found = _RANGE.search(said)
    assert found is not None, said[:600]
    low, high = (float(number.replace(",", "").rstrip(".")) for number in found.groups())
    return low, high


def _near(app: Any) -> float:
    reach: float = ledger.BOOKS.get(app.session_state["browser"]).entries[-1].reach
    return reach


def test_guesses_come_only_from_typing_and_stay() -> None:
    app = _declared(_csv(29))
    assert [app.number_input(key=f"guess_{name}").value for name in ("rows", "known")] == [None, None]
    for name, value in (("rows", 1.5), ("known", 70.0)):
        sound(app.number_input(key=f"guess_{name}").set_value(value).run())
    table = app.session_state["uploads"][use(app).session_state["scenario"].table]
    assert (table.guesses.rows, table.guesses.known) == (1.5, 0.7)


def test_release_lies_in_the_predicted_range() -> None:
    app = _explored(_csv(29), rows=1.5, known=100.0)
    details(go(app, "release"))
    assert "1.1 to 2.04 rows a person (your guess is 1.5)" in text(app)
    low, high = _ends(text(app))
    assert high <= 3 * low
    press(app, "release")
    assert low / 1.1 <= _near(app) <= high * 1.1


def test_page_before_a_release_ignores_the_table() -> None:
    pages = []
    for content in (_csv(29), _csv(30, blank=0.6)):
        app = _explored(content, rows=3.0)
        shown = [everything(app), everything(details(go(app, "release"))), everything(app)]
        pages.append([_RANDOM.sub("", page) for page in shown])
    assert pages[0] == pages[1]
