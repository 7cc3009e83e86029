"""Whether an oracle's inverse distribution function has the law of its draws, as far as some draws tell."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import FloatArray, Inverse, Oracle
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import generator

RECORDS = 2**14  # that are drawn to look
_MISTAKEN = 1e-9  # how often an inverse that is right is refused
_SHARES = np.arange(1, 256) / 256
_SEED = 2_017  # one for all, so that an oracle is refused always or never


def check_inverse(oracle: Oracle, inverse: Inverse) -> None:
    """InvalidValueError where 16,384 records are further from the inverse's law than √(log(2/10⁻⁹)/(2·16,384)) = 2.6 %.

    By the inequality of Dvoretzky, Kiefer and Wolfowitz a right one is that far off once in 10⁹ times. A law that is off by
    less passes: the records have a random look alone.
    """
    records = np.asarray(oracle.draw(RECORDS, 1, rng=generator(_SEED)))
    if records.size != RECORDS or records.dtype.kind not in "fiub":
        raise InvalidValueError("oracle", "of one number a record, because it has an inverse", records.shape[2:])
    edges = np.asarray(inverse(_SHARES))
    if edges.shape != _SHARES.shape or not (np.diff(edges) >= 0).all():
        raise InvalidValueError("oracle", "with an inverse that never falls, of the shape of its shares", edges.shape)
    apart = distance(records.reshape(-1).astype(np.float64), edges, _SHARES)
    worst = int(np.argmax(apart))
    if apart[worst] > math.sqrt(math.log(2 / _MISTAKEN) / (2 * RECORDS)):
        expected = f"with an inverse that has the law of its draws: inverse({_SHARES[worst]:g})"
        raise InvalidValueError("oracle", expected, f"{edges[worst]:g}, which is {apart[worst]:.1%} of the records off")


def distance(records: FloatArray, edges: FloatArray, shares: FloatArray) -> FloatArray:
    """How far F_m(x−) <= u <= F_m(x) is from holding at x = F⁻¹(u), F_m the records' own distribution function: 0 where it does.

    At most sup |F_m − F| where ``edges`` are F⁻¹ of the ``shares``, also for laws with atoms.
    """
    ordered = np.sort(records)
    below = np.searchsorted(ordered, edges, side="left") / len(ordered)
    upto = np.searchsorted(ordered, edges, side="right") / len(ordered)
    return np.asarray(np.maximum(np.maximum(below - shares, shares - upto), 0.0))
