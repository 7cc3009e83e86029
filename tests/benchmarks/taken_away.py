"""What is taken away of a list of twenty questions: its report and its notebook."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import nbclient
import nbformat
import streamlit as st

from dpcore import Condition, targets
from pages.experiment.listed.question_list import Listed, QuestionList
from pages.experiment.listed.union import united
from pages.reports.document import Edition
from pages.reports.html import html
from pages.shared.reports.release import report
from pages.state import ledger, state
from tests.benchmarks.timing import seconds
from tests.pages.visit import link, opened, press, sound

TITLE = "Taken away"
QUESTIONS = 20
_TABLE = "diabetes"


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured) for each number."""
    files: dict[str, Any] = {}
    with _spied(files):
        app = _released()
        notebook = _notebook(app, files)
    book, table = ledger._book(app.session_state["tab"]), state.catalog()[_TABLE]
    entries = tuple(book.entries)

    def made() -> str:
        return html(report(book, table, entries, Edition.SHARING))

    return [
        (f"the report of {QUESTIONS} questions", "≤ 2 s", f"{seconds(made, 3):.2f} s"),
        ("its size", "≤ 1,500 kB", f"{len(made().encode()) / 1e3:,.0f} kB"),
        (f"the notebook of {QUESTIONS} questions, run whole", "≤ 60 s", f"{_run(notebook):.1f} s"),
    ]


class _spied:  # noqa: N801
    """While it holds, the files of the page's buttons are kept by their keys."""

    def __init__(self, files: dict[str, Any]) -> None:
        self._files, self._button = files, st.download_button

    def __enter__(self) -> None:
        def recorded(label: str, data: Any, *rest: Any, **more: Any) -> bool:
            self._files[more["key"]] = data
            return self._button(label, data, *rest, **more)

        st.download_button = recorded

    def __exit__(self, *_: object) -> None:
        st.download_button = self._button


def _released() -> Any:
    """A tab that has released a list of twenty means."""
    app = press(link("release", table=_TABLE, columns=["bmi"]), "list_begin")
    (made,) = app.session_state["lists"].values()
    app.session_state["lists"] = {_TABLE: _twenty(made)}
    sound(app.run())
    return press(app, "release_list")


def _twenty(made: QuestionList) -> QuestionList:
    """Means and variances of columns of numbers, of women and of men."""
    table = state.catalog()[_TABLE]
    numbers = [column for column in table.columns if column.bounds is not None and column.name != "sex" and not column.categories]
    kinds: tuple[Any, ...] = (targets.KnownMean, targets.KnownVariance)
    asked = [
        targets.On(kind(column.bounds), (column.name,), (Condition("sex", value),))
        for kind in kinds
        for value in (0.0, 1.0)
        for column in numbers
    ][:QUESTIONS]
    assert len(asked) == QUESTIONS
    oracle = made.oracle
    questions = tuple(Listed(one, one.fields, 1.0) for one in asked)
    return replace(made, questions=questions, oracle=united(questions, table, oracle, state.example())[0])


def _notebook(app: Any, files: dict[str, Any]) -> str:
    entry = ledger._book(app.session_state["tab"]).entries[-1]
    opened(app, f"code_{entry.ticket}")
    text = files[f"notebook_{entry.ticket}"]
    return str(text() if callable(text) else text)


def _run(text: str) -> float:
    began = time.perf_counter()
    nbclient.NotebookClient(nbformat.reads(text, 4), timeout=120).execute()
    return time.perf_counter() - began
