"""What was asked and what came, as a report has it: each question in words, its answer with ±, and its chart."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.answers.answer import Within
from dpcore.answers.numbers import SHARE as OF_ALL
from dpcore.base.facts import facts
from dpcore.base.rounded import EMPTY, TOO_FEW, plus_minus, rows
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from pages.charts.answers.several import published_one
from pages.charts.svg import Theme, drawn_or_said
from pages.reports.document import Block, Edition, Notice, Picture, Section, Table, Text, Tone
from pages.state.population import Told
from pages.state.reach import ranks_in_words, ranks_short
from pages.state.release_entry import Entry

_ALONE, _JOINTLY, _BARE = "± (95 in 100)", "± (95 in 100, all of its numbers at once)", "without noise"
Bare = Callable[[Entry], FloatArray | None]
ForPopulation = Callable[[Entry], tuple[Told | None, ...]]
_HIGH, _LOW = 300, 130  # pixels of a chart of several numbers, and of one


@final
@dataclass(frozen=True, eq=False)
class Answered:
    """One question of a response. ``alone`` and ``jointly``: how close each of its numbers is, () where that is not known.
    ``raw``: the response without noise, where a report may show it. ``population``: its interval for the population."""

    question: str
    kind: Any
    response: Any
    alone: tuple[float, ...]
    jointly: tuple[float, ...]
    nine_in_ten: Within = None
    raw: Any = None
    ranks: str = ""  # what its ± in ranks says, where it has one
    short_ranks: str = ""
    population: Told | None = None

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


def answered(entry: Entry, raw: FloatArray | None = None) -> tuple[Answered, ...]:
    """Each question of a response that there is; with ``raw``, the same without noise."""
    about, release = entry.about, entry.release
    assert release is not None
    alone, jointly = entry.near or ((), ())
    if not about.questions:
        said = about.foretold if entry.ranks is None else ranks_in_words(entry.ranks, about.answer, release.adjacency)
        one = Answered(
            about.question, about.answer, release.response, alone, jointly, entry.reach, raw, said, ranks_short(entry.ranks)
        )
        return (one,)
    answer: Any = about.answer
    bare = (None,) * len(about.questions) if raw is None else answer.split(raw)
    found, at = [], 0
    for question, kind, part, own in zip(about.questions, answer.of, answer.split(release.response), bare, strict=True):
        end = at + len(kind.parts(part))
        found.append(Answered(question, kind, part, alone[at:end], jointly[at:end], raw=own))
        at = end
    return tuple(found)


def _with_population(entry: Entry, bare: Bare, of: ForPopulation) -> tuple[Answered, ...]:
    each, told = answered(entry, bare(entry)), of(entry)
    return tuple(replace(one, population=said) for one, said in zip(each, told, strict=True)) if told else each


def in_order(
    entries: tuple[Entry, ...], bare: Bare, of_population: ForPopulation = lambda _: ()
) -> list[tuple[Entry, Answered | None]]:
    """Each question with its answer, None where there is none: one response after another, and those of one list in its order."""
    found: list[tuple[Entry, Answered | None, int]] = []
    for entry in entries:
        each = (None,) if entry.release is None else _with_population(entry, bare, of_population)
        numbers = entry.numbers or (0,) * len(each)
        found += [(entry, one, number) for one, number in zip(each, numbers, strict=False)]
    first = {entry.of_list: place for place, (entry, _, _) in reversed(list(enumerate(found))) if entry.of_list}
    at = [(first.get(entry.of_list, place), number) for place, (entry, _, number) in enumerate(found)]
    return [found[place][:2] for place in sorted(range(len(found)), key=at.__getitem__)]


def sections(entries: tuple[Entry, ...], edition: Edition, bare: Bare, of_population: ForPopulation) -> tuple[Section, ...]:
    """One a question, numbered through all responses. ``bare``: an answer without noise, where the report may show it;
    ``of_population``: the intervals for the population of a response's answers."""
    found: list[Section] = []
    for entry, one in in_order(entries, bare, of_population):
        asked = f"{len(found) + 1}. {entry.about.question if one is None else one.question}"
        if one is None:
            blocks: tuple[Block, ...] = tuple(failed(entry, edition))
        elif _kept_back(entry, edition):
            blocks = (Text("It is not shown: no guarantee covers it, so it may not be published."), *_held(entry))
        else:
            blocks = (
                *_blocks_of(one),
                *(_held(entry) if len(entries) > 1 or not entry.covered else ()),
            )
        found.append(Section(asked, blocks))
    return tuple(found)


def _kept_back(entry: Entry, edition: Edition) -> bool:
    """Whether what is shared leaves an answer out, because nothing protects whom it is about."""
    bare = entry.line is None or entry.line.guarantee is None
    return bare and edition is Edition.SHARING and not entry.about.public


def failed(entry: Entry, edition: Edition) -> list[Block]:
    """That there is no answer. Why is for the holder alone: how a target failed on the table can tell of it."""
    if not entry.asked:
        return [Notice("This was not asked: the draws before it were ended. Nothing was drawn or charged for it.", Tone.CARE)]
    said = Notice("There is no answer. The attempt failed, and what it was charged is in the ledger below.", Tone.BAD)
    return [said, Text(entry.problem)] if edition is Edition.HOLDER and entry.problem else [said]


def overview(entries: tuple[Entry, ...], edition: Edition) -> Table | None:
    """All answers in one table, where there are several questions and each has one that may be shown."""
    if any(entry.release is None or _kept_back(entry, edition) for entry in entries):
        return None
    there = [one for _, one in in_order(entries, lambda _: None) if one is not None]
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
            blocks.append(Text(_off(one) if one.reach(0) else EMPTY))
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
    blocks += _for_population(one.population)
    drawn = published_one(one.response, one.kind, one.alone, one.nine_in_ten)
    if drawn is not None:
        alt = f"{one.question}: the private answer" + (", with whiskers that 95 in 100 lie within." if one.alone else ".")
        height = _HIGH if len(rows) > 1 else _LOW
        caption = "The private answer" + ("; the whisker is the ± of its noise." if one.alone else ".")
        blocks.append(Picture(drawn_or_said([(drawn, alt, "")], width=480, height=height, theme=Theme.PAGE), caption))
    return blocks


def _for_population(told: Told | None) -> list[Block]:
    if told is None:
        return []
    rows = tuple(tuple(row.values()) for row in told.rows)
    return [*([Table(tuple(told.rows[0]), rows, told.title)] if rows else []), *(Text(said, small=True) for said in told.says)]


def _off(one: Answered) -> str:
    """What the ± of a single number says."""
    said = f"In 95 of 100 such releases the noise moves this answer by no more than {_bare(one.reach(0))}."
    if one.jointly and math.inf > one.jointly[0] > one.alone[0]:
        said += (
            f" All answers of its list at once need more room: in 95 of 100 each lies within a wider ±, here "
            f"{_bare(one.reach_of_all(0))}."
        )
    return said


def _bare(reach: str) -> str:
    return reach.removeprefix("±\u00a0")


def _held(entry: Entry) -> list[Block]:
    """What holds of this answer by itself."""
    line = entry.line
    if line is None or line.guarantee is None:
        return [Notice(entry.promise, Tone.BAD)]
    return [Text(f"Released on {entry.made} under {words.name(line.guarantee)}. {entry.later}".rstrip(), small=True)]
