"""What a tab's book would hold of a table once a file was loaded: computed first, so that it can be said, then put in place.

Nothing tells whether the file's answers came before the tab's own. So it is as with two uploads that turn out to be one table
(``identity``): what was sampled on one side is taken to have come after the other's answers, unless it knew of these. A line is
known by the name of its charge, and counts once. What was sampled for a file rests on its holder's word (``Standing.HELD``). What
rests on a word on one side does so after the other's answers came, in whatever order files are loaded.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line, Standing
from dpcore.ledger.charges import of_changed
from dpcore.ledger.lines import replacing
from dpcore.ledger.of_one_table import joined as joined_ledgers
from dpcore.ledger.of_one_table import with_ledger
from dpcore.ledger.spending import Spent
from dpcore.ledger.standing import as_certified, by_word
from pages.reports.saved.everything import Saved
from pages.state.book import Book, PlannedRelease, of_all
from pages.state.saved.plans_and_views import plan_place
from pages.state.table_identity import smaller

# Which lines of a file a tab holds already: by the names of their charges, for a release counts once wherever it is read.


def came(line: Line, mine: Mapping[str, Line]) -> Line | None:
    """The line as it comes to a tab with these charges; None where the tab holds it. One of the same name that was charged more,
    or otherwise, is another one: it comes as if it was entered by hand, under a name that is the same the next time."""
    if line.charge not in mine:
        return line
    if _covers(mine[line.charge], line):
        return None
    numbers = (line.charge, line.n, line.adjacency.name, *_charged(line))
    other = hashlib.sha256(repr(numbers).encode()).hexdigest()[:32]
    return None if other in mine else replace(of_changed(line), charge=other)


def worse(ledgers: Sequence[Ledger], mine: Mapping[str, Line]) -> bool:
    """Whether a file says less of a line that the tab holds too: then it knows of an answer that the tab does not."""
    met = [(line, mine[line.charge]) for one in ledgers for line in one.lines if line.charge in mine]
    holding = [(line, own) for line, own in met if own.standing is not Standing.NONE]
    return any(line.standing is Standing.NONE or line.gamma > own.gamma for line, own in holding)


def on_a_word(saved: Saved, mine: Mapping[str, Line], plan: Sequence[PlannedRelease]) -> bool:
    """Whether a sampled line or a planned release that the tab has too stands on a word in the file: answers of the file may then
    have come before it."""
    held = {one.name for one in saved.plan if one.line.standing is Standing.HELD}
    return any(one.name in held for one in plan) or any(
        line.drawn is not None and charge in saved.on_word for charge, line in mine.items()
    )


def all_by_word(ledger: Ledger) -> Ledger:
    """With all that was sampled, and all that is planned, on a word."""
    plan = tuple(replace(line, standing=Standing.HELD) for line in ledger.plan)
    return replace(ledger, plan=plan, lines=tuple(map(by_word, ledger.lines)))


def _covers(own: Line, other: Line) -> bool:
    """Whether the tab's line was charged as much. One of the two may count as one of a replaced record, and the other not."""
    if own.doubled is not other.doubled:
        own, other = replacing(own, other.n), replacing(other, own.n)
    alike = (own.n, own.adjacency) == (other.n, other.adjacency) and own.responded >= other.responded
    return alike and all(here >= there for here, there in zip(_charged(own), _charged(other), strict=True))


def _charged(line: Line) -> tuple[float, float, float]:
    """ε, δ and γ, whatever was said of what came before it."""
    return line.epsilon, line.delta, line.joint_gamma if line.drawn is None else line.drawn.joint_gamma


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Joined:
    """``own``: the tab's ledgers as they were; ``stood``: the same as they stand now; ``ledgers``: with all that came.

    ``lines`` and ``planned`` are what came. ``late``: whether the tab's own plan falls, and what was sampled for it is judged
    anew. ``doubted``: whether both stand on a word from now on. ``asks``: whether its holder must say if the file's plan was
    fixed before the tab's answers, and ``fell`` how many planned releases do not come for want of that word.
    """

    own: tuple[Ledger, ...]
    stood: tuple[Ledger, ...]
    ledgers: tuple[Ledger, ...]
    lines: tuple[Line, ...]
    plans: tuple[PlannedRelease, ...]
    planned: tuple[PlannedRelease, ...]
    budget: Guarantee | None
    late: bool
    doubted: bool
    asks: bool
    fell: int

    @property
    def exceeded(self) -> bool:
        """Whether the ledgers have spent more than the budget, as they are now."""
        return self.budget is not None and bool(Spent.by(*of_all(self.ledgers)).beyond(self.budget))


