"""The label of all answers about a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import shorten

from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Event, Ledger, Line, Standing
from pages.charts.label import Label, Look, Part, Words
from pages.files.tables import Table
from pages.shared.labels.around import APART, ELSEWHERE, FROM_A_FILE, HOW_MANY, MOST, Told, and_more, responded, table_words
from pages.shared.labels.promised import (
    NOT_PROTECTED,
    PROTECTED,
    RESTS_ON,
    TRUST,
    Promised,
    assumed,
    kind,
    limit,
    named,
    not_covered,
)
from pages.shared.reports import spent
from pages.shared.reports.noise import CAME
from pages.state.book import Book
from pages.state.ledger import spent_in_all, why_no_total
from pages.state.release_entry import Entry

_ANSWER, _QUESTION = 60, 64  # letters of an answer beside its question, and of a question
_NOT_SHOWN = "(not shown: no promise covers it)"
_HELD = "Of some, its holder's word alone says that they were fixed before the first answer."
_FORGOTTEN = "The server forgot earlier answers of this tab."
_TO_COME = "Planned answers that are still to come are counted already."


def of_ledger(book: Book, table: Table, told: Told) -> Label | None:
    """None where none of the answers has a guarantee. One that covers all of them is said as that of one answer; where there is
    none, that is said in large letters, and each promise by itself."""
    ledgers = [one for one in book.ledgers.get(table.digest, []) if one.lines]
    lines = responded(ledgers)
    if not any(line.guarantee and line.event is not Event.FAILED for line in lines):
        return None
    entries = [entry for entry in book.entries if entry.digest == table.digest and entry.release is not None]
    cautions = _cautions(book, table, lines, entries)
    total, units = ledgers[0].total() if len(ledgers) == 1 else None, _units(table, lines, entries)
    if total is None or len(units) > 1:
        middle = _mixed(ledgers, lines, table.unit, cautions)
    else:
        middle = _joint(lines, entries, total, *units.pop()).parts(cautions)
    to_come = _TO_COME if any(one.to_join for one in ledgers) else ""
    many = "The one answer" if len(lines) == 1 else f"The {len(lines):,} answers"
    parts = (_questions(lines, table, told), *middle, Part(HOW_MANY, (Words(f"{to_come} {ELSEWHERE}"),)), told.part)
    return Label(f"{many} about one table that its ledger knows of", parts)


def _cautions(book: Book, table: Table, lines: Sequence[Line], entries: Sequence[Entry]) -> tuple[str, ...]:
    held = any(line.standing is Standing.HELD for line in lines)
    caveats = dict.fromkeys(said for entry in entries for said in entry.caveats)
    gaps = (_HELD * held, *caveats, _FORGOTTEN * book.forgotten, FROM_A_FILE * bool(book.incomplete(table)))
    return tuple(filter(None, gaps))


def _units(table: Table, lines: Sequence[Line], entries: Sequence[Entry]) -> set[tuple[Unit, Adjacency]]:
    """What is protected in each: as the table was declared when it was asked, else as it is now."""
    found = {_charge(entry): entry.about.protected for entry in entries}
    return {(found.get(line.charge, table.unit), line.adjacency) for line in lines}


def _charge(entry: Entry) -> str:
    return "" if entry.line is None else entry.line.charge


def _questions(lines: Sequence[Line], table: Table, told: Told) -> Part:
    said = [Words(_listed(line), most=2) for line in lines[:MOST]]
    about = table_words(table.title or table.name, lines[0].n, lines[0].adjacency, public=table.public)
    more = and_more(len(lines) - MOST)
    return Part("What is published?", (*said, *more, about, told.of_which_time), heavy=True)


def _listed(line: Line) -> str:
    """An answer and its question; one without a guarantee is not shown."""
    asked = shorten(spent.asked(line), _QUESTION, placeholder=" …")
    if line.guarantee is None:
        return f"{_NOT_SHOWN}: {asked}"
    if line.event is Event.FAILED:
        return f"(failed: no answer): {asked}"
    return f"{line.answer}: {asked}" if 0 < len(line.answer) <= _ANSWER else asked


def _joint(lines: Sequence[Line], entries: Sequence[Entry], total: Guarantee, unit: Unit, adjacency: Adjacency) -> Promised:
    """What covers all of them."""
    known = {_charge(entry): entry.about.oracle for entry in entries}
    oracles = dict.fromkeys(known.get(line.charge, line.drawn.oracle) for line in lines if line.drawn is not None)
    origins = {entry.about.origin for entry in entries}
    came = CAME[origins.pop()] if len(origins) == 1 else ""
    seen = "this answer" if len(lines) == 1 else "all of these answers"
    return Promised(guarantee=total, adjacency=adjacency, unit=unit, seen=seen, oracles=tuple(oracles), came=came)


def _mixed(ledgers: Sequence[Ledger], lines: Sequence[Line], unit: Unit, cautions: Sequence[str]) -> tuple[Part, ...]:
    """Where no one promise covers all: which there are, each by itself."""
    adjacency, each = lines[0].adjacency, Counter((line.guarantee, line.adjacency) for line in lines if line.guarantee)
    weaker = any(isinstance(guarantee, RandomDP) for guarantee, _ in each)
    weakest = next(guarantee for guarantee, _ in each if not weaker or isinstance(guarantee, RandomDP))
    whom = words.protected(unit, weakest, adjacency) if len({one for _, one in each}) == 1 else ""
    promises = (whom, *(_by_itself(*promise, many) for promise, many in each.most_common(MOST)))
    who = words.counted_in(adjacency)
    unusual = f"Where a promise is random, unusual {who} are not protected, a share γ of random changes." * weaker
    rests = (*(Words(one, Look.CARE) for one in cautions), Words(f"{assumed(adjacency)}" * weaker), Words(TRUST))
    return (
        Part("How often is a guess right?", _no_total(ledgers, lines)),
        Part(PROTECTED, (*map(Words, promises), *and_more(len(each) - MOST))),
        Part(NOT_PROTECTED, tuple(map(Words, (unusual, *not_covered(adjacency, unit, weaker=weaker))))),
        Part(RESTS_ON, rests),
    )


def _no_total(ledgers: Sequence[Ledger], lines: Sequence[Line]) -> tuple[Words, ...]:
    """That there is none, in large letters; what those come to that do add up, and how many have no promise at all."""
    void = sum(line.guarantee is None for line in lines)
    none = f"No promise at all covers {void:,} of them, which may tell more than all the others." * bool(void)
    joints = [joint for one in ledgers if (joint := one.joint()) is not None]
    several = len(ledgers) > 1
    said = [f"Those that add up come to {named(one)}, and {limit(one)}." for one in joints[:MOST]]
    more = (why_no_total(lines), spent_in_all(lines)) if several else ()
    return Words(APART, Look.LOUD), Words(none, Look.CARE), *map(Words, (*said, *more))


def _by_itself(guarantee: Guarantee, adjacency: Adjacency, many: int) -> str:
    return f"{counted(many, ' answers')}, each by itself: {named(guarantee)}. {kind(guarantee, adjacency)}"
