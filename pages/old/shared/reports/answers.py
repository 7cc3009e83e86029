"""What was asked and what came, as a report has it: each question in words, its answer with ±, and its chart."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from dpcore.answers.answer import Within
from dpcore.answers.numbers import SHARE as OF_ALL
from dpcore.base.facts import facts
from dpcore.base.rounded import EMPTY, TOO_FEW, plus_minus, rows
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from pages.ledger.entry import Entry
from pages.ledger.reach import ranks_in_words, ranks_short
from pages.old.charts.released_answer import released_answer
from pages.old.charts.svg import Theme, drawn_or_said
from pages.old.reports.document import Block, Notice, Picture, Section, Table, Text, Tone

_ALONE, _JOINTLY, _BARE = "± (95 in 100)", "± (95 in 100, all of its numbers at once)", "without noise"
Bare = Callable[[Entry], FloatArray | None]
_HIGH, _LOW = 300, 130  # pixels of a chart of several numbers, and of one


@final
@dataclass(frozen=True, eq=False)
class Answered:
    """One question of a response. ``alone`` and ``jointly``: how close each of its numbers is, () where that is not known.
    ``raw``: the response without noise, where a report may show it."""

    question: str
    kind: Any
    response: Any
    alone: tuple[float, ...]
    jointly: tuple[float, ...]
    nine_in_ten: Within = None
    raw: Any = None
    ranks: str = ""  # what its ± in ranks says, where it has one
    short_ranks: str = ""

    @property
    def without_noise(self) -> tuple[str, ...]:
        """What stands for each part without noise; () where it is not shown."""
        return () if self.raw is None else tuple(said for _, said in self.kind.parts(self.raw))

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Each part's name, and what stands for it, rounded to its ±."""
        return tuple((name, said) for name, said, _ in rows(self.kind, self.response, self.alone))

    def reach(self, place: int) -> str:
        """± of a number taken alone, with its unit; '' where it is not known."""
        return self._near_words(self.alone, place)

    def reach_of_all(self, place: int) -> str:
        """The same for all numbers of the response at once."""
        return self._near_words(self.jointly, place)

    def _near_words(self, near: tuple[float, ...], place: int) -> str:
        if place >= len(near) or math.inf in (near[place], self.alone[place]):
            return TOO_FEW if place < len(near) and math.isfinite(self.alone[place]) else ""
        return plus_minus(near[place], self.kind.after)


def answered(entry: Entry, raw: FloatArray | None = None) -> Answered:
    """The question of a response that there is, with its answer; with ``raw``, the same without noise."""
    about, release = entry.about, entry.release
    assert release is not None
    alone, jointly = entry.near or ((), ())
    said = about.foretold if entry.ranks is None else ranks_in_words(entry.ranks, release.adjacency)
    return Answered(
        about.question, about.answer, release.response, alone, jointly, entry.reach, raw, said, ranks_short(entry.ranks)
    )


def in_order(entries: tuple[Entry, ...]) -> list[Entry]:
    """One response after another, and those of one list in its order, where its first answer came."""
    first = {entry.of_list: place for place, entry in reversed(list(enumerate(entries))) if entry.of_list}
    at = [(first.get(entry.of_list, place), entry.number) for place, entry in enumerate(entries)]
    return [entries[place] for place in sorted(range(len(entries)), key=at.__getitem__)]


def sections(entries: tuple[Entry, ...], bare: Bare) -> tuple[Section, ...]:
    """One a question, numbered through all responses. ``bare``: an answer without noise, of a public table."""
    found: list[Section] = []
    for entry in in_order(entries):
        if entry.release is None:
            blocks: tuple[Block, ...] = tuple(failed(entry))
        else:
            held = _held(entry) if len(entries) > 1 or not entry.covered else ()
            blocks = (*_blocks_of(answered(entry, bare(entry))), *held)
        found.append(Section(f"{len(found) + 1}. {entry.about.question}", blocks))
    return tuple(found)


def failed(entry: Entry) -> list[Block]:
    """That there is no answer, without why: how a target failed on the table can tell of it."""
    if not entry.asked:
        why = "This was not asked, because the trials of another question were ended."
        return [Notice(f"{why} What was drawn for it, if anything, is in the ledger below.", Tone.CARE)]
    return [Notice("There is no answer. The attempt failed, and what it was charged is in the ledger below.", Tone.BAD)]


def overview(entries: tuple[Entry, ...]) -> Table | None:
    """All answers in one table, where there are several questions and each has one."""
    if any(entry.release is None for entry in entries):
        return None
    there = [answered(entry) for entry in in_order(entries)]
    if len(there) < 2:
        return None
    rows = []
    for place, one in enumerate(there, 1):
        parts = one.rows
        several = f"{len(parts)} numbers, below" if len(parts) > 1 else parts[0][1]
        rows.append((f"{place}. {one.question}", several, one.short_ranks or (one.reach(0) if len(parts) == 1 else "")))
    return Table(("question", "private answer", _ALONE), tuple(rows), "All answers")


def _blocks_of(one: Answered) -> list[Block]:
    rows = one.rows
    share = " (a share of all rows)" * (one.kind.unit == OF_ALL)
    blocks: list[Block] = []
    if len(rows) == 1:
        near = f" {one.reach(0)}" if one.reach(0) else ""
        named = f"{rows[0][0]}: " * bool(facts(one.kind).picked and not one.alone)
        blocks.append(Text(f"{named}{rows[0][1]}{near}{share}", lead=True))
        if one.alone:
            off = f"In 95 of 100 such releases the noise moves this answer by no more than {_bare(one.reach(0))}."
            blocks.append(Text(off if one.reach(0) else EMPTY))
        blocks += [Text(f"Without noise it is {said}.") for said in one.without_noise]
    else:
        columns = {"of": [name for name, _ in rows], f"private answer{share}": [said for _, said in rows]}
        columns |= {_ALONE: [one.reach(i) for i in range(len(rows))]} if one.alone else {}
        columns |= {_JOINTLY: [one.reach_of_all(i) for i in range(len(rows))]} if one.jointly else {}
        columns |= {_BARE: list(one.without_noise)} if one.without_noise else {}
        blocks.append(Table(tuple(columns), tuple(zip(*columns.values(), strict=True)), one.question))
        if math.inf in (*one.alone, *one.jointly):
            blocks.append(Text(EMPTY))
    if one.ranks:
        blocks.append(Text(f"{one.short_ranks}. {one.ranks}" if one.short_ranks else one.ranks))
    drawn = released_answer(one.response, one.kind, one.alone, one.nine_in_ten)
    if drawn is not None:
        alt = f"{one.question}: the private answer" + (", with whiskers that 95 in 100 lie within." if one.alone else ".")
        height = _HIGH if len(rows) > 1 else _LOW
        caption = "The private answer" + ("; the whisker is the ± of its noise." if one.alone else ".")
        blocks.append(Picture(drawn_or_said([(drawn, alt, "")], width=480, height=height, theme=Theme.PAGE), caption))
    return blocks


def _bare(reach: str) -> str:
    return reach.removeprefix("±\u00a0")


def _held(entry: Entry) -> list[Block]:
    """What holds of this answer by itself."""
    assert entry.line is not None
    return [Text(f"Released on {entry.made} under {words.name(entry.line.guarantee)}.", small=True)]
