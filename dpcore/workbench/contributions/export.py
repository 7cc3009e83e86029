"""All configurations as the rows of a table, under names that people read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dpcore.workbench.contributions.asked import Asked
from dpcore.workbench.contributions.errors import Errors
from dpcore.workbench.contributions.predict import NEAR, Prediction, Predictions

Cell = str | int | float | None
ALL_GROUPS = "all groups"


def exported(
    predictions: Predictions, asked: Asked, *, unit: str = "", labels: Sequence[str] = (), near: float = NEAR
) -> list[dict[str, Cell]]:
    """One row a configuration, and with the groups' ``labels`` one more for each group.

    ``unit``: that of the answer, written behind each name that has one. None stands where there is no number: in a row for all
    groups whatever belongs to one, and for a group without a truth what is measured from it.
    """
    close = predictions.near_best(near)
    return [
        row
        for i, of_cap in enumerate(predictions.table)
        for j, prediction in enumerate(of_cap)
        for row in _rows(prediction, asked, unit, labels, close=bool(close[i, j]), near=near)
    ]


def _rows(
    prediction: Prediction, asked: Asked, unit: str, labels: Sequence[str], *, close: bool, near: float
) -> Iterator[dict[str, Cell]]:
    after = f" ({unit})" if unit else ""
    errors, bounds = prediction.errors, (None, None) if asked.bounds is not None else prediction.bounds
    start: dict[str, Cell] = {
        "question": asked.name,
        "rows kept of each person": prediction.cap.rows,
        "groups kept of each person": prediction.cap.groups,
        f"lower bound of a value{after}": bounds[0],
        f"upper bound of a value{after}": bounds[1],
    }
    end: dict[str, Cell] = {
        "sensitivity of what is released": prediction.sensitivity,
        "scale of the noise on what is released": prediction.scale,
    }
    good: Cell = "yes" if close else "no"
    within = {f"within {near:.0%} of the least error": good}
    if not labels:
        yield {**start, **_of_group(errors, 0, after), **end, **within}
        return
    none = dict.fromkeys(_of_group(errors, 0, after))
    yield {**start, "group": ALL_GROUPS, **none, f"root mean square error{after}": errors.total, **end, **within}
    for place, label in enumerate(labels):
        yield {**start, "group": label, **_of_group(errors, place, after), **end, **dict.fromkeys(within)}


def _of_group(errors: Errors, place: int, after: str) -> dict[str, Cell]:
    numbers = {
        f"root mean square error{after}": errors.rmse,
        "root mean square error as a share of the answer": errors.relative,
        f"answer without cap, clipping and noise{after}": errors.truth,
        f"answer without noise{after}": errors.answer,
        f"bias of clipping low{after}": errors.clipped_low,
        f"bias of clipping high{after}": errors.clipped_high,
        f"bias of what the cap leaves out{after}": errors.dropped,
        f"bias of the noise{after}": errors.from_noise,
        f"standard deviation over which rows are kept{after}": np.sqrt(errors.salts),
        f"standard deviation of the noise{after}": np.sqrt(errors.noise),
    }
    return {name: None if np.isnan(values[place]) else float(values[place]) for name, values in numbers.items()}
