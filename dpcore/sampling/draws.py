"""The draws of a run of the sampler: while it runs, and after it ended early, to look at and to resume with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.blocks import Block


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """The number of measured pairs among m, and their distances in the order of the pairs. Never calibrate with them."""

    done: int
    m: int
    distances: FloatArray = field(default_factory=lambda: np.empty(0), repr=False, compare=False)


@final
@dataclass(frozen=True, eq=False)
class Draws:
    """The pairs of a run that are measured so far: to look at, or to ``resume`` the run with, never to calibrate with.

    Attributes:
        distances: G of each of m pairs; NaN for a pair that is not measured yet.
        sizes: |f(D)| of each pair; NaN if it is not known.
        failures: Why pairs failed, by the pair's index.
        run: Hash of everything that was sampled from.
        point: The operating point that was fixed before the first draw; None if it was chosen later.
    """

    distances: FloatArray
    sizes: FloatArray
    failures: dict[int, str] = field(default_factory=dict)
    run: str = ""
    point: OperatingPoint | None = None

    @classmethod
    def begin(cls, m: int, resume: Draws | None) -> Draws:
        """Return the draws of a run of m pairs that ``add`` fills, beginning with those of an earlier run."""
        if resume is None:
            return cls(np.full(m, np.nan), np.full(m, np.nan))
        return cls(resume.distances.copy(), resume.sizes.copy(), dict(resume.failures))

    def add(self, start: int, block: Block) -> None:
        """Fill in the pairs of a block, in any order of blocks."""
        # In the order of pairs, and not of arrival: slow pairs are unlike the others.
        stop = start + len(block.distances)
        self.distances[start:stop] = block.distances
        if len(block.sizes):
            self.sizes[start:stop] = block.sizes
        self.failures.update({start + pair: why for pair, why in block.failures.items()})

    def copy(self) -> Draws:
        """Return a read-only copy, which later pairs do not change."""
        distances, sizes = self.distances.copy(), self.sizes.copy()
        distances.flags.writeable = sizes.flags.writeable = False
        return Draws(distances, sizes, dict(sorted(self.failures.items())))

    @property
    def m(self) -> int:
        """Number of pairs of the whole run."""
        return len(self.distances)

    @property
    def measured(self) -> FloatArray:
        """The distances that are known, in the order of their pairs."""
        return self.distances[~np.isnan(self.distances)]

    @property
    def prefix(self) -> int:
        """Number of pairs before the first that is not measured: a run under TIME_UNIFORM may be released up to there.

        Slow pairs are unlike the others, so this number depends on the pairs. The bound does not hold for the pairs that arrived
        first.
        """
        # TIME_UNIFORM covers every number of first pairs, whatever chose it (mathematics, section 3.1).
        absent = np.isnan(self.distances)
        return int(absent.argmax()) if absent.any() else self.m

    def of(self, m: int, *, together: int) -> Draws:
        """Return the pairs that a run of m pairs would have measured too, to the bit.

        Args:
            m: Number of pairs of the other run.
            together: Number of pairs that are measured at once.

        Returns:
            The draws of a run of m pairs, of which some are not measured.
        """
        if m == self.m:
            return self
        # How many pairs were measured at once can show in the last bits, so pairs of a cut block are measured again.
        shared = min(m, self.m)
        shared -= shared % together
        distances, sizes = np.full(m, np.nan), np.full(m, np.nan)
        distances[:shared], sizes[:shared] = self.distances[:shared], self.sizes[:shared]
        failures = {pair: why for pair, why in self.failures.items() if pair < shared}
        return replace(self, distances=distances, sizes=sizes, failures=failures)


class Remedy(Enum):
    """The remedy for a broken executor."""

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
    """The sampler was cancelled; its draws are for looking only."""

    draws: Draws = field(repr=False)

    def __str__(self) -> str:
        return (
            f"Sampling stopped after {len(self.draws.measured):,} of {self.draws.m:,} pairs. These draws calibrate nothing; "
            "resume with them, or sample again to release."
        )


@dataclass(eq=False)
class ExecutorLostError(SamplingStoppedError):
    """The executor broke. The target did not fail: no failure is counted, and the draws that arrived are kept."""

    kind: str
    why: str
    remedy: Remedy = Remedy.NEW_POOL

    def __str__(self) -> str:
        return f"{self.what_happened} Then sample again with resume=error.draws: what arrived is not drawn again."

    @property
    def what_happened(self) -> str:
        """The error and its remedy, also for people who do not write code."""
        came = f"{len(self.draws.measured):,} of {self.draws.m:,} pairs"
        return f"Sampling broke off after {came} ({self.kind}: {self.why}). {self.remedy.value}"
