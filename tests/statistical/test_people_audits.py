"""Questions about people keep their ε where the person with the most rows comes or goes, and at half the noise they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, GroupBy, LaplaceMechanism, PureDP, targets
from dpcore.audits.audit import audit
from dpcore.base.users import per_user
from dpcore.guarantees.privacy import Adjacency

pytestmark = pytest.mark.statistical
ADD = Adjacency.ADD_OR_REMOVE_ONE_USER
FIELDS = [("cost", float), ("ward", "U1")]
S, BOUNDS, BY = 3, (-2.0, 9.0), GroupBy("ward", ("a", "b", "c"))
HEAVIEST = [(20.0, "a")] * 40
QUESTIONS: dict[str, targets.Query] = {
    "rows": targets.Query(targets.Count(), ("cost",), by=BY),
    "mean": targets.Query(targets.Mean(BOUNDS), ("cost",)),
    "grouped sum": targets.Query(targets.Sum(BOUNDS), ("cost",), by=BY),
}


def people(*rows: list[tuple[float, str]]) -> Any:
    flat = np.array([row for one in rows for row in one], dtype=FIELDS)
    return per_user(flat, np.repeat(np.arange(len(rows)), list(map(len, rows))), person="who")


OTHERS = ([(3.0, "a"), (4.0, "b")], [(-1.0, "c")] * 5, [(np.nan, "b")])


BETWEEN = [(20.0, "a"), (-20.0, "b")] * 40
CASES: dict[str, tuple[Any, list[tuple[float, str]]]] = {
    **{name: (targets.ContributionBounded(question, "who", S), HEAVIEST) for name, question in QUESTIONS.items()},
    "total of rows": (targets.ClippedTotals(QUESTIONS["rows"], "who", (0.0, 25.0)), HEAVIEST),
    "total of groups": (targets.ClippedTotals(QUESTIONS["grouped sum"], "who", (-11.0, 25.0)), BETWEEN),
}


@pytest.mark.parametrize("name", CASES)
def test_audit_holds_at_epsilon_and_fails_at_half_the_noise(name: str) -> None:
    """100,000 responses a side at ε = 1, with and without somebody who has 40 rows at the bound, in one group or between two."""
    target, heaviest = CASES[name]
    first, second = (target(people(*OTHERS, *more)) for more in ([heaviest], []))
    proof = target.global_sensitivity(L1, 4, ADD)
    assert float(L1(first - second)) == pytest.approx(proof.value, rel=1e-6)  # as far apart as any
    honest, loud = (LaplaceMechanism().calibrate(proof, PureDP(epsilon)) for epsilon in (1.0, 2.0))
    sound = audit(honest, first, second, draws=100_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.7
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds
