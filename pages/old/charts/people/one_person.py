"""One person's rows as dots, of which as many are filled as the person counts for."""

from __future__ import annotations

import numpy as np

from pages.old.charts.drawn import BLUE, GREY, Drawn, figure, scatter
from pages.old.experiment.contributions.asked import Question
from pages.old.experiment.contributions.cap import Cap, Keeping, cells_of

HEIGHT = 72  # pixels of three lines of dots
_LINES, _ACROSS = 3, 42  # dots


def rows_of_one_person(question: Question, cap: Cap) -> tuple[Drawn, str]:
    """Of whoever has the most rows, in one group where the cap is one in each group; and what is to be read beside the dots.

    Where there are more rows than dots, a dot stands for several, and that is said.
    """
    rows = int(cells_of(question.rows).rows.max() if cap.a_group else question.rows.rows_a_person.max())
    each = -(-rows // (_LINES * _ACROSS))
    dots, filled = -(-rows // each), min(-(-cap.rows // each), -(-rows // each))
    place = np.arange(dots, dtype=np.float64)
    across, up = place % _ACROSS, -(place // _ACROSS)
    ring = {"color": GREY, "symbol": "circle-open", "size": 8, "line": {"width": 1.5}}
    disc = {"color": BLUE, "symbol": "circle", "size": 9}
    x, y = {"visible": False, "range": [-0.7, _ACROSS]}, {"visible": False, "range": [-_LINES + 0.4, 0.6]}
    marks = [scatter("", across, up, ring, hoverinfo="skip")]
    marks.append(scatter("", across[:filled], up[:filled], disc, hoverinfo="skip"))
    made = figure(marks, x=x, y=y, showlegend=False, margin=dict.fromkeys("lrtb", 0))
    return made, _in_words(question, cap, rows, each)


def _in_words(question: Question, cap: Cap, rows: int, each: int) -> str:
    who = f"The person with the most rows{' in one group' * cap.a_group} has {rows:,}"
    if rows <= cap.rows:
        return f"{who}, and all of them count."
    salted = question.terms.keeping is Keeping.ROWS
    some = f"{cap.rows:,} of them {'counts' if cap.rows == 1 else 'count'}"
    counts = some if salted else f"together they weigh as much as {cap.rows:,}"
    return f"{who}: {counts}.{f' A dot is {each:,} rows.' * (each > 1)}"
