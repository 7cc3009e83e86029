"""The report of what was released of a table: a question is each heading, and its answer stands under it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee
from dpcore.workbench import preview
from dpcore.workbench.reports.document import Block, Edition, Report, Section, Table, Text
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table as Data
from pages.components.reports import answers, meanings, noise, promised, spent, view
from pages.session.book import Book
from pages.session.entry import Entry

_MOST_CATEGORIES = 12


def report(
    book: Book,
    table: Data,
    entries: tuple[Entry, ...],
    edition: Edition,
    *,
    who: str = "",
    links: noise.Links = (),
    compare: bool = False,
) -> Report:
    """Of these responses about the table, in the order in which they came. ``who`` made them, where that is said. ``compare``:
    the answers without noise stand beside them, of a confidential table in the holder's edition alone."""
    released = tuple(entry for entry in entries if entry.release is not None)
    about = entries[0].about
    name = table.title or table.name
    sections = [_asked(entries, edition, _bare(table) if compare and (table.public or edition is Edition.HOLDER) else _not_shown)]
    if released:
        sections += [noise.exact(released), promised.publishing(released, _joint(book, table, released))]
        sections += _guarantee(book, table, released)
        sections += [_unit(released), _missing(released), noise.oracle(released, who)]
    sections += [spent.spent(book, table, edition)]
    if released:
        sections += [spent.again(book, table, released), noise.checked(links), meanings.of(released)]
    kind = "public" if about.public else "confidential"
    made = f"Released {_when(entries)}" if released else f"Tried {_when(entries)}"
    by = f" by {who}" if who else ""
    return Report(
        f"{'Private answers' if len(_questions(entries)) > 1 else 'A private answer'} about {name}",
        f"{made}{by}. {name} is a {kind} table of {_size(entries)}.", edition, tuple(sections),
        view.made_on(), book.incomplete(table),
    )  # fmt: skip


def _when(entries: tuple[Entry, ...]) -> str:
    first, last = entries[0].made, entries[-1].made
    return f"on {first}" if first == last else f"from {first} to {last}"


def _questions(entries: tuple[Entry, ...]) -> list[str]:
    return [asked for entry in entries for asked in (entry.about.questions or (entry.about.question,))]


def _size(entries: tuple[Entry, ...]) -> str:
    entry = entries[0]
    things = words.counted_in(entry.release.adjacency) if entry.release is not None else "records"
    return f"{entry.about.records:,} {things}"


def _not_shown(_: Entry) -> None:
    return None


def _bare(table: Data) -> answers.Bare:
    """Answers without noise, of kinds that are numbers."""

    def of(entry: Entry) -> FloatArray | None:
        if entry.about.settings is None or not hasattr(entry.about.answer, "shown"):
            return None
        try:
            return preview.answer(Scenario.from_json(entry.about.settings), table).value
        except DpcoreError:  # the table was declared anew since
            return None

    return of


def _asked(entries: tuple[Entry, ...], edition: Edition, bare: answers.Bare) -> Section:
    """What was asked and what came, one under the other."""
    found = answers.sections(entries, edition, bare)
    blocks: list[Block] = []
    if len(found) == 1:
        _, _, question = found[0].title.partition(" ")
        return Section("What was asked, and what is the answer?", (Text(f"Asked: {question}."), *found[0].blocks))
    blocks.append(Text(f"{len(found)} questions were asked.", lead=True))
    overview = answers.overview(entries)
    return Section(
        "What was asked, and what are the answers?", (*blocks, *((overview,) if overview is not None else ())), found
    )  # fmt: skip


def _guarantee(book: Book, table: Data, released: tuple[Entry, ...]) -> list[Section]:
    """Who is protected and who is not: by one guarantee of all answers, else by that of each."""
    joint = _joint(book, table, released)
    if joint is not None:
        asked = "" if noise.questions(released) == 1 else "All answers together have this guarantee"
        return _of_one(joint, released[0], asked or "The guarantee is")
    sections: list[Section] = []
    for name, entries in _by_guarantee(released).items():
        line = entries[0].line
        assert line is not None
        assert line.guarantee is not None
        asked = ", ".join(f"“{entry.about.question}”" for entry in entries)
        of, about = _of_one(line.guarantee, entries[0], f"Each answer to {asked} has, by itself, this guarantee")
        sections += [replace(of, title=f"{of.title} By {name}"), replace(about, title=f"{about.title} By {name}")]
    if len(released) > 1:
        sections.append(
            Section("And all answers together?", (Text("No one guarantee covers all of them together: they do not add up."),))
        )
    return sections


def _of_one(guarantee: Guarantee, entry: Entry, of: str) -> list[Section]:
    """Whom it protects and whom not, for a response."""
    assert entry.release is not None
    unit, adjacency = entry.about.protected, entry.release.adjacency
    return [
        promised.protected(guarantee, unit, adjacency, of),
        promised.not_protected(guarantee, unit, adjacency, confidential=not entry.about.public),
    ]


def _by_guarantee(released: tuple[Entry, ...]) -> dict[str, list[Entry]]:
    """Those that have one, by its name."""
    found: dict[str, list[Entry]] = {}
    for entry in released:
        if entry.line is not None and entry.line.guarantee is not None:
            found.setdefault(words.name(entry.line.guarantee), []).append(entry)
    return found


def _joint(book: Book, table: Data, released: tuple[Entry, ...]) -> Guarantee | None:
    """The guarantee of all that was answered about the table, where one covers it; of a single answer its own."""
    if len(released) == 1:
        line = released[0].line
        return None if line is None else line.guarantee
    ledgers = [one for one in book.ledgers.get(table.digest, []) if one.lines]
    return ledgers[0].total() if len(ledgers) == 1 else None


def _unit(released: tuple[Entry, ...]) -> Section:
    entry = released[0]
    assert entry.release is not None
    return promised.unit_of(entry.about.protected, entry.release.adjacency, entry.about.records)


def _missing(released: tuple[Entry, ...]) -> Section:
    """The rule for missing values, and what was declared of the columns that were asked of."""
    rules = tuple(dict.fromkeys(entry.about.missing for entry in released if entry.about.missing))
    read = tuple(dict.fromkeys(entry.about.read_as for entry in released if entry.about.read_as))
    columns: dict[str, dict[str, Any]] = {one["name"]: one for entry in released for one in entry.about.columns}
    rows = tuple(_column(one) for one in columns.values())
    blocks: list[Block] = [Text(rules[0], lead=True), *map(Text, rules[1:])] if rules else []
    if not released[0].about.public:
        blocks.append(Text("How many were missing is not told: that number is as confidential as the table."))
    blocks += [Text(said, small=True) for said in read]
    blocks.append(Table(("column", "unit", "lowest and highest, or categories"), rows, "What was declared of the columns"))
    return Section("What was done with missing values, and how were the columns read?", tuple(blocks))


def _column(one: dict[str, Any]) -> tuple[str, str, str]:
    bounds, categories = one["bounds"], one["categories"]
    if categories:
        more = len(categories) - _MOST_CATEGORIES
        few = [f"{each:g}" if isinstance(each, float) else str(each) for each in categories[:_MOST_CATEGORIES]]
        range_ = ", ".join(few) + (f" and {more:,} more" if more > 0 else "")
    else:
        range_ = f"{bounds[0]:g} to {bounds[1]:g} (a value outside counts as the nearer one)" if bounds else "none declared"
    return (one["label"], one["unit"] or "none", range_)
