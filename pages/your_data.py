"""Your data: upload a CSV, declare what it is and what its columns can hold, and explore it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.errors import DpcoreError, TableError
from dpcore.workbench.csv_columns.listed import listed
from dpcore.workbench.tables import Column, Table
from pages.components import notices, reading
from pages.components import unit as units
from pages.components.escape import escaped
from pages.session import draws, identity, ledger, state, uploads

TITLE = "Your data"
ORDER = 1
_PUBLIC, _CONFIDENTIAL = "Public", "Confidential"
_LARGEST = 1e100  # of a bound: products of a few, and their sums over a table, stay finite
_NARROWEST = 1e-12  # the bounds' difference, as a share of the larger: bins between them have edges that differ


def show() -> None:
    """The file, then its declarations; every refusal is a sentence beside what it is about."""
    uploads.guard()
    st.markdown("# Your data")
    notices.show()
    file = st.file_uploader(
        "A CSV, Excel, ODS or Parquet file of at most 50 MB, with the columns' names in its first line",
        key="file",
    )
    st.markdown(
        "Your file stays in this server's memory and is erased some minutes after you close the tab. It is never saved or sent "
        f"on. {uploads.in_words()}"
    )
    kind = st.radio(
        "This table is", [_CONFIDENTIAL, _PUBLIC], key="kind", horizontal=True,
        help="Public: anybody may see every record. Confidential: nothing of it is shown before you ask for it or release it.",
    )  # fmt: skip
    if file is not None:
        reading.show(file.getvalue(), file.name, file.file_id)
    draft: Table | None = st.session_state.get("draft")
    if draft is not None:
        _declare(draft, public=kind == _PUBLIC)


def _declare(draft: Table, *, public: bool) -> None:
    st.markdown(f"## {escaped(draft.title)}: {len(draft):,} records")
    if draft.unused:
        unused = listed([escaped(name) for name in draft.unused])
        st.markdown(f"Not used, because they are empty, nested, or hold too much text: {unused}.")
    earlier = _earlier(draft, public=public)
    if public:  # its bounds are read off below: should the same records be declared confidential after all
        ledger.book().looked.add(identity.settle(ledger.book(), draft, used=False))
    names = [column.name for column in draft.columns]
    picked = st.pills(
        "Columns to use",
        names,
        selection_mode="multi",
        format_func=escaped,
        default=names[:1],
        key=f"use_{draft.name}_{len(names)}",
    )
    if set(picked) - {column.name for column in draft.text_columns}:
        _about_bounds(public=public)
    texts = [name for name in picked if draft.column(name).role == "text"]
    if texts:
        st.markdown(
            f"**Text**, without bounds: {escaped(', '.join(texts))}. A column is text if any of its values is no number; that is "
            "taken to be public."
        )
    given = [_column(draft, name, public=public) for name in picked if name not in texts]
    unit = units.ask(public=public)
    ready = bool(picked) and unit is not None
    if st.button("Explore this table", key="use_table", disabled=not ready, icon=":material/monitoring:") and unit is not None:
        _use(replace(draft, unit=unit), given, texts, public=public, earlier=earlier)


def _earlier(draft: Table, *, public: bool) -> str:
    """The name in this tab's book of the table that this one is a new version of, as its holder says; empty if it is none."""
    known = identity.of(ledger.book())
    found, in_doubt = known.found(draft), known.in_doubt(draft)
    if known.used.intersection(found):
        st.markdown(
            f"This tab has had this table before, or one with a column in common: {_titles(known, found)}. What was released of "
            "it counts, and so does a look at it."
        )
    if public or not in_doubt:
        return ""
    said: str = st.selectbox(
        "Is this a new version of a table that this tab has had before?", ["", *in_doubt], key="new_version", width=440,
        format_func=lambda name: f"Yes, of {in_doubt[name]}" if name else "No, it is another table",
        help="A new version is about the same people or things, with records added, left out or changed. What was released of "
        "the earlier version then counts for this one too.",
    )  # fmt: skip
    return said


def _titles(known: identity.Identities, names: list[str]) -> str:
    return listed([f"**{escaped(known.titles[name])}**" for name in names])


def _about_bounds(*, public: bool) -> None:
    st.markdown(
        "**Bounds** are the lowest and highest value that the quantity can have, known without this table. Records outside are "
        "clipped to them. " + ("Here they may be read off the table, because it is public." if public else _never_read_off())
    )


