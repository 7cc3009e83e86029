"""Three noises at one ε, and what each of them protects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.bounds import Interval
from dpcore.guarantees.privacy import Adjacency
from dpcore.workbench.contributions.asked import Asked
from dpcore.workbench.contributions.cap import Cap
from dpcore.workbench.contributions.counted_rows import CountedRows
from dpcore.workbench.contributions.predict import Prediction, predict_with
from dpcore.workbench.contributions.terms import Terms

ROW = "One row, proved"
PERSON = "One person, proved"
MOST_PEOPLE = "One person, of random changes"

_MOVES = {Adjacency.ADD_OR_REMOVE_ONE_USER: "is added or removed", Adjacency.REPLACE_ONE_USER: "is replaced"}


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Level:
    """``name``: what is protected. ``protects``: the same in a sentence. ``prediction``: its noise and the error."""

    name: str
    protects: str
    prediction: Prediction


def levels(
    rows: CountedRows, asked: Asked, terms: Terms, cap: Cap, bounds: Interval | None = None, sampled: float | None = None
) -> tuple[Level, ...]:
    """Noise for one row of uncapped people, for one person proved at the cap, and where ``sampled``, a sensitivity Δ̂ in the
    noise's norm, is given, for one person under random DP at the cap."""
    (pair,), moves = asked.pairs(bounds and (bounds,)), _MOVES[terms.adjacency]

    def of(name: str, protects: str, kept: Cap, sensitivity: float | None) -> Level:
        return Level(name=name, protects=protects, prediction=predict_with(rows, asked, terms, kept, bounds, sensitivity))

    most, one = Cap(int(rows.rows_a_person.max())), terms.sensitivity(asked, Cap(1), pair, rows.groups)
    proved = (
        of(ROW, f"Protects one row that {moves}. A person with many rows is protected the less, the more there are.", most, one),
        of(PERSON, f"Protects any one person who {moves}, with all rows, because no more than the cap count.", cap, None),
    )
    if sampled is None:
        return proved
    random = f"Protects one person who {moves}, with all rows, for most changes that the oracle draws: not for all of them."
    return (*proved, of(MOST_PEOPLE, random, cap, sampled))
