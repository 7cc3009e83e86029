"""Histories of two tabs that plan, ask, enter, save and load: what a tab promises is true of the order in which all happened.

The order of everything is kept apart from the books, and the rule is that of composition alone (mathematics, section 4.1): a line
that is said to have been fixed before the first response was, whatever of the others' answers its own tab holds. Holders may lie
where they are asked: then what stands on their word may be false, and nothing else. A server may forget a tab, and a file may
lose a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcore.ledger.accounting import Line, Standing
from pages.state.book import Book, line_of
from tests.pages.saved.books import DIGEST, TABLE, ask, draws, enter, file_of, lines, load, mean, median, middle, offered, plan

QUANTILES = tuple(round(0.05 + 0.05 * i, 2) for i in range(18))
ACTIONS = ("plan", "ask planned", "ask", "prove", "enter", "draw", "save", "load", "load", "lie", "cut", "restart", "new tab")
_NAMED = {middle(q): q for q in QUANTILES}
_BETTER = {Standing.NONE: 0, Standing.HELD: 1, Standing.APART: 1, Standing.LARGER: 2, Standing.FIXED: 3, Standing.PROVED: 3}


@dataclass
class World:
    """Two tabs, the files that were saved, and when each median was fixed and each charge was answered."""

    books: list[Book] = field(default_factory=lambda: [Book(), Book()])
    lied: bool = False
    files: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    fixed: dict[float, int] = field(default_factory=dict)
    asked: dict[str, float] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    clock: count[int] = field(default_factory=count)

    def fresh(self) -> float:
        return QUANTILES[len(self.fixed) % len(QUANTILES)]

    def do(self, action: str, place: int, choice: int) -> None:
        if action in ("restart", "new tab"):
            self.books[place] = Book(lost=action == "restart")
            return
        book, now = self.books[place], next(self.clock)
        kept = {line.charge for line in lines(book)}
        if action == "plan" and not book.responded(TABLE) and len(self.fixed) < len(QUANTILES):
            q = self.fresh()
            self.fixed[q] = now
            plan(book, q)
        elif action in ("ask planned", "ask", "draw"):
            self._ask(book, action, now, choice)
        elif action == "prove":
            ask(book, f"{place} {now}", mean(), worst_case=True)
        elif action == "enter":
            enter(book, 0.1, first=True)
        elif action == "save":
            self._save(book)
        elif action in ("lie", "cut") or (action == "load" and choice < 4):
            self._save(self.books[1 - place])
            content, planned = self.files[-1]
            self.lied |= action == "lie"
            self._load(book, _cut(content) if action == "cut" else content, planned, lie=action == "lie")
            if action == "cut":
                assert book.foresee(TABLE, line_of(mean(), TABLE, worst_case=False)).standing is Standing.NONE
            return
        elif action == "load" and self.files:
            self._load(book, *self.files[choice % len(self.files)])
            return
        for line in lines(book):
            if line.charge not in kept and line.responded:
                self.answered[line.charge] = now if action != "enter" else -1  # it came before all of it

    def answers(self, kept: Iterable[Line]) -> list[int]:
        """When each was answered; draws that came in a changed file count as an answer whose day nobody knows."""
        return [self.answered.get(line.charge, -1) for line in kept if line.responded]

    def _ask(self, book: Book, action: str, now: int, choice: int) -> None:
        listed = [_NAMED[item.scenario.target.q] for item in book.plans.get(DIGEST, [])]  # type: ignore[attr-defined]
        if action == "ask planned" and listed:
            q = listed[choice % len(listed)]
        elif len(self.fixed) < len(QUANTILES):
            q = self.fresh()
            self.fixed[q] = now
        else:
            return
        if action == "draw":
            draws(book, q)
        else:
            ask(book, f"{id(book)} {now}", median(q))

    def _save(self, book: Book) -> None:
        planned = tuple(_NAMED[item.scenario.target.q] for item in book.plans.get(DIGEST, []))  # type: ignore[attr-defined]
        self.files.append((file_of(book), planned))

    def _load(self, book: Book, content: str, planned: tuple[float, ...], *, lie: bool = False) -> None:
        """With the true word; twice, for the second time must change nothing."""
        before = {line.charge: line for line in lines(book)}
        answers = self.answers(before.values())
        first = lie or all(self.fixed[q] < when for q in planned for when in answers)
        found = load(book, content, first=first)
        after = {line.charge: line for line in lines(book)}
        assert set(after) == set(before) | {line.charge for line in found.lines}
        for charge, line in before.items():
            assert _BETTER[after[charge].standing] <= _BETTER[line.standing]
            assert after[charge].epsilon == line.epsilon
        assert offered(book, content, first=first).lines == ()


def _cut(content: str) -> str:
    """Without the last line of its first ledger, under the old checksum."""
    said = json.loads(content)
    ledgers = said["parts"].get("ledgers", [])
    if ledgers and ledgers[0]["lines"]:
        del ledgers[0]["lines"][-1]
    said["checksum"] = "0" * 64
    return json.dumps(said)


def _of(line: Line) -> float:
    return _NAMED[float(line.target.split("q=")[1].split(",")[0])]


@pytest.mark.slow
@example([("prove", 0, 0), ("plan", 1, 0), ("lie", 0, 0), ("load", 1, 0), ("ask planned", 1, 0)])
@example([("prove", 0, 0), ("plan", 1, 0), ("ask planned", 1, 0), ("lie", 0, 0), ("load", 1, 0)])
@example([("prove", 0, 0), ("save", 0, 0), ("prove", 0, 0), ("restart", 0, 0), ("load", 0, 4)])
@example([("prove", 0, 0), ("cut", 1, 0), ("plan", 1, 0), ("prove", 1, 0)])
@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 1), st.integers(0, 5)), min_size=4, max_size=10))
def test_whatever_is_said_to_have_been_fixed_before_the_first_response_was(history: list[tuple[str, int, int]]) -> None:
    world = World()
    for action, place, choice in history:
        world.do(action, place, choice)
        for book in world.books:
            _true(world, book)


def _true(world: World, book: Book) -> None:
    kept = lines(book)
    answers = world.answers(kept)
    told = (Standing.FIXED,) if world.lied else (Standing.FIXED, Standing.HELD)
    said = [line for line in kept if line.drawn is not None and line.standing in told]
    assert not book.lost or Standing.FIXED not in {line.standing for line in kept}
    for line in said:
        assert world.fixed[_of(line)] <= min(answers, default=world.fixed[_of(line)]), (line, answers)
        assert not (line.loaded and line.standing is Standing.FIXED)
    released = [_of(line) for line in said if line.responded]
    assert len(released) == len(set(released))  # each was fixed once, so that it can be made once
    for item in book.plans.get(DIGEST, []):
        foreseen = book.foresee(TABLE, item.line)
        if answers and foreseen.standing in told:
            assert world.fixed[_of(item.line)] <= min(answers)
    new = book.foresee(TABLE, line_of(median(0.99), TABLE, worst_case=False))
    assert (new.standing is Standing.FIXED) <= (not answers)
    if any(line.loaded for line in kept) or book.forgotten:
        assert book.foresee(TABLE, line_of(mean(), TABLE, worst_case=False)).standing is not Standing.LARGER
    totals = [one.total() for one in book.ledgers.get(DIGEST, [])]
    assert all(one is None for one in totals) or not any(line.loaded and line.drawn for line in kept) or len(totals) > 1
