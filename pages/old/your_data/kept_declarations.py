"""The declarations of the file that is being declared: where they begin, what they are now, and those of files before."""

from __future__ import annotations

import hashlib

import streamlit as st

from dpcore.base.plain import to_plain
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.proposal import proposed, read_off
from pages.files.declarations.settings import Settings
from pages.files.tables import Parquet, Sheet, Table
from pages.old.your_data import persons_form, whole_file_form

Declared = tuple[Declaration, ...]
_MOST_FILES = 20  # of which a tab remembers what was declared


def base(draft: Table, turn: int, *, public: bool) -> tuple[Declared, str]:
    """What the table of declarations begins with, and its key: as was declared before, else as it seems."""
    loaded: Settings | None = st.session_state.get("settings")
    version = st.session_state.get("settings_version", 0)
    key = f"columns_{turn}_{version}_{'public' if public else 'confidential'}"
    kept: dict[str, Declared] = st.session_state.setdefault("declared_base", {})
    now: dict[str, Declared] = st.session_state.setdefault("declared_now", {})
    if key not in now:
        kept.clear()  # of other files
        kept[key] = _begun(draft, loaded, public=public)
    elif key not in st.session_state:  # another page was shown: the widget has forgotten what was typed into it
        kept[key] = now[key]
    return kept[key], key


def keep(key: str, declared: Declared) -> None:
    """What the table of declarations holds now."""
    _by_hand(declared, st.session_state["declared_base"][key])
    st.session_state["declared_now"] = {key: declared}


def _by_hand(declared: Declared, begun: Declared) -> None:
    """What the holder said of columns stays when the file is read in another way, also where that gave no table in between."""
    said: dict[str, Declaration] = st.session_state["declared_by_hand"]
    said.update({one.name: one for one, was in zip(declared, begun, strict=True) if one != was or one.name in said})


def begin_with(declared: Declared) -> None:
    """The table of declarations begins anew, with these."""
    _by_hand(declared, next(iter(st.session_state["declared_now"].values())))
    st.session_state["declared_anew"] = declared
    st.session_state["settings_version"] = st.session_state.get("settings_version", 0) + 1


def _begun(draft: Table, loaded: Settings | None, *, public: bool) -> Declared:
    anew: Declared | None = st.session_state.pop("declared_anew", None)
    if anew is not None:
        return anew
    begun = proposed(draft)
    st.session_state["detected_units"] = {one.name: one.unit_behind for one in begun if one.unit_behind}
    if loaded is not None:
        begun = loaded.fitted(begun)
    if public:  # bounds are read off what is read now
        return read_off(draft, begun)
    by_hand: dict[str, Declaration] = st.session_state["declared_by_hand"]
    return tuple(by_hand.get(one.name, one) for one in begun)


def remember(settings: Settings) -> None:
    """What is declared of the file now, for when it comes again in this tab."""
    files: dict[str, Settings] = st.session_state.setdefault("declared_files", {})
    files.pop(st.session_state["draft_digest"], None)
    files[st.session_state["draft_digest"]] = settings
    while len(files) > _MOST_FILES:
        files.pop(next(iter(files)))


def recall(content: bytes) -> bool:
    """Whether this file was declared in this tab before: then that is what the next run begins with."""
    st.session_state["draft_digest"] = hashlib.sha256(content).hexdigest()
    st.session_state.update(settings=None, declared_by_hand={})
    whole_file_form.forget()
    found = st.session_state.get("declared_files", {}).get(st.session_state["draft_digest"])
    if found is not None:
        st.session_state["settings_waiting"] = found
    return found is not None


def apply_waiting() -> None:
    """Before any widget is shown: settings that were remembered set all that they speak of."""
    settings: Settings | None = st.session_state.pop("settings_waiting", None)
    if settings is None:
        return
    st.session_state.update(settings=settings, declared_by_hand={})
    st.session_state["settings_version"] = st.session_state.get("settings_version", 0) + 1
    st.session_state["kind"] = "Public" if settings.public else "Confidential"
    persons_form.fill(settings.unit, settings.persons, settings.guesses, settings.stated)
    whole_file_form.fill(settings.whole)
    _read_as(settings)


def _read_as(settings: Settings) -> None:
    """The selectors of how the file is read."""
    form, key = settings.form, st.session_state.get("draft_file")
    if not st.session_state.get("draft_ways") or isinstance(form, Parquet):
        return
    place, own = 0, key
    if isinstance(form, Sheet):
        place = [way.form.name for way in st.session_state["draft_ways"]].index(form.name)
        st.session_state[f"read_sheet_{key}"], own = form.name, f"{key}_{place}"
    written = {name: value for name, value in to_plain(form).items() if isinstance(value, str) and name != "name"}
    st.session_state.update({f"read_{name}_{own}": value for name, value in written.items()})
    st.session_state[f"read_first_{key}_{place}"] = form.names.first
    st.session_state[f"read_lines_{key}_{place}"] = form.names.lines
