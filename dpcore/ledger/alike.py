"""Which lines can stand in one ledger: guarantees about other neighbours, sizes or oracles do not add up."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.errors import IncompatibleReleasesError
from dpcore.ledger.lines import Line


def refuse_unlike(first: Line, second: Line) -> None:
    """IncompatibleReleasesError where two lines differ in adjacency, in n, or in the oracle that they were drawn from."""
    if first.adjacency is not second.adjacency:
        raise IncompatibleReleasesError("adjacency", first.adjacency.value, second.adjacency.value)
    if first.n != second.n:
        raise IncompatibleReleasesError("number of records", first.n, second.n)
    if first.drawn is not None and second.drawn is not None and first.drawn.oracle_id != second.drawn.oracle_id:
        names = [f"{drawn.oracle} ({drawn.oracle_id[:8]})" for drawn in (first.drawn, second.drawn)]
        raise IncompatibleReleasesError("oracle", *names)


def refuse_any_unlike(lines: Sequence[Line]) -> None:
    """The same of any two of several lines."""
    drawn = next((line for line in lines if line.drawn is not None), None)
    for line in lines:
        refuse_unlike(lines[0], line)
        if drawn is not None:
            refuse_unlike(drawn, line)
