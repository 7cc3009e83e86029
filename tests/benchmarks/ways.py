"""Pairs a second of every target and curve of the catalogue, by each way that it offers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore import L1, oracles, targets
from dpcore.base.types import AdditiveTarget, BatchTarget, Database, PairTarget, person_of
from dpcore.registry import catalog
from dpcore.sampling.blocks import Subject, Way, frozen, generator
from dpcore.sampling.direct import DirectWay, offered
from dpcore.sampling.ways import AdditiveWay, BatchWay, PairWay, PlainWay
from tests.contracts import members
from tests.contracts.suited import oracle_for

TITLE = "Ways of sampling"
NOTE = (
    "One block after another in this process, n = 1,000, in turns; a curve has 26 lattice points. *× plain*: pairs a second over "
    "those of the plain loop. *numpy*: the time of a block over that of one `rng.random` call for as many numbers as its records "
    "hold (two records a pair by the additive way, six numbers by the direct one, n + 1 by the others; a name counts as one "
    "number). *differs*: the largest relative difference between its distances and the plain way's on the same 8 pairs; wanted "
    "≤ 1e-9. The direct way draws no databases: its law is compared in the tests. Targets that ask of people are measured apart."
)
HEADER = ("target", "oracle", "way", "pairs a second", "× plain", "numpy", "differs")
_WAYS: tuple[Any, ...] = (AdditiveWay(), PairWay(), BatchWay())
_NEEDS = {"additive": AdditiveTarget, "pair": PairTarget, "batch": BatchTarget}
_ORACLES = (oracles.Uniform(0.0, 1.0), oracles.RegressionPrior(), oracles.TwoClasses(), oracles.Names())
_N, _DEGREE, _SEED = 1_000, 25, 1
_SECONDS, _LEAST_ROUNDS = 1.0, 3
_CHECKED = 8


class HalfKnown:
    """Uniform numbers, half of which are missing: for targets that answer with how many are known."""

    independent_records = True
    draws_missing = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        drawn = rng.random((databases, records))
        return np.where(drawn < 0.5, np.nan, 2 * drawn - 1)


def rows() -> Iterator[tuple[str, ...]]:
    """A row for each target and way."""
    for name, target, oracle in _cases():
        subject = Subject(target, oracle, L1, _N, _SEED)
        ways = _ways(target, oracle)
        timed = _times(subject, ways)
        plain = timed["plain"][0]
        for way in ways:
            rate, against_numpy = timed[way.name]
            differs = "" if way.name in ("plain", "direct") else f"{_difference(subject, way):.0e}"
            law = type(oracle).__name__
            yield name, law, way.name, f"{rate:,.0f}", f"{rate / plain:,.3g}", f"{against_numpy:.3g}", differs


def _cases() -> Iterator[tuple[str, Any, Any]]:
    """Each target of rows, then each curve on a lattice, with an oracle under which it moves."""
    built = [target for target in members.members("targets") if not isinstance(target, targets.OnLattice)]
    for name in catalog.members("targets"):
        if of_rows := [target for target in built if type(target).__name__ == name and person_of(target) is None]:
            yield name, *_moving(of_rows)
    for name, kind in catalog.members("curves").items():
        yield f"{name}, a curve", *_moving([targets.OnLattice(kind(), _DEGREE)])


def _moving(candidates: list[Any]) -> tuple[Any, Any]:
    """The first of them, and the first oracle that it works on, whose pairs are not all at distance zero."""
    for target in candidates:
        for oracle in (*_ORACLES, oracle_for(target), HalfKnown()):
            block = PlainWay().measure(Subject(target, oracle, L1, 50, _SEED), 0, _CHECKED, 0, _CHECKED)
            if not block.failures and block.distances.any():
                return target, oracle
    raise LookupError(f"none of {candidates} moves under an oracle of this file: add one that suits it")


def _ways(target: Any, oracle: Any) -> list[Any]:
    named = getattr(target, "ways", tuple(_NEEDS))
    held = [way for way in _WAYS if way.name in named and isinstance(target, _NEEDS[way.name])]
    return [*([DirectWay()] if offered(target, oracle, _N) else []), *held, PlainWay()]


def _times(subject: Subject, ways: list[Way]) -> dict[str, tuple[float, float]]:
    """By way: pairs a second, and how much longer than numpy alone; medians over blocks taken in turns."""
    record = np.asarray(subject.oracle.draw(1, 2, rng=generator(_SEED, 0, 2)))[0, 0]
    numbers = record.size if record.dtype.kind == "f" else 1
    sizes = {way.name: way.block_size(record.nbytes, subject.n) for way in ways}
    times: dict[str, list[tuple[float, float]]] = {way.name: [] for way in ways}
    end = time.perf_counter() + _SECONDS
    block = 0
    while block < _LEAST_ROUNDS + 1 or time.perf_counter() < end:
        for way in ways:
            size = sizes[way.name]
            shape = (size, {"additive": 2, "direct": 6}.get(way.name, subject.n + 1), numbers)
            start = time.perf_counter()
            with np.errstate(all="ignore"):
                way.measure(subject, block, size, 0, size)
            middle = time.perf_counter()
            generator(_SEED, block).random(shape)
            times[way.name].append((middle - start, time.perf_counter() - middle))
        block += 1
    medians = {name: [statistics.median(column) for column in zip(*kept[1:], strict=True)] for name, kept in times.items()}
    return {name: (sizes[name] / ours, ours / numpy) for name, (ours, numpy) in medians.items()}


def _difference(subject: Subject, way: Any) -> float:
    """How far the way's distances are from the plain ones on the same extended databases, as a share of the larger scale."""
    extended = frozen(subject.oracle.draw(_CHECKED, subject.n + 1, rng=generator(_SEED, 0)))
    last = np.full(_CHECKED, subject.n - 1)
    plain = PlainWay().on(subject, extended, last)
    if isinstance(way, BatchWay):
        ours = way.on(subject, extended, last)
    else:
        ours = way.on(subject, extended if isinstance(way, PairWay) else extended[:, -2:])
    scale = np.maximum.reduce([plain.distances, ours.distances, plain.sizes])
    return float(np.max(np.abs(plain.distances - ours.distances) / scale))
