"""The diffpriv paper's first example: the private mean of 100 numbers in [0, 1]."""

import secrets

import numpy as np

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.guarantees.descriptions import sentence

database = np.random.default_rng(1).random(100)
target = targets.Mean(bounds=(0.0, 1.0))
proved = target.global_sensitivity(L1, n=100)
sample = sample_sensitivity(
    target, oracles.Uniform(0.0, 1.0), norm=L1, n=100, at=OperatingPoint.for_both(999, 0.05), seed=secrets.randbits(64)
)
for sensitivity in (proved, sample.sensitivity()):
    release = Laplace().calibrate(sensitivity, PureDP(epsilon=1.0)).release(database)
    print(f"{release.response[0]:.4f} with noise of scale {release.scale:.4f}.", sentence(release.guarantee))
print(f"{target(database)[0]:.4f} is the non-private mean.")
