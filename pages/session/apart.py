"""Why what was released of one table does not add up, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.ledger.lines import Line
from dpcore.ledger.of_one_table import protects_rows_and_people, why_apart
from dpcore.workbench.csv_columns.listed import listed

_ROWS = "some protect a row each and others a person with all rows"
_PEOPLE = "some hide whether somebody is in the table and others which person somebody is"
_WHY = {
    "number of records": "they speak of different numbers of records",
    "oracle": "their noise was sized with different oracles",
}


def why(lines: Sequence[Line]) -> str:
    """The sentence; empty where nothing keeps them apart."""
    reasons = {**_WHY, "adjacency": _ROWS if protects_rows_and_people(lines) else _PEOPLE}
    said = [reasons[name] for name in why_apart(lines)]
    return f"They do not add up, because {listed(said)}." if said else ""
