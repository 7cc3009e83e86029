"""What one of several questions together has to offer: its ways, how many numbers it answers with, and its answer or failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.facts import facts, ways_by
from dpcore.base.types import Database, FloatArray, groups_of, person_of

METHODS = {"additive": "contribution", "pair": "pair", "batch": "batch"}


def attempted(evaluate: Callable[[Any], FloatArray], part: Any) -> tuple[FloatArray | None, str]:
    """A part's answer, or the kind of its failure and nothing of its message, which could quote a record: what names the
    question is raised outside of this handler, so that no exception of the part is chained to it."""
    try:
        return evaluate(part), ""
    except MemoryError:
        raise  # the machine's failure, not the question's
    except Exception as error:
        return None, type(error).__name__


def ways_of(part: Any) -> tuple[str, ...]:
    """Which ways a part states and has the method for; a question about people has its own names for these."""
    methods = METHODS if person_of(part) is None else {"additive": "each", "batch": "batch_of_people"}
    return ways_by(part, methods)


def one_by_one(part: Any) -> Callable[[list[Database]], FloatArray]:
    """The part's answers on many databases, in one call each: (b, d)."""
    return lambda databases: rows_of([np.ravel(part(one)) for one in databases], len(databases))


def size_of(part: Any) -> int:
    """How many numbers it answers with: as it says, else one a candidate and group that it names, else one."""
    inner = part if facts(part).target is None else part.target
    own = facts(inner).numbers or len(facts(inner).candidates) or 1
    return int(own) * max(1, len(groups_of(part)))


def rows_of(values: Any, rows: int) -> FloatArray:
    """One row of numbers for each of so many databases or records: (rows, d)."""
    return np.asarray(values, dtype=np.float64).reshape(rows, -1)
