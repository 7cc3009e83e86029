"""The file on the page Your data, in this tab: how it is read, and what its user has declared about it so far."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import ROW
from pages.declaring import columns
from pages.declaring.columns import Declared, Fit
from pages.declaring.lists import typed
from pages.experiment.error_sentences import plain
from pages.experiment.tables import ours
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import numbers_written
from pages.files.declarations.proposal import identifiers, proposed, read_off, whose
from pages.files.declarations.whole_file import Settings, WholeFile, records, written
from pages.files.tables import Form, Parquet, Seen, Sheet, Table
from pages.server import uploads

PUBLIC, CONFIDENTIAL = "Public", "Confidential"
NO, YES, NO_PERSONS = "No, one row is one person", "Yes", "The rows are not about persons"
SEVERAL = {NO: False, YES: True, NO_PERSONS: None}
REPLACED, ADDED = "One row replaced", "One row added or removed"
KNOWN_NUMBER, STATED = "It may be known to all", "It is confidential, and I state about how many there are"
ALONE, LEFT_OUT = "Each is a person of its own", "They are left out"
# The answers to the questions about a file that hold until its user gives others, by the keys of the widgets.
QUESTIONS: dict[str, Any] = {
    "kind": CONFIDENTIAL,
    "unit_name": "",
    "several_rows": None,
    "person_column": None,
    "people_number": KNOWN_NUMBER,
    "people_stated": None,
    "people_nameless": ALONE,
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
_MOST_FILES = 20  # whose declarations a tab remembers


@final
@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file. ``key`` differs from that of any other upload."""

    name: str
    content: bytes
    key: str


