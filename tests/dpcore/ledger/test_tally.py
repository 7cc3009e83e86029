"""Sums that are kept line by line are those of all lines anew, by another way: rounded once, of each sample at its largest."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from dpcore import L1, Laplace, Ledger, PureDP, targets
from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.lines import Drawn, Event, Line
from dpcore.ledger.spending import Spent, Tally

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
    lines, tally = _lines(seed, 40, certified=certified), Tally()
    for count, line in enumerate(lines, 1):
        tally = tally.with_(line)
        assert tally.spent() == _plainly(lines[:count]) == Spent.by(tuple(lines[:count]))


def test_two_that_go_on_from_one_know_nothing_of_each_other() -> None:
    """Else a line of the one would be no charge of the other: their sample would have been met."""
    lines = _lines(7, 20, certified=True)
    base, more = Tally.of(lines), replace(_LINE, drawn=_drawn(0.02, 0.9), target_id="another")
    first, second = base.with_(more), base.with_(more)
    assert first.spent() == second.spent() == _plainly([*lines, more])
    assert base.spent() == _plainly(lines)
    assert base.spent((replace(more, drawn=None),)) == _plainly(lines)
    assert Tally().samples == {}


def test_an_epsilon_without_a_bound_stays_so() -> None:
    one = replace(_LINE, epsilon=math.inf)
    assert Tally.of([one, _LINE]).spent().epsilon == math.inf
    assert Tally.of([replace(_LINE, epsilon=1.7e308)] * 2).spent().epsilon == math.inf


def test_a_ledger_counts_what_it_holds_and_not_what_another_one_counted() -> None:
    count = targets.Proportion(interval=(0.0, 1.0)).global_sensitivity(L1, 3)
    release = Laplace().calibrate(count, PureDP(0.5)).release(np.array([0.2, 0.4, 3.0]))
    first = Ledger(PureDP(2.0)).add(release)
    second = first.add(release)
    assert first.add(release).add(release).total() == PureDP(1.5)  # counted on from the first, after the second was
    assert second.total() == PureDP(1.0)
    assert replace(second, lines=first.lines).add(release).total() == PureDP(1.0)
    assert second == replace(second, lines=tuple(second.lines))
    assert "Tally" not in repr(second)
