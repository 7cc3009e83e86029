"""Exact binomial bounds of Clopper & Pearson (1934) for a share seen in independent runs, at confidence 1 − 1e-6 each."""

from __future__ import annotations

from scipy import stats

DOUBT = 1e-6


def least_share(count: int, runs: int) -> float:
    """The share is at least this, with confidence 1 − 1e-6."""
    return float(stats.beta.ppf(DOUBT, count, runs - count + 1)) if count else 0.0


def largest_share(count: int, runs: int) -> float:
    """The share is at most this, with confidence 1 − 1e-6."""
    return float(stats.beta.ppf(1 - DOUBT, count + 1, runs - count)) if count < runs else 1.0
