"""The members of the catalogue: found by name, read from JSON, and fitted to the declared columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from itertools import chain
from typing import Any

from dpcore import curves, mechanisms, oracles, targets
from dpcore.base.columns import KNOWN, Column, Slot, stand_in
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.norms import norm_named
from dpcore.base.types import Target, can_be_asked
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError

Columns = tuple[Column, ...]

FOLDERS = {"targets": targets, "curves": curves, "oracles": oracles, "mechanisms": mechanisms}
# The fields of a member whose values are of another folder, and the classes of folders that are not packages.
_INSIDE = {"curve": "curves", "where": "conditions", "by": "groups", "table": "columns", "norm": "norms"}
_PARTS: dict[str, dict[str, type[Any]]] = {
    "columns": {"Column": Column},
    "conditions": {"Filter": Filter},
    "groups": {"GroupBy": GroupBy},
}
_MOST_DEPTH = 16  # of members and lists within one another


def members(folder: str) -> dict[str, type[Any]]:
    """Return the classes that ``dpcore.targets``, ``curves``, ``oracles`` or ``mechanisms`` lists, by name."""
    package = FOLDERS[folder]
    return {name: vars(package)[name] for name in sorted(package.__all__)}


def title_of(kind: type[Any]) -> str:
    """Return the title of a class, or its name in words.

    Examples:
        >>> title_of(members("targets")["LetterCounts"])
        'Letter counts'
    """
    return kind.title or re.sub(r"(?<!^)([A-Z])", lambda capital: f" {capital[1].lower()}", kind.__name__)


def ordered(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """Return classes in the order of a picker: by their ``place``, then by name."""
    return tuple(sorted(kinds, key=lambda kind: (kind.place, kind.__name__)))


# Members from JSON.


def from_json(value: object, folder: str, depth: int = 0) -> Any:
    """Return the member that ``{"kind": name, field: value…}`` describes, checked by its own constructor.

    Args:
        value: Plain data.
        folder: "targets", "curves", "oracles" or "mechanisms".
        depth: How many members it is in.

    Raises:
        UnknownKindError: If there is no such class or field.
        InvalidValueError: If the constructor refuses a value.
    """
    if not isinstance(value, dict):
        raise InvalidValueError(folder[:-1], "an entry that names its kind", value)
    if depth > _MOST_DEPTH:
        raise InvalidValueError(folder[:-1], "of fewer members within members", None)
    known = _PARTS.get(folder) or members(folder)
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise UnknownKindError(folder[:-1], kind, tuple(known))
    names = {field.name for field in fields(known[kind])}
    given = {name: _built(item, _INSIDE.get(name, folder), depth + 1) for name, item in value.items() if name != "kind"}
    if strange := sorted(set(given) - names):
        raise UnknownKindError(f"field of {kind}", strange[0], tuple(sorted(names)))
    try:
        return known[kind](**given)
    except DpcoreError:
        raise
    except TypeError:
        raise InvalidValueError(kind, f"given with all its settings: {', '.join(sorted(names))}", None) from None
    except (ValueError, ArithmeticError, MemoryError):  # for example lists of unequal lengths, or a number beyond all floats
        raise InvalidValueError(kind, "given values that it can be made of", None) from None


def _built(value: object, folder: str, depth: int) -> object:
    if folder == "norms":
        return norm_named(value)
    if isinstance(value, dict):
        return from_json(value, folder, depth)
    if isinstance(value, list):
        if depth > _MOST_DEPTH:
            raise InvalidValueError(folder[:-1], "of fewer lists within lists", None)
        return tuple(_built(item, folder, depth + 1) for item in value)
    return value


# Which columns a class takes, and which member suits them: decided only from public declarations.


def suited(kind: Any, columns: Columns) -> Any:
    """Return the member of a class that suits exactly these columns, or None."""
    if not stand_in(kind.takes, columns):
        return None
    try:
        member = kind.suited(columns)
    except DpcoreError:  # its own constructor refuses the columns
        return None
    if isinstance(member, Target) and usable(member, columns) != columns and not can_be_asked(member):
        return None
    return member


def usable(kind: Any, columns: Columns) -> Columns:
    """Return the columns whose rule for missing values a target, or a class of targets, can follow.

    If only the known values of a column count, a target that needs a value of every record is not offered, because filled-in
    values would shift its answer. A question asks for its form for known values.
    """
    takes_all = kind.accepts_missing or kind.reads_missing or (isinstance(kind, type) and can_be_asked(kind))
    return columns if takes_all else tuple(column for column in columns if column.missing != KNOWN)


def choices(kind: Any, columns: Columns, slot: Slot, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the columns that can be in a slot of a class, those of the slot's role first.

    Args:
        kind: The class.
        columns: The declared columns.
        slot: One of its slots.
        taken: The names of columns that are in other slots.
    """
    slots, others = kind.takes, set(taken)
    fit = [column for column in columns if slot.accepts(column) and column.name not in others]
    if slots == (slot,) and slot.least == 1:
        fit = [column for column in fit if _offered(kind, (column,))]
    elif not slot.several:  # a column has to be left for each other slot
        rest = [other for other in slots if other is not slot]
        fit = [one for one in fit if all(any(other.accepts(c) and c.name != one.name for c in columns) for other in rest)]
    return tuple(column.name for column in sorted(fit, key=lambda column: bool(slot.role) and column.role != slot.role))


def columns_for(kind: Any, columns: Columns, current: tuple[str, ...] = (), suggested: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of the columns that a class gets; empty if it finds none.

    Current columns that fill all slots stay. Otherwise it takes as many of the current ones as it can use, then the suggested,
    then the table's first. If a slot is for several columns, the slots for one are behind it: they take the column of their
    role, and then are filled from the end.

    Args:
        kind: The class.
        columns: The declared columns.
        current: The names of the columns that are picked now.
        suggested: Names of columns that come next.
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


def _several(
    kind: Any, columns: Columns, slot: Slot, taken: list[str], current: tuple[str, ...], suggested: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the current columns if they are complete, otherwise filled up to the usual number.

    If the class refuses these, return those of them that it takes beside one another.
    """
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


def _suit(kind: Any, columns: Columns, names: tuple[str, ...]) -> bool:
    """Return whether a member of a class suits exactly the columns of these names."""
    by_name = {column.name: column for column in columns}
    picked = tuple(by_name[name] for name in dict.fromkeys(names) if name in by_name)
    return len(picked) == len(names) and _offered(kind, picked)


def _offered(kind: Any, columns: Columns) -> bool:
    """Return whether a member of a class suits exactly these columns."""
    return suited(kind, columns) is not None if kind.offered is None else kind.offered(columns)


@lru_cache(maxsize=64)
def takers(kinds: tuple[Any, ...], columns: Columns) -> tuple[Any, ...]:
    """Return the classes of targets that find columns for themselves among these."""
    return tuple(kind for kind in kinds if columns_for(kind, usable(kind, columns)))


def releasing(kinds: Iterable[Any], target: Target) -> tuple[Any, ...]:
    """Return the classes of mechanisms that suit a target, those made for it first."""
    suiting = [kind for kind in ordered(kinds) if kind.suited(target) is not None]
    return tuple(sorted(suiting, key=lambda kind: not kind.leads(target)))
