"""A private choice of a setting, tried beforehand on people whom an oracle makes up: nothing of the table is looked at."""

from __future__ import annotations

from typing import Any

from dpcore.answers.choice import choosing as choosing_law
from dpcore.base.types import Database, Oracle, settles
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import generator
from dpcore.workbench import preview
from dpcore.workbench.contributions.cap import Cap
from dpcore.workbench.contributions.of_question import asked_of, rows_of, terms_of
from dpcore.workbench.contributions.private_choice import PrivateChoice, private_bound, private_cap
from dpcore.workbench.scenario import Scenario

MOST_PEOPLE = 100_000  # made up: a choice among a hundred bounds then takes a second


def beforehand(choosing: Scenario, answering: Scenario, oracle: Oracle) -> PrivateChoice:
    """The law of the choice that the scenario ``choosing`` makes, and the error of the answer of ``answering`` that follows it,
    on people drawn from the oracle: as many as n, but at most ``MOST_PEOPLE``.

    InvalidValueError for a scenario that settles nothing of a question, for a question whose error is not predicted, for noise
    that is not, and where none of the people drawn has a row that counts.
    """
    target: Any = choosing.target
    if not settles(target):
        raise InvalidValueError("target", "one whose response settles something of a question", target)
    database = people(choosing, oracle)
    calibrated = preview.calibrated_worst_case(choosing)
    asked = asked_of(target.target)
    if calibrated is None or asked is None:
        raise InvalidValueError("question", "a count, a sum, a mean or a share, whose errors are predicted", None)
    terms = terms_of(answering)
    law, scores, rows = choosing_law(calibrated.law), target(database), rows_of(target, database)
    own: Any = getattr(target.target, "bounds", None) if asked.bounds is None else None
    if not hasattr(target, "rows"):
        return private_cap(law, scores, target.candidates, rows, asked, terms, own)
    return private_bound(law, scores, target.candidates, rows, asked, terms, Cap(target.rows), own[0])


def people(choosing: Scenario, oracle: Oracle) -> Database:
    """The same under the same seed, so that two settings are tried on the same people."""
    drawn: Database = oracle.draw(1, min(choosing.n, MOST_PEOPLE), rng=generator(choosing.seed, 0, 3))[0]
    return drawn
