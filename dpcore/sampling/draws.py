"""What a run of the sampler has measured: while it runs, and where it ended early, to look at and to resume with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.blocks import Block


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """How many of m pairs are measured, and their distances in the order of the pairs: for looking, never to calibrate."""

    done: int
    m: int
    distances: FloatArray = field(default_factory=lambda: np.empty(0), repr=False, compare=False)


@final
@dataclass(frozen=True, eq=False)
class Draws:
    """What was measured so far of m pairs, each at its place; NaN where a pair is not measured yet.

    For looking, or to ``resume`` the same run: never to calibrate. ``run`` identifies what was sampled, and ``point`` is the
    one that was fixed before the first draw.
    """

    distances: FloatArray
    sizes: FloatArray
    failures: dict[int, str] = field(default_factory=dict)
    run: str = ""
    point: OperatingPoint | None = None

    @property
    def m(self) -> int:
        """The number of pairs of the whole run."""
        return len(self.distances)

    @property
    def measured(self) -> FloatArray:
        """The distances that are there, in the order of their pairs."""
        return self.distances[~np.isnan(self.distances)]

    @property
    def prefix(self) -> int:
        """How many pairs are measured before the first that is not: how far a run under TIME_UNIFORM may be released.

        Slow pairs are not like the others, so how far it came says something of them; but that bound holds for every number
        of first pairs at once, whatever chose it. It says nothing of the pairs that arrived first.
        """
        absent = np.isnan(self.distances)
        return int(absent.argmax()) if absent.any() else self.m

    def of(self, m: int, *, together: int) -> Draws:
        """What of them a run of m pairs would have measured too, to the bit.

        ``together`` pairs are measured at once, and how many they were can show in the last bits: where m is another, those
        at a cut end of either run count as not measured.
        """
        if m == self.m:
            return self
        shared = min(m, self.m)
        shared -= shared % together
        distances, sizes = np.full(m, np.nan), np.full(m, np.nan)
        distances[:shared], sizes[:shared] = self.distances[:shared], self.sizes[:shared]
        failures = {pair: why for pair, why in self.failures.items() if pair < shared}
        return replace(self, distances=distances, sizes=sizes, failures=failures)


@final
class Collected:
    """The pairs measured so far, filled in whatever order they arrive."""

    def __init__(self, m: int, resume: Draws | None) -> None:
        self.distances = np.full(m, np.nan) if resume is None else resume.distances.copy()
        self.sizes = np.full(m, np.nan) if resume is None else resume.sizes.copy()
        self.failures = {} if resume is None else dict(resume.failures)

    def add(self, start: int, block: Block) -> None:
        stop = start + len(block.distances)
        self.distances[start:stop] = block.distances
        if len(block.sizes):
            self.sizes[start:stop] = block.sizes
        self.failures.update({start + pair: why for pair, why in block.failures.items()})

    def progress(self) -> Progress:
        measured = self.distances[~np.isnan(self.distances)]
        return Progress(len(measured), len(self.distances), measured)

    def draws(self) -> Draws:
        """What there is, which no later pair changes."""
        distances, sizes = self.distances.copy(), self.sizes.copy()
        distances.flags.writeable = sizes.flags.writeable = False
        return Draws(distances, sizes, dict(sorted(self.failures.items())))


# How a run of the sampler can end before it is whole. What was drawn is kept: for looking, and to go on with.


class Remedy(Enum):
    """What helps where an executor broke."""

    SAME_DPCORE = (
        "Workers and scheduler need the same dpcore as this process, and the target's own module: install it there, or use "
        "client.upload_file."
    )
    PICKLE = "Target and oracle must pickle: define them in a module, without locks, open files, generators or the like."
    MEMORY = "Take fewer workers, or databases that fit their memory."
    SILENT = "See that the cluster has workers, and what they do."
    NEW_POOL = "Start a new pool or cluster, and see its log for why the old one ended."


@dataclass(eq=False)
class SamplingStoppedError(DpcoreError):
    """The sampler was cancelled; what was drawn is for looking only."""

    draws: Draws = field(repr=False)

    def __str__(self) -> str:
        return (
            f"Sampling stopped after {len(self.draws.measured):,} of {self.draws.m:,} pairs. These draws calibrate nothing; "
            "resume with them, or sample again to release."
        )


@dataclass(eq=False)
class EngineLostError(SamplingStoppedError):
    """The executor broke, which is no failure of the target: nothing is counted as one, and what arrived is kept."""

    kind: str
    why: str
    remedy: Remedy = Remedy.NEW_POOL

    def __str__(self) -> str:
        return f"{self.what_happened} Then sample again with resume=error.draws: what arrived is not drawn again."

    @property
    def what_happened(self) -> str:
        """A sentence on what came, and one on what to do about it, for people who write no code too."""
        came = f"{len(self.draws.measured):,} of {self.draws.m:,} pairs"
        return f"Sampling broke off after {came} ({self.kind}: {self.why}). {self.remedy.value}"
