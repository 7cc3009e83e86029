"""The ± of several answers: how often all of them hold at once, in simulated releases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dpcore.targets.together import in_shares
from pages.experiment.listed.accuracy import Accuracy, accuracy_of
from pages.experiment.listed.distances import proved

from dpcore import L1, Laplace, PureDP
from pages.experiment import preview
from tests.pages.experiment.listed.asked import AGE, BY_WARD, COST, COST_OF_B, MANY, TABLE, N, listed

pytestmark = pytest.mark.statistical
WIDTHS = {3: (10.0, 1.0, 2.0), 4: (10.0, 1.0, 4.0, 3.0), 2: (4.0, 3.0)}
NUMBERS, MIXED, RATIOS = (COST, MANY, BY_WARD), (COST, MANY, AGE, COST_OF_B), (AGE, COST_OF_B)
RELEASES, EPSILON = 100_000, 0.5


def _accuracy(parts: Any, *, jointly: bool) -> Accuracy:
    unit = listed(parts)
    columns = TABLE.taken(unit.columns, unit.target)
    size = proved(parts, L1, N, unit.adjacency)
    return accuracy_of(unit, columns, preview.answer(unit, TABLE), size, jointly=jointly)


def _held(parts: Any, near: Accuracy, epsilon: float, *, noise: float = 1.0) -> tuple[float, list[float]]:
    """How often all answers of a release lie within their ± at once, and each alone; with so many times the noise."""
    widths = WIDTHS[len(parts)]
    asked: Any = in_shares(parts, widths)
    exact = asked(TABLE.prepare(asked.fields, asked).database)
    proved = asked.global_sensitivity(L1, N)
    law = Laplace().calibrate(proved, PureDP(epsilon / noise)).law
    drawn = law.simulate(exact, size=RELEASES, rng=np.random.default_rng(6))
    answer: Any = asked.answer(TABLE.taken(asked.fields, asked))
    inside = []
    for kind, responses, part, reach in zip(
        answer.of, answer.split(drawn), answer.split(exact), near.reaches(widths, epsilon), strict=True
    ):
        shown, truth = (kind.value(one)[..., None] if hasattr(kind, "value") else one for one in (responses, part))
        inside.append(np.abs(shown - truth) <= reach)
    each = np.concatenate(inside, axis=1)
    return float(each.all(axis=1).mean()), each.mean(axis=0).tolist()


def test_all_answers_of_laplace_noise_lie_within_their_joint_accuracy_95_times_in_100() -> None:
    """100,000 simulated releases, so that one standard error is .07 %; with a tenth more noise it would be 92.3 %."""
    near = _accuracy(NUMBERS, jointly=True)
    assert _held(NUMBERS, near, EPSILON)[0] == pytest.approx(0.95, abs=0.0025)
    assert _held(NUMBERS, near, EPSILON, noise=1.1)[0] < 0.93


def test_each_alone_is_less_than_all_at_once() -> None:
    near = _accuracy(NUMBERS, jointly=False)
    together, each = _held(NUMBERS, near, EPSILON)
    assert each == pytest.approx([0.95] * 5, abs=0.0025)
    assert together == pytest.approx(0.95**5, abs=0.005)


@pytest.mark.parametrize("parts", [MIXED, RATIOS], ids=["two numbers and two means", "two means"])
@pytest.mark.parametrize("epsilon", [0.05, 0.2, 0.5, 5.0])
def test_of_lists_with_means_it_is_95_in_100_or_more(parts: Any, epsilon: float) -> None:
    """Measured: 95.1 to 95.5 % where the ± is below the bounds (of two means at ε = 0.2, 0.5 and 5: 95.3, 95.5, 95.5; with two
    numbers beside them at ε = 0.5 and 5: 95.4 and 95.1), since each ± is one of 4,000 simulated means. Where the bounds alone
    keep a mean as close it is more: 97.9 % of two means at ε = 0.05, and 97.4 and 97.1 % of all four at ε = 0.05 and 0.2."""
    together, each = _held(parts, _accuracy(parts, jointly=True), epsilon)
    assert 0.945 <= together <= (0.98 if max(each) > 0.995 else 0.957)
