"""Covariances or correlations: a private matrix beside the one without noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.answers.answer import Within
from dpcore.answers.matrix import Matrix
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure as digits
from pages.charts.matrices import More, matrices
from pages.experiment.headlines.matrix import MatrixHeadline

if TYPE_CHECKING:
    import plotly.graph_objects as go

FAN = 5  # private matrices beside the one whose numbers can be read


def chart(shown: MatrixHeadline) -> tuple[go.Figure, str]:
    """One seeded private matrix and the one without noise, small five more private ones, and a description."""
    matrix, exact = shown.answer, shown.exact
    private, *others = shown.private(shown.noise.law, 1 + FAN, [shown.scenario.seed, 9])
    off = _square(shown.spread(shown.noise), matrix) * matrix.own
    largest = max(float(np.abs(found).max()) for found in (private, shown.own, *others))
    drawn, told = [], []
    for name, found, near in (("private", private, off), (exact.name, shown.own, None)):
        drawn.append((name, _shades(found, largest, matrix), _texts(found * matrix.own, matrix)))
        told.append(_told(matrix, found * matrix.own, near))
    fan = np.array([_shades(found, largest, matrix) for found in others])
    more = More(f"{FAN} more private", fan, [_told(matrix, found * matrix.own, None) for found in others])
    at = f"at ε = {shown.scenario.epsilon:g}"
    said = f"A private matrix of {matrix.called}s {at} beside the one {exact.of}, and {FAN} more private ones, small."
    return matrices(matrix.labels, drawn, told, more), said


def published(response: Any, answer: Matrix, within: Within = None) -> go.Figure:
    """The released matrix; with a ± each where it is known how far 95 in 100 lie."""
    found = answer.of(response[None])[0]
    near = _square(np.asarray(within), answer) if isinstance(within, tuple) else None
    shades = _shades(found, float(np.abs(found).max()), answer)
    told = _told(answer, found * answer.own, near)
    return matrices(answer.labels, [("private", shades, _texts(found * answer.own, answer))], [told])


def _shades(found: FloatArray, largest: float, matrix: Matrix) -> FloatArray:
    """Correlations as they are; covariances of scaled columns as shares of the largest."""
    return found if matrix.correlations or largest == 0 else found / largest


def _texts(own: FloatArray, matrix: Matrix) -> Any:
    """Two digits; of correlations both behind the point, and without the 0 before it, as they are printed everywhere."""
    if matrix.correlations:
        return np.vectorize(lambda value: f"{value:.2f}".replace("0.", ".").replace("1.00", "1"))(own)
    return np.vectorize(lambda value: digits(float(f"{value:.2g}")))(own)


def _square(entries: FloatArray, matrix: Matrix) -> FloatArray:
    """Entries that say something as a matrix, the others 0: (e,) -> (d, d)."""
    i, j = matrix.places
    made = np.zeros((len(matrix.labels),) * 2)
    made[i, j] = made[j, i] = entries
    return made


def _told(matrix: Matrix, own: FloatArray, near: FloatArray | None) -> list[list[str]]:
    """Of each cell: the two columns, the entry and the ± of the noise."""
    names = matrix.labels
    return [
        [
            f"{one}{'' if one == other and not matrix.correlations else f' and {other}'}: {digits(float(own[i, j]))}"
            + ("" if near is None or not near[i, j] else f" ± {digits(float(near[i, j]))} in 9 of 10")
            for j, other in enumerate(names)
        ]
        for i, one in enumerate(names)
    ]
