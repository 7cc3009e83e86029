"""The error of every configuration, a cap with bounds of the values, predicted before a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.checks import positive
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from pages.old.experiment.contributions.asked import Asked, Kept, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, Keeping, cells_of, classes_of
from pages.old.experiment.contributions.limit import Limit, Totals, totals_of
from pages.old.experiment.contributions.noise import Errors
from pages.old.experiment.contributions.parts import AtCap, parts_of


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Prediction:
    """One configuration: the ``sensitivity`` that its cap or limit and its bounds have, the ``scale`` of the noise, and the
    errors."""

    cap: Kept
    bounds: Interval
    sensitivity: float
    scale: float
    errors: Errors


@final
@dataclass(frozen=True, eq=False)
class Predictions:
    """All configurations: ``table[i][j]`` has the i-th cap and the j-th bounds."""

    table: tuple[tuple[Prediction, ...], ...]

    @property
    def totals(self) -> FloatArray:
        """The root mean square error of each, over groups where there are some, (caps, bounds)."""
        return np.array([[each.errors.total for each in row] for row in self.table])

    @property
    def best(self) -> Prediction:
        """The first one with the least total."""
        row, column = np.unravel_index(int(np.argmin(self.totals)), self.totals.shape)
        return self.table[row][column]


def predict(
    rows: CountedRows,
    asked: Asked,
    terms: Terms,
    caps: Sequence[Kept],
    bounds: Sequence[Interval] | None = None,
    sensitivity: float | None = None,
) -> Predictions:
    """Every cap, or limit of a person's total, with every pair of bounds; with a ``sensitivity``, above 0 in the noise's norm,
    under noise for that and not for what is proved.

    Rows are looked at once for each pair of bounds, and once more for its variance over salts. A cap then costs one pass over
    the classes of people that have equally many rows. ``bounds`` is left out where the question knows its own.
    InvalidValueError for no cap, no bounds, or bounds the wrong way.
    """
    if not caps:
        raise InvalidValueError("caps", "at least one", tuple(caps))
    known = None if sensitivity is None else positive("sensitivity", sensitivity)
    pairs, cells, spread = asked.pairs(bounds), cells_of(rows), terms.keeping is Keeping.ROWS
    kinds = {cap.a_group for cap in caps if isinstance(cap, Cap)}
    classes = {a_group: classes_of(rows, cells, a_group=a_group) for a_group in kinds}
    columns = []
    for pair in pairs:
        parts = {a_group: parts_of(rows, cells, of, pair, spread=spread) for a_group, of in classes.items()}
        totals = totals_of(rows, cells, pair) if any(isinstance(cap, Limit) for cap in caps) else None
        proved = {cap: terms.sensitivity(asked, cap, pair, rows.groups) if known is None else known for cap in caps}
        kept = {cap: parts[cap.a_group].capped(cap) if isinstance(cap, Cap) else _clipped(totals, cap) for cap in caps}
        columns.append([_prediction(asked, terms, kept[cap], cap, pair, proved[cap]) for cap in caps])
    return Predictions(tuple(zip(*columns, strict=True)))


def _clipped(totals: Totals | None, limit: Limit) -> AtCap:
    assert totals is not None
    return totals.clipped(limit)


def _prediction(asked: Asked, terms: Terms, kept: AtCap, cap: Kept, bounds: Interval, sensitivity: float) -> Prediction:
    scale = terms.noise.scale(sensitivity)
    errors = asked.released.errors(kept, bounds, terms.noise, scale)
    return Prediction(cap=cap, bounds=bounds, sensitivity=sensitivity, scale=scale, errors=errors)


# The errors of several caps beside one another, each split into what causes it.


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """Of each cap, (caps,), sizes in the answer's unit: root mean squares over groups that have a truth, or of the one answer.

    total² = bias² + salts² + noise², and bias is the size of clipped_low + clipped_high + dropped + from_noise, in which too much
    and too little cancel. So neither the sizes nor their squares add up, where several of these four are there.
    """

    total: FloatArray
    bias: FloatArray
    dropped: FloatArray
    clipped_low: FloatArray
    clipped_high: FloatArray
    from_noise: FloatArray
    salts: FloatArray
    noise: FloatArray


def split(of_caps: Sequence[Prediction]) -> Split:
    """The predictions of several caps, as one column of ``Predictions.table`` has them; InvalidValueError for none."""
    if not of_caps:
        raise InvalidValueError("predictions", "at least one", tuple(of_caps))
    errors = [each.errors for each in of_caps]
    return Split(
        total=np.array([each.total for each in errors]),
        salts=np.array([_root(each, np.sqrt(each.salts)) for each in errors]),
        noise=np.array([_root(each, np.sqrt(each.noise)) for each in errors]),
        **{name: np.array([_root(each, getattr(each, name)) for each in errors]) for name in _ADDED},
    )


_ADDED = ("bias", "dropped", "clipped_low", "clipped_high", "from_noise")


def _root(errors: Errors, sizes: FloatArray) -> float:
    return float(np.sqrt((sizes[~np.isnan(errors.truth)] ** 2).mean()))