def _never_read_off() -> str:
    return "They are never read off a confidential table. A missing value becomes the middle of its bounds; no record is dropped."


def _column(draft: Table, name: str, *, public: bool) -> tuple[str, float | None, float | None, int | None]:
    values = draft.values[name]
    finite = values[abs(values) < float("inf")]
    low, high = (float(finite.min()), float(finite.max())) if public and finite.size else (None, None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"{draft.name}_{name}_{reading.turn()}_{'public' if public else 'confidential'}"
        lowest = st.number_input(
            f"{escaped(name)}: lowest", value=low, key=f"low_{key}", format="%g", width=180, placeholder="needed"
        )
        highest = st.number_input(
            f"{escaped(name)}: highest", value=high, key=f"high_{key}", format="%g", width=180, placeholder="needed"
        )
        codes = st.number_input(
            f"{escaped(name)}: categories", 2, 100, value=None, key=f"codes_{key}", width=180, placeholder="not categories",
            help="If the column holds categories written 0, 1, 2, …: how many there are.",
        )  # fmt: skip
    return name, lowest, highest, codes


def _use(
    draft: Table, given: list[tuple[str, float | None, float | None, int | None]], texts: list[str], *, public: bool,
    earlier: str,
) -> None:  # fmt: skip
    columns = [draft.column(name) for name in texts]
    for name, low, high, codes in given:
        try:
            columns.append(_declared(name, low, high, codes))
        except DpcoreError as error:
            st.error(escaped(str(error)))
            return
    keep = {column.name for column in columns}
    table = replace(
        draft, public=public, columns=tuple(columns), values={name: draft.values[name] for name in draft.values if name in keep}
    )
    for together in (tuple(name for name, *_ in given), *((name,) for name in texts)):
        if public and together and table.size(together) < 2:
            st.error(f"Fewer than 2 records have a value in all of {escaped(', '.join(sorted(together)))}. Use other columns.")
            return
    named = identity.settle(ledger.book(), draft, earlier)
    table = replace(table, name=_free_name(draft.name), about=f"Your upload, {len(draft):,} records.", digest=named)
    state.add_table(table)
    state.rename_tables(identity.of(ledger.book()).joined)
    uploads.keep(table.name)
    state.compare(table.name, on=False)  # another file may have had this name
    if public:
        ledger.book().looked.add(table.digest)  # should the same records be declared confidential later
    draws.forget()
    state.pick_table(table.name)
    shown = state.scenario().columns
    if public and (dropped := len(table) - table.size(shown)):
        wanted = "finite" if table.column(shown[0]).role != "text" else "text in"
        state.say(f"{dropped:,} records have no {wanted} {', '.join(shown)} and are left out, as in any public table.")
    from pages import explore

    st.switch_page(st.Page(explore.show, title=explore.TITLE, url_path="explore", default=True))


def _declared(name: str, low: float | None, high: float | None, codes: int | None) -> Column:
    if codes is not None:
        return Column(name, bounds=(0.0, float(codes - 1)), categories=tuple(float(code) for code in range(codes)))
    if low is None or high is None:
        missing = "lowest and its highest" if low is None and high is None else "lowest" if low is None else "highest"
        raise TableError(f"{name} needs its {missing} possible value.", "Enter what the quantity can be, not what the table has.")
    _refuse_bounds(name, low, high)
    return Column(name, bounds=(low, high))


def _refuse_bounds(name: str, low: float, high: float) -> None:
    """TableError, in plain words, for bounds that no column can have or that cannot be computed with."""
    if low == high:
        problem = f"The lowest and the highest value of {name} are both {low:.15g}."
        raise TableError(problem, "Enter two different numbers, the lower one first.")
    if low > high:
        problem = f"The lowest value of {name} is {low:.15g}, and that is above its highest, {high:.15g}."
        raise TableError(problem, "Enter the lower number first.")
    largest = max(abs(low), abs(high))
    if largest > _LARGEST:
        raise TableError(
            f"A bound of {name} is {largest:.3g} in size, and more than {_LARGEST:g} cannot be computed with.",
            "Enter what the quantity can be, or upload it in a larger unit.",
        )
    if high - low < max(_NARROWEST * largest, 1 / _LARGEST):
        raise TableError(f"The bounds of {name} are too close together to compute with.", "Enter what the quantity can be.")


def _free_name(name: str) -> str:
    """The file's name, made other than that of a table of ours."""
    return f"{name} (uploaded)" if name in state.catalog() else name
