"""Lines as plain data, and back: each field is checked, so that no file makes a line that no ledger has.

Nothing proves what a file says: ``Ledger.from_json`` decides what its lines count for.
"""

from __future__ import annotations

from dpcore.base.plain import a_list, an_object, from_plain, most, to_plain
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.lines import Event, Line

MOST_LINES = 1_000  # of one ledger


def ledger_from_plain(said: object) -> tuple[Guarantee | None, tuple[Line, ...]]:
    """Return budget and lines of ``Ledger.to_json``; InvalidValueError for anything else."""
    given = an_object("ledger", said, ("budget", "lines"))
    budget: Guarantee | None = from_plain(Guarantee | None, given["budget"], "guarantee")
    return budget, tuple(map(_line, most(MOST_LINES)("lines", a_list("lines", given["lines"]))))


def _line(said: object) -> Line:
    """InvalidValueError names the field that no line has."""
    line: Line = from_plain(Line, said)
    drawn = line.drawn
    if drawn is None:
        fits = line.event is not Event.DRAWS and line.epsilon > 0 and not line.later
    else:
        certified = drawn.confidence is not None or drawn.joint_gamma == drawn.gamma
        fits = certified and (line.epsilon > 0) == (line.event is not Event.DRAWS)
    if line.doubled:
        fits = fits and drawn is None and not line.delta and not line.adjacency.removes
    if not fits or line.n < 1:
        raise InvalidValueError("line", "one whose event and numbers go together", to_plain(line))
    return line
