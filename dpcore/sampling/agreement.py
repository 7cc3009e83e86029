"""Whether a target's shortcut computes what its plain call does: looked at on one small pair before any block."""

from __future__ import annotations

from typing import cast

import numpy as np

from dpcore.base.types import AdditiveTarget, Database
from dpcore.errors import WaysDisagreeError
from dpcore.sampling.ways import AdditiveWay, BatchWay, Job, PairWay, PlainWay, Way, frozen, generator, matrix, vector


def check(way: Way, job: Job) -> None:
    """WaysDisagreeError where the way and the plain call differ on one small pair of databases.

    Both the distance and, for an additive target, the value itself are compared; failing alike is agreeing.
    """
    if isinstance(way, PlainWay):
        return
    small = Job(job.target, job.oracle, job.norm, min(job.n, 7), job.seed)
    extended = frozen(job.oracle.draw(1, small.n + 1, rng=generator(job.seed, 0, 1)))
    with np.errstate(all="ignore"):
        last = np.array([small.n - 1])
        plain = PlainWay().on(small, extended, last)
        if isinstance(way, BatchWay):
            shortcut = way.on(small, extended, last)
        elif isinstance(way, PairWay):
            shortcut = way.on(small, extended)
        else:
            assert isinstance(way, AdditiveWay)
            shortcut = way.on(small, extended[:, -2:])
            _check_sum(small, extended[0, :-1])
    scale = np.nan_to_num(plain.sizes[0])
    _compare(way.name, float(plain.distances[0]), float(shortcut.distances[0]), scale)


def _check_sum(job: Job, database: Database) -> None:
    target = cast(AdditiveTarget, job.target)
    try:
        value, parts = vector(target(database)), matrix(target.contribution(database, job.n), job.n)
    except Exception:
        return  # a failure is the sampler's to count
    total = parts.sum(axis=0)
    if value.shape != total.shape:
        raise WaysDisagreeError("additive", float(value.size), float(total.size))
    worst = int(np.argmax(np.abs(value - total)))
    _compare("additive", float(value[worst]), float(total[worst]), float(np.abs(parts).sum()))


def _compare(way: str, plain: float, shortcut: float, scale: float) -> None:
    if plain == shortcut:  # infinite alike, too
        return
    if way == "additive" and np.isinf(plain) and np.isfinite(shortcut):
        return  # one of the n−1 common records fails: both neighbours fail alike, whatever the swapped two are
    if not np.isfinite([plain, shortcut]).all():
        raise WaysDisagreeError(way, plain, shortcut)
    if not abs(plain - shortcut) <= 1e-9 * max(abs(plain), abs(shortcut), scale):
        raise WaysDisagreeError(way, plain, shortcut)
