"""The diffpriv paper's first example: the private mean of 100 numbers in [0, 1]."""

import numpy as np

from dpcore import LaplaceMechanism, PureDP, oracles, targets

database = np.random.default_rng(1).random(100)
sensitivity = LaplaceMechanism().sample(targets.Mean(), oracles.Uniform(0, 1), n=100, gamma=0.05)
print(LaplaceMechanism().calibrate(sensitivity, PureDP(1.0)).release(database))
