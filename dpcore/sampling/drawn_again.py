"""One pair of a sample drawn again from its block of the seed: what was replaced by what."""

from __future__ import annotations

import numpy as np

from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.sampling.agreement import agreed_record
from dpcore.sampling.blocks import Subject
from dpcore.sampling.change import Change
from dpcore.sampling.sampler import SensitivitySample
from dpcore.sampling.ways import choose


def drawn_again(sample: SensitivitySample[Norm], pair: int, *, most: int) -> Change | None:
    """What differs between the two databases of pair number ``pair``, from 0, the same draw to the bit.

    None where its block holds more than ``most`` records: to draw it takes as long as it took then. The records are the
    oracle's, and those of a table only where the oracle draws them again. InvalidValueError for a pair that is not in
    the sample.
    """
    if not 0 <= pair < len(sample.distances):
        raise InvalidValueError("pair", f"from 0 to {len(sample.distances) - 1:,}", pair)
    subject = Subject(sample.target, sample.oracle, sample.norm, sample.n, sample.seed, sample.adjacency)
    way = choose(sample.target, sample.oracle, sample.n, sample.adjacency)
    with np.errstate(all="ignore"):
        size = way.block_size(agreed_record(way, subject).nbytes, sample.n)
        block, at = divmod(pair, size)
        records = 2 if way.light else subject.drawn
        return way.change(subject, block, size, at) if size * records <= most else None
