"""Where each column stands: ready, in need of something, or left out and why. Each is in exactly one of these lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import streamlit as st

from dpcore.errors import TableError
from pages.files.csv_columns.header import listed
from pages.files.declarations.column_types.text import Text
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import CodeIsAValueError, numbers_written, problems
from pages.files.declarations.proposal import identifiers, identifies
from pages.files.declarations.whole_file import WholeFile
from pages.files.tables import Table
from pages.old.shared.escape import escaped
from pages.old.your_data import kept_declarations

_WHOSE = ("it says whose a row is", "they say whose a row is")
_NAMED = ("its name suggests that it identifies somebody", "their names suggest that they identify somebody")
_PADDED = ("numbers with leading zeros are no quantity", "numbers with leading zeros are no quantities")
_UNREAD = (
    "it is empty, of a kind that is not read, or holds too much text",
    "they are empty, of a kind that is not read, or hold too much text",
)
_FREE = ("it is text without a list of words", "they are text without a list of words")
_UNUSED = ("it is not ticked under Use", "they are not ticked under Use")


@final
@dataclass(frozen=True, eq=False)
class Lists:
    """Names of columns that are ready; what each of others still needs, and why each of the rest is left out. ``units``: what was
    detected behind the numbers of those that are used."""

    ready: tuple[str, ...]
    needs: dict[str, TableError]
    left_out: dict[str, tuple[str, str]]
    units: dict[str, str]


def lists(draft: Table, declared: Sequence[Declaration], whole: WholeFile, whose: str) -> Lists:
    """Of all columns of the file; ``whose`` is the one that names the people, empty where there is none."""
    asked = tuple(one for one in declared if one.name != whose)
    needs, padded = problems(asked, whole, numbers_written(draft)), identifiers(draft)
    left_out = {one.name: _why(one, draft, padded) for one in asked if not one.used}
    left_out |= {name: _UNREAD for name in draft.unused if name not in {one.name for one in declared}}
    ready = tuple(one.name for one in asked if one.used and one.name not in needs)
    detected: dict[str, str] = st.session_state.get("detected_units", {})
    units = {one.name: one.unit_behind for one in asked if one.used and one.unit_behind == detected.get(one.name)}
    return Lists(ready, needs, left_out | ({whose: _WHOSE} if whose else {}), units)


def _why(one: Declaration, draft: Table, padded: tuple[str, ...]) -> tuple[str, str]:
    if one.name in draft.unused:
        return _UNREAD
    if one.name in padded:
        return _PADDED
    if identifies(one.name):
        return _NAMED
    return _FREE if one.type == Text.title else _UNUSED


_MOST_SAID = 4  # sentences on what is missing


def show(found: Lists, declared: kept_declarations.Declared) -> None:
    """The three lists, in words; and for a code that is also a value the choice that it counts."""
    if found.ready:
        st.markdown(f"**Ready:** {_listed(found.ready)}")
    if found.needs:
        st.markdown("**Needs something:**")
    by_remedy: dict[str, list[str]] = {}
    for error in found.needs.values():
        by_remedy.setdefault(error.remedy, []).append(error.problem)
    for remedy, said in list(by_remedy.items()):
        more = f" So do {len(said) - _MOST_SAID} more." if len(said) > _MOST_SAID else ""
        st.markdown(f":material/edit: {escaped(' '.join(said[:_MOST_SAID]))}{more} {escaped(remedy)}")
    for place, one in enumerate(declared):
        if isinstance(found.needs.get(one.name), CodeIsAValueError):
            st.button(
                f"Count it as unknown in {escaped(one.name)}", key=f"codes_count_{place}", on_click=_let, args=(one, declared)
            )
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, reason in found.left_out.items():
        by_reason.setdefault(reason, []).append(name)
    for (alone, several), names in by_reason.items():
        st.markdown(f"**Left out, because {several if len(names) > 1 else alone}:** {_listed(names)}")

    for name, unit in found.units.items():
        st.markdown(
            f":material/straighten: {escaped(name)}: numbers with the unit {escaped(unit)}, as detected. It is taken off."
        )


def _let(one: Declaration, declared: kept_declarations.Declared) -> None:
    kept_declarations.begin_with(tuple(replace(other, codes_count=True) if other is one else other for other in declared))


def _listed(names: Sequence[str]) -> str:
    """Names, and the end of the sentence, which a name can bring along."""
    return f"{listed([escaped(name) for name in names]).removesuffix('.')}."
