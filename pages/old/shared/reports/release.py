"""The report of what was released of a table: a question is each heading, and its answer stands under it."""

from __future__ import annotations

from typing import Any

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, RandomDP
from dpcore.guarantees.unit import ROW, Unit
from pages.experiment.scenario import Scenario
from pages.files.tables import Table as Data
from pages.ledger.book import CLOSED, Book, part_of
from pages.ledger.entry import Entry
from pages.old.experiment import preview
from pages.old.reports.document import Block, Notice, Points, Report, Section, Table, Text, Tone
from pages.old.shared.reports import answers, covered, noise, spent, view

# What a report says of guarantees: whether an answer may be published, who is protected, and who and what is not.


_WEAKER = "Differential privacy protects every change. Random differential privacy is weaker."


def publishing(released: tuple[Entry, ...], found: list[covered.Covered]) -> Section:
    """Whether the answers may be published. ``found``: which guarantees they have."""
    one = len(released) == 1
    title = "May it be published?" if one else "May the answers be published?"
    if any(CLOSED in entry.caveats for entry in released):
        what = "a private answer" if one else "private answers"
        return Section(title, (Text(f"No, not as {what}.", lead=True), Notice(CLOSED, Tone.BAD)))
    return Section(title, (Text("Yes, together with the guarantee below.", lead=True), *_beside(found)))


def _beside(found: list[covered.Covered]) -> list[Block]:
    """The line that goes with an answer wherever it is printed: that of all together, or one for each guarantee."""
    if len(found) == 1 and (found[0].together or len(found[0].entries) == 1):
        what = "each answer" if len(found[0].entries) > 1 else "it"
        return [Text(f"Print this line beside {what}: {_line(found[0])}")]
    lines = tuple(f"Beside {one.questions}: {_line(one)}" for one in found)
    more = "Each line is about one answer by itself. Several answers tell more together: see below what they come to."
    return [Text("Print its line beside each answer:"), Points(lines), Text(more)]


def _line(one: covered.Covered) -> str:
    weaker = " Differential privacy protects every change, and this is weaker." * isinstance(one.guarantee, RandomDP)
    named = words.name(one.guarantee).replace("DP", "differential privacy", 1)
    all_of = "all answers together " * one.together
    return f"“With random noise, {all_of}under {named}, for {_unit_words(one)}.{weaker}”"


def _unit_words(one: covered.Covered) -> str:
    """Whom the guarantee protects, in a few words."""
    if not one.adjacency.of_records:
        return "one person with all rows of that person"
    row = "one row" if one.unit.name == ROW else f"one {one.unit.name} (one row)"
    return f"{row}, and not for all rows of one person" if one.unit.several else row


def protected(one: covered.Covered, by: str) -> Section:
    """Whom the guarantee protects, as odds and word for word. ``by``: which one it is, of several."""
    guarantee, adjacency = one.guarantee, one.adjacency
    name = words.name(guarantee)
    of = "All answers together have this guarantee" if one.together else "The guarantee is"
    if len(one.entries) > 1 and not one.together:
        of = "Each of these answers has, by itself, this guarantee"
    guessed = (
        f"Suppose somebody knows everything of the table but {words.guessed(adjacency)}, and guesses that from what is "
        f"published. Where {words.unit_of(adjacency)} is protected, the guess is right "
        f"{words.guess(guarantee)}. By tossing a coin it would be right 50 times."
    )
    guessed += " Where it is not protected, nothing limits the guess." * isinstance(guarantee, RandomDP)
    weaker = f" {_WEAKER}" * isinstance(guarantee, RandomDP)
    lead = Text(f"{of}: {name}.{weaker}", lead=True)
    blocks = (lead, Text(guessed), Text(words.sentence(guarantee, adjacency, one.unit), small=True))
    return Section(f"Who is protected?{by}", blocks)


def not_protected(one: covered.Covered, by: str) -> Section:
    """Who is not, and what no guarantee covers."""
    guarantee, adjacency = one.guarantee, one.adjacency
    who = words.counted_in(adjacency)
    said = [words.protects(one.unit, guarantee, adjacency)]
    if isinstance(guarantee, RandomDP):
        said.insert(
            0, f"Unusual {who} are not protected: those unlike the {who} of the made-up tables. Nothing is promised to them."
        )
        said.append(
            f"If real {who} differ more from one another than those of the made-up tables do, more of them are not protected."
        )
    said.append(
        f"What is true of most {who} in the table is not hidden: the answer is meant to tell that, and it may tell something "
        f"about {who} that are like them."
    )
    if one.confidential:
        said.append(
            "The guarantee covers no choice that was made by looking at the confidential table: of the question, the bounds, the "
            "oracle or ε. No program can check that."
        )
    said.append("Other answers about the same table add up with this one, also those that were given elsewhere.")
    return Section(f"Who is not protected, and what is not covered?{by}", (Points(tuple(said)),))


