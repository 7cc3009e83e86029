"""Questions of every kind of answer whose charts follow a hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, L2, LINF, RANGE, Exponential, Gaussian, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.mechanisms import Bernstein
from tests.pages.charts.live import test_look
from tests.pages.charts.live.asked import Asked, asked

# Choices.


NAMES = ("<img src=x onerror=alert(1)>", "b\u2028c", "**bold**", "${1}", "e" * 60, *(f"c{i}" for i in range(55)))


def choice(selection: Any, norm: Any = RANGE, candidates: tuple[str, ...] = NAMES) -> Asked:
    """Of one of so many candidates."""
    shares = np.arange(1.0, len(candidates) + 1) ** 2
    oracle = oracles.Categorical(tuple(float(share) for share in shares / shares.sum()), candidates)
    return asked(
        Exponential(candidates, norm=norm, selection=selection),
        norm,
        declared=(Column("a", role="text", categories=candidates),),
        target=targets.Histogram(categories=candidates),
        oracle=oracle,
        n=400,
        m=199,
    )


CHOICES = {
    "gumbel": choice("gumbel"),
    "gumbel, L∞": choice("gumbel", LINF),
    "permute-and-flip": choice("permute-and-flip"),
    "few, permute-and-flip": choice("permute-and-flip", candidates=NAMES[:15]),
}

# Curves and lines.


UNIT = (0.0, 1.0)


def curve(one: Any, oracle: Any, mechanism: Any = None) -> Asked:
    """Of a curve on a lattice."""
    mechanism = mechanism or Bernstein(order=6)
    return asked(mechanism, mechanism.norm, target=targets.OnLattice(one, 20), oracle=oracle, n=60, m=99)


def line(target: Any, mechanism: Any = None, norm: Any = L1, **more: Any) -> Asked:
    """Of a line of one feature."""
    laws = oracles.Product((oracles.Uniform(0, 1),) * 2)
    declared = Column("a", bounds=UNIT), Column("b", unit="points", bounds=UNIT)
    return asked(mechanism, norm, declared=declared, target=target, oracle=laws, columns=("a", "b"), n=80, m=99, **more)


CURVES = {
    "regression": curve(PriestleyChao(0.1, UNIT, (-1.0, 1.0)), oracles.RegressionPrior(0.2, UNIT, (-1.0, 1.0))),
    "curve without worst case": curve(PriestleyChao(0.1, UNIT, None), oracles.RegressionPrior(0.2, UNIT, (-1.0, 1.0))),
    "density in L∞": curve(KernelDensity(0.1, UNIT), oracles.Uniform(0, 1), Bernstein(order=1, norm=LINF)),
    "ridge": line(targets.Ridge((UNIT,), UNIT)),
    "ridge, Gaussian": line(targets.Ridge((UNIT,), UNIT), Gaussian(), L2, delta=1e-6),
}

# Several numbers, and groups.


BINS = targets.Histogram(edges=(0.0, 2.0, 4.0, 8.0), counts=True)
_LAWS = oracles.Product((oracles.Uniform(0.0, 8.0), oracles.Bernoulli(0.4)), ("a", "b"))


def by(target: Any) -> Asked:
    """Of each of two groups."""
    whole = targets.On(target, ("a",), by=Groups("b", (0.0, 1.0)))
    declared = Column("a", unit="minutes", bounds=(0.0, 8.0)), Column("b")
    return asked(declared=declared, target=whole, oracle=_LAWS, columns=("a", "b"))


SEVERAL = {
    "bars": asked(target=BINS),
    "bars, Gaussian": asked(Gaussian(), L2, delta=1e-6, target=BINS),
    "marks": asked(target=targets.LetterCounts(), oracle=oracles.Names(), n=10),
    "groups of bins": by(BINS),
    "groups of sums": by(targets.Sum((0.0, 8.0))),
}
ONE = {
    name: test_look.CASES[name]
    for name in ("Laplace", "count", "Gaussian", "classical Gaussian", "worst case leads", "no worst case")
}
EVERY = ONE | CHOICES | CURVES | SEVERAL
