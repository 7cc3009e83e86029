"""An oracle in a file of its own that knows the law of its differences has a true sensitivity CDF, with no other file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.norms import L1, RANGE
from dpcore.sampling.sampler import true_cdf
from dpcore.targets import Mean, Quantile
from tests.contracts.conftest import Plant
from tests.contracts.oracle_contract import CHECKS, its_difference_has_the_law_of_its_draws

TWO_SIDED = '''
"""Independent records with a two-sided exponential law."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.checks import positive


from dpcore.base.types import Oracle

@final
@dataclass(frozen=True, slots=True)
class StrangersTwoSided(Oracle):
    """Records with density exp(−|x|/width)/(2·width)."""

    width: float = field(metadata={"label": "Width"})
    independent_records: ClassVar[bool] = True

    def __post_init__(self):
        object.__setattr__(self, "width", positive("width", self.width))

    def draw(self, databases, records, /, *, rng):
        return rng.laplace(scale=self.width, size=(databases, records))

    def difference_cdf(self, d, /):
        """1 − (1 + d/(2·width))·exp(−d/width): two records differ by the sum of two such numbers."""
        z = np.maximum(d, 0.0) / (FACTOR * self.width)
        return 1 - (1 + z / 2) * np.exp(-z)
'''


@pytest.mark.parametrize(("factor", "right"), [("1.0", True), ("1.1", False), ("0.9", False)])
def test_the_mean_then_has_its_true_cdf_and_a_wrong_one_is_found(plant: Plant, factor: str, right: bool) -> None:
    oracle = plant("oracles", "StrangersTwoSided", TWO_SIDED.replace("FACTOR", factor))(2.0)
    cdf = true_cdf(Mean(), oracle, L1, 10)
    assert cdf is not None
    z = 0.4 * 10 / (float(factor) * 2.0)
    assert float(cdf(np.array(0.4))) == pytest.approx(1 - (1 + z / 2) * np.exp(-z))
    assert [check for check in CHECKS if _fails(check, oracle)] == ([] if right else [its_difference_has_the_law_of_its_draws])


def test_nothing_is_known_where_bounds_may_clip_in_a_range_or_of_another_target(plant: Plant) -> None:
    oracle = plant("oracles", "StrangersTwoSided", TWO_SIDED.replace("FACTOR", "1.0"))(2.0)
    assert true_cdf(Mean((-9, 9)), oracle, L1, 10) is None  # it states no support
    assert true_cdf(Mean(), oracle, RANGE, 10) is None
    assert true_cdf(Quantile(0.5), oracle, L1, 10) is None


def _fails(check: Any, oracle: Any) -> bool:
    try:
        check(oracle)
    except AssertionError:
        return True
    return False
