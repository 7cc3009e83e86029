"""The rows of the editor of columns: declarations become rows, edits become declarations or a sentence. No Streamlit.

A row has the fields of ``Declaration`` under their names, lists as text, and a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.columns import OTHER
from dpcore.base.text import counted, quoted
from dpcore.errors import DpcoreError, TableError
from pages.experiment.error_sentences import plain
from pages.files.cells import words_of
from pages.files.declarations.column_types import TYPES, Category, Text, is_missing
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.proposal import identifies
from pages.files.form import Format

Declared = tuple[Declaration, ...]
Pairs = tuple[tuple[str, str], ...]  # of another spelling and its category
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
    "constant": "Missing counts as",
}
FIXED = ("name", "note")  # without edits
_ARROW = re.compile("→|->|=>")


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
    declared, sentences = list(begun), []
    cells = [(place, field, value) for place, row in edits.items() for field, value in row.items()]
    for place, field, value in cells:
        if field in TITLES and field not in FIXED and 0 <= place < len(declared):
            one, was = declared[place], (before or begun)[place]
            try:
                declared[place] = replace(one, **_cell(one.name, field, value))
            except DpcoreError as error:
                kept = ("categories", "spellings") if field == "categories" else (field,)
                declared[place] = replace(one, **{name: getattr(was, name) for name in kept})
                sentences.append(f"{plain(error)} {TITLES[field]} of {one.name} stays as it was.")
    return tuple(declared), sentences


def _cell(name: str, field: str, value: Any) -> dict[str, Any]:
    """Return the fields of a declaration that a cell sets."""
    if field == "used":
        return {field: value is True}
    text = "" if value is None else str(value).strip()
    if field == "categories":
        categories, spellings = listed_in(text, name)
        return {"categories": categories, "spellings": spellings}
    if field == "codes":
        return {field: codes_in(text)}
    if field == "type" and text not in TYPES:
        raise TableError(f"The type of {name} is “{text[:40]}”, which is not a type.", f"Choose one of {', '.join(TYPES)}.")
    return {field: text}


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
    words, kind = words_of(cells), TYPES[one.type]
    rows = np.bincount(words.places, minlength=len(words.different))  # that have each word
    filled = np.array([bool(word) for word in words.without(one.codes).different])
    values = kind.read(words.different, replace(one, codes=()), form)
    missing = filled & is_missing(values)
    other = filled & (values == OTHER) if one.categories and one.type == Category.title else np.zeros_like(filled)
    return Fit(int(rows[filled].sum()), int(rows[missing].sum()), int(rows[other].sum()))


def note(
    one: Declaration,
    *,
    fit: Fit,
    needs: TableError | None = None,
    unread: bool = False,
    likely: bool = False,
    person: bool = False,
) -> str:
    """Return the note of a row: why a column is not used, which cells do not fit, and the proposals.

    Args:
        one: The declaration.
        fit: How the cells fit it; ``Fit()`` if they are not counted.
        needs: What is missing of the declaration, or cannot be.
        unread: Whether the file's cells cannot be used.
        likely: Whether the column seems to name the person of each row.
        person: Whether the column names the person of each row.
    """
    reasons = {
        "Says who a row is about.": person,
        "Cannot be used: empty, of a kind that is not read, or too much text.": unread,
        "Proposed as who a row is about.": likely and not one.used,
        "Not proposed: its name is of an identifier.": not one.used and identifies(one.name),
        "Not proposed: text without a list of categories.": one.type == Text.title and not one.used,
        "Not used.": not one.used,
    }
    if any(reasons.values()):
        return next(reason for reason, holds in reasons.items() if holds)
    problem = "" if needs is None else needs.problem.removeprefix(f"{one.name} ")  # the name is in the same row
    said = {
        f"Do not fit the type, so missing: {_counted(fit.missing, fit)}.": fit.missing,
        f"In no category, so “{OTHER}”: {_counted(fit.other, fit)}.": fit.other,
        f"{problem[:1].upper()}{problem[1:]}": needs,
    }
    return " ".join(sentence for sentence, holds in said.items() if holds)


def _counted(cells: int, fit: Fit) -> str:
    """Return a number of cells. The number of all filled cells is not told, because the number of rows may be confidential."""
    return "every cell" if cells == fit.filled else counted(cells, " cells")


def unfit(declared: Sequence[Declaration], fit_of: Callable[[Declaration], Fit]) -> list[str]:
    """Return a sentence for each used column of which no cell fits its type."""
    fits = ((one, fit_of(one)) for one in declared if one.used)
    return [
        f"No cell of {one.name} fits the type “{one.type}”, so all are missing. Choose another one under {TITLES['type']}."
        for one, its in fits
        if its.filled and its.missing == its.filled
    ]


# Lists that a user types into one cell: categories with other spellings, and codes for missing values.


def typed(words: tuple[str, ...], pairs: Pairs = ()) -> str:
    """Return the text that ``listed_in`` and ``codes_in`` read as these words."""
    text = "; ".join((*words, *(f"{word} → {meaning}" for word, meaning in pairs)))
    return f"{text};" if len(words) == 1 and "," in text else text


def listed_in(text: str, name: str) -> tuple[tuple[str, ...], Pairs]:
    """Return the categories in a text, and the pairs of another spelling and its category.

    Line breaks separate the entries, or semicolons, or else commas. TableError for an entry with an arrow that is not a pair.
    """
    words = _words(r"[\r\n;]+" if re.search(r"[\r\n;]", text) else ",", text)
    categories = tuple(word for word in words if not _ARROW.search(word))
    return categories, tuple(dict.fromkeys(_pair(word, name) for word in words if _ARROW.search(word)))


def codes_in(text: str) -> tuple[str, ...]:
    """Return the codes in a text, each once. A comma separates them only before a space, because a code can be 9,9."""
    return tuple(dict.fromkeys(_words(r"[\r\n;]+|,\s+", text)))


def _pair(entry: str, name: str) -> tuple[str, str]:
    word, *meanings = map(str.strip, _ARROW.split(entry))
    if len(meanings) != 1 or not word or not meanings[0]:
        raise TableError(
            f"{quoted(entry)} is not a pair of spellings of {name}.",
            "Write a pair as in: Chirugie → Chirurgie; or Chirugie -> Chirurgie.",
        )
    return word, meanings[0]


def _words(between: str, text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in re.split(between, text))))
