"""Which columns a kind takes, and the member of it that suits them: from public declarations alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from dpcore.base.declared import KNOWN, Column
from dpcore.base.slots import Slot, fits, slots_of, stand_in
from dpcore.base.types import Target, takes_missing
from dpcore.errors import DpcoreError

__all__ = ["choices", "columns_for", "fits", "ordered", "releasing", "slots_of", "suited", "takers", "usable"]

Columns = tuple[Column, ...]
_USUAL = 1


def suited(kind: Any, columns: Columns) -> Any:
    """The member of this kind that suits exactly these columns; None where it takes others, or says that none does."""
    if not hasattr(kind, "suited") or not stand_in(slots_of(kind), columns):
        return None
    try:
        return kind.suited(columns)
    except DpcoreError:  # a member that its own constructor refuses suits nothing
        return None


def usable(kind: Any, columns: Columns) -> Columns:
    """Those of the columns whose rule for missing values a target, or a kind of it, can follow.

    Where only known values count, one that needs a value of every record is not offered: filling them shifts its answer.
    """
    return columns if takes_missing(kind) else tuple(column for column in columns if column.missing != KNOWN)


def choices(kind: Any, columns: Columns, slot: Slot, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of the columns that can stand in a slot of this kind, beside those that are taken; its role's first."""
    slots, others = slots_of(kind), set(taken)
    fit = [column for column in columns if slot.accepts(column) and column.name not in others]
    if slots == (slot,) and slot.least == 1:
        fit = [column for column in fit if suited(kind, (column,)) is not None]
    elif not slot.several:  # and something is left for the other slots
        rest = [other for other in slots if other is not slot]
        fit = [one for one in fit if all(any(other.accepts(c) and c.name != one.name for c in columns) for other in rest)]
    return tuple(column.name for column in sorted(fit, key=lambda column: bool(slot.role) and column.role != slot.role))


def columns_for(kind: Any, columns: Columns, current: tuple[str, ...] = (), suggested: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The columns that this kind takes: of the current ones as many as it can use, then the suggested, then the table's first.

    Empty where it finds none. Where a slot is for several, those for one are behind it, and are filled from the end.
    """
    slots = slots_of(kind)
    several = next((slot for slot in slots if slot.several), None)
    filled: dict[str, tuple[str, ...]] = {}
    for slot in slots:
        if not slot.several:
            known = choices(kind, columns, slot, _names(filled.values()))
            order = (current[::-1], suggested[::-1]) if several else (current, suggested)
            wanted = [name for names in (*order, known) for name in names if name in known]
            filled[slot.name] = tuple(wanted[:1])
    if several is not None:
        filled[several.name] = _several(kind, columns, several, _names(filled.values()), current, suggested)
    found = tuple(_names(filled[slot.name] for slot in slots))
    by_name = {column.name: column for column in columns}
    return found if suited(kind, tuple(by_name[name] for name in found)) is not None else ()


def ordered(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """In the order of a picker: by the ``place`` that a kind states, 1 where it states none, then by name."""
    return tuple(sorted(kinds, key=lambda kind: (getattr(kind, "place", _USUAL), kind.__name__)))


def releasing(kinds: Iterable[Any], target: Target) -> tuple[Any, ...]:
    """Those of the kinds of mechanisms that suit a target, what it is made for first."""
    suiting = [kind for kind in ordered(kinds) if kind.suited(target) is not None]
    return tuple(sorted(suiting, key=lambda kind: not kind.leads(target)))


@lru_cache(maxsize=64)
def takers(kinds: tuple[Any, ...], columns: Columns) -> tuple[Any, ...]:
    """Those of the kinds of targets that find columns for themselves among these."""
    return tuple(kind for kind in kinds if columns_for(kind, usable(kind, columns)))


def _several(
    kind: Any, columns: Columns, slot: Slot, taken: list[str], current: tuple[str, ...], suggested: tuple[str, ...]
) -> tuple[str, ...]:
    """The current ones as they are where they are complete, else filled up to as many as are usual."""
    known = choices(kind, columns, slot, taken)
    kept = [name for name in current if name in known]
    if len(kept) >= slot.least and (not taken or current[-1] in taken):
        return tuple(kept)
    wanted = dict.fromkeys(name for name in (*kept, *suggested, *known) if name in known)
    return tuple(wanted)[: max(slot.usual, len(kept))]


def _names(parts: Iterable[tuple[str, ...]]) -> list[str]:
    return list(_flat(parts))


def _flat(parts: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for part in parts:
        yield from part
