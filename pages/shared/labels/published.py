"""The label of one answer that was published."""

from __future__ import annotations

import math
from textwrap import shorten

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees.privacy import Adjacency, Guarantee
from pages.charts.label import Label, Look, Part, Words
from pages.shared.labels.around import MOST, Told, and_more, known_of, table_words
from pages.shared.labels.promised import Promised
from pages.shared.reports.answers import Answered, answered
from pages.shared.reports.noise import CAME
from pages.state.book import CLOSED, Book
from pages.state.release_entry import About, Entry

_NAME, _LONG = 24, 60  # letters of a part's name, and of a number with its ± in one line


def of_answer(book: Book, entry: Entry, told: Told) -> Label | None:
    """None where no guarantee covers it, or there is no answer."""
    line, release = entry.line, entry.release
    if release is None or line is None or CLOSED in entry.caveats:
        return None
    promised = of_about(entry.about, line.guarantee, line.adjacency)
    published = Part("What is published?", (*_answers(entry), *about_words(entry.about, line.adjacency, told)), heavy=True)
    known = known_of(book, entry.digest, from_a_file=bool(entry.incomplete))
    return Label(f"One answer, dated {entry.made} by its holder", (published, *promised.parts(entry.caveats), known, told.part))


def of_about(about: About, guarantee: Guarantee, adjacency: Adjacency) -> Promised:
    """What is promised of it."""
    came = CAME[about.origin]
    return Promised(guarantee=guarantee, adjacency=adjacency, unit=about.protected, oracles=(about.oracle,), came=came)


def about_words(about: About, adjacency: Adjacency, told: Told) -> tuple[Words, ...]:
    """Of which table, and of which time."""
    return table_words(about.table, about.records, adjacency, public=about.public), told.of_which_time


# What came of it.


def _answers(entry: Entry) -> tuple[Words, ...]:
    """Each question with its answer; ± where it is known."""
    each = answered(entry)
    assert entry.release is not None
    if len(each) > 1:
        said = [Words(f"{_answer(one)}: {one.question}", most=2) for one in each[:MOST]]
        return (*said, *and_more(len(each) - MOST))
    (one,) = each
    return (Words(one.question, most=2), *_numbers(one), Words(_noise(one, entry.release.scale)))


def _noise(one: Answered, scale: float) -> str:
    """What the ± is, where it is known."""
    if scale == 0:
        return "It is exact: no noise was needed."
    known = bool(one.alone) and math.isfinite(max(one.alone))
    return "Random noise was added: in 95 of 100 such answers it is less than the ±." if known else "Random noise was added."


def _numbers(one: Answered) -> tuple[Words, ...]:
    """The number stands first in its line, so that only a unit is shortened."""
    if len(one.rows) > 1:
        return (Words(_answer(one), Look.LEAD, most=3),)
    said, near = one.rows[0][1], one.reach(0)
    if facts(one.kind).picked and not one.alone:
        said = f"{one.rows[0][0]}: {said}"
    whole = f"{said} {near}".rstrip()
    parts = (whole,) if len(whole) <= _LONG else (said, near)
    return tuple(Words(part, Look.LEAD, most=2) for part in parts if part)


def _answer(one: Answered) -> str:
    """In a line: its numbers by their names, or how many there are."""
    if len(one.rows) == 1:
        return f"{one.rows[0][1]} {one.reach(0)}".rstrip()
    some = [
        f"{shorten(name, _NAME, placeholder='…')} {said} {one.reach(i)}".rstrip()
        for i, (name, said) in enumerate(one.rows[:MOST])
    ]
    more = len(one.rows) - MOST
    return "; ".join(some) + f"; and {counted(more, ' numbers')} more" * (more > 0)
