"""The rows of the editor of columns: declarations become rows, edits become declarations or a sentence. No Streamlit.

A row has the fields of ``Declaration`` under their names, lists as text, and a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import KNOWN, OTHER
from dpcore.errors import DpcoreError, TableError
from pages.declaring.lists import codes_in, listed_in, typed
from pages.experiment.error_sentences import plain
from pages.files.cells import words_of
from pages.files.declarations.column_types import TYPES, Category, Text
from pages.files.declarations.declaration import YEAR, Declaration
from pages.files.declarations.proposal import identifies
from pages.files.form import Format

Declared = tuple[Declaration, ...]
TITLES = {
    "used": "Use",
    "name": "Column",
    "label": "Label",
    "type": "Type",
    "unit": "Unit",
    "lowest": "Low",
    "highest": "High",
    "categories": "Categories",
    "codes": "Missing codes",
    "note": "Note",
    "missing": "A missing value",
    "constant": "Constant",
    "dates_as": "Dates as",
    "unit_behind": "Unit in the cells",
    "codes_count": "Codes count",
}
FIXED = ("name", "note")  # without edits
_TICKS, _CHOICES = ("used", "codes_count"), ("type", "missing", "dates_as")


def row(one: Declaration, note: str) -> dict[str, Any]:
    """Return the row of a column."""
    said = asdict(one) | {"categories": typed(one.categories, one.spellings), "codes": typed(one.codes), "note": note}
    return {field: said[field] for field in TITLES}


def edited(begun: Declared, edits: Mapping[int, Mapping[str, Any]], before: Declared = ()) -> tuple[Declared, list[str]]:
    """Return the declarations after edits of rows, and a sentence for each cell that cannot be.

    A cell that cannot be leaves its field as it was. All other edits hold.

    Args:
        begun: The declarations that the editor begins with.
        edits: By the place of a row, its changed cells by field.
        before: The declarations before the last edit; by default those that the editor begins with.
    """
    before = before or begun
    declared, sentences = list(begun), []
    for place, cells in edits.items():
        for field, value in cells.items():
            if field not in TITLES or field in FIXED or not 0 <= place < len(declared):
                continue
            try:
                declared[place] = replace(declared[place], **_cell(declared[place].name, field, value))
            except DpcoreError as error:
                kept = ("categories", "spellings") if field == "categories" else (field,)
                declared[place] = replace(declared[place], **{one: getattr(before[place], one) for one in kept})
                sentences.append(f"{plain(error)} {TITLES[field]} of {declared[place].name} stays as it was.")
    return tuple(declared), sentences


def _cell(name: str, field: str, value: Any) -> dict[str, Any]:
    """Return the fields of a declaration that a cell sets."""
    if field in _TICKS:
        return {field: value is True}
    text = "" if value is None else str(value).strip()
    if field == "categories":
        categories, spellings = listed_in(text, name)
        return {"categories": categories, "spellings": spellings}
    if field == "codes":
        return {field: codes_in(text, name)}
    if field == "type" and text not in TYPES:
        raise TableError(f"The type of {name} is “{text[:40]}”, which is not a type.", f"Choose one of {', '.join(TYPES)}.")
    return {} if field in _CHOICES and not text else {field: text}


@final
@dataclass(frozen=True, slots=True)
class Fit:
    """Fit of the cells of a column to its declaration.

    Attributes:
        filled: Number of cells that are neither empty nor a code for a missing value.
        missing: Number of filled cells that do not fit the type, so they are missing.
        other: Number of filled cells that are in no category, so they are “other”.
    """

    filled: int = 0
    missing: int = 0
    other: int = 0


def fit(cells: Any, one: Declaration, form: Format) -> Fit:
    """Return how cells fit a declaration.

    Args:
        cells: The cells as numbers or as they are written, shape (n,), as ``words_of`` takes them.
        one: The declaration, with the codes of the whole file.
        form: How the file writes numbers.
    """
    if one.type == Text.title:
        return Fit()
    if (
        isinstance(cells, np.ndarray) and cells.dtype.kind == "f" and TYPES[one.type].numbers
    ):  # read as numbers, so few do not fit
        return Fit(int((~np.isnan(cells)).sum()), int(np.isinf(cells).sum()))
    words = words_of(cells)
    if not words.different:
        return Fit()
    rows = np.bincount(words.places, minlength=len(words.different))  # that have each word
    filled = np.array([bool(word) for word in words.without(one.codes).different])
    rule = replace(one, codes=(), missing=KNOWN, constant="", dates_as=YEAR)  # without the rule for missing values
    values = TYPES[one.type].values(np.array(words.different), rule, form)
    missing = filled & (np.isnan(values) if values.dtype.kind == "f" else values == "")
    in_none = one.type == Category.title and bool(one.categories)
    other = filled & (values == OTHER) if in_none else np.zeros_like(filled)
    return Fit(int(rows[filled].sum()), int(rows[missing].sum()), int(rows[other].sum()))


def note(
    one: Declaration,
    *,
    fit: Fit,
    needs: TableError | None = None,
    unread: bool = False,
    padded: bool = False,
    likely: bool = False,
    person: bool = False,
) -> str:
    """Return the note of a row: why a column is not used, which cells do not fit, and the proposals.

    Args:
        one: The declaration.
        fit: How the cells fit it; ``Fit()`` if they are not counted.
        needs: What is missing of the declaration, or cannot be.
        unread: Whether the file's cells cannot be used.
        padded: Whether the column holds whole numbers with leading zeros.
        likely: Whether the column seems to name the person of each row.
        person: Whether the column names the person of each row.
    """
    if person:
        return "Says who a row is about."
    if unread:
        return "Cannot be used: empty, of a kind that is not read, or too much text."
    if not one.used:
        return _refused(one, padded=padded, likely=likely)
    said = []
    if fit.missing:
        said.append(f"Do not fit the type, so missing: {_counted(fit.missing, fit)}.")
    if fit.other:
        said.append(f"In no category, so “{OTHER}”: {_counted(fit.other, fit)}.")
    if needs is not None:
        said.append(_problem(one, needs))
    if one.unit_behind:
        said.append(f"The unit {one.unit_behind} is taken off the numbers.")
    return " ".join(said)


def _problem(one: Declaration, needs: TableError) -> str:
    """Return a problem without the name of the column, which is in the same row."""
    rest = needs.problem.removeprefix(f"{one.name} ")
    return f"{rest[:1].upper()}{rest[1:]}"


def _counted(cells: int, fit: Fit) -> str:
    """Return a number of cells. The number of all filled cells is not told, because the number of rows may be confidential."""
    return "every cell" if cells == fit.filled else counted(cells, " cells")


def _refused(one: Declaration, *, padded: bool, likely: bool) -> str:
    if likely:
        return "Proposed as who a row is about."
    if padded:
        return "Not proposed: numbers with leading zeros."
    if identifies(one.name):
        return "Not proposed: its name is of an identifier."
    if one.type == Text.title:
        return "Not proposed: text without a list of categories."
    return "Not used."


def unfit(declared: Sequence[Declaration], fit_of: Callable[[Declaration], Fit]) -> list[str]:
    """Return a sentence for each used column of which no cell fits its type."""
    found = [(one, fit_of(one)) for one in declared if one.used]
    return [
        f"No cell of {one.name} fits the type “{one.type}”, so all are missing. Choose another one under {TITLES['type']}."
        for one, its in found
        if its.filled and its.missing == its.filled
    ]
