"""That a guess was wrong is said where released numbers show it, and hardly ever of a table that is as was foretold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore.base.norms import L1
from dpcore.targets import KnownMean
from pages.experiment.choices import example
from pages.experiment.tables import ours
from pages.files.persons import Guesses
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import NonPrivate
from pages.old.experiment.plus_minus import wrong_guess

_N, _RELEASES = 1_200, 20_000


def _told(known: float, guesses: Guesses, epsilon: float) -> list[str]:
    """What is said of releases of a table with this share of known values."""
    table = ours()["loan_defaults"]
    asked: dict[str, Any] = {"target": KnownMean((0.0, 10.0)), "n": _N, "norm": L1, "epsilon": epsilon}
    scenario = replace(example(table), **asked)
    noise = preview.calibrated_worst_case(scenario)
    assert noise is not None
    made_up = NonPrivate(value=np.array([0.0, _N]), simulated=True, database=np.full(_N, 5.0), guesses=guesses)
    headline = preview.headline(scenario, (table.column("years_to_default"),), made_up, noise)
    rng = np.random.default_rng(29)
    responses = noise.simulate(np.array([0.0, round(known * _N)]), size=_RELEASES, rng=rng)
    return [wrong_guess(headline, noise, response) for response in responses]


@pytest.mark.parametrize("known", [0.4, 0.7, 1.0])
def test_of_a_table_that_is_as_was_foretold_it_is_said_in_one_of_a_thousand(known: float) -> None:
    """At an end of the range the noise passes it in 10 of 20,000, half of a thousandth: 30 are six standard errors more."""
    said = [one for one in _told(known, Guesses(), 0.5) if one]
    assert len(said) <= (30 if known < 1 else 0)  # more than all cannot be known, whatever the noise


def test_a_wrong_guess_is_called_one() -> None:
    said = _told(0.3, Guesses(known=0.9), 1.0)[0]
    assert "So a guess of this table was wrong, and the ± is larger than the foretold one." in said
