"""Lines as plain data, and back: each field is checked, so that no file makes a line that no ledger has.

What a file says cannot be proved: who reads lines back decides what they stand for (``Ledger.from_json``).
"""

from __future__ import annotations

from dpcore.base.plain import a_list, an_object, from_plain, most, to_plain, truth
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency, Guarantee
from dpcore.ledger.lines import Event, Line, Standing

MOST_LINES = 1_000  # of one ledger: each is judged by those before it


def ledger_from_plain(said: object) -> tuple[Guarantee | None, tuple[Line, ...], tuple[Line, ...], bool]:
    """Budget, plan, lines and whether there were responses before, of ``Ledger.to_json``; InvalidValueError for anything else."""
    given = an_object("ledger", said, ("budget", "plan", "lines", "after_responses"))
    plan, lines = _lines("plan", given["plan"], planned=True), _lines("lines", given["lines"])
    budget: Guarantee | None = from_plain(Guarantee | None, given["budget"], "guarantee")
    return budget, plan, lines, truth("after_responses", given["after_responses"])


def _lines(name: str, said: object, *, planned: bool = False) -> tuple[Line, ...]:
    lines = tuple(line_from_plain(one, planned=planned) for one in most(MOST_LINES)(name, a_list(name, said)))
    if not planned and len({line.charge for line in lines}) < len(lines):
        raise InvalidValueError(name, "each with a charge of its own", len(lines))
    return lines


def line_from_plain(said: object, *, planned: bool = False) -> Line:
    """What ``to_plain`` gave; InvalidValueError names the field that no such line has. ``planned``: one of a plan."""
    line: Line = from_plain(Line, said)
    if not line.charge and not planned:
        raise InvalidValueError("charge", "32 hexadecimal digits", line.charge)
    _refuse_strange(line, planned=planned)
    return line


def _refuse_strange(line: Line, *, planned: bool) -> None:
    """InvalidValueError for numbers, an event and a standing that do not go together in any ledger."""
    drawn, standing = line.drawn, line.standing
    if planned:
        fits = line.event is Event.RELEASE and standing in (Standing.PROVED, Standing.HELD, Standing.INEXACT)
        fits = fits and (drawn is not None or line.epsilon > 0) and _as_drawn(line)
    elif drawn is None:
        fits = line.event is not Event.DRAWS and _without_draws(line)
    else:
        fits = line.event is not Event.ENTERED and standing not in (Standing.PROVED, Standing.APART)
        fits = fits and (line.epsilon > 0) == (line.event is not Event.DRAWS) and (_as_drawn(line) or _enlarged(line))
    if line.doubled:
        fits = fits and drawn is None and not line.delta and line.adjacency is Adjacency.REPLACE_ONE_RECORD
    if not fits:
        raise InvalidValueError("line", "one whose event, standing and numbers go together", to_plain(line))


def _without_draws(line: Line) -> bool:
    if line.standing is Standing.NONE:
        return line.event is Event.ENTERED and not (line.epsilon or line.delta or line.gamma or line.joint_gamma)
    if line.standing is Standing.APART:
        return line.event is Event.ENTERED and line.gamma > 0 and line.joint_gamma > 0
    plain = not (line.gamma or line.joint_gamma or line.confidence)
    return line.standing in (Standing.PROVED, Standing.INEXACT) and line.epsilon > 0 and plain


def _as_drawn(line: Line) -> bool:
    """Whether its promise is that of its operating point."""
    drawn = line.drawn
    if drawn is None:
        return not (line.gamma or line.joint_gamma or line.confidence)
    return (line.gamma, line.confidence) == (drawn.gamma, drawn.confidence) and line.joint_gamma >= drawn.joint_gamma


def _enlarged(line: Line) -> bool:
    """Whether it is that of (5), or of a line whose draws it shares."""
    drawn, later = line.drawn, line.standing in (Standing.LARGER, Standing.HELD)
    return later and drawn is not None and line.joint_gamma >= drawn.joint_gamma and line.gamma > 0