def unit_of(unit: Unit, adjacency: Adjacency, records: int, which: str = "") -> Section:
    """What one row is, and how many there are."""
    what = "one row" if unit.name == ROW else f"one {unit.name}"
    if not adjacency.of_records:
        said = f"One person, with all rows of that person, counts as one. The table has {counted(records, ' people')}."
        if adjacency.removes:
            said = f"One person, with all rows of that person, counts as one. Its holder states that there are about {records:,}."
        return Section(f"What does one row stand for?{which}", (Text(said),))
    said = f"One row of the table is {what}." if unit.name != ROW else "It was not said what one row of the table is."
    if not unit.answered:
        more = "It was not said whether one person can have several rows."
    elif unit.several is None:
        more = "The rows are not about persons, says the table's holder."
    else:
        more = f"One person {'can have several rows' if unit.several else 'has one row'}, says the table's holder."
    size = f"The table has {counted(records, ' rows')}."
    if adjacency.removes:
        size = f"Its holder states that there are about {records:,}, and whether a row is there at all is protected."
    return Section(f"What does one row stand for?{which}", (Text(f"{said} {more} {size}"),))


_MOST_CATEGORIES = 12


def report(
    book: Book,
    table: Data,
    entries: tuple[Entry, ...],
    *,
    who: str = "",
    links: noise.Links = (),
) -> Report:
    """Of these responses about the table, in the order in which they came. ``who`` made them, where that is said. Answers of a
    public table have the ones without noise beside them."""
    released = tuple(entry for entry in entries if entry.release is not None)
    about = entries[0].about
    name = table.title or table.name
    sections = [_asked(entries, _bare(table), book)]
    if released:
        sections += [noise.exact(released), publishing(released, covered.covered(book, table, released))]
        sections += _guarantee(book, table, released)
        sections += [*_units(released), _missing(released), noise.oracle(released, who)]
    sections += [spent.spent(book, table)]
    if released:
        random = any(isinstance(entry.release.guarantee, RandomDP) for entry in released if entry.release is not None)
        sections += [spent.again(book, table, released), noise.checked(released, links), covered.glossary(random=random)]
    kind = "public" if about.public else "confidential"
    made = f"Released {_when(entries)}" if released else f"Tried {_when(entries)}"
    by = f" by {who}" if who else ""
    return Report(
        f"{'Private answers' if len(entries) > 1 else 'A private answer'} about {name}",
        f"{made}{by}. {name} is a {kind} table of {_size(entries)}.",
        tuple(sections),
        view.made_on(),
        book.incomplete(table),
    )


def _when(entries: tuple[Entry, ...]) -> str:
    first, last = entries[0].made, entries[-1].made
    return f"on {first}" if first == last else f"from {first} to {last}"


def _size(entries: tuple[Entry, ...]) -> str:
    entry = entries[0]
    things = words.counted_in(entry.release.adjacency) if entry.release is not None else "rows"
    return f"{entry.about.records:,} {things}"


def _bare(table: Data) -> answers.Bare:
    """Answers without noise, of kinds that are numbers, of a table that was public when it was asked, and is now. None where the
    table was declared anew since."""

    def of(entry: Entry) -> FloatArray | None:
        about = entry.about
        if about.settings is None or facts(about.answer).shown is None or not (about.public and table.public):
            return None
        try:
            scenario = Scenario.from_json(about.settings)
            if part_of(scenario, table) != entry.part or table.size(scenario.columns, scenario.target) != scenario.n:
                return None
            return preview.answer(scenario, table).value
        except DpcoreError:
            return None

    return of


def _asked(entries: tuple[Entry, ...], bare: answers.Bare, book: Book) -> Section:
    """What was asked and what came, one under the other."""
    found = answers.sections(entries, bare)
    if len(found) == 1:
        _, _, question = found[0].title.partition(" ")
        return Section("What was asked, and what is the answer?", (Text(f"Asked: {question}."), *found[0].blocks))
    lead, overview = Text(f"{counted(len(found), ' questions')} were asked.", lead=True), answers.overview(entries)
    return Section("What was asked, and what are the answers?", (lead,) if overview is None else (lead, overview), found)


def _guarantee(book: Book, table: Data, released: tuple[Entry, ...]) -> list[Section]:
    """Who is protected and who is not: by one guarantee of all answers, else by that of each."""
    found = covered.covered(book, table, released)
    sections: list[Section] = []
    for one in found:
        by = f" ({words.name(one.guarantee)}, of {one.questions})" * (len(found) > 1)
        sections += [protected(one, by), not_protected(one, by)]
    return sections + covered.together(book, table, released)


def _units(released: tuple[Entry, ...]) -> list[Section]:
    """What one row is, of each way in which the table was declared."""
    found = {
        (entry.about.protected, entry.release.adjacency, entry.about.records): entry.about.question
        for entry in reversed(released)
        if entry.release is not None
    }
    of = [f" (of “{question}”)" * (len(found) > 1) for question in found.values()]
    return [unit_of(*key, which) for key, which in zip(found, of, strict=True)][::-1]


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
