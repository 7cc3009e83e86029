"""The diffpriv paper's second example: the most frequent letter in the names of ten computer scientists."""

from pathlib import Path

import pandas as pd

from dpcore import ExponentialMechanism, PureDP, oracles, targets

names = pd.read_csv(Path(__file__).parents[1] / "data/scientists.csv")["name"]
mechanism, target = ExponentialMechanism(None), targets.LetterCounts()
sensitivity = mechanism.sample(target, oracles.Names(), n=10, gamma=0.1)
print(mechanism.calibrate(sensitivity, PureDP(1.0)).release(names))
