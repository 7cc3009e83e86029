"""All configurations as the rows of a table, under names that people read, and as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.old.experiment.contributions.asked import Asked, Kept
from pages.old.experiment.contributions.cap import Cap
from pages.old.experiment.contributions.noise import Errors
from pages.old.experiment.contributions.predict import NEAR, Prediction, Predictions
from pages.exports.spreadsheet import as_csv
from pages.old.state.contributions import Analysis

Cell = str | int | float | None
ALL_GROUPS = "all groups"
_HEIGHT = 300  # pixels


def show(found: Analysis) -> None:
    """Every configuration of the map, as a table and a file."""
    rows = exported(found.map, found.question.asked, unit=found.unit, labels=found.groups)
    table = _without_empty([{"made from": _made_from(found)} | row for row in rows])
    shown = list(table[0])[2:]  # all are of one question and one table
    st.dataframe(table, height=_HEIGHT, hide_index=True, key="people_table", column_order=shown)
    st.download_button(
        "Download as CSV",
        as_csv(table),
        file_name="caps.csv",
        mime="text/csv",
        key="people_csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _made_from(found: Analysis) -> str:
    return "made-up people" if found.simulated else "public table"


def _without_empty(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without columns that hold nothing here: groups where there are none, bounds that are the question's own."""
    names = [name for name in table[0] if any(row[name] is not None for row in table)]
    return [{name: row[name] for name in names} for row in table]


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
        **_kept(prediction.cap, after),
        f"lower bound of a value{after}": bounds[0],
        f"upper bound of a value{after}": bounds[1],
    }
    end: dict[str, Cell] = {
        "sensitivity of what is published": prediction.sensitivity,
        "scale of the noise on what is published": prediction.scale,
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


def _kept(cap: Kept, after: str) -> dict[str, Cell]:
    rows, ends = ((cap.rows, cap.groups), (None, None)) if isinstance(cap, Cap) else ((None, None), (cap.low, cap.high))
    names = ("rows kept of each person", "groups kept of each person")
    totals = (f"lower bound of a total{after}", f"upper bound of a total{after}")
    return dict(zip((*names, *totals), (*rows, *ends), strict=True))


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
