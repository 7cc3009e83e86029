"""The diffpriv paper's third example: kernel regression by the Bernstein mechanism."""

import numpy as np

from dpcore import BernsteinMechanism, PureDP, curves, oracles, targets

rng = np.random.default_rng(1)
x = rng.random(250)
database = np.stack([x, np.sin(10 * x) * x + 0.2 * rng.standard_normal(250)], axis=1)
target = targets.OnLattice(curves.PriestleyChao(bandwidth=0.1), degree=25)
mechanism = BernsteinMechanism(order=6)
sensitivity = mechanism.sample(target, oracles.RegressionPrior(noise=0.2), n=250, gamma=0.2)
release = mechanism.calibrate(sensitivity, PureDP(5.0)).release(database)
grid = np.linspace(0, 1, 50)
error = release.response(grid) - target.curve.values(database, grid[:, None])
print(release)
print(f"The private curve is {np.sqrt(np.mean(error**2)):.3f} (RMS) from the exact one.")
