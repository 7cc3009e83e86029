"""The answers of a list: each question with its answer, unit and ±, alone and all at once, and its chart where it has one."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dpcore.base.rounded import EMPTY, plus_minus, rows
from dpcore.guarantees import words
from dpcore.plots.answers.several import published_each
from pages.shared import badges, picture
from pages.shared.escape import escaped, table
from pages.shared.picture import Picture
from pages.state.entry import Entry

FILE = "private answer"  # what a picture of one is named after: the question can have names of the table


def show(entry: Entry, answer: Any, response: Any) -> None:
    """One after another."""
    alone, jointly = entry.near or ((), ())
    at, charts = 0, published_each(response, answer, alone)
    for place, (kind, part) in enumerate(zip(answer.of, answer.split(response), strict=True)):
        number = f"{entry.numbers[place]}. " if entry.numbers else ""
        st.markdown(f"**{number}{escaped(entry.about.questions[place])}**")
        parts = kind.parts(part)
        chart = charts[place]
        if chart is not None:
            key = f"curve_{entry.ticket}_{place}"
            taken = Picture(entry.about.questions[place], made_from(entry), file=FILE)
            picture.chart(chart, key, "The private answers.", taken, height=240 if len(parts) > 1 else 124)
        size = len(parts)
        said = [_row(one, jointly[at + i :][:1], kind.after) for i, one in enumerate(rows(kind, part, alone[at : at + size]))]
        table(said, f"answer-{place + 1}-of-{entry.ticket}", marks={"guarantee": made_from(entry)})
        at += size
    if math.inf in (*alone, *jointly):
        st.markdown(EMPTY)
    if entry.guess:
        st.markdown(escaped(entry.guess))
    st.markdown(":small[± is of the noise alone: within it the answer lies from the one without noise, 95 times in 100.]")


def made_from(entry: Entry) -> str:
    """What a picture of a response says of it: its badge, and the guarantee that the badge is about."""
    badge = badges.of_response(covered=entry.covered, caveats=bool(entry.caveats))
    promised = entry.line.guarantee if entry.covered and entry.line is not None else None
    return badge if promised is None else f"{badge}: {words.name(promised)}"


def _row(said: tuple[str, str, str], jointly: tuple[float, ...], after: str) -> dict[str, str]:
    name, text, near = said
    row = {"of": name, "private answer": text} | ({"±": near} if jointly or near else {})
    return row | ({"±, with all the others at once": plus_minus(jointly[0], after) if near else ""} if jointly else {})