@final
@dataclass(eq=False)
class Draft:
    """A file that is being declared.

    Attributes:
        file: The file.
        ways: The ways in which it can be read. There is none if it cannot be read at all.
        problem: Why it cannot be read, in a sentence.
        form: How it is read, as detected or as its user says.
        table: The file as it is read so, each column as it seems.
        answers: The answers to ``QUESTIONS``, by key.
        settings: Declarations of an earlier file, which hold here too.
        questions: A list of questions from a settings file, as plain data.
        used: Whether the table was used. From then on a confidential one is not shown any more.
        begun: The declarations that the editor begins with.
        declared: The declarations as they are now.
        turn: Number of editors that this tab has had, for the key.
        by_hand: The declarations that its user has changed, by name. They stay if the file is read in another way.
        padded: The columns of whole numbers with leading zeros.
        likely: The column that seems to name the person of each row, or "".
        lines: The first lines of the file as they are, by the form in which they were asked for.
    """

    file: File
    ways: tuple[Seen, ...] = ()
    problem: str = ""
    form: Form | None = None
    table: Table | None = None
    answers: dict[str, Any] = field(default_factory=lambda: dict(QUESTIONS))
    settings: Settings | None = None
    questions: Any = None
    used: bool = False
    begun: Declared = ()
    declared: Declared = ()
    turn: int = 0
    by_hand: dict[str, Declaration] = field(default_factory=dict)
    padded: tuple[str, ...] = ()
    likely: str = ""
    lines: dict[Any, list[str]] = field(default_factory=dict)
    _begun_for: Any = None
    _fits: dict[Any, Fit] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Digest of the file's content, by which this tab knows the file again."""
        return hashlib.sha256(self.file.content).hexdigest()

    @property
    def public(self) -> bool:
        """True if its user says that everybody may see every row."""
        return bool(self.answers["kind"] == PUBLIC)

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
        name = self.file.name
        return f"{name} (uploaded)" if name in ours() else name

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

    def begin(self) -> None:
        """Let the editor begin with new values after the table was read, or was made public or confidential."""
        assert self.table is not None
        if self._begun_for == (self.table, self.public):
            if self.editor_key not in st.session_state:  # Streamlit forgets edits while another page is shown
                self.begun = self.declared
                self._turn()
            return
        self._begun_for, self._fits = (self.table, self.public), {}
        self._turn()
        self.padded, self.likely = identifiers(self.table), whose(self.table)
        begun = proposed(self.table)
        if self.settings is not None:
            begun = self.settings.fitted(begun)
        by_hand = tuple(self.by_hand.get(one.name, one) for one in begun)
        self.begun = self.declared = read_off(self.table, begun) if self.public else by_hand

    def _turn(self) -> None:
        """Give the editor a key that no editor of this tab had: edits of another file would count for this one."""
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
        assert self.table is not None
        if not self.shown or one.name not in self.table.values:
            return Fit()
        asked = whole.of(replace(one, used=True, label="", unit="", lowest="", highest=""))
        if (asked, whole.last) not in self._fits:
            cells: Any = self.table.values[one.name]
            if cells.dtype.kind == "f" and not TYPES[one.type].numbers:
                cells = written(self.table, one.name)
            rows = records(self.table, whole)
            self._fits[asked, whole.last] = columns.fit(cells[:rows], asked, numbers_written(self.table))
        return self._fits[asked, whole.last]

    def apply(self, settings: Settings) -> None:
        """Let declarations hold for this file: they fill the editor and every answer. They never make a file public."""
        drop_widgets()
        self.settings, self.by_hand, self._begun_for = settings, {}, None
        said = next(words for words, several in SEVERAL.items() if several is settings.unit.several)
        self.answers |= {
            "kind": self.answers["kind"] if settings.public else CONFIDENTIAL,
            "unit_name": "" if settings.unit.name == ROW else settings.unit.name,
            "several_rows": said if settings.unit.answered else None,
            "neighbours": REPLACED if settings.stated is None else ADDED,
            "rows_stated": settings.stated,
            "guess_rows": settings.guesses.rows,
            "guess_known": None if settings.guesses.known is None else round(100 * settings.guesses.known, 6),
            "file_codes": typed(settings.whole.codes),
            "last_lines": settings.whole.last,
            "left_out_by": settings.whole.by,
            "left_out_words": typed(settings.whole.words),
        }
        if (persons := settings.persons) is not None:
            self.answers |= {
                "person_column": persons.column,
                "people_number": KNOWN_NUMBER if persons.stated is None else STATED,
                "people_stated": persons.stated,
                "people_nameless": LEFT_OUT if persons.left_out else ALONE,
            }

    def read_like(self, settings: Settings) -> None:
        """Read the file as an earlier one was read. If that does not give the declared columns, it stays as it is read now."""
        before, form = self.form, settings.form
        if before is None or type(before) is not type(form) or isinstance(before, Parquet) or isinstance(form, Parquet):
            return
        if isinstance(form, Sheet) and isinstance(before, Sheet):
            form = replace(form, name=before.name)
        declared = {one.name for one in settings.columns}
        for other in (form, replace(form, names=before.names)):  # the names can be in another line
            self.read(other)
            if self.table is not None and declared <= set(self.names):
                return
        self.read(before)


def current() -> Draft | None:
    """Return the file that is being declared in this tab, or None."""
    found: Draft | None = st.session_state.get("draft")
    return found


def begin(file: File, ways: tuple[Seen, ...], problem: str) -> Draft:
    """Return the draft of a new file. If this tab had the same file before, its declarations hold again."""
    drop_widgets()
    draft = st.session_state["draft"] = Draft(file, ways, problem)
    remembered: Settings | None = st.session_state.get("declared_files", {}).get(draft.digest)
    if remembered is not None:
        draft.apply(remembered)
        draft.read(remembered.form)
        draft.answers["kind"] = PUBLIC if remembered.public else CONFIDENTIAL
    return draft


def drop_widgets() -> None:
    """Let the widgets about a file begin with the draft's answers."""
    for key in [key for key in st.session_state if key in QUESTIONS or str(key).startswith("read_")]:
        del st.session_state[key]


def ask(draft: Draft, *keys: str) -> None:
    """Before widgets with these keys are shown: take what they say, or let them show the draft's answer.

    Streamlit forgets what widgets hold while another page is shown.
    """
    for key in keys:
        draft.answers[key] = st.session_state.setdefault(key, draft.answers[key])


def remember(draft: Draft, settings: Settings) -> None:
    """Keep what is declared of a file, for when it is uploaded again in this tab."""
    files: dict[str, Settings] = st.session_state.setdefault("declared_files", {})
    files.pop(draft.digest, None)
    files[draft.digest] = settings
    while len(files) > _MOST_FILES:
        files.pop(next(iter(files)))
