"""The diffpriv paper's third example: kernel regression by the Bernstein mechanism."""

import secrets

import numpy as np

from dpcore import L1, Bernstein, OperatingPoint, PureDP, curves, oracles, sample_sensitivity, targets
from dpcore.guarantees.descriptions import sentence

rng = np.random.default_rng(1)
x = rng.random(250)
database = np.stack([x, np.sin(10 * x) * x + 0.2 * rng.standard_normal(250)], axis=1)
target = targets.OnLattice(curves.PriestleyChao(bandwidth=0.1), degree=25)
sample = sample_sensitivity(
    target, oracles.RegressionPrior(noise=0.2), norm=L1, n=250, at=OperatingPoint.for_both(500, 0.2), seed=secrets.randbits(64)
)
release = Bernstein(order=6).calibrate(sample.sensitivity(), PureDP(epsilon=5.0)).release(database)
grid = np.linspace(0, 1, 50)
error = release.response(grid) - target.curve.values(database, grid[:, None])
print(f"The private curve is {np.sqrt(np.mean(error**2)):.3f} (RMS) from the exact one. {sentence(release.guarantee)}")
