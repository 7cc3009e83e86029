"""A linear classifier: weights of features, and a bias."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Numbers

_DRAWS, _SEED = 4_000, 2017  # of the noise, always the same
_RULE = "is predicted where the weights times the features, and the bias, add up to more than 0"


@final
@dataclass(frozen=True, slots=True)
class Classifier(KindOfAnswer):
    """``labels``: of the weights and the bias. Its target is a ``ClassifierTarget``, which counts what it misclassifies.

    A response is (w, b) for features from 0 to 1; people read it for features in their own units, each between its ``spans``.
    ``classes``: their names, the first where w·x + b is at most 0. ``moves``: what its sensitivity measures, where a second
    step does not count. ``centred``: b is that of features from −½ to ½. ``untold``: what a person would ask next and the
    response does not tell, and why; empty where there is nothing.
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    moves: str = "weights and bias"
    spans: tuple[Interval, ...] = ()
    classes: tuple[str, str] = ("0", "1")
    centred: bool = False
    untold: str = ""

    @property
    def after(self) -> str:
        """Nothing: a weight has no unit."""
        return ""

    def own(self, response: FloatArray, /) -> FloatArray:
        """Weights and bias for features in their own units, w_j/width_j and b − Σ w_j·low_j/width_j: (..., d+1) -> (..., d+1)."""
        if self.centred:
            middle = response[..., :-1].sum(axis=-1, keepdims=True) / 2
            response = np.concatenate([response[..., :-1], response[..., -1:] - middle], axis=-1)
        if not self.spans:
            return response
        low, high = np.array(self.spans).T
        weights = response[..., :-1] / (high - low)
        return np.concatenate([weights, response[..., -1:] - (weights @ low)[..., None]], axis=-1)

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...] | None:
        """Within which distance of each released weight, and of the bias, that without noise lies, with that share as odds.

        None where a second step chose the bias: how far that lies depends on the table.
        """
        if law.half_width is None:
            return None
        drawn = self.own(law.simulate(response, size=_DRAWS, rng=np.random.default_rng(_SEED))) - self.own(response)
        return tuple(np.quantile(np.abs(drawn), share, axis=0).tolist())

    def brief(self, response: FloatArray, /) -> str:
        """The first weights."""
        return Numbers(self._names).brief(self.own(response))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each weight with its feature, the bias, how they are read, and what they do not tell."""
        untold = (("not told", self.untold),) if self.untold else ()
        return (*Numbers(self._names).parts(self.own(response)), (self.classes[1], _RULE), *untold)

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """As JSON: a number a label, and the released numbers, for features from 0 to 1, whose noise has the stated scale."""
        return {**Numbers(self._names).plain(self.own(response)), "released numbers": response.tolist()}

    @property
    def _names(self) -> tuple[str, ...]:
        """Of what ``own`` gives: there the bias is the usual one."""
        return (*self.labels[:-1], "bias")
