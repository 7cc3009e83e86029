"""How long one call of a target takes that does not say so: it is timed, once."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from dpcore.base.types import Database, Oracle, Target
from dpcore.sampling.blocks import generator

_FEW, _LONG = 64, 0.02  # records of the first look, and seconds that say enough
_MOST = 64  # targets that are remembered
_known: dict[tuple[Target, int], float] = {}


def a_call(target: Target, oracle: Oracle, n: int) -> float:
    """Seconds of one call on n records of the oracle; of a slow one only a few records are tried, for as long as n would
    take at the least. A call that fails takes what it took."""
    try:
        key = (target, n)
        known = _known.get(key)
    except TypeError:  # not hashable: no two of it are known to be one
        return _timed(target, oracle, n)
    if known is None:
        known = _known[key] = _timed(target, oracle, n)
        for oldest in list(_known)[:-_MOST]:
            _known.pop(oldest, None)
    return known


def _timed(target: Target, oracle: Oracle, n: int) -> float:
    few = min(n, _FEW)
    taken = min(_once(target, oracle.draw(1, few, rng=generator(0, look))[0]) for look in range(2))
    if few == n or taken > _LONG:
        return taken * n / few
    return _once(target, oracle.draw(1, n, rng=generator(0))[0])


def _once(target: Target, database: Database) -> float:
    database.flags.writeable = False
    start = time.perf_counter()
    with np.errstate(all="ignore"), suppress(Exception):  # whatever it raises, the sampler counts it as a failure
        target(database)
    return time.perf_counter() - start
