"""The ledgers of one table: a line stands in the first that it adds up with, and each knows of answers in the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dpcore.errors import IncompatibleReleasesError
from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.accounting import Ledger
from dpcore.ledger.lines import Line


def first_that_takes(ledgers: Sequence[Ledger], add: Callable[[Ledger], Ledger], *, after_responses: bool) -> tuple[int, Ledger]:
    """The place of the first ledger that takes it, and that ledger with it; a new one behind them where none does."""
    for place, ledger in enumerate(ledgers):
        try:
            return place, add(ledger)
        except IncompatibleReleasesError:
            continue
    return len(ledgers), add(Ledger(after_responses=after_responses))


def planned(ledgers: Sequence[Ledger], line: Line) -> list[Ledger]:
    """The ledgers with one more release fixed, before the first response to the table."""
    return _put(ledgers, lambda one: one.planned([line]), after_responses=False)[0]


def charged(ledgers: Sequence[Ledger], line: Line) -> tuple[list[Ledger], Line]:
    """The ledgers after one more charge, whatever a budget says, and the line as it stands among them."""
    answered = any(one.responded for one in ledgers)
    after, new = _put(ledgers, lambda one: one.holding(line), after_responses=answered)
    if line.responded:
        after = [one if one is new else replace(one, after_responses=True) for one in after]
    return after, new.lines[-1]


def joined(ledgers: Sequence[Ledger]) -> list[Ledger]:
    """Those that add up become one, each line as it stands; each knows of answers in the others."""
    found: list[Ledger] = []
    for one in ledgers:
        found = with_ledger(found, one)
    answered = [any(line.responded for line in one.lines) for one in found]
    return [replace(one, after_responses=True) if sum(answered) > answered[i] else one for i, one in enumerate(found)]


def with_ledger(ledgers: Sequence[Ledger], more: Ledger) -> list[Ledger]:
    """The ledgers with the lines and the plan of another one, behind those of the first that it adds up with."""
    return _put(ledgers, lambda one: one.joined(more), after_responses=False)[0]


def _put(ledgers: Sequence[Ledger], add: Callable[[Ledger], Ledger], *, after_responses: bool) -> tuple[list[Ledger], Ledger]:
    place, new = first_that_takes(ledgers, add, after_responses=after_responses)
    return [*ledgers[:place], new, *ledgers[place + 1 :]], new


def protects_rows_and_people(lines: Sequence[Line]) -> bool:
    """Whether some lines protect a row each and others a person: neither guarantee counts in the other's unit."""
    return len({line.adjacency.of_records for line in lines if line.responded}) == 2


def counts_two_neighbours(lines: Sequence[Line]) -> bool:
    """Whether some lines protect a record that is replaced, and others one that is added or removed and do not join these."""
    return {Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD} <= {one.adjacency for one in lines if one.responded}


def why_apart(lines: Sequence[Line]) -> tuple[str, ...]:
    """In which of adjacency, number of records and oracle these lines differ, as ``IncompatibleReleasesError`` names them."""
    units = {line.adjacency for line in lines}
    sizes = {(line.adjacency, line.n) for line in lines}  # of rows and of people there are different numbers
    oracles = {line.drawn.oracle_id for line in lines if line.drawn is not None}
    differ = {"adjacency": len(units) > 1, "number of rows": len(sizes) > len(units), "oracle": len(oracles) > 1}
    return tuple(name for name, so in differ.items() if so)
