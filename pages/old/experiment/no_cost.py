"""Whether differential privacy proper costs no accuracy: then it is promised first, because it is the stronger promise."""

from __future__ import annotations

import numpy as np

from pages.old.experiment.error_curve import EPSILONS, error_or_none
from pages.old.experiment.headlines.base import Headline

Known = dict[tuple[float, float], float]  # errors by sensitivity and ε


def costs_no_accuracy(headline: Headline, known: Known | None = None) -> bool:
    """Whether the error under the proved sensitivity is within the kind's ``nothing_lost`` of that under the sampled one, at this
    ε and at every larger one of ``EPSILONS``: so once it is true it stays true as ε grows, and nothing flickers.

    It is so without a look at the sampled one where it is within that of the answer without noise. False for a kind that says
    nothing of what is lost, and for a made-up table whose columns are drawn each by itself: there is nothing to be right about.
    ``known`` errors are not computed again, and take up what is.
    """
    lost, worst = headline.nothing_lost, headline.worst
    if lost is None or worst is None or (headline.exact.simulated and headline.fresh_columns_alone):
        return False
    known = {} if known is None else known
    most = headline.least_error + lost

    def error(sensitivity: float, epsilon: float) -> float:
        if (sensitivity, epsilon) not in known:
            known[sensitivity, epsilon] = error_or_none(headline, sensitivity, epsilon)
        return known[sensitivity, epsilon]

    first = max(0, int(np.searchsorted(EPSILONS, headline.scenario.epsilon * (1 + 1e-9), side="right")) - 1)
    for epsilon in map(float, EPSILONS[first:]):
        proved = error(worst.sensitivity.value, epsilon)
        if proved <= most:  # from here on it falls towards the answer without noise
            return True
        if not proved <= error(headline.noise.sensitivity.value, epsilon) + lost:
            return False
    return True
