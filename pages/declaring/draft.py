"""The file on the page Your data, in this tab: how it is read, and what its user has declared about it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, final

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import ROW
from pages.declaring import columns
from pages.declaring.columns import Declared, Fit, typed
from pages.experiment.error_sentences import plain
from pages.experiment.tables import ours
from pages.files.declarations.declaration import Declaration, Settings, WholeFile
from pages.files.declarations.declared_table import cells_of, numbers_written, records
from pages.files.declarations.proposal import proposed, read_off, whose
from pages.files.tables import Form, Seen, Sheet, Table
from pages.server import uploads

PUBLIC, CONFIDENTIAL = "Public", "Confidential"
NO, YES, NO_PERSONS = "No, one row is one person", "Yes", "The rows are not about persons"
SEVERAL = {NO: False, YES: True, NO_PERSONS: None}
REPLACED, ADDED = "One row replaced", "One row added or removed"
KNOWN_NUMBER, STATED = "It may be known to all", "It is confidential, and I state about how many there are"
# The answers to the questions about a file that hold until its user gives others, by the keys of the widgets. A widget with
# ``KEEP`` keeps its answer while it is not shown.
QUESTIONS: dict[str, Any] = {
    "kind": CONFIDENTIAL,
    "unit_name": "",
    "several_rows": None,
    "person_column": None,
    "people_number": KNOWN_NUMBER,
    "people_stated": None,
    "neighbours": REPLACED,
    "rows_stated": None,
    "guess_rows": None,
    "guess_known": None,
    "file_codes": "",
    "last_lines": 0,
    "left_out_by": "",
    "left_out_words": "",
    "new_version": None,
}
KEEP: Any = {"persist_state": "session"}


@final
@dataclass(frozen=True)
class File:
    """An uploaded file. ``key`` differs from that of any other upload."""

    name: str
    content: bytes
    key: str


@final
@dataclass(eq=False)
class Draft:
    """A file that is being declared. The answers to ``QUESTIONS`` are in the session.

    Attributes:
        file: The file.
        ways: The ways in which it can be read. There is none if it cannot be read at all.
        problem: Why it cannot be read, in a sentence.
        form: How it is read, as detected or as its user says.
        table: The file as it is read so, each column as it seems.
        settings: Declarations of an earlier file, which hold here too.
        questions: A list of questions from a settings file, as plain data.
        used: Whether the table was used. From then on a confidential one is not shown any more.
        begun: The declarations that the editor begins with.
        declared: The declarations as they are now.
        turn: Number of editors that this tab has had, for the key.
        by_hand: The declarations that its user has changed, by name. They stay if the file is read in another way.
        likely: The column that seems to name the person of each row, or "".
    """

    file: File
    ways: tuple[Seen, ...] = ()
    problem: str = ""
    form: Form | None = None
    table: Table | None = None
    settings: Settings | None = None
    questions: Any = None
    used: bool = False
    begun: Declared = ()
    declared: Declared = ()
    turn: int = 0
    by_hand: dict[str, Declaration] = field(default_factory=dict)
    likely: str = ""
    _begun_for: Any = None
    _fits: dict[Any, Fit] = field(default_factory=dict)

    @property
    def public(self) -> bool:
        """True if its user says that everybody may see every row."""
        return bool(st.session_state["kind"] == PUBLIC)

    @property
    def shown(self) -> bool:
        """True if cells of the file may be on the page. A confidential file is seen once, before it is used."""
        return self.public or not self.used

    @property
    def editor_key(self) -> str:
        """Key of the editor of columns. It changes with the values that the editor begins with."""
        return f"columns_{self.turn}"

    @property
    def table_name(self) -> str:
        """The name of the table in this tab; another one than that of a table of the app."""
        return f"{self.file.name} (uploaded)" if self.file.name in ours() else self.file.name

    @property
    def names(self) -> list[str]:
        """The names of all columns of the file."""
        return [] if self.table is None else [*(column.name for column in self.table.columns), *self.table.unused]

    def read(self, form: Form) -> None:
        """Read the file in this form. A refusal is the problem."""
        if form == self.form and (self.table is not None or self.problem):
            return
        self.form, self.table, self.problem = form, None, ""  # so the memory of the last table is free
        try:
            self.table = uploads.read(self.file.content, self.file.name, form)
        except DpcoreError as error:
            self.problem = f"{self.file.name}: {plain(error)}"

    def begin(self, table: Table) -> None:
        """Let the editor begin with new values after the table was read, or was made public or confidential."""
        is_new = self._begun_for != (table, self.public)
        if is_new:
            self._begun_for, self._fits = (table, self.public), {}
            self.likely = whose(table)
            begun = proposed(table) if self.settings is None else self.settings.fitted(proposed(table))
            by_hand = tuple(self.by_hand.get(one.name, one) for one in begun)
            self.declared = read_off(table, begun) if self.public else by_hand
        if is_new or self.editor_key not in st.session_state:  # Streamlit forgets edits while another page is shown
            self.begun = self.declared
            # No editor of this tab had this key: edits of another file would count for this one.
            self.turn = st.session_state["editors"] = st.session_state.get("editors", 0) + 1

    def edit(self) -> list[str]:
        """Take the edits of the editor, and return a sentence for each cell that cannot be."""
        edits = st.session_state.get(self.editor_key, {}).get("edited_rows", {})
        self.declared, sentences = columns.edited(self.begun, edits, self.declared)
        changed = (one for one, was in zip(self.declared, self.begun, strict=True) if one != was or one.name in self.by_hand)
        self.by_hand |= {one.name: one for one in changed}
        return sentences

    def fit(self, one: Declaration, whole: WholeFile) -> Fit:
        """Return how the cells of a column fit its declaration."""
        if self.table is None or not self.shown or one.name not in self.table.values:
            return Fit()
        asked = whole.of(replace(one, used=True, label="", lowest="", highest=""))
        if (asked, whole.last) not in self._fits:
            cells = cells_of(self.table, one)[: records(self.table, whole)]
            self._fits[asked, whole.last] = columns.fit(cells, asked, numbers_written(self.table))
        return self._fits[asked, whole.last]

    def apply(self, settings: Settings) -> None:
        """Let declarations hold for this file: they fill the editor and every answer. They never make a file public."""
        forget_form()
        self.settings, self.by_hand, self._begun_for = settings, {}, None
        unit, persons, known = settings.unit, settings.persons, settings.guesses.known
        said = next(words for words, several in SEVERAL.items() if several is unit.several)
        answers = {
            "kind": st.session_state["kind"] if settings.public else CONFIDENTIAL,
            "unit_name": "" if unit.name == ROW else unit.name,
            "several_rows": said if unit.answered else None,
            "neighbours": REPLACED if settings.stated is None else ADDED,
            "rows_stated": settings.stated,
            "guess_rows": settings.guesses.rows,
            "guess_known": None if known is None else round(100 * known, 6),
            "file_codes": typed(settings.whole.codes),
            "last_lines": settings.whole.last,
            "left_out_by": settings.whole.by,
            "left_out_words": typed(settings.whole.words),
        }
        if persons is not None:
            answers |= {
                "person_column": persons.column,
                "people_number": KNOWN_NUMBER if persons.stated is None else STATED,
                "people_stated": persons.stated,
            }
        st.session_state.update(answers)

    def read_like(self, settings: Settings) -> None:
        """Read the file as an earlier one was read. If that does not give the declared columns, it stays as it is read now."""
        before, form, declared = self.form, settings.form, {one.name for one in settings.columns}
        if isinstance(form, Sheet) and isinstance(before, Sheet):
            form = replace(form, name=before.name)
        if before is not None and type(before) is type(form):
            self.read(form)
            if not declared <= set(self.names):
                self.read(before)


def begin(file: File, ways: tuple[Seen, ...], problem: str) -> Draft:
    """Return the draft of a new file."""
    forget_form()
    st.session_state.update(QUESTIONS)
    draft = st.session_state["draft"] = Draft(file, ways, problem)
    return draft


def forget_form(besides: str = "") -> None:
    """Let the widgets about how a file is read begin with the detected form, except the one with this key."""
    for key in [key for key in st.session_state if str(key).startswith("read_") and key != besides]:
        del st.session_state[key]
