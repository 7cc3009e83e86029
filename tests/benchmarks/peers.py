"""The two other samplers beside ours: run if they are installed, otherwise with times that were measured on another day once."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.curves import PriestleyChao
from tests.benchmarks.timing import seconds

TITLE = "Peers"
NOTE = "A *reference time* was measured with the peer on another day; an installed peer runs here."
HEADER = ("what", "wanted", "measured", "ours", "the peer's")
_SHERPA, _DIFFPRIV = 1.0, 4.4  # seconds
_MOST_SECONDS = 60
_HAS_DIFFPRIV = 'quit(status = if (requireNamespace("diffpriv", quietly = TRUE)) 0 else 1)'
_PRIESTLEY_CHAO = """
library(diffpriv)
regression <- function(records) {
  records <- records[order(records[, 1]), ]
  weights <- diff(records[, 1]) * records[-1, 2]
  function(x) sum(weights * sapply(x - records[-1, 1], function(d) exp(-(d / 0.1)^2 / 2))) / 0.1
}
prior <- function(n) {
  x <- runif(n)
  y <- if (runif(1) < 0.95) x else rep(0, n)
  if (runif(1) < 0.5) y <- y * sin(x)
  if (runif(1) < 0.5) y <- y * cos(x)
  cbind(x, y + rnorm(n, sd = 0.2))
}
mechanism <- DPMechBernstein(target = regression, latticeK = 25, dims = 1)
cat(system.time(sensitivitySampler(mechanism, oracle = prior, n = 250, m = 500, gamma = 0.2))["elapsed"])
"""


@dataclass(frozen=True)
class Peer:
    """Seconds of a peer, and whether they were measured now."""

    seconds: float
    words: str


def rows() -> list[tuple[str, ...]]:
    """Return the speed of ours relative to each peer, at the same task."""
    mean = seconds(lambda: _ours(targets.Mean(), oracles.Exponential(1.0), 10_000, 20_000))
    regression = seconds(lambda: _ours(targets.OnLattice(PriestleyChao(0.1), 25), oracles.RegressionPrior(), 250, 500))
    return [
        _row("mean, n = 10,000, m = 20,000: Sherpa.FL / ours", 1_000, mean, _peer(_SHERPA, _sherpa)),
        _row("Priestly–Chao, n = 250, degree 25, m = 500: diffpriv / ours", 60, regression, _peer(_DIFFPRIV, _diffpriv)),
    ]


def _row(what: str, wanted: int, ours: float, peer: Peer) -> tuple[str, ...]:
    return what, f"≥ {wanted:,}", f"{peer.seconds / ours:,.0f}", f"{ours * 1e3:.2g} ms", peer.words


def _ours(target: Any, oracle: Any, n: int, m: int) -> None:
    sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_sample_size(m), seed=1)


def _peer(reference: float, run: Callable[[], float | None]) -> Peer:
    try:
        measured = run()
    except Exception as error:  # of a version that works otherwise
        return Peer(reference, f"{reference} s, reference time (the installed one failed: {type(error).__name__})")
    if measured is None:
        return Peer(reference, f"{reference} s, reference time")
    return Peer(measured, f"{measured:.2g} s, in this run")


def _diffpriv() -> float | None:
    """The vignette's regression: the time of its sampler only."""
    program = shutil.which("Rscript")
    if program is None or subprocess.run([program, "-e", _HAS_DIFFPRIV], timeout=_MOST_SECONDS).returncode:
        return None
    said = subprocess.check_output([program, "-"], input=_PRIESTLEY_CHAO, text=True, timeout=_MOST_SECONDS)
    return float(said.split()[-1])


def _sherpa() -> float | None:
    if importlib.util.find_spec("shfl") is None:
        return None
    sampler = importlib.import_module("shfl.differential_privacy.sensitivity_sampler").SensitivitySampler()
    norm = importlib.import_module("shfl.differential_privacy.norm").L1SensitivityNorm()
    start = time.perf_counter()
    sampler.sample_sensitivity(np.mean, norm, _Draws(), 10_000, 20_000)
    return time.perf_counter() - start


class _Draws:
    """Exponential records, as that library asks for them."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(1)

    def sample(self, size: int) -> Any:
        return self._rng.exponential(size=size)
