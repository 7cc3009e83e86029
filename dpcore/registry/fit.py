"""Which columns a kind takes, and the member of it that suits them: from public declarations alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

from dpcore.base.declared import KNOWN, Column
from dpcore.base.slots import Slot, fits, slots_of, stand_in
from dpcore.base.types import Target, can_be_asked
from dpcore.errors import DpcoreError

__all__ = ["choices", "columns_for", "fits", "ordered", "releasing", "slots_of", "suited", "takers", "usable"]

Columns = tuple[Column, ...]


def suited(kind: Any, columns: Columns) -> Any:
    """Return the member of a class that suits exactly these columns, or None."""
    if not stand_in(kind.takes, columns):
        return None
    try:
        member = kind.suited(columns)
    except DpcoreError:  # what its own constructor refuses suits nothing
        return None
    if isinstance(member, Target) and usable(member, columns) != columns and not can_be_asked(member):
        return None
    return member


def usable(kind: Any, columns: Columns) -> Columns:
    """Return the columns whose rule for missing values a target can follow, or a question with some target of a class.

    If only the known values of a column count, a target that needs a value of every record is not offered, because filled-in
    values would shift its answer. A question asks for its form for known values.
    """
    takes_all = kind.takes_missing or kind.reads_missing or (isinstance(kind, type) and can_be_asked(kind))
    return columns if takes_all else tuple(column for column in columns if column.missing != KNOWN)


def choices(kind: Any, columns: Columns, slot: Slot, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of the columns that can stand in a slot of this kind, beside those that are taken; its role's first."""
    slots, others = kind.takes, set(taken)
    fit = [column for column in columns if slot.accepts(column) and column.name not in others]
    if slots == (slot,) and slot.least == 1:
        fit = [column for column in fit if _offered(kind, (column,))]
    elif not slot.several:  # and something is left for the other slots
        rest = [other for other in slots if other is not slot]
        fit = [one for one in fit if all(any(other.accepts(c) and c.name != one.name for c in columns) for other in rest)]
    return tuple(column.name for column in sorted(fit, key=lambda column: bool(slot.role) and column.role != slot.role))


def columns_for(kind: Any, columns: Columns, current: tuple[str, ...] = (), suggested: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The columns that this kind takes: of the current ones as many as it can use, then the suggested, then the table's first.

    Current ones that fill all slots stay as they are. Else, where a slot is for several, those for one are behind it: they take
    the column of their role, and then are filled from the end. Empty where it finds none.
    """
    if _suit(kind, columns, current):
        return current
    slots = kind.takes
    several = next((slot for slot in slots if slot.several), None)
    filled: dict[str, tuple[str, ...]] = {}
    for slot in slots:
        if not slot.several:
            known = choices(kind, columns, slot, chain.from_iterable(filled.values()))
            of_role = tuple(column.name for column in columns if slot.role and column.role == slot.role)
            order = (of_role, current[::-1], suggested[::-1]) if several else (current, suggested)
            wanted = [name for names in (*order, known) for name in names if name in known]
            filled[slot.name] = tuple(wanted[:1])
    taken = list(chain.from_iterable(filled.values()))
    if several is not None:
        filled[several.name] = _several(kind, columns, several, taken, current, suggested)
    found = tuple(chain.from_iterable(filled[slot.name] for slot in slots))
    return found if _suit(kind, columns, found) else ()


def _suit(kind: Any, columns: Columns, names: tuple[str, ...]) -> bool:
    """Whether a member of this kind suits exactly the columns of these names."""
    by_name = {column.name: column for column in columns}
    picked = tuple(by_name[name] for name in dict.fromkeys(names) if name in by_name)
    return len(picked) == len(names) and _offered(kind, picked)


def _offered(kind: Any, columns: Columns) -> bool:
    """Whether some member of this kind suits exactly these columns."""
    return suited(kind, columns) is not None if kind.offered is None else kind.offered(columns)


def ordered(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """In the order of a picker: by the ``place`` that a kind states, 1 where it states none, then by name."""
    return tuple(sorted(kinds, key=lambda kind: (kind.place, kind.__name__)))


def releasing(kinds: Iterable[Any], target: Target) -> tuple[Any, ...]:
    """Those of the kinds of mechanisms that suit a target, what it is made for first."""
    suiting = [kind for kind in ordered(kinds) if suits(kind, target)]
    return tuple(sorted(suiting, key=lambda kind: not kind.leads(target)))


def suits(kind: Any, target: Target) -> bool:
    """Whether a kind of mechanism says that it suits a target."""
    return kind.suited(target) is not None


@lru_cache(maxsize=64)
def takers(kinds: tuple[Any, ...], columns: Columns) -> tuple[Any, ...]:
    """Those of the kinds of targets that find columns for themselves among these."""
    return tuple(kind for kind in kinds if columns_for(kind, usable(kind, columns)))


def _several(
    kind: Any, columns: Columns, slot: Slot, taken: list[str], current: tuple[str, ...], suggested: tuple[str, ...]
) -> tuple[str, ...]:
    """The current ones as they are where they are complete, else filled up to as many as are usual; where the kind refuses
    these, those among them that it takes beside one another."""
    known = choices(kind, columns, slot, taken)
    kept = [name for name in current if name in known]
    wanted = tuple(dict.fromkeys(name for name in (*kept, *suggested, *known) if name in known))
    whole = len(kept) >= slot.least and (not taken or current[-1] in taken)
    size = len(kept) if whole else max(slot.usual, len(kept))
    if _suit(kind, columns, (*wanted[:size], *taken)):
        return wanted[:size]
    found: tuple[str, ...] = ()
    for place, name in enumerate(wanted):
        if (place < len(kept) or len(found) < slot.usual) and _suit(kind, columns, (*found, name, *taken)):
            found = (*found, name)
    return found
