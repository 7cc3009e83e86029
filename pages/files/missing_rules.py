"""What becomes of a missing value, in a sentence for each column."""

from __future__ import annotations

from dpcore.base.declared import CATEGORY, CONSTANT, Column
from dpcore.base.types import takes_missing

KNOWN_ALONE = "A missing value fits no condition and no group. Only known values count."
OWN_RULE = "A missing value stayed missing, and what is asked says what becomes of it."


def rule_of(column: Column) -> str:
    """What its holder chose for a missing value."""
    told = {CONSTANT: f"counted as {column.stands}", CATEGORY: "was a category of its own"}.get(column.missing)
    return f"Only the known values of {column.name} counted." if told is None else f"A missing {column.name} {told}."


def neither(column: Column, target: object, public: bool) -> str:
    """What becomes of a category that is none of the two that a target tells apart."""
    first, second = column.classes
    if public:
        what = "its row was left out"
    elif takes_missing(target):
        what = "its row counted nowhere"
    else:
        what = f"it counted as {first} in a label, and as the middle of both in a feature"
    return f"Where {column.name} was neither {first} nor {second}, {what}."
