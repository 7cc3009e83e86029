"""True sensitivity CDFs Φ(g) = P(G <= g), where they are known: as the target says, by what the oracle says of its records."""

from __future__ import annotations

from dpcore.base.facts import facts
from dpcore.base.known_laws import CDF
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target


def true_cdf(target: Target, oracle: Oracle, norm: Norm, n: int) -> CDF | None:
    """Φ for the pairs that the sampler draws, by the target's own ``true_cdf``; None where none is known."""
    offered = facts(target).true_cdf
    known: CDF | None = None if offered is None else offered(oracle, norm, n)
    return known
