"""The diffpriv paper's second example: the most frequent letter in the names of ten computer scientists."""

import secrets
from pathlib import Path

import numpy as np

from dpcore import RANGE, Exponential, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.guarantees.descriptions import sentence

names = np.loadtxt(Path(__file__).parents[1] / "data/scientists.csv", dtype=str, delimiter=",", skiprows=1)
target, at = targets.LetterCounts(), OperatingPoint.for_gamma(0.1)
sample = sample_sensitivity(target, oracles.Names(), norm=RANGE, n=10, at=at, seed=secrets.randbits(64))
mechanism = Exponential(target.candidates, selection="permute-and-flip")
release = mechanism.calibrate(sample.sensitivity(), PureDP(epsilon=1.0)).release(names)
print("The private most frequent letter:", release.response)
print("The non-private one:", target.candidates[target(names).argmax()])
print(sentence(release.guarantee))
