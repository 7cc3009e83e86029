"""How far a private regression's predictions are off, beside those without privacy and beside a constant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore import L1, Laplace, OperatingPoint, PureDP, sample_sensitivity, targets
from dpcore.answers.fitted_line import FittedLine
from dpcore.base.types import FloatArray

TITLE = "Private regressions"
NOTE = (
    "Root mean square error of prediction on the records that a line was fitted to, mean of 2,000 fits: 1,000 records, five "
    "features uniform on [0, 1], a label around ½ that is linear in them, with normal noise of sd .1; the oracle has the same "
    "law. *Sampled* is at γ = .05 with m = 1,500."
)
HEADER = ("what", "wanted at ε = .1, .3, 1, 3", "ε = .1", "ε = .3", "ε = 1", "ε = 3")
EPSILONS = (0.1, 0.3, 1.0, 3.0)
SLOPES = np.array([3.0, -2.0, 1.5, 1.0, -0.5])
SLOPES *= np.sqrt(12 * (0.188**2 - 0.1**2)) / np.linalg.norm(SLOPES)  # a constant is .188 off
UNIT = (0.0, 1.0)
RIDGE, STRONG = (targets.Ridge((UNIT,) * 5, UNIT, penalty) for penalty in (1e-3, 1.0))
SUMS = targets.SufficientStatistics((UNIT,) * 5, UNIT)
EQUAL = targets.SufficientStatistics((UNIT,) * 5, UNIT, widths=(1.0, 1.0))


@dataclass(frozen=True)
class Linear:
    """Records (x_1, …, x_5, y), y = ½ + Σ slope·(x − ½) + .1·N(0, 1)."""

    independent_records: ClassVar[bool] = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> FloatArray:
        x = rng.random((databases, records, len(SLOPES)))
        y = 0.5 + (x - 0.5) @ SLOPES + 0.1 * rng.standard_normal((databases, records))
        return np.concatenate([x, y[..., None]], axis=-1)


def off(lines: FloatArray, records: FloatArray) -> FloatArray:
    """The error of each line (k, 6), in the label's unit: -> (k,)"""
    found: FloatArray = np.sqrt(np.mean((lines[:, :-1] @ records[:, :-1].T + lines[:, -1:] - records[:, -1]) ** 2, axis=1))
    return found


def error(target: Any, sensitivity: Any, epsilon: float, *, fits: int, noises: int = 5) -> float:
    """The mean over so many private fits, ``noises`` to a table."""
    noise, line, rng = (
        Laplace().calibrate(sensitivity, PureDP(epsilon)),
        FittedLine(("x",) * 6, target=target),
        np.random.default_rng(15),
    )
    tables = Linear().draw(max(1, fits // noises), 1_000, rng=rng)
    drawn = [line.own(noise.simulate(target(table), size=noises, rng=rng), scale=noise.law.scale) for table in tables]
    return float(np.mean([off(lines, table) for lines, table in zip(drawn, tables, strict=True)]))


def sampled(target: Any, m: int = 1_500) -> Any:
    """Its sensitivity at γ = .05."""
    at = OperatingPoint.for_both(m, 0.05)
    return sample_sensitivity(target, Linear(), norm=L1, n=1_000, at=at, seed=7).sensitivity()


def without_privacy() -> tuple[float, float]:
    """The error of least squares, and that of the label's mean."""
    tables = Linear().draw(60, 1_000, rng=np.random.default_rng(1))
    fitted = [np.linalg.lstsq(np.column_stack([table[:, :-1], np.ones(1_000)]), table[:, -1])[0] for table in tables]
    best = [float(off(line[None], table)[0]) for line, table in zip(fitted, tables, strict=True)]
    return float(np.mean(best)), float(np.mean(tables[..., -1].std(axis=1)))


def rows(fits: int = 2_000) -> Iterator[tuple[str, ...]]:
    """(what, wanted, the four errors)."""
    best, constant = without_privacy()
    yield ("no privacy; a constant", ".0997; .188", f"{best:.4f}", f"{constant:.3f}", "", "")
    cases = {
        ("ridge, sampled", ".110/.102/.100/.100"): (RIDGE, sampled(RIDGE)),
        ("from sums, sampled", ".180/.140/.109/.101"): (SUMS, sampled(SUMS)),
        ("from sums, proved", ".196/.161/.120/.104"): (SUMS, SUMS.global_sensitivity(L1, 1_000)),
        ("from sums in equal shares, sampled", ".293/.171/.110/.101"): (EQUAL, sampled(EQUAL)),
        ("from sums in equal shares, proved", ".316/.277/.158/.112"): (EQUAL, EQUAL.global_sensitivity(L1, 1_000)),
        ("ridge of penalty 1, proved", "shown"): (STRONG, STRONG.global_sensitivity(L1, 1_000)),
    }
    for (what, wanted), (target, sensitivity) in cases.items():
        yield (what, wanted, *(f"{error(target, sensitivity, epsilon, fits=fits):.3f}" for epsilon in EPSILONS))
