"""A function as a user brings one: of a file of its own, which nobody proved anything of."""

import numpy as np


def trimmed_mean(database):
    """The mean without the least and the largest tenth of the records."""
    values = np.sort(database)
    cut = len(values) // 10
    return np.array([values[cut : len(values) - cut].mean()])
