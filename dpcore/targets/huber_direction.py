"""The direction of a huberised linear support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from dpcore.targets.fitted_directions import FittedDirection
from dpcore.targets.margin_losses import HuberHinge, MarginLoss


@final
@dataclass(frozen=True, slots=True)
class HuberDirection(FittedDirection):
    """The first d coordinates of the w that minimises ½‖w‖² + (C/n) Σ ℓ(1 − y_i w·z_i): records (x_1, …, x_d, label) -> (d,).

    z = (x − ½, ½), x clipped to its public ``x_bounds`` and scaled to [0, 1]; y is 1 where the
    label is above 1/2, else −1; ℓ is the hinge with its kink rounded off, ``HuberHinge``. The constant feature stands for an
    intercept, which is no part of the answer: a direction says how to rank records, not where to part them.

    It is within 4 % of what one record can change of the exact minimiser, for every database (``global_sensitivity``).
    """

    loss: ClassVar[MarginLoss] = HuberHinge()
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: SVM"
    way: ClassVar[str] = "by a huberised SVM"
