"""Three directions at once, of which the second step chooses one together with its threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import whole
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.huber_direction import HuberDirection
from dpcore.targets.linear_classifiers import Direction
from dpcore.targets.mean_direction import MeanDirection
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class CandidateDirections(Direction):
    """f(D) = (v_0/Δ_0, v_1/Δ_1, v_2/Δ_2): the mean direction and the huberised machine's at C = 1 and 10, -> (3d,).

    Δ_i is v_i's own proved sensitivity in L1 for this n, so that one record moves each part by at most 1, and noise on the whole
    is fair to each. The second step chooses one of them and a threshold along it by the records that they misclassify
    (mathematics, section 17.5). The answer of both is (w, b) of that one, w of length 1: no scale is common to the three, and
    nothing in it tells which it is.
    """

    steps: ClassVar[tuple[str, str]] = ("three directions", "one of them and a threshold along it are chosen")
    moves: ClassVar[str] = "three directions, each in units of its own worst case,"
    relative_resolution: ClassVar[float] = 1e-7
    place: ClassVar[int] = 2
    title: ClassVar[str] = "Classifier: best of 3"
    way: ClassVar[str] = "by the best of three directions"
    untold: ClassVar[str] = (
        "The answer does not say which of the three directions was chosen: it is one boundary, of the same form for each, and "
        "what else was drawn is not kept."
    )

    @property
    def fitted(self) -> tuple[HuberDirection, HuberDirection]:
        """Those of the three that a solver finds."""
        cautious, bold = (HuberDirection(self.x_bounds, C=cost, categories=self.categories) for cost in (1.0, 10.0))
        return cautious, bold

    @property
    def three(self) -> tuple[MeanDirection, HuberDirection, HuberDirection]:
        """The three, in order."""
        return (MeanDirection(self.x_bounds, categories=self.categories), *self.fitted)

    def __call__(self, database: Database, /) -> FloatArray:
        if not len(database):
            return np.zeros(3 * self.dims)
        self.check_records(len(database))
        units = self._proved(L1, len(database))
        return np.concatenate([part(database) / unit.value for part, unit in zip(self.three, units, strict=True)])

    def check_records(self, n: int) -> None:
        """InvalidValueError where one of the three does not serve so many records."""
        for part in self.fitted:
            part.check_records(n)

    def seconds(self, n: int) -> float:
        """About how long a call takes on n records, measured on one core."""
        return 2e-4 + 1e-7 * n * self.dims + sum(part.seconds(n) for part in self.fitted)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """3 in L1; elsewhere the norm of what the three move by at most (mathematics, section 17.5).

        None in RANGE, and where one of the three is not served.
        """
        n = whole("n", n)
        units, moves = self._proved(L1, n), self._proved(norm, n)
        if norm == RANGE or len(units) < 3 or len(moves) < 3:
            return None
        shares = np.array([move.value / unit.value for move, unit in zip(moves, units, strict=True)])
        certificates = [part.certificate(n) for part in self.fitted]
        sizes = [0.5, *(certificate.size + certificate.distance for certificate in certificates)]  # of an entry of each, at most
        largest = np.repeat([size / unit.value for size, unit in zip(sizes, units, strict=True)], self.dims).tolist()
        proof = (
            "Each of the three directions moves by at most its own worst case, and is divided by that. The worst cases depend on "
            "the number of rows alone."
        )
        return proved(self, float(norm(shares)) * (1 + 2.0**-48), largest, norm, n, proof)

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """(w, b) of the chosen direction, w of length 1: (k, 3d), (k,) -> (k, d+1)."""
        answers = Direction.both(self, first, chosen)
        sizes = np.linalg.norm(answers[:, :-1], axis=1, keepdims=True)
        return np.asarray(np.divide(answers, sizes, out=np.zeros_like(answers), where=sizes > 0))

    def _proved(self, norm: N, n: int) -> list[GlobalSensitivity[N]]:
        """The worst cases of the three, those that there are."""
        found = [part.global_sensitivity(norm, n) for part in self.three]
        return [one for one in found if one is not None]
