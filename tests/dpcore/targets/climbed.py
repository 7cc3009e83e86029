"""The worst pair that a search finds, of a target that adds up what each record brings."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.norms import Norm


def climbed(target: Any, columns: int, norm: Norm, seed: int) -> float:
    """The largest distance of two tables of one record each, numbers from −1 to 1, from a random start."""
    rng = np.random.default_rng(seed)
    best, pair = 0.0, rng.choice([-1.0, 0.0, 1.0], (2, columns))
    for _ in range(250):
        moved = pair + 10.0 ** rng.uniform(-2, 0.3) * rng.normal(size=(24, *pair.shape)) * (rng.random((24, *pair.shape)) < 0.4)
        tried = np.clip(np.concatenate([pair[None], moved]), -1, 1)
        parts = target.contribution(tried.reshape(-1, columns), 1).reshape(len(tried), 2, -1)
        far = norm(parts[:, 0] - parts[:, 1])
        pair, best = tried[int(far.argmax())], float(far.max())
    return best
