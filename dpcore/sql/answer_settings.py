"""What a person may say of a query’s answer: its bounds, what stands where there is no number, what a part of the rows gives."""

from __future__ import annotations

ALIKE, IN_PROPORTION = "alike", "in proportion"
MISSING = {
    "label": "Where there is no number",
    "title": "Where the query gives no number, count",
    "empty": "Nothing: it fails there",
    "shown": lambda value: None if value is None else (value,),
    "made": lambda _, given: given[0] if isinstance(given, tuple) and len(given) == 1 else given,
    "help": "For NULL, an infinite number, a group without a row, and a value of the table that the query cannot work with. A "
    "trial that fails counts as one that moves the answer without end.",
}
BETWEEN = {
    "label": "Bounds of the answer",
    "title": "Each number lies between",
    "empty": "lowest, highest",
    "help": "Public bounds, from what the number can be and not from the table: what lies beyond counts as the nearest. Blocks, "
    "on Release, need them.",
}
PART = {
    "label": "For a part of the rows",
    "title": "For half the rows the answer is",
    "choices": {"": "Not said", ALIKE: "About the same, as a mean is", IN_PROPORTION: "About half, as a sum is"},
}
