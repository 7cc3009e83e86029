"""The ledger as a file: there and back, accepted whole into an empty ledger of the same table, or refused in a sentence."""

from __future__ import annotations

import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore.errors import TableError
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table, read_csv
from pages.ledger.book import Account, Book
from pages.ledger.ledger_file import MOST_BYTES, load, read, write
from pages.ledger.press import press
from pages.state import example
from tests.pages.pressed import account, charged, of_one
from tests.pages.visit import confidential, go, notices, sound, text
from tests.pages.visit import press as push

CSV = b"income\n" + b"".join(b"%d\n" % (20 + i * i % 37) for i in range(40))
MEAN, MEDIAN = Mean((0.0, 100.0)), Quantile(0.5, (0.0, 100.0))


def _brought(book: Book, content: bytes = CSV, *, public: bool = False) -> Table:
    """An upload as a tab has it, under a name of its own there."""
    draft = read_csv(content, "mine.csv", public=public)
    columns = (Column(draft.columns[0].name, bounds=(0.0, 100.0)),)
    return replace(draft, columns=columns, digest=book.settle(draft))


def _scenario(table: Table, target: Any, epsilon: float = 1.0) -> Scenario:
    asked = {"table": table.name, "columns": ("income",), "target": target, "oracle": Uniform(0, 100), "n": 40}
    return replace(example(), **asked, epsilon=epsilon)


def _release(book: Book, table: Table, target: Any, *, worst_case: bool) -> str:
    with ThreadPoolExecutor(1) as executor:
        return press(book, of_one(f"t{len(book.entries)}", _scenario(table, target), table, worst_case=worst_case), executor)


def _saved(*, sampled: bool = True, budget: bool = False) -> bytes:
    book = Book()
    table = _brought(book)
    if sampled:
        assert _release(book, table, MEDIAN, worst_case=False) == ""
    assert _release(book, table, MEAN, worst_case=True) == ""
    if budget:
        account(book, table.digest).budget = RandomDP(3.0, 0.0, 0.1)
    return write(book, table).encode()


def test_a_ledger_comes_back_in_another_tab_with_answers_budget_and_total() -> None:
    saved = _saved(budget=True)
    book = Book()
    table = _brought(book)
    assert load(book, table, read(saved)) == ""
    lines = book.ledger(table).lines
    assert [(line.epsilon, line.gamma) for line in lines] == [(1.0, 0.05), (1.0, 0.0)]
    assert all(line.answer and line.made and line.about for line in lines)
    assert account(book, table.digest).total == RandomDP(2.0, 0.0, 0.05)
    assert account(book, table.digest).budget == RandomDP(3.0, 0.0, 0.1)
    assert "It cannot prove" not in book.incomplete(table)
    assert "No file can prove that nothing was released since." in book.incomplete(table)
    assert read(write(book, table).encode()).ledger == replace(book.ledger(table), budget=RandomDP(3.0, 0.0, 0.1))


@pytest.mark.parametrize("sampled", [True, False])
def test_after_a_file_only_proved_sensitivities_are_released(sampled: bool) -> None:
    book = Book()
    table = _brought(book)
    assert load(book, table, read(_saved(sampled=sampled))) == ""
    for target in (MEDIAN, MEAN):
        assert "has no guarantee after an answer" in _release(book, table, target, worst_case=False)
    assert _release(book, table, MEAN, worst_case=True) == ""
    assert "loaded from a file" in book.entries[-1].incomplete


def test_a_file_of_draws_ends_sampling_too() -> None:
    """Cancelled draws leave the table's sampled release where they were made; in a file nothing shows that it was not made."""
    made = Book()
    table = _brought(made)
    scenario = _scenario(table, MEDIAN)
    made.charge(
        table,
        lambda ledger: ledger.add_draws(
            MEDIAN, Uniform(0, 100), norm=scenario.norm, n=40, at=scenario.point, looked=False, about="cancelled"
        ),
    )
    saved = write(made, table).encode()
    book = Book()
    again = _brought(book)
    assert load(book, again, read(saved)) == ""
    assert "answers that are not in this ledger" in _release(book, again, MEDIAN, worst_case=False)
    assert _release(made, table, MEDIAN, worst_case=False) == ""


