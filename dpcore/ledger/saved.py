"""Lines and guarantees as plain data, and back: each field is checked, so that no file makes a line that no ledger has.

What a file says cannot be proved: who reads lines back decides what they stand for (``Ledger.from_json``).
"""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from typing import Any

from dpcore.base.checks import finite, share, whole
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.lines import Drawn, Event, Line, Standing
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

MOST_LINES = 1_000  # of one ledger: each is judged by those before it
_MOST_RECORDS = 2**53
_LONGEST = 2**17  # characters of a text
_NAME = re.compile(r"[0-9a-f]{32}")
_GUARANTEES: dict[str, Any] = {one.__name__: one for one in (PureDP, ApproxDP, RandomDP)}
_DRAWN = {field.name for field in fields(Drawn)}
_LINE = {field.name for field in fields(Line)}
_TEXTS = ("target", "target_id", "noise", "about", "answer", "made", "loaded")


def guarantee_to_plain(guarantee: Guarantee) -> dict[str, Any]:
    """Its kind and its numbers."""
    return {"kind": type(guarantee).__name__, **asdict(guarantee)}


def guarantee_from_plain(said: object) -> Guarantee:
    """What ``guarantee_to_plain`` gave; InvalidValueError for anything else."""
    given = object_of("guarantee", said)
    kind = given.pop("kind", None)
    known = _GUARANTEES.get(kind) if isinstance(kind, str) else None
    if known is None or set(given) != {field.name for field in fields(known)}:
        raise InvalidValueError("guarantee", f"an object of the kind {', '.join(_GUARANTEES)}, with its numbers", said)
    found: Guarantee = known(**given)
    return found


def line_to_plain(line: Line) -> dict[str, Any]:
    """Every field of it, in strings, numbers and None."""
    return asdict(line) | {"event": line.event.name, "adjacency": line.adjacency.name, "standing": line.standing.name}


def line_from_plain(said: object, *, planned: bool = False) -> Line:
    """What ``line_to_plain`` gave; InvalidValueError names the field that no such line has. ``planned``: one of a plan."""
    given = _exactly("line", said, _LINE)
    for name in _TEXTS:
        given[name] = _text(name, given[name])
    given["mechanism"] = None if given["mechanism"] is None else _text("mechanism", given["mechanism"])
    for name, kind in (("event", Event), ("adjacency", Adjacency), ("standing", Standing)):
        given[name] = _member(name, given[name], kind)
    given["n"] = _records(given["n"])
    given["epsilon"], given["noise_ratio"] = (
        _at_least_0("epsilon", given["epsilon"]),
        _at_least_0("noise_ratio", given["noise_ratio"]),
    )
    for name in ("delta", "gamma", "joint_gamma"):
        given[name] = _below_1(name, given[name])
    given["confidence"] = _confidence(given["confidence"])
    if given["composes_as"] not in ("", NORMAL, LAPLACE):
        raise InvalidValueError("composes_as", f"“{NORMAL}”, “{LAPLACE}” or empty", given["composes_as"])
    if not isinstance(given["charge"], str) or not (_NAME.fullmatch(given["charge"]) or (planned and not given["charge"])):
        raise InvalidValueError("charge", "32 hexadecimal digits", given["charge"])
    given["drawn"] = None if given["drawn"] is None else _drawn(given["drawn"])
    line = Line(**given)
    _refuse_strange(line, planned=planned)
    return line


def ledger_to_plain(
    budget: Guarantee | None, plan: tuple[Line, ...], lines: tuple[Line, ...], *, after_responses: bool
) -> dict[str, Any]:
    """All that a ledger is."""
    ceiling = None if budget is None else guarantee_to_plain(budget)
    planned, made = ([line_to_plain(line) for line in some] for some in (plan, lines))
    return {"budget": ceiling, "plan": planned, "lines": made, "after_responses": after_responses}


def ledger_from_plain(said: object) -> tuple[Guarantee | None, tuple[Line, ...], tuple[Line, ...], bool]:
    """Budget, plan, lines and whether there were responses before, as ``ledger_to_plain`` gave them; InvalidValueError for
    anything else."""
    given = _exactly("ledger", said, {"budget", "plan", "lines", "after_responses"})
    plan = tuple(line_from_plain(one, planned=True) for one in list_of("plan", given["plan"], MOST_LINES))
    lines = tuple(line_from_plain(one) for one in list_of("lines", given["lines"], MOST_LINES))
    if len({line.charge for line in lines}) < len(lines):
        raise InvalidValueError("lines", "each with a charge of its own", len(lines))
    budget = None if given["budget"] is None else guarantee_from_plain(given["budget"])
    return budget, plan, lines, truth("after_responses", given["after_responses"])


def _drawn(said: object) -> Drawn:
    given = _exactly("drawn", said, _DRAWN)
    for name in ("oracle", "oracle_id", "point_id"):
        given[name] = _text(name, given[name])
    for name in ("sample_id", "run_id"):
        given[name] = None if given[name] is None else _text(name, given[name])
    for name in ("local", "fitted"):
        given[name] = truth(name, given[name])
    given["k"] = _records(given["k"], "k")
    given["gamma"] = share("gamma", given["gamma"])
    given["joint_gamma"] = share("joint_gamma", given["joint_gamma"])
    given["confidence"] = _confidence(given["confidence"])
    return Drawn(**given)


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
    if not fits:
        raise InvalidValueError("line", "one whose event, standing and numbers go together", line_to_plain(line))


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


def object_of(name: str, said: object) -> dict[str, Any]:
    """A copy of an object with names; InvalidValueError for anything else."""
    if not isinstance(said, dict):
        raise InvalidValueError(name, "an entry with names", said)
    return dict(said)


def list_of(name: str, said: object, most: int) -> list[Any]:
    """A list of at most so many; InvalidValueError for anything else."""
    if not isinstance(said, list) or len(said) > most:
        raise InvalidValueError(name, f"a list of at most {most:,}", f"{len(said):,}" if isinstance(said, list) else said)
    return said


def truth(name: str, said: object) -> bool:
    """True or False; InvalidValueError for anything else."""
    if not isinstance(said, bool):
        raise InvalidValueError(name, "true or false", said)
    return said


def _exactly(name: str, said: object, names: set[str]) -> dict[str, Any]:
    given = object_of(name, said)
    if set(given) != names:
        raise InvalidValueError(name, f"an entry with {', '.join(sorted(names))}", sorted(given))
    return given


def _text(name: str, said: object) -> str:
    if not isinstance(said, str) or len(said) > _LONGEST or any("\ud800" <= letter <= "\udfff" for letter in said):
        raise InvalidValueError(name, f"a text of at most {_LONGEST:,} characters", said)
    return said


def _member(name: str, said: object, kind: Any) -> Any:
    if not isinstance(said, str) or said not in kind.__members__:
        raise InvalidValueError(name, f"one of {', '.join(kind.__members__)}", said)
    return kind[said]


def _records(said: object, name: str = "n") -> int:
    if whole(name, said) > _MOST_RECORDS:
        raise InvalidValueError(name, "a whole number of at most 2⁵³", said)
    return whole(name, said)


def _at_least_0(name: str, said: object) -> float:
    if (value := finite(name, said)) < 0:
        raise InvalidValueError(name, "a number of at least 0", said)
    return value


def _below_1(name: str, said: object) -> float:
    if (value := _at_least_0(name, said)) >= 1:
        raise InvalidValueError(name, "at least 0 and below 1", said)
    return value


def _confidence(said: object) -> float | None:
    return None if said is None else share("confidence", said)
