"""What questions about people share: which rows count, and in which group."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.checks import named
from dpcore.base.declared import Column
from dpcore.base.row_weights import Places
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError
from dpcore.targets.on import On


def of_people(question: object, person: object) -> On:
    """The question, if it can be asked of people whom the field ``person`` tells; InvalidValueError if not.

    Its target adds up rows: it has ``counts(records)``, which of them count, ``numbers``, how many numbers it answers with, and
    ``contribution``, which no n changes, or ``weighted(values, weights)``.
    """
    inner: Any = getattr(question, "target", None)
    if not isinstance(question, On) or not hasattr(inner, "counts"):
        expected = "a question whose target adds up rows: a count, a sum, a mean or a share of known values, or a quantile"
        raise InvalidValueError("question", expected, inner)
    if named("person", person) in question.fields:
        raise InvalidValueError("person", f"another column than {', '.join(question.fields)}", person)
    return question


def asked_of_people(question: On, person: str, columns: tuple[Column, ...]) -> bool:
    """Whether the columns are the question's, and behind them that of the people."""
    return bool(columns) and columns[-1].name == person and question.fits(columns[:-1])


def placed(question: On, database: Database) -> tuple[Database, Places]:
    """What the target gets of each row, and the row's group: −1 of one that does not count."""
    values, places = question.placed(database)
    target: Any = question.target  # ``of_people`` checked it
    return values, np.where(target.counts(values), places, -1)
