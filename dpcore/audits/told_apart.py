"""An attack that is run: how often the best guesser says with which of two neighbours a response was made, counted over many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.audits.audit import clopper_pearson
from dpcore.base.checks import share, whole
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.response_law import law_on

CONFIDENCE = 0.95


@final
@dataclass(frozen=True, slots=True)
class Told:
    """Of so many ``responses``, each to one of two neighbours by the toss of a coin, a guesser was ``right`` about so many. The
    chance that he is right lies in [low, high], with the stated confidence (mathematics, section 16.7)."""

    responses: int
    right: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of the responses that he was right about."""
        return self.right / self.responses


def told_apart(
    law: Any,
    raw: FloatArray,
    other: FloatArray,
    *,
    responses: int,
    rng: np.random.Generator,
    databases: tuple[Database, Database] | None = None,
    confidence: float = CONFIDENCE,
) -> Told:
    """How often the best guesser is right about simulated ``responses``, each to f(D) or to f(D') by the toss of a coin.

    He says D where P(r) > P'(r), D' where it is less, and tosses a coin where both are equal (mathematics, section 16.1). Of a
    law that cannot tell P(r)/P'(r), as that of an iterated polynomial, he learns from half of the responses. ``law`` None: no
    noise at all. ``databases``: D and D', where a second step asks them again.

        >>> import numpy as np
        >>> from dpcore.mechanisms.laplace import LaplaceLaw
        >>> told = told_apart(LaplaceLaw(1.0), np.zeros(1), np.ones(1), responses=2_000, rng=np.random.default_rng(1))
        >>> bool(told.low < 1 - 0.5 * np.exp(-0.5) < told.high)
        True
    """
    responses = whole("responses", responses, least=2)
    many = int(rng.binomial(responses, 0.5))
    if law is None or not law.scale:
        differ = float(not np.array_equal(raw, other))
        return _guessed(np.full(many, differ), np.full(responses - many, -differ), rng, confidence)
    laws: list[Any] = [law] * 2 if databases is None else [law_on(law, database) for database in databases]
    first = laws[0].simulate(raw, size=many, rng=rng)
    second = laws[1].simulate(other, size=responses - many, rng=rng)

    def loss(made: NDArray[Any]) -> FloatArray:
        if laws[0] is laws[1]:
            found = law.log_ratio(raw, other, made)
        else:
            found = laws[0].log_chance(raw, made) - laws[1].log_chance(other, made)
        return np.asarray(np.round(found, 9))  # else the last digits of a sum of floats would tell which answer it began with

    try:
        losses = loss(first), loss(second)
    except InvalidValueError:
        order = rng.permutation(responses)
        of_first = np.arange(responses) < many
        return told_by_threshold(np.concatenate([first, second])[order], of_first[order], rng=rng, confidence=confidence)
    return _guessed(*losses, rng, confidence)


def told_by_threshold(
    responses: FloatArray, of_first: NDArray[np.bool_], *, rng: np.random.Generator, confidence: float = CONFIDENCE
) -> Told:
    """The same where nobody knows the law of the ``responses``, (b, d), of which those ``of_first`` are to D.

    From the first half of them is learned the direction from the mean of those to D' to that of those to D, and the threshold
    along it that is right most often. The other half is guessed by it, or by a coin if the first half is of one table alone.
    """
    half = whole("responses", len(responses), least=2) // 2
    learned, known = responses[:half], of_first[:half]
    guessed = np.zeros(len(responses) - half)
    if known.any() and not known.all():
        direction = learned[known].mean(axis=0) - learned[~known].mean(axis=0)
        along = responses @ direction
        guessed = along[half:] - _best_threshold(along[:half][known], along[:half][~known])
    return _guessed(guessed[of_first[half:]], guessed[~of_first[half:]], rng, confidence)


def _best_threshold(first: FloatArray, second: FloatArray) -> float:
    """Between two neighbouring values: most of the first are above it, and most of the second below."""
    values = np.unique(np.concatenate([first, second]))
    between = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2, [values[-1] + 1]])
    right = np.searchsorted(np.sort(second), between) - np.searchsorted(np.sort(first), between)
    return float(between[np.argmax(right)])


def _guessed(first: FloatArray, second: FloatArray, rng: np.random.Generator, confidence: float) -> Told:
    """Above 0 D is guessed, below it D', at 0 by a coin."""
    doubt = (1 - share("confidence", confidence)) / 2
    right = sum(np.count_nonzero(side > 0) + rng.binomial(np.count_nonzero(side == 0), 0.5) for side in (first, -second))
    responses = len(first) + len(second)
    return Told(responses, int(right), *clopper_pearson(int(right), responses, doubt))
