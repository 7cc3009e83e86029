"""Things that are counted: one record, and two records."""

from __future__ import annotations

_ONE = {
    "records": "record",
    "rows": "row",
    "ranks": "rank",
    "letters": "letter",
    "trials": "trial",
    "points": "point",
    "lines": "line",
    "releases": "release",
    "questions": "question",
    "pinned scenarios": "pinned scenario",
    "public records": "public record",
}


def counted(number: str, after: str) -> str:
    """A number, as it is written, and the unit behind it, which begins with a blank: 1 record, ± 1 rank, 2 records, 1 years.

    Units of columns stay as their holders write them.
    """
    one = _ONE.get(after.strip()) if number.removeprefix("±").lstrip() == "1" else None
    return f"{number} {one}" if one else number + after
