"""Things that are counted: one row, and two rows."""

from __future__ import annotations

_ONE = {
    "records": "record",  # in files of earlier versions
    "rows": "row",
    "ranks": "rank",
    "letters": "letter",
    "trials": "trial",
    "fresh trials": "fresh trial",
    "points": "point",
    "lines": "line",
    "releases": "release",
    "questions": "question",
    "pinned scenarios": "pinned scenario",
    "public rows": "public row",
    "people": "person",
    "made-up people": "made-up person",
    "groups": "group",
    "numbers": "number",
    "values": "value",
    "known values": "known value",
    "columns": "column",
    "cells": "cell",
    "more columns": "more column",
    "bins": "bin",
    "bars": "bar",
    "pairs": "pair",
    "counts": "count",
    "categories": "category",
    "candidates": "candidate",
    "answers": "answer",
    "distances": "distance",
    "times": "time",
    "cores": "core",
    "workers": "worker",
    "years": "year",
    "months": "month",
    "weeks": "week",
    "days": "day",
    "hours": "hour",
    "minutes": "minute",
    "seconds": "second",
}


def counted(number: str | int, after: str) -> str:
    """A number, a whole one or as it is written, and the unit behind it, which begins with a blank: 1 row, 2 rows, ± 1
    rank.

    A unit that is none of these words stays as its holder wrote it.
    """
    number = number if isinstance(number, str) else f"{number:,}"
    one = _ONE.get(after.strip()) if number.removeprefix("±").lstrip() == "1" else None
    return f"{number} {one}" if one else number + after