def test_a_file_is_loaded_into_an_empty_ledger_only() -> None:
    file = read(_saved())
    book = Book()
    table = _brought(book)
    assert _release(book, table, MEAN, worst_case=True) == ""
    assert "has lines already" in load(book, table, file)
    assert len(book.ledger(table).lines) == 1
    assert not account(book, table.digest).saved
    twice = Book()
    table = _brought(twice)
    assert load(twice, table, file) == ""
    assert "has lines already" in load(twice, table, file)
    assert len(twice.ledger(table).lines) == 2


def test_a_file_of_another_table_is_refused() -> None:
    book = Book()
    table = _brought(book, b"income\n" + b"".join(b"%d\n" % (90 - i * i % 41) for i in range(40)))
    said = load(book, table, read(_saved()))
    assert said.startswith("The file is the ledger of “mine.csv”, and “mine.csv” has other values.")
    assert account(book, table.digest) == Account()


def test_another_form_of_the_table_takes_its_file() -> None:
    book = Book()
    table = _brought(book, CSV.replace(b"\n", b"\r\n").replace(b"income", b"salary"))
    assert load(book, table, read(_saved())) == ""


def test_nothing_is_loaded_while_a_release_is_drawn() -> None:
    book = Book()
    table = _brought(book)
    drawing: Any = SimpleNamespace(open=True)
    book.drawing = drawing
    assert "is being drawn" in load(book, table, read(_saved()))
    assert not charged(book)


def test_the_smaller_budget_holds() -> None:
    book = Book()
    table = _brought(book)
    account(book, table.digest).budget = PureDP(2.5)
    assert load(book, table, read(_saved(budget=True))) == ""
    assert account(book, table.digest).budget == PureDP(2.5)
    assert "0.5 is left of the budget's 2.5" in _release(book, table, MEAN, worst_case=True)


def test_a_loaded_ledger_of_a_public_table_is_not_emptied() -> None:
    book = Book()
    table = _brought(book, public=True)
    assert load(book, table, read(_saved())) == ""
    assert "confidential" in book.start_demonstration(table)


def test_a_file_knows_its_table_by_salted_digests() -> None:
    first, second = (json.loads(_saved()) for _ in range(2))
    assert not set(first["digests"]) & set(second["digests"])
    table = _brought(Book())
    for digest in (*table.told_by, read_csv(CSV, "t", public=False).digest):
        assert digest not in json.dumps(first)
    assert "Do not publish this file" in first["note"]


def _changed(path: tuple[Any, ...], value: object) -> bytes:
    said = json.loads(_saved())
    held = said
    for name in path[:-1]:
        held = held[name]
    held[path[-1]] = value
    return json.dumps(said).encode()


LINE = ("ledger", "lines", 1)
STRANGE: dict[str, tuple[tuple[Any, ...], object]] = {
    "a newer version": (("kind",), "ledger of a table, version 2"),
    "a note that is none": (("note",), True),
    "another kind": (("kind",), "settings"),
    "more": (("more",), 1),
    "more of a line": ((*LINE, "more"), 1),
    "more of a ledger": (("ledger", "plan"), []),
    "no date": (("saved",), "yesterday"),
    "no lines": (("ledger", "lines"), []),
    "too many lines": (("ledger", "lines"), [{}] * 1_001),
    "no salt": (("salt",), "x"),
    "a digest that is none": (("digests",), ["x"]),
    "half a letter": ((*LINE, "answer"), "\ud800"),
    "an ε of nothing": ((*LINE, "epsilon"), 0.0),
    "an ε that is negative": ((*LINE, "epsilon"), -1.0),
    "an ε that is a word": ((*LINE, "epsilon"), "1"),
    "an endless ε": ((*LINE, "epsilon"), math.inf),
    "no number": ((*LINE, "epsilon"), math.nan),
    "a δ of 1": ((*LINE, "delta"), 1.0),
    "another n": ((*LINE, "n"), 41),
    "people": ((*LINE, "adjacency"), "REPLACE_ONE_USER"),
    "added rows": ((*LINE, "adjacency"), "ADD_OR_REMOVE_ONE_RECORD"),
    "an event of before": ((*LINE, "event"), "ENTERED"),
    "a budget without an ε": (
        ("ledger", "budget"),
        {"kind": "RandomDP", "epsilon": 0.0, "delta": 0.0, "gamma": 0.1, "confidence": None},
    ),
    "a budget with a confidence": (
        ("ledger", "budget"),
        {"kind": "RandomDP", "epsilon": 1.0, "delta": 0.0, "gamma": 0.1, "confidence": 0.9},
    ),
    "a deep nest": (("note",), [[[[[[[1]]]]]]]),
}


