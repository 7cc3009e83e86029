"""A law that says how it composes has that noise: a tight total rests on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.response_law import GEOMETRIC, LAPLACE, NORMAL
from tests.contracts.answers import suited
from tests.contracts.members import members

pytestmark = pytest.mark.statistical
LAWS: dict[str, Any] = {
    NORMAL: lambda scale: stats.norm(scale=scale),
    LAPLACE: lambda scale: stats.laplace(scale=scale),
    GEOMETRIC: lambda scale: stats.dlaplace(1 / scale),
}
DRAWS = 60_000
BAND = np.sqrt(np.log(2 / 1e-9) / (2 * DRAWS))  # .0134: a scale that is 10 % off is .023 (normal) or .018 (Laplace) away


def _apart(entry: FloatArray, cdf: Any) -> float:
    """The largest distance of two distribution functions at what was drawn, whole numbers or not."""
    values, counts = np.unique(entry, return_counts=True)
    return float(np.abs(np.cumsum(counts) / len(entry) - cdf(values)).max())


def has_the_noise_that_it_says(law: Any) -> None:
    """Simulated noise on two entries against the law that it names; and the two have nothing to do with each other."""
    said = law.composes_as
    if not said:
        return
    assert said in LAWS, f"no total knows what {said!r} is"
    noise = law.simulate(np.array([3.0, -1.0]), size=DRAWS, rng=np.random.default_rng(1)) - [3.0, -1.0]
    for entry in noise.T:
        assert _apart(entry, LAWS[said](law.scale).cdf) < BAND, f"the noise is not {said}"
    for one in (noise, np.abs(noise)):
        assert abs(np.corrcoef(one.T)[0, 1]) * np.sqrt(DRAWS) < 6, "the entries' noise is not independent"


@pytest.mark.parametrize("mechanism", members("mechanisms", further=(3,)), ids=repr)
def test_a_law_has_the_noise_that_it_says(mechanism: Any) -> None:
    privacy = PureDP(0.5) if mechanism.privacy is PureDP else ApproxDP(0.5, 0.01)
    for answers in suited(mechanism):
        has_the_noise_that_it_says(mechanism.law(answers.target, 1.0, privacy))


@dataclass(frozen=True)
class Other:
    """Noise of the kind and size that its fields say, and a word on it."""

    composes_as: str
    noise: str
    factor: float = 1.0
    alike: bool = False
    scale: ClassVar[float] = 2.0

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        shape = (size, 1 if self.alike else raw.size)
        noise = rng.standard_normal(shape) if self.noise == NORMAL else rng.laplace(size=shape)
        return raw + self.factor * self.scale * noise


@pytest.mark.parametrize("noise", [NORMAL, LAPLACE])
def test_a_wrong_word_is_found_out(noise: str) -> None:
    has_the_noise_that_it_says(Other(noise, noise))
    another = LAPLACE if noise == NORMAL else NORMAL
    for wrong in (Other(another, noise), Other(noise, noise, 0.9), Other(noise, noise, 1.1), Other(noise, noise, 1.0, True)):
        with pytest.raises(AssertionError):
            has_the_noise_that_it_says(wrong)
    with pytest.raises(AssertionError, match="no total knows"):
        has_the_noise_that_it_says(Other("gumbel", noise))
