"""How a run of the sampler can end before it is whole. What was drawn is kept: for looking, and to go on with."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from dpcore.errors import DpcoreError
from dpcore.sampling.draws import Draws


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
