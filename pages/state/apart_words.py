"""Why what was released of one table does not add up, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantees.words import figure
from dpcore.ledger.lines import Event, Line
from dpcore.ledger.of_one_table import protects_rows_and_people, why_apart
from dpcore.ledger.spending import Spent
from pages.files.csv_columns.header import listed

_ROWS = "some protect a row each and others a person with all rows"
_PEOPLE = "some hide whether somebody is in the table and others which person somebody is"
_WHY = {
    "number of records": "they speak of different numbers of records",
    "oracle": "their noise was sized with different oracles",
}


def in_all(lines: Sequence[Line]) -> str:
    """What lines that stand in several ledgers have spent in all, which is no guarantee; empty where units are mixed."""
    if protects_rows_and_people(lines) or any(line.event is Event.ENTERED and line.guarantee is None for line in lines):
        return ""
    spent = Spent.by(tuple(lines))
    delta = f" and δ = {figure(spent.delta)}" * bool(spent.delta)
    return f"In all, ε = {figure(spent.epsilon)}{delta} was spent on this table. No one guarantee covers that."


def why(lines: Sequence[Line]) -> str:
    """The sentence; empty where nothing keeps them apart."""
    reasons = {**_WHY, "adjacency": _ROWS if protects_rows_and_people(lines) else _PEOPLE}
    said = [reasons[name] for name in why_apart(lines)]
    return f"They do not add up, because {listed(said)}." if said else ""
