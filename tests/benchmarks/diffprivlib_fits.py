"""What diffprivlib's logistic regression misclassifies: a program for an environment of its own, which has not dpcore.

``python diffprivlib_fits.py tables.npz fits`` prints JSON: of each table's name, each ε and each setting the share of fresh
records that it misclassifies, the mean over all tables of that name and so many fits of each.

Settings: C as it comes, 1, on features from 0 to 1 with the norm √d; the same on features around their middle, from −½ to ½,
whose norm is half of that; and C = 0.01.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from typing import Any

import numpy as np

EPSILONS = (0.1, 0.3, 1.0)
SETTINGS = {"C = 1": (1.0, 0.0), "C = 1, centred": (1.0, 0.5), "C = 0.01": (0.01, 0.0)}


def main(path: str, fits: int) -> None:
    """Every name in the file, one after another."""
    warnings.simplefilter("ignore")  # of fits that are not at an end
    tables = np.load(path)
    names = sorted({name.split("/")[0] for name in tables.files})
    shown = {name: {str(epsilon): _settings(tables, name, epsilon, fits) for epsilon in EPSILONS} for name in names}
    print(json.dumps(shown))


def _settings(tables: Any, name: str, epsilon: float, fits: int) -> dict[str, float]:
    return {setting: _wrong(tables, name, epsilon, how, fits) for setting, how in SETTINGS.items()}


def _wrong(tables: Any, name: str, epsilon: float, setting: tuple[float, float], fits: int) -> float:
    made = importlib.import_module("diffprivlib.models").LogisticRegression
    x, y, fresh, truth = (tables[f"{name}/{part}"] for part in ("x", "y", "fresh", "truth"))
    cost, shift = setting
    norm = np.sqrt(x.shape[2]) * (1 - shift)
    found = []
    for i in range(len(x)):
        for seed in range(fits):
            fit = made(epsilon=epsilon, data_norm=norm, C=cost, random_state=1_000 * i + seed).fit(x[i] - shift, y[i])
            found.append(np.mean(fit.predict(fresh[i] - shift) != truth[i]))
    return float(np.mean(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
