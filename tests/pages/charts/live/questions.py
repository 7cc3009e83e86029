"""Questions of every kind of answer whose charts follow a hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, L2, LINF, RANGE, Exponential, Gaussian, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms import Bernstein
from pages.experiment.scenario import Scenario
from tests.pages.charts.live import test_look
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.test_look import asked

# Choices.


NAMES = ("<img src=x onerror=alert(1)>", "b\u2028c", "**bold**", "${1}", "e" * 60, *(f"c{i}" for i in range(55)))


def choice(selection: Any, norm: Any = RANGE, candidates: tuple[str, ...] = NAMES) -> Asked:
    """Of one of so many candidates."""
    shares = np.arange(1.0, len(candidates) + 1) ** 2
    oracle = oracles.Categorical(tuple(float(share) for share in shares / shares.sum()), candidates)
    scenario = Scenario(
        table="t",
        columns=("a",),
        target=targets.Histogram(categories=candidates),
        oracle=oracle,
        norm=norm,
        n=400,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=0.5,
        delta=None,
        mechanism=Exponential(candidates, norm=norm, selection=selection),
        seed=8,
    )
    return Asked(scenario, oracle, (Column("a", role="text", categories=candidates),))


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
    made = asked(mechanism or Laplace(), norm, target=target, oracle=laws, columns=("a", "b"), n=80, m=99, **more)
    return Asked(made.scenario, laws, (Column("a", bounds=UNIT), Column("b", unit="points", bounds=UNIT)))


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
    made = asked(target=whole, oracle=_LAWS, columns=("a", "b"))
    return Asked(made.scenario, _LAWS, (Column("a", unit="minutes", bounds=(0.0, 8.0)), Column("b")))


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
