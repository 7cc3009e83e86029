"""What is said of the noise: how an answer was made, what sized its noise, who chose the oracle, and how to check."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.version import VERSION
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.registry.catalog import members
from pages.experiment.choices import title
from pages.experiment.scenario import Scenario
from pages.ledger.entry import Entry
from pages.old.experiment.oracle_origin import OracleOrigin
from pages.old.reports.document import Address, Block, Section, Text
from pages.old.shared.escape import behind, escaped, unmarked
from pages.old.wording.values import bound_words

# How a response was made, in words: its noise, and what that was sized to.


def how_made(entry: Entry) -> str:
    """How the response was made, in words."""
    release = entry.release
    assert release is not None
    of = release.provenance
    sensitivity = counted(words.figure(float(of["sensitivity"] or 0)), behind(moved_after(entry.about.answer)))
    noise = _noise(entry, words.figure(release.scale))
    if "sample_id" not in of:
        return f"{noise}, sized to the worst case, {sensitivity}."
    return (
        f"{noise}, sized to Δ̂ = {sensitivity}: number {of['k']:,} of {counted(format(of['m'], ','), ' trials')} under "
        f"{bound_words(str(of['bound']))}. The oracle was {escaped(entry.about.oracle)}."
    )


def _noise(entry: Entry, scale: str) -> str:
    """A choice in the receipt's words; other noise by its mechanism's name."""
    assert entry.release is not None
    settings, mechanism = entry.about.settings, entry.release.mechanism
    with suppress(DpcoreError):  # settings of members that are gone
        if settings is not None and (way := Scenario.from_json(settings).mechanism.chosen_by):
            return f"It was chosen by {way}, with noise of scale {scale}"
    kind = members("mechanisms").get(mechanism)
    return f"{facts(kind).in_words or f'{title(mechanism)} noise'} has scale {scale}"


Links = tuple[tuple[str, str], ...]  # what each is to, and the address
_WITH = ("numpy", "scipy", "opendp")
_WHOEVER = "whoever made this release"
_ORIGIN = {
    OracleOrigin.PROPOSED: "{who} chose it, by keeping the one that the app proposes for columns like these",
    OracleOrigin.BY_HAND: "{who} chose it by hand",
    OracleOrigin.OF_THE_TABLE: "{who} chose the public table's own rows for it",
}
_KNOWS = {
    OracleOrigin.PROPOSED: "It was made of what is declared of the columns alone.",
    OracleOrigin.BY_HAND: "It must have been chosen without a look at the table. No program can check that.",
    OracleOrigin.OF_THE_TABLE: "This one draws on the table's own rows, which are public.",
}


def exact(released: tuple[Entry, ...]) -> Section:
    """That random noise was added, and what that means."""
    one = len(released) == 1
    bare = [entry for entry in released if entry.release is not None and entry.release.scale == 0]
    if len(bare) == len(released):
        return Section(_title(one), (Text("Yes. It was proved that no noise is needed: no row moves the answer.", lead=True),))
    first = released[0].release
    assert first is not None
    what, unit = "the answer" if one else "an answer", words.unit_of(first.adjacency).removeprefix("a ")
    said = [f"No. Random noise was added on purpose: it hides what {what} would tell about a single {unit}."]
    said += [f"Only “{entry.about.question}” is exact: no row moves it, which is proved." for entry in bare]
    if any(entry.near is not None for entry in released):
        said.append(
            "The ± says how far the noise reaches: in 95 of 100 such releases the answer lies within it, measured from the one "
            "without noise. It says nothing of other errors: not whether the table is right, not whom it stands for, and "
            "not what the limits of a column cut off."
        )
    if any(entry.near is not None and entry.near[1] and len(entry.near[1]) > 1 for entry in released):
        said.append(
            "“All of its numbers at once” is wider: in 95 of 100 such releases every number of one answer lies within its "
            "own wider ±."
        )
    return Section(_title(one), (Text(said[0], lead=True), *map(Text, said[1:])))


def _title(one: bool) -> str:
    return "Is the answer exact?" if one else "Are the answers exact?"


def oracle(released: tuple[Entry, ...], who: str) -> Section:
    """Who chose the oracle, what it is, and how Δ̂ came of it."""
    maker = who or _WHOEVER
    said: list[str] = []
    sampled = [entry for entry in released if _sampled(entry)]
    for entry in _one_of_each(sampled):
        chose = _ORIGIN[entry.about.origin].format(who=maker)
        said += [f"{chose[:1].upper()}{chose[1:]}.", f"It is this: {entry.about.oracle}."]
    if sampled:
        said.append("An oracle is a recipe for made-up tables, which size the noise.")
        said += list(dict.fromkeys(_knows(entry) for entry in sampled))
    else:
        said.append("No oracle was used: the noise is sized to what is proved for every possible table.")
    lead, *rest = said
    return Section(
        "Who chose the oracle, and how was the noise sized?",
        (Text(lead, lead=True), *map(Text, rest), *(Text(_sized(entry), small=True) for entry in released)),
    )


@lru_cache(maxsize=1)
def made_with() -> str:
    """The versions that the numbers hang on."""
    return ", ".join([f"dpcore {VERSION}", *(f"{name} {version(name)}" for name in _WITH)])


def _knows(entry: Entry) -> str:
    """What an oracle knows of the table, as far as the app can tell."""
    said = _KNOWS[entry.about.origin]
    unseen = entry.about.origin is OracleOrigin.PROPOSED and not entry.about.public and not entry.caveats
    return f"{said} No value of the table is in it." if unseen else said


def _sampled(entry: Entry) -> bool:
    return entry.release is not None and "sample_id" in entry.release.provenance


def _one_of_each(entries: list[Entry]) -> list[Entry]:
    """The first of those that say the same of their oracle."""
    return list({(entry.about.origin, entry.about.oracle): entry for entry in reversed(entries)}.values())[::-1]


def _sized(entry: Entry) -> str:
    """How the noise on an answer was sized, as the page says it."""
    assert entry.release is not None
    seed = entry.release.provenance.get("seed")
    drawn = "" if seed is None else f" The tables were drawn from seed {seed}, which tells nothing of the noise."
    noise = f" The noise was {entry.release.sampling.words}." * bool(entry.release.scale)
    return f"“{entry.about.question}”: {unmarked(how_made(entry))}{drawn}{noise}"


def checked(released: tuple[Entry, ...], links: Links) -> Section:
    """How somebody can repeat what can be repeated."""
    sampled = any(map(_sampled, released))
    again = "draw the same made-up tables and " * sampled
    blocks: list[Block] = [
        Text(
            "The noise cannot be made again. How it was sized can be: the script and the notebook, which the app gives beside "
            f"this report, {again}come to the same size of the noise, without the table."
        )
    ]
    blocks += [Address(said, link) for said, link in links if link.startswith(("http://", "https://"))]
    blocks.append(Text(f"Made with {made_with()}.", small=True))
    return Section("How can this be checked?", tuple(blocks))
