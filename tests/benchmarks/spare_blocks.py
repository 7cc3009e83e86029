"""Covering designs beside blocks: sets of blocks of which some may be left out, and what more calls of the target gain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpcore import oracles, targets
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.targets.dealt import places_of_blocks
from dpcore.targets.median_scores import grid, median_scores

TITLE = "Covering designs"
NOTE = (
    "Root mean square error about the table's own answer at ε = 1, on the same made-up tables. *Copies* are the design of "
    "docs/mathematics.md, section 20.8: a copy is c blocks, asked c times with one of them left out each time. The best of 40, "
    "80 and 160 votes is taken; blocks are copies with c = 2. In brackets: votes, calls of the target."
)
HEADER = ("what", "wanted", "best copies / blocks", "blocks", "c = 3", "c = 5")
VOTES, SPARES = (40, 80, 160), (2, 3, 5)
CASES: tuple[tuple[str, Any, Any, int, tuple[float, float], int], ...] = (
    ("mean, exponential, n = 500", targets.Mean((0.0, 20.0)), oracles.Exponential(1.0), 500, (0.0, 20.0), 10),
    ("mean, exponential, n = 2,000", targets.Mean((0.0, 20.0)), oracles.Exponential(1.0), 2_000, (0.0, 20.0), 10),
    ("median, exponential, n = 500", targets.Quantile(0.5, (0.0, 20.0)), oracles.Exponential(1.0), 500, (0.0, 20.0), 10),
    ("median, exponential, n = 2,000", targets.Quantile(0.5, (0.0, 20.0)), oracles.Exponential(1.0), 2_000, (0.0, 20.0), 10),
)


def rows() -> list[tuple[str, ...]]:
    """(what, wanted, ratio, blocks, three, five)"""
    return [_row(*case) for case in CASES]


def _row(what: str, target: Any, oracle: Any, n: int, bounds: tuple[float, float], tables: int) -> tuple[str, ...]:
    drawn = oracle.draw(tables, n, rng=np.random.default_rng(5))
    best = [min((error(target, drawn, bounds, votes, c), votes) for votes in VOTES if votes * c // 2 <= n) for c in SPARES]
    ratio = min(found for found, _ in best[1:]) / best[0][0]
    said = (f"{found:.3g} ({votes}, {votes * c // 2:,})" for (found, votes), c in zip(best, SPARES, strict=True))
    return what, "", f"{ratio:.2f}", *said


def error(target: Callable[[Any], Any], drawn: Any, bounds: tuple[float, float], votes: int, c: int) -> float:
    """By the law of the chosen place, on each table."""
    places, law, squares = grid(bounds, 10_001), SelectionLaw(2.0, (), "permute-and-flip"), []
    for table in drawn:
        scores = median_scores(np.clip(_votes(target, table, votes // 2, c), *bounds), places)
        squares.append(float(law.probabilities(scores) @ (places - target(table)[0]) ** 2))
    return math.sqrt(np.mean(squares))


def _votes(target: Callable[[Any], Any], table: Any, copies: int, c: int) -> Any:
    """The least and the largest answer of each copy, with one of its blocks left out each time."""
    blocks = places_of_blocks(len(table), copies * c, 0)
    parts: list[Sequence[Any]] = [blocks[first : first + c] for first in range(0, copies * c, c)]
    answers = [[target(table[np.concatenate([*part[:out], *part[out + 1 :]])])[0] for out in range(c)] for part in parts]
    return np.array([end for own in answers for end in (min(own), max(own))])
