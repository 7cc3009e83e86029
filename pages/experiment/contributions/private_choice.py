"""A cap, a bound or a limit that is chosen privately, before it is: how likely each is, and how much worse than the best one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.choice import ChoosingLaw
from dpcore.answers.choice import choosing as choosing_law
from dpcore.base.bounds import Interval
from dpcore.base.types import Database, FloatArray, Oracle, person_of, settles
from dpcore.errors import InvalidValueError, TableError
from dpcore.sampling.blocks import generator
from pages.experiment import preview
from pages.experiment.contributions import records
from pages.experiment.contributions.asked import Asked, Kept, Terms, asked_of, kept_of, rows_of, terms_of
from pages.experiment.contributions.cap import Cap, CountedRows
from pages.experiment.contributions.predict import predict
from pages.experiment.scenario import Scenario


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class PrivateChoice:
    """Of each of the ``candidates``, numbers of rows, upper bounds or limits, (candidates,): the ``chances`` that it is chosen,
    which add up to 1, and the ``errors``, the total of the answer that follows with it, above 0.

    As confidential as the rows that it was made of: to be shown of public ones, or of simulated people.
    """

    candidates: tuple[float, ...]
    chances: FloatArray
    errors: FloatArray

    @property
    def best(self) -> int:
        """The place of the first candidate with the least error."""
        return int(np.argmin(self.errors))

    @property
    def likeliest(self) -> int:
        """The place of the candidate that is most often chosen."""
        return int(np.argmax(self.chances))

    @property
    def error(self) -> float:
        """√(Σ P(c)·error(c)²): the root mean square error of choosing and answering together."""
        return float(np.sqrt(self.chances @ self.errors**2))

    @property
    def regrets(self) -> FloatArray:
        """error(c)/least − 1 of each candidate c, (candidates,)."""
        return np.asarray(self.errors / self.errors.min() - 1)

    @property
    def regret(self) -> float:
        """Σ P(c)·(error(c)/least − 1): by which share the error is larger than that of the best, on average over choices."""
        return float(self.chances @ self.regrets)

    def regret_within(self, share: float) -> float:
        """The least regret that so large a share of the choices does not exceed."""
        order = np.argsort(self.regrets, kind="stable")
        place = np.searchsorted(np.cumsum(self.chances[order]), share - 1e-12)
        return float(self.regrets[order[min(int(place), len(order) - 1)]])


def private_choice(
    law: ChoosingLaw,
    scores: FloatArray,
    candidates: Sequence[float],
    rows: CountedRows,
    asked: Asked,
    terms: Terms,
    caps: Sequence[Kept],
    bounds: Sequence[Interval] | None = None,
) -> PrivateChoice:
    """What a choice among the ``candidates`` does to the answer on these rows: numbers s of rows or limits of totals, each one of
    the ``caps``; or upper bounds, each in one of the pairs of ``bounds``, at a single cap.

    ``law``: of the choice, at its own ε. ``scores``: one a candidate, of the same people that ``rows`` are of. ``terms``: of the
    answer that follows, with the ε that it has. InvalidValueError for scores of another number, and for terms and bounds
    that ``predict`` refuses.
    """
    errors = predict(rows, asked, terms, caps, bounds).totals.ravel()
    if not len(scores) == len(candidates) == len(errors):
        raise InvalidValueError("scores", f"one a candidate, {len(candidates):,} in all", scores.shape)
    return PrivateChoice(candidates=tuple(candidates), chances=law.probabilities(scores), errors=errors)


# A private choice of a setting, tried beforehand on people whom an oracle makes up: nothing of the table is looked at.


MOST_PEOPLE = 100_000  # made up: a choice among a hundred bounds then takes a second


def beforehand(choosing: Scenario, answering: Scenario, oracle: Oracle) -> PrivateChoice:
    """The law of the choice that the scenario ``choosing`` makes, and the error of the answer of ``answering`` that follows it,
    on people drawn from the oracle: as many as n, but at most ``MOST_PEOPLE``.

    InvalidValueError for a scenario that settles nothing of a question, for a question whose error is not predicted, for noise
    that is not, and where none of the people drawn has a row that counts.
    """
    return _on(people(choosing, oracle), choosing, answering)


def elsewhere(choosing: Scenario, answering: Scenario, oracle: Oracle) -> dict[float, PrivateChoice]:
    """The same of bounds, by where half of the values lie: log-normal ones (σ = 1), each power of ten among the candidates beyond
    the end that is nearer to 0, where one of them meets the conditions. What the records hold beside is drawn from the oracle."""
    target: Any = choosing.target
    database, column = people(choosing, oracle), target.columns[0]
    beyond = generator(choosing.seed, 0, 4).lognormal(size=len(database))
    found = {}
    for scale in target.scales:
        database[column] = target.value_at(scale * beyond)
        with suppress(TableError):  # a condition on the values themselves, which none of these meets
            found[abs(float(target.value_at(np.array([scale]))[0]))] = _on(database, choosing, answering)
    return found


def _on(database: Database, choosing: Scenario, answering: Scenario) -> PrivateChoice:
    target: Any = choosing.target
    if not settles(target):
        raise InvalidValueError("target", "one whose answer settles something of a question", target)
    calibrated, asked = preview.calibrated_worst_case(choosing), _asked(target)
    if calibrated is None or asked is None:
        raise InvalidValueError("question", "a count, a sum, a mean or a share, whose errors are predicted", None)
    law, scores, rows = choosing_law(calibrated.law), target(database), _rows(target, database)
    settled = [target.taken_up(candidate) for candidate in target.candidates]
    of_records = person_of(target) is None
    terms = records.terms_of(answering) if of_records else terms_of(answering)
    caps: tuple[Kept, ...] = (Cap(1),) if of_records else tuple(dict.fromkeys(map(kept_of, settled)))
    bounds = tuple(dict.fromkeys(map(records.bounds_of, settled))) if asked.bounds is None else None
    return private_choice(law, scores, target.candidates, rows, asked, terms, caps, bounds)


def is_predicted(choosing: Scenario) -> bool:
    """Whether the error of the answer that follows is predicted."""
    return _asked(choosing.target) is not None


def _asked(target: Any) -> Asked | None:
    return asked_of(target.target)


def rows_that_count(choosing: Scenario, oracle: Oracle) -> CountedRows:
    """What the people or records that are made up bring to the question."""
    return _rows(choosing.target, people(choosing, oracle))


def _rows(target: Any, database: Database) -> CountedRows:
    return records.rows_of(target.question, database) if person_of(target) is None else rows_of(target, database)


def people(choosing: Scenario, oracle: Oracle) -> Database:
    """The same under the same seed, so that two settings are tried on the same people."""
    return np.array(oracle.draw(1, min(choosing.n, MOST_PEOPLE), rng=generator(choosing.seed, 0, 3))[0])
