"""Which lines of a file a tab holds already: by the names of their charges, for a release counts once wherever it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpcore.ledger.accounting import Ledger, Line, Standing
from dpcore.ledger.charges import of_changed
from dpcore.ledger.standing import by_word
from pages.reports.saved.everything import Saved
from pages.state.book import PlannedRelease


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


def held(ledger: Ledger) -> Ledger:
    """With all that was sampled, and all that is planned, on a word."""
    plan = tuple(replace(line, standing=Standing.HELD) for line in ledger.plan)
    return replace(ledger, plan=plan, lines=tuple(map(by_word, ledger.lines)))


def _covers(own: Line, other: Line) -> bool:
    alike = (own.n, own.adjacency) == (other.n, other.adjacency) and own.responded >= other.responded
    return alike and all(here >= there for here, there in zip(_charged(own), _charged(other), strict=True))


def _charged(line: Line) -> tuple[float, float, float]:
    """ε, δ and γ, whatever was said of what came before it."""
    return line.epsilon, line.delta, line.joint_gamma if line.drawn is None else line.drawn.joint_gamma
