"""The charts of the page People, each with what is to be known to read it, and the table of them to take away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.charts import people
from pages.charts.drawn import Drawn
from pages.experiment.contributions.asked import Asked, Kept, Question
from pages.experiment.contributions.cap import Cap, Keeping
from pages.experiment.contributions.limit import Limit, taken
from pages.experiment.contributions.noise import Errors
from pages.experiment.contributions.parts import dropped, rows_a_person
from pages.experiment.contributions.predict import NEAR, Prediction, Predictions, by_size, levels
from pages.people.caps_and_bounds import take_cap
from pages.reports.spreadsheet import as_csv
from pages.shared import badges, frame, picture
from pages.shared.bounds_slider import take_bounds
from pages.shared.escape import escaped
from pages.state.contributions import Analysis
from pages.state.view import Shown, Waiting, view

# All configurations as the rows of a table, under names that people read.


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
        **_kept(prediction.cap, after),
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


BESIDE = frame.Frame(300)
_TITLES = {
    "people_rows": "How many rows do people have?",
    "people_error": "What does the cap cost?",
    "people_map": "Which values count in full?",
    "people_levels": "Whom does the noise protect?",
    "people_groups": "Which groups are told well?",
}


def rows(found: Analysis) -> None:
    """The histogram with the line s; or what each limit of a total takes away."""
    _chart(found, first(found), "people_rows")
    question = found.question
    if isinstance(question.cap, Limit):
        _small("A person whose total is larger than the limit counts as the limit itself.")
    else:
        _small(_right_of_the_line(question, question.cap))


def first(found: Analysis) -> tuple[Drawn, str]:
    """Of whom the cap, or the limit, takes how much."""
    question = found.question
    if isinstance(question.cap, Limit):
        assert found.totals is not None
        return people.taken_by_limit(question.limits, taken(found.totals, question.limits), question.cap, unit=found.unit)
    (lost,) = dropped(question.rows, (question.cap,), question.bounds)
    return people.rows_a_person(rows_a_person(question.rows), question.cap, lost)


def _right_of_the_line(question: Question, cap: Cap) -> str:
    if cap.a_group:
        return "The line is s, which is a cap in each group; the bars count a person's rows in all groups together."
    if question.terms.keeping is Keeping.ROWS:
        return "Right of the line, s rows of a person count, and the others do not."
    return "Right of the line, a person's rows count only in part: together they weigh s."


def error(found: Analysis) -> None:
    """The error against s, split."""
    of_caps = [row[0] for row in found.line.table]
    _chart(found, people.error_by_cap(of_caps, found.question.cap.size, unit=found.unit), "people_error")
    _small(people.ADDS_UP)


def bounds(found: Analysis) -> None:
    """s × bound as a map, and a button for its best cell."""
    if found.question.pairs is None:
        return
    _chart(found, people.bounds_and_caps(found.map, found.place, unit=found.unit), "people_map")
    best = found.map.best
    if (best.cap, best.bounds) != (found.question.cap, found.question.bounds):
        low, high = (f"{end:g}" for end in best.bounds)
        st.button(
            f"Take s = {best.cap.size:,} and values from {low} to {high}",
            key="take_best_pair",
            icon=":material/south_east:",
            on_click=_take,
            args=(found, best.cap.size, best.bounds),
        )


def _take(found: Analysis, cap: float, pair: tuple[float, float]) -> None:
    take_bounds(found, pair)
    take_cap(found, cap)


def compared(found: Analysis) -> None:
    """Three noises at one ε."""
    st.markdown("## Whom does the noise protect?")
    question, shown = found.question, view(found.scenario, found.table)
    sampled = shown.noise.sensitivity.value if isinstance(shown, Shown) else None
    three = levels(question.rows, question.asked, question.terms, question.cap, question.bounds, sampled or None)
    figure, alt = people.levels(three, unit=found.unit)
    picture.chart(figure, "people_levels", alt, picture.Picture(_TITLES["people_levels"], _badge(found)), height="content")
    if isinstance(shown, Waiting):
        _small("The trials behind random DP are still to be made: Explore shows how far they are.")


def groups(found: Analysis) -> None:
    """The relative error of each group by its size; a hint where nothing is asked by group."""
    st.markdown("## Which groups are told well?")
    if not found.groups:
        _small("There is one answer for all. Choose a column under “Where, by” to see how far off each group's answer is.")
        return
    _chart(found, people.by_size(by_size(found.question.rows, found.chosen), found.groups), "people_groups")


def configurations(found: Analysis) -> None:
    """Every configuration of the map, as a table and a file."""
    st.markdown("## All configurations")
    rows = exported(found.map, found.question.asked, unit=found.unit, labels=found.groups)
    table = _without_empty([{"made from": _made_from(found)} | row for row in rows])
    shown = list(table[0])[2:]  # all are of one question and one table
    st.dataframe(table, height=BESIDE.height, hide_index=True, key="people_table", column_order=shown)
    secret = "" if found.simulated or found.table.public else "confidential-"
    st.download_button(
        "Download as CSV",
        as_csv(table),
        file_name=f"{secret}caps.csv",
        mime="text/csv",
        key="people_csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _made_from(found: Analysis) -> str:
    if found.simulated:
        return "made-up people"
    return "public table" if found.table.public else "confidential table: do not publish"


def _without_empty(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without columns that hold nothing here: groups where there are none, bounds that are the question's own."""
    names = [name for name in table[0] if any(row[name] is not None for row in table)]
    return [{name: row[name] for name in names} for row in table]


def _chart(found: Analysis, drawn: tuple[Any, str], key: str) -> None:
    size = frame.of(key, BESIDE)
    at = size.enlarge(key)
    size.chart(drawn[0], key, drawn[1], picture.Picture(_TITLES[key], _badge(found), at=at))


def _badge(found: Analysis) -> str:
    return badges.of_chart(found.table, simulated=found.simulated)


def _small(sentence: str) -> None:
    st.markdown(f":small[{escaped(sentence)}]")
