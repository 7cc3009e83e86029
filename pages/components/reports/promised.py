"""What a report says of guarantees: whether an answer may be published, who is protected, and who and what is not."""

from __future__ import annotations

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP
from dpcore.guarantees.unit import ROW, Unit
from dpcore.ledger.accounting import Standing
from dpcore.workbench.reports.document import Block, Notice, Points, Section, Text, Tone
from pages.components.reports.noise import questions
from pages.session.entry import BY_WORD, Entry

_WEAKER = "Random differential privacy is weaker than differential privacy itself."


def publishing(released: tuple[Entry, ...], joint: Guarantee | None) -> Section:
    """Whether the answers may be published. ``joint``: what covers all of them, where one guarantee does."""
    one = questions(released) == 1
    title = "May it be published?" if one else "May the answers be published?"
    bare = [entry for entry in released if entry.line is None or entry.line.guarantee is None]
    caveats = tuple(dict.fromkeys(caveat for entry in released for caveat in entry.caveats))
    if len(bare) == len(released):
        what, them = ("a private answer", "it") if one else ("private answers", "them")
        said = f"No, not as {what}: no guarantee covers {them}."
        return Section(title, (Text(said, lead=True), *(Notice(entry.promise, Tone.BAD) for entry in bare[:1])))
    blocks: list[Block] = []
    if caveats:
        blocks.append(Text("Only together with this warning:", lead=True))
        blocks += [Notice(caveat, Tone.CARE) for caveat in caveats]
    else:
        who = "Those with a guarantee may, together with it. The others may not." if bare else (
            "Yes, together with the guarantee below.")  # fmt: skip
        blocks += [Text(who, lead=True), Text(_beside(released, joint))]
    if any(entry.line is not None and entry.line.standing is Standing.HELD for entry in released):
        blocks.append(Notice(BY_WORD, Tone.CARE))
    blocks += [Notice(f"This one may not be published: “{entry.about.question}”. {entry.promise}", Tone.BAD) for entry in bare]
    return Section(title, tuple(blocks))


def _beside(released: tuple[Entry, ...], joint: Guarantee | None) -> str:
    """The line that goes with an answer wherever it is printed."""
    each = [line.guarantee for entry in released if (line := entry.line) is not None and line.guarantee is not None]
    names = list(map(words.name, each if joint is None else [joint]))
    adjacency = next(entry.release.adjacency for entry in released if entry.release is not None)
    unit = released[0].about.protected
    one = words.unit_of(adjacency).removeprefix("a ") if adjacency is not Adjacency.REPLACE_ONE_RECORD else unit.name
    weaker = ", which is weaker than differential privacy" * any("random DP" in name for name in names)
    said = "; ".join(dict.fromkeys(name.replace("DP", "differential privacy", 1) for name in names))
    return f"Print this line beside it: “With random noise, under {said}{weaker}, for one {one}.”"


def protected(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, of: str) -> Section:
    """Whom the guarantee protects, as odds and word for word. ``of``: what has it, in the middle of a sentence."""
    name = words.name(guarantee)
    guessed = (
        f"Suppose somebody knows everything of the table but {words.guessed(adjacency)}, and guesses that from what is "
        f"published. Where {words.unit_of(adjacency)} is protected, the guess is right "
        f"{words.guess(guarantee)}. By tossing a coin it would be right 50 times."
    )
    guessed += " Where it is not protected, nothing limits the guess." * isinstance(guarantee, RandomDP)
    weaker = f" {_WEAKER}" * isinstance(guarantee, RandomDP)
    lead = Text(f"{of}: {name}.{weaker}", lead=True)
    return Section("Who is protected?", (lead, Text(guessed), Text(words.sentence(guarantee, adjacency, unit), small=True)))


def not_protected(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, *, confidential: bool) -> Section:
    """Who is not, and what no guarantee covers."""
    said = [words.protects(unit, guarantee, adjacency)]
    if isinstance(guarantee, RandomDP):
        who = words.counted_in(adjacency)
        said.insert(
            0, f"Unusual {who} are not protected: those unlike the {who} of the made-up tables. Nothing is promised to them."
        )
        said.append(
            f"If real {who} differ more from one another than those of the made-up tables do, more of them are not protected."
        )
    said.append(
        "What is true of most people in the table is not hidden: the answer is meant to tell that, and it may tell something "
        "about people who are like them."
    )
    if confidential:
        said.append(
            "The guarantee covers no choice that was made by looking at the confidential table: of the question, the bounds, the "
            "oracle or ε. No program can check that."
        )
    said.append("Other answers about the same table add up with this one, also those that were given elsewhere.")
    return Section("Who is not protected, and what is not covered?", (Points(tuple(said)),))


def unit_of(unit: Unit, adjacency: Adjacency, records: int) -> Section:
    """What one row is, and how many there are."""
    what = "one row" if unit.name == ROW else f"one {unit.name}"
    if adjacency is not Adjacency.REPLACE_ONE_RECORD:
        said = f"One person, with all rows of that person, counts as one. There are {records:,} people."
        if adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
            said = f"One person, with all rows of that person, counts as one. Its holder states that there are about {records:,}."
        return Section("What does one row stand for?", (Text(said),))
    said = f"One row of the table is {what}." if unit.name != ROW else "It was not said what one row of the table is."
    if not unit.answered:
        more = "It was not said whether one person can have several rows."
    elif unit.several is None:
        more = "The rows are not about persons, says the table's holder."
    else:
        more = f"One person {'can have several rows' if unit.several else 'has one row'}, says the table's holder."
    return Section("What does one row stand for?", (Text(f"{said} {more} The table has {records:,} rows."),))
