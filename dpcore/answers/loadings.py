"""A direction among columns: a loading for each, and the share of the variance that lies along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.rounded import first_of, in_full
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer

SHARE = "share of the variance"
_DRAWS, _SEED = 2_000, 2017  # of the noise, always the same


@final
@dataclass(frozen=True, slots=True)
class Loadings(KindOfAnswer):
    """``labels``: of the columns. A response has a loading a column, and then the share; the loadings of a column that goes from
    −1 to 1 between its bounds."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that is answered."""
        return (*self.labels, SHARE)

    def of(self, responses: FloatArray, /) -> FloatArray:
        """Directions of length 1 and shares within [0, 1], the nearest to the noisy ones: (k, d+1) -> (k, d+1). A direction of
        length 0 stays."""
        directions = responses[:, :-1]
        lengths = np.linalg.norm(directions, axis=1, keepdims=True)
        unit = directions / np.where(lengths > 0, lengths, 1.0)
        return np.column_stack([unit, np.clip(responses[:, -1], 0.0, 1.0)])

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...]:
        """Within which distance of each released number that without noise lies, with that share as odds: simulated from the
        released direction, so that it asks no table."""
        read = self.of(response[None])
        drawn = self.of(law.simulate(read[0], size=_DRAWS, rng=np.random.default_rng(_SEED)))
        return tuple(np.quantile(np.abs(drawn - read), share, axis=0).tolist())

    def brief(self, response: FloatArray, /) -> str:
        """The first loadings."""
        return first_of((f"{name}: {text}" for name, text in self.parts(response)), len(self.names))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each loading, and the share."""
        return tuple((name, in_full(value)) for name, value in zip(self.names, self.of(response[None])[0], strict=True))

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """As JSON: the direction of length 1, the share, and the noisy numbers that they are computed from."""
        *loadings, share = self.of(response[None])[0].tolist()
        loaded = dict(zip(self.labels, loadings, strict=True))
        return {"loadings": loaded, SHARE: share, "released numbers": response.tolist()}
