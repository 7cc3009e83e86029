"""PipelineDP's estimate of the error, from the formulas that its analysis publishes.

Source: github.com/OpenMined/PipelineDP, analysis/per_partition_combiners.py, ``SumCombiner``. Of each person's total x in a
partition (a group of the answer), clipped to c in [min_sum, max_sum], with p = min(1, max_partitions/partitions of the person):

    clipping_to_min_error = Σ(c − x) where x < min_sum        clipping_to_max_error = Σ(c − x) where x > max_sum
    expected_l0_bounding_error = −Σ c(1 − p)                  std_l0_bounding_error² = Σ c²·p(1 − p)
    std_noise = √2·max_partitions·max(|min_sum|, |max_sum|)/ε

and the error of an answer is the root of (the first three added)² + std_l0_bounding_error² + std_noise². A count has x = rows,
min_sum = 0 and max_sum = rows kept. It estimates counts, counts of people and sums; there is none for a mean.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from tests.benchmarks.capped_people import EPSILON, Bounds, Table

Estimate = tuple[float, float]
"""The bias, and the standard deviation over which contributions are kept."""


def clipped_totals(table: Table, s: int, bounds: Bounds) -> Estimate:
    """One partition, each person's total clipped to s times the bounds, with 0 among them: no row has a bound of its own."""
    totals = defaultdict[int, float](float)
    for person, value in zip(table.person, table.value, strict=True):
        totals[person] += value
    low, high = s * min(bounds[0], 0.0), s * max(bounds[1], 0.0)
    return sum(min(max(total, low), high) - total for total in totals.values()), 0.0


def dropped_rows(table: Table, s: int, bounds: Bounds) -> Estimate:
    """Each row a partition of its own: clipped by itself, and kept with chance s/N whatever becomes of the others."""
    number = Counter(table.person)
    bias = variance = 0.0
    for person, value in zip(table.person, table.value, strict=True):
        kept, chance = min(max(value, bounds[0]), bounds[1]), min(1.0, s / number[person])
        bias += kept - value - kept * (1 - chance)
        variance += kept**2 * chance * (1 - chance)
    return bias, math.sqrt(variance)


def rmse(estimate: Estimate, s: int, bounds: Bounds) -> float:
    """With noise of a person's s rows."""
    return math.hypot(*estimate, math.sqrt(2) * s * max(map(abs, bounds)) / EPSILON)