@pytest.mark.parametrize("case", STRANGE)
def test_what_is_not_as_it_was_saved_is_refused_whole(case: str) -> None:
    with pytest.raises(TableError) as caught:
        read(_changed(*STRANGE[case]))
    assert caught.value.remedy == "Choose the file as “Save the ledger” gave it."
    assert len(str(caught.value)) < 600


NO_FILES: dict[str, bytes] = {
    "a table": CSV,
    "no JSON": b"{",
    "no text": b"\xff\xfe\x00",
    "a list": b"[1]",
    "nothing": b"",
    "of another kind": b'{"kind": "settings"}',
    "too long": b" " * (MOST_BYTES + 1),
    "nested": b'{"kind": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "unclosed": b'{"kind": ' + b"[" * 2_000_000,
    "quotes that are open": b'{"' + b'\\"' * 1_000_000,
    "quotes that end on a backslash": b'{"' + b'\\"' * 1_000_000 + b"\\",
    "two of a name, of which the last is none": b'{"kind": "ledger of a table, version 1", "kind": 1}',
}


@pytest.mark.parametrize("case", NO_FILES)
def test_what_is_no_ledger_is_refused_quickly(case: str) -> None:
    start = time.process_time()
    with pytest.raises(TableError):
        read(NO_FILES[case])
    assert time.process_time() - start < 3


def test_every_value_of_another_kind_is_refused_or_read_as_a_ledger() -> None:
    """Each field deleted, and replaced by whatever there is."""
    whole = json.loads(_saved(budget=True))
    for path in _places(whole, ()):
        for value in (None, True, -1, 0.5, "x", [], {}, [1], 10**400):
            said = json.loads(json.dumps(whole))
            held = said
            for name in path[:-1]:
                held = held[name]
            held[path[-1]] = value
            try:
                found = read(json.dumps(said).encode())
            except TableError:
                continue
            assert found.ledger.after_responses
            assert all(np.isfinite(line.epsilon) and line.epsilon >= 0 for line in found.ledger.lines)


def _places(said: Any, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    inner = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    return [one for name, value in inner for one in ((*path, name), *_places(value, (*path, name)))]


# On the pages.


def _files(app: Any) -> Any:
    app.session_state["load_ledger"] = True
    app.run()
    return next(one for one in app.file_uploader if str(one.key).startswith("ledger_file_"))


def _dropped(app: Any, content: bytes) -> Any:
    return sound(_files(app).set_value(("ledger.json", content, "application/json")).run())


def test_the_page_saves_and_loads_it_and_then_offers_the_worst_case_only(files: list[tuple[str, str]]) -> None:
    app = push(go(confidential(CSV, 0, 100), "release"), "release")
    assert "This server forgets the ledger when it restarts: save it." in text(app)
    saved = next(written for key, written in files if key == "save_ledger").encode()
    fresh = _dropped(go(confidential(CSV, 0, 100), "release"), saved)
    assert "ledger.json was loaded." in notices(fresh)
    assert "No file can prove that nothing was released since." in text(fresh)
    assert "Sampled noise is offered only in the first release" in text(fresh)
    assert len(fresh.table) == 1
    assert not any("trials" in option for radio in fresh.radio for option in radio.options)
    again = _dropped(fresh, saved)
    assert "has lines already" in " ".join(error.value for error in again.error)


def test_a_file_that_is_none_is_a_sentence_and_changes_nothing() -> None:
    app = _dropped(go(confidential(CSV, 0, 100), "release"), b"{}")
    (error,) = app.error
    assert error.value.startswith("ledger.json: This is not a ledger file of this app")
    assert error.value.endswith("Nothing was changed.")
    assert "Nothing was released" in text(app)
