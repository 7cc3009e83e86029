"""The report of what was released of a table: a question is each heading, and its answer stands under it."""

from __future__ import annotations

from typing import Any

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.workbench import preview
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table as Data
from pages.reports.document import Block, Edition, Report, Section, Table, Text
from pages.shared.reports import answers, covered, meanings, noise, promised, spent, view
from pages.state.book import Book, part_of
from pages.state.entry import Entry

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
    sections = [_asked(entries, edition, _bare(table, edition) if compare else _not_shown)]
    if released:
        sections += [noise.exact(released), promised.publishing(released, covered.covered(book, table, released))]
        sections += _guarantee(book, table, released)
        sections += [*_units(released), _missing(released), noise.oracle(released, who)]
    sections += [spent.spent(book, table, edition)]
    if released:
        sections += [spent.again(book, table, released), noise.checked(released, links), meanings.of(released)]
    kind = "public" if about.public else "confidential"
    made = f"Released {_when(entries)}" if released else f"Tried {_when(entries)}"
    by = f" by {who}" if who else ""
    return Report(
        f"{'Private answers' if len(_questions(entries)) > 1 else 'A private answer'} about {name}",
        f"{made}{by}. {name} is a {kind} table of {_size(entries)}.",
        edition,
        tuple(sections),
        view.made_on(),
        book.incomplete(table),
    )


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


def _bare(table: Data, edition: Edition) -> answers.Bare:
    """Answers without noise, of kinds that are numbers: of a table that was public when it was asked, and is now; of another one
    for its holder alone. None where the table was declared anew since."""

    def of(entry: Entry) -> FloatArray | None:
        about = entry.about
        if about.settings is None or not hasattr(about.answer, "shown"):
            return None
        if edition is Edition.SHARING and not (about.public and table.public):
            return None
        try:
            scenario = Scenario.from_json(about.settings)
            if part_of(scenario, table) != entry.part or table.size(scenario.columns, scenario.target) != scenario.n:
                return None
            return preview.answer(scenario, table).value
        except DpcoreError:
            return None

    return of


def _asked(entries: tuple[Entry, ...], edition: Edition, bare: answers.Bare) -> Section:
    """What was asked and what came, one under the other."""
    found = answers.sections(entries, edition, bare)
    blocks: list[Block] = []
    if len(found) == 1:
        _, _, question = found[0].title.partition(" ")
        return Section("What was asked, and what is the answer?", (Text(f"Asked: {question}."), *found[0].blocks))
    blocks.append(Text(f"{counted(len(found), ' questions')} {'was' if len(found) == 1 else 'were'} asked.", lead=True))
    overview = answers.overview(entries, edition)
    return Section("What was asked, and what are the answers?", (*blocks, *((overview,) if overview is not None else ())), found)


def _guarantee(book: Book, table: Data, released: tuple[Entry, ...]) -> list[Section]:
    """Who is protected and who is not: by one guarantee of all answers, else by that of each."""
    found = covered.covered(book, table, released)
    sections: list[Section] = []
    for one in found:
        by = f" ({words.name(one.guarantee)}, of {one.questions})" * (len(found) > 1)
        sections += [promised.protected(one, by), promised.not_protected(one, by)]
    return sections + covered.together(book, table, released)


def _units(released: tuple[Entry, ...]) -> list[Section]:
    """What one row is, of each way in which the table was declared."""
    found = {
        (entry.about.protected, entry.release.adjacency, entry.about.records): entry.about.question
        for entry in reversed(released)
        if entry.release is not None
    }
    of = [f" (of “{question}”)" * (len(found) > 1) for question in found.values()]
    return [promised.unit_of(*key, which) for key, which in zip(found, of, strict=True)][::-1]


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
