"""An attack on simulated releases of two neighbouring tables, and its accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.audits.audit import clopper_pearson
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import RandomDP
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.sampling.blocks import generator
from pages.experiment.computable import computable
from pages.experiment.neighbours import SLACK, Pair
from pages.experiment.view import View

RELEASES = 20_000  # releases of each table
IN_STEPS = 2_000  # releases of each table by a two-step mechanism; each costs up to 0.3 ms
_MOST_NUMBERS = 1_000_000  # in all simulated releases of one table
_STREAM = 8  # random stream; other streams draw tables and pairs
CONFIDENCE = 0.95


@final
@dataclass(frozen=True, eq=False)
class Attack:
    """The result of an attack.

    Args:
        shown: A number for each release of the two tables: the release itself, or the evidence for the first table.
        numbers: Whether ``shown`` contains the releases themselves.
        learned: Whether the attacker learned from other releases, because the noise distribution has no formula.
        releases: Number of releases that the attacker guessed.
        right: Number of right guesses.
        low: Lower end of the 95% interval of the accuracy.
        high: Upper end of the interval.
    """

    shown: tuple[FloatArray, FloatArray]
    numbers: bool
    learned: bool
    releases: int
    right: int
    low: float
    high: float

    @property
    def accuracy(self) -> float:
        """The share of right guesses."""
        return self.right / self.releases

    @property
    def overlap(self) -> float:
        """The overlap of the two distributions of releases, derived from the best attacker's accuracy."""
        return min(1.0, 2 * (1 - self.accuracy))


@computable
def attack(law: Any, pair: Pair, *, seed: int, run: int = 0, releases: int = RELEASES) -> Attack:
    """Simulate releases of two neighbouring tables and guess the table of each release.

    The attacker knows the noise and names the table under which the release is more likely. If the noise distribution has no
    formula, the attacker learns the likelihoods from the same number of other releases.

    Args:
        law: The noise distribution.
        pair: The tables.
        seed: Seed of the simulation.
        run: Number of the simulation; other runs draw other releases.
        releases: Releases of each table.
    """
    rng = generator(seed, run, _STREAM)
    laws = [law.on(table) for table in pair.tables]
    numbers = int(np.size(laws[0].simulate(pair.answers[0], size=1, rng=rng)))  # numbers in one release
    size = max(1, min(IN_STEPS if law.asks_again else releases, _MOST_NUMBERS // numbers))
    made = _simulate(laws, pair, size, rng)
    learned = False
    try:
        evidence = tuple(_log_ratio(laws, pair, one) for one in made)
    except InvalidValueError:
        evidence, learned = _learn_evidence(_simulate(laws, pair, size, rng), made), True
    # With equal evidence, the attacker guesses at random.
    right = sum(np.count_nonzero(one > 0) + rng.binomial(np.count_nonzero(one == 0), 0.5) for one in (evidence[0], -evidence[1]))
    one_number = isinstance(law, NoiseLaw) and numbers == 1
    shown = tuple(one.reshape(-1) for one in made) if one_number else evidence
    # The accuracy differs between the tables. The pooled count varies less than a binomial one, so the interval is valid.
    low, high = clopper_pearson(int(right), 2 * size, (1 - CONFIDENCE) / 2)
    return Attack((shown[0], shown[1]), one_number, learned, 2 * size, int(right), low, high)


def promised(view: View, distance: float) -> float | None:
    """Return the largest accuracy of any attacker on two tables, or None if the guarantee excludes them.

    Args:
        view: A view with noise.
        distance: Distance of the answers, in the norm of the sensitivity.
    """
    assert view.noise is not None
    assert view.guesser is not None
    most = view.noise.sensitivity.value
    if isinstance(view.noise.guarantee, RandomDP) and not distance <= most * SLACK:
        return None
    return float(view.guesser.right(min(distance, most)))


def _simulate(laws: list[Any], pair: Pair, size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    first, second = (law.simulate(answer, size=size, rng=rng) for law, answer in zip(laws, pair.answers, strict=True))
    return first, second


def _log_ratio(laws: list[Any], pair: Pair, made: NDArray[Any]) -> FloatArray:
    """Return the log likelihood ratio of each release, first table to second table."""
    if laws[0] is laws[1]:
        found = laws[0].log_ratio(*pair.answers, made)
    else:
        found = laws[0].log_chance(pair.answers[0], made) - laws[1].log_chance(pair.answers[1], made)
    return np.asarray(np.round(found, 9))  # the last digits of a floating-point sum would reveal the exact answer


def _learn_evidence(
    known: tuple[NDArray[Any], NDArray[Any]], made: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[FloatArray, FloatArray]:
    """Return the evidence by Fisher's linear discriminant, learned from other releases."""
    means = [np.asarray(one, dtype=np.float64).mean(axis=0) for one in known]
    spread = np.cov(np.concatenate([one - mean for one, mean in zip(known, means, strict=True)]), rowvar=False)
    direction, middle = np.linalg.pinv(np.atleast_2d(spread)) @ (means[0] - means[1]), (means[0] + means[1]) / 2
    first, second = ((one - middle) @ direction for one in made)
    return first, second