def joined(book: Book, name: str, saved: Saved, plan: Sequence[PlannedRelease], *, first: bool) -> Joined:
    """The table's part of the book with a file's. ``plan``: of the file, what fits the table; ``first``: its holder's word that
    it was fixed before every answer of this tab."""
    own, listed = tuple(book.ledgers.get(name, [])), tuple(book.plans.get(name, []))
    mine = {line.charge: line for line in _lines(own)}
    theirs = set() if saved.changed else {line.charge for line in _lines(saved.ledgers)}
    new = [[line for line in (came(line, mine) for line in one.lines) if line is not None] for one in saved.ledgers]
    plan = () if saved.changed else plan  # a place that a line took cannot be told from a line that was taken out
    items = [item for item in plan if item.name not in {one.name for one in listed}]

    # answers that the other side does not know of
    unknown_here = saved.changed or _answered([line for some in new for line in some], saved.ledgers)
    unknown_there = _answered([line for line in mine.values() if line.charge not in theirs], own)
    followed = theirs >= set(mine) and {one.name for one in saved.plan} >= {one.name for one in listed}
    fallen = tuple(one.late() for one in own)
    late = fallen != own and (worse(saved.ledgers, mine) or (unknown_here and (saved.changed or not followed)))
    rested = tuple(map(all_by_word, own))
    doubted = not late and rested != own and unknown_here and on_a_word(saved, mine, listed)
    stood = fallen if late else rested if doubted else own
    if doubted:
        listed = tuple(_held(item) for item in listed)

    made = _of_plan(saved, plan)
    asks = unknown_there and bool(items or any(line.charge in made for some in new for line in some))
    if unknown_there:
        new = [[_late(line, by_word=first and line.charge in made) for line in some] for some in new]
    ledgers = list(stood)
    for one, some in zip(saved.ledgers, new, strict=True):
        if some or (one.after_responses and (saved.changed or _nameless(saved.ledgers))):
            ledgers = with_ledger(ledgers, Ledger(lines=tuple(some), after_responses=one.after_responses))
    if saved.changed:  # what was taken out of it may be of any of them
        ledgers = [replace(one, after_responses=True) for one in ledgers]
    if unknown_there and not first:
        kept: list[PlannedRelease] = []
    else:
        kept = _with_places(items, saved, _lines(ledgers))
        if book.lost or any(one.responded for one in (*saved.ledgers, *own)):
            kept = [_held(item) for item in kept]
    for item in kept:
        ledgers = with_ledger(ledgers, Ledger(plan=(item.line,)))
    return Joined(
        own=own,
        stood=stood,
        ledgers=tuple(joined_ledgers(ledgers)),
        lines=tuple(line for some in new for line in some),
        plans=(*(() if late else listed), *kept),
        planned=tuple(kept),
        budget=_budget(book.budgets.get(name), saved),
        late=late,
        doubted=doubted,
        asks=asks,
        fell=len(items) if unknown_there and not first else 0,
    )


def put(book: Book, name: str, title: str, made: str, found: Joined) -> None:
    """In place, under the book's lock: nothing of it can be taken back."""
    book.unordered.add(name)
    book.judge_entries(_lines(found.own), _lines(found.stood))
    book.ledgers.pop(name, None)
    book.plans.pop(name, None)
    if found.ledgers:
        book.ledgers[name] = list(found.ledgers)
    if found.plans:
        book.plans[name] = list(found.plans)
    if found.budget is not None:
        book.budgets[name] = found.budget
    if found.lines or found.planned:
        book.titles.setdefault(name, title)
        book.files[name] = tuple(dict.fromkeys((*book.files.get(name, ()), made)))


def _held(item: PlannedRelease) -> PlannedRelease:
    return replace(item, line=replace(item.line, standing=Standing.HELD))


def _answered(lines: Sequence[Line], ledgers: Sequence[Ledger]) -> bool:
    """Whether one of these lines was a response; or a ledger knows of responses that no line of them all is."""
    return _nameless(ledgers) or any(line.responded for line in lines)


def _nameless(ledgers: Sequence[Ledger]) -> bool:
    """Whether one came after responses that no other one has."""
    answered = [any(line.responded for line in one.lines) for one in ledgers]
    return any(one.after_responses and sum(answered) == answered[place] for place, one in enumerate(ledgers))


def _late(line: Line, *, by_word: bool) -> Line:
    """The line where there were answers that its ledger knew nothing of: what was sampled has no guarantee, but for what its
    holder says was planned before them."""
    return line if line.drawn is None or by_word else replace(as_certified(line), standing=Standing.NONE)


def _takes(line: Line) -> bool:
    if line.drawn is None:
        return True
    return line.standing in (Standing.FIXED, Standing.HELD) and not line.drawn.ended


def _of_plan(saved: Saved, plan: Sequence[PlannedRelease]) -> set[str]:
    """The charges of the file's sampled lines that took a place of its plan."""
    places = Counter(plan_place(item.line) for item in plan)
    found = set()
    for line in _lines(saved.ledgers):
        if line.drawn is not None and _takes(line) and places[plan_place(line)]:
            places[plan_place(line)] -= 1
            found.add(line.charge)
    return found


def _with_places(items: Sequence[PlannedRelease], saved: Saved, lines: Sequence[Line]) -> list[PlannedRelease]:
    """Those that are still to be made, and those whose place a line takes here too: what was made once is not made again."""
    left = Counter(plan_place(line) for line in of_all(saved.ledgers)[1])
    here = Counter(plan_place(line) for line in lines if _takes(line))
    made = Counter(plan_place(item.line) for item in items) - left
    room = left + Counter({key: min(count, here[key]) for key, count in made.items()})
    kept = []
    for item in reversed(items):  # of equal ones the first are made
        if room[plan_place(item.line)]:
            room[plan_place(item.line)] -= 1
            kept.append(item)
    return kept[::-1]


def _budget(own: Guarantee | None, saved: Saved) -> Guarantee | None:
    if own is None or saved.budget is None:
        return saved.budget if own is None else own
    return own if saved.changed else smaller(own, saved.budget)


def _lines(ledgers: Sequence[Ledger]) -> tuple[Line, ...]:
    return tuple(line for one in ledgers for line in one.lines)
