"""The words of a report, each in a sentence or two."""

from __future__ import annotations

from dpcore.guarantees.privacy import RandomDP
from pages.reports.document import Section, Table
from pages.state.entry import Entry

_WORDS = {
    "ε (epsilon)": "How much an answer may tell about one record. 0 tells nothing; the larger it is, the less is protected.",
    "δ (delta)": "A small chance that more is told than ε allows. 0 where it is not named.",
    "differential privacy (DP)": "Whoever sees the answer learns hardly more of one record than if another stood there.",
}
_RANDOM = {
    "random DP": "Differential privacy for all but a share γ of changes, of records that are like those of made-up tables. It is "
    "weaker than differential privacy, which holds for every change.",
    "γ (gamma)": "The share of changes that are not protected, when records are drawn from the oracle. It is no share of the "
    "people in the table.",
    "oracle": "A recipe for made-up tables with the same columns. The noise is sized by how far the answer moves in them.",
}
_LAST = {
    "noise": "A random number that is added to an answer. It hides what one record says, as far as ε allows.",
    "ledger, budget": "The list of what all answers about a table have spent; the most that they may spend.",
}


def of(released: tuple[Entry, ...]) -> Section:
    """Those that a report of these responses uses."""
    return section(random=any(entry.release is not None and isinstance(entry.release.guarantee, RandomDP) for entry in released))


def section(*, random: bool) -> Section:
    """``random``: with those of random DP."""
    rows = tuple((_WORDS | (_RANDOM if random else {}) | _LAST).items())
    return Section("What do the words mean?", (Table(("word", "meaning"), rows, "Words of this report"),))
