"""Questions with conditions and groups keep their ε on the pairs that reach their worst cases, and less noise does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Condition, Gaussian, Groups, Laplace, PureDP, targets
from dpcore.audits.audit import audit
from dpcore.guarantees.privacy import ApproxDP

pytestmark = pytest.mark.statistical
FIELDS = [("cost", float), ("sex", "U1"), ("ward", "U1")]
FEMALE, BY_WARD = Condition("sex", "F"), Groups("ward", ("a", "b", "c"))
GROUPED_SUM = targets.On(targets.Sum((0.0, 9.0)), ("cost",), (FEMALE,), BY_WARD)
MEAN = targets.On(targets.KnownMean((0.0, 9.0)), ("cost",), (FEMALE,))
GROUPED_MEAN = targets.On(targets.KnownMean((0.0, 9.0)), ("cost",), (FEMALE,), BY_WARD)
PAIRS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "a sum, a record that goes to another group": (GROUPED_SUM, (9.0, "F", "a"), (9.0, "F", "b")),
    "a mean, a value that goes from bound to bound": (MEAN, (0.0, "F", "a"), (9.0, "F", "a")),
    "a mean, a record that meets the condition no longer": (MEAN, (9.0, "F", "a"), (9.0, "M", "a")),
    "means of groups, a record that goes to another": (GROUPED_MEAN, (9.0, "F", "a"), (0.0, "F", "c")),
}


def _both(name: str) -> tuple[Any, Any, Any]:
    """The question, and its answers to two neighbours."""
    asked, one, other = PAIRS[name]
    rest = [(3.0, "F", "a"), (np.nan, "F", "b")]
    return asked, *(asked(np.array([record, *rest], dtype=FIELDS)) for record in (one, other))


@pytest.mark.parametrize("name", PAIRS)
def test_an_audit_holds_at_epsilon_and_fails_at_half_the_noise(name: str) -> None:
    """100,000 responses a side at ε = 1; the pair is as far apart as any."""
    asked, first, second = _both(name)
    proof = asked.global_sensitivity(L1, 3)
    assert float(L1(first - second)) == pytest.approx(proof.value, rel=1e-9)
    honest, loud = (Laplace().calibrate(proof, PureDP(epsilon)) for epsilon in (1.0, 2.0))
    sound = audit(honest, first, second, draws=100_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.75
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds


def test_gaussian_noise_on_a_grouped_sum_too() -> None:
    """At δ = .001 and ε = 1 against twice the ε; 100,000 responses a side."""
    asked, first, second = _both("a sum, a record that goes to another group")
    proof = asked.global_sensitivity(Gaussian().norm, 3)
    honest, loud = (Gaussian().calibrate(proof, ApproxDP(epsilon, 1e-3)) for epsilon in (1.0, 3.0))
    assert audit(honest, first, second, draws=100_000, seed=1).holds
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds
