"""Sums of lines, by another way: each sum is rounded once, and each sample counts at its largest."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.lines import Drawn, Event, Line
from dpcore.ledger.spending import Spent

_LINE = Line(
    event=Event.RELEASE,
    target="mean",
    target_id="mean",
    n=10,
    adjacency=Adjacency.REPLACE_ONE_RECORD,
    epsilon=0.0,
    delta=0.0,
)


def _drawn(gamma: float, confidence: float | None) -> Drawn:
    return Drawn(
        oracle="uniform",
        oracle_id="uniform",
        point_id="point",
        sample_id=None,
        gamma=gamma,
        joint_gamma=1.5 * gamma,
        confidence=confidence,
    )


def _lines(seed: int, count: int, *, certified: bool) -> list[Line]:
    """Of every size of ε that a float has, and of a few samples that several lines share."""
    rng, lines = np.random.default_rng(seed), []
    for _ in range(count):
        gamma = float(rng.choice([0.0, *rng.uniform(1e-9, 0.01, 3)]))
        sure = float(rng.uniform(0.9, 0.9999)) if certified or rng.random() < 0.9 else None
        epsilon, delta = 10 ** float(rng.uniform(-300, 3)), 10 ** float(rng.uniform(-30, -4))
        name = f"sample {rng.integers(count // 2)}"
        lines.append(replace(_LINE, epsilon=epsilon, delta=delta, drawn=_drawn(gamma, sure) if gamma else None, target_id=name))
    return lines


def _plainly(lines: list[Line]) -> Spent:
    samples = defaultdict(list)
    for line in lines:
        if line.gamma:
            samples[line.target_id].append(line)
    joint = gamma = math.fsum(max(line.joint_gamma for line in of) for of in samples.values())
    confidence = None
    if samples and all(line.confidence is not None for of in samples.values() for line in of):
        least = [min(line.confidence or 0.0 for line in of) for of in samples.values()]
        together = least[0] if len(least) == 1 else 1 - math.fsum(1 - one for one in least)
        if together > 0:
            gamma, confidence = math.fsum(max(line.gamma for line in of) for of in samples.values()), together
    return Spent(math.fsum(x.epsilon for x in lines), math.fsum(x.delta for x in lines), gamma, joint, confidence)


@pytest.mark.parametrize("certified", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_what_all_lines_spend_at_each_length(seed: int, certified: bool) -> None:
    lines = _lines(seed, 40, certified=certified)
    for count in range(1, len(lines) + 1):
        assert Spent.by(tuple(lines[:count])) == _plainly(lines[:count])


def test_a_line_that_is_pending_counts_its_gamma_from_the_start() -> None:
    lines = tuple(_lines(7, 20, certified=True))
    more = replace(_LINE, epsilon=0.5, drawn=_drawn(0.02, 0.9), target_id="another")
    adapted = replace(more, drawn=replace(_drawn(0.02, 0.9), joint_gamma=1 - 0.9 * 0.98), epsilon=0.0)
    assert Spent.by(lines, (more,)) == _plainly([*lines, adapted])
    assert Spent.by(lines, (more,), whole=True) == _plainly([*lines, replace(adapted, epsilon=0.5)])
    assert Spent.by(lines, (replace(more, drawn=None),)) == _plainly([*lines])


def test_an_epsilon_without_a_bound_stays_so() -> None:
    one = replace(_LINE, epsilon=math.inf)
    assert Spent.by((one, _LINE)).epsilon == math.inf
    assert Spent.by((replace(_LINE, epsilon=1.7e308),) * 2).epsilon == math.inf
