"""Pinned scenarios side by side: their errors as bars."""

from __future__ import annotations

from collections.abc import Sequence

from pages.experiment.view import View
from pages.experiment.words import Compared
from pages.figures.theme import BLUE, GREEN, Chart, axis, short, with_unit

_LONGEST = 48  # characters of a name
_AROUND, _A_BAR = 90, 48  # pixels of height


def compare_chart(items: Sequence[Compared], shown: Compared, conclusion: str) -> Chart:
    """Return a bar for the error of each scenario, named with its guarantee.

    Args:
        items: Scenarios with errors of the same sense and unit.
        shown: The one on the page.
        conclusion: What follows from them; the title is its beginning.
    """
    assert isinstance(shown.view, View)
    what, unit = shown.meaning[0], "" if shown.meaning[1] == "share" else shown.meaning[1]
    names, said = [one.label for one in items], [one.error_in_words for one in items]
    labels = [f"{name}<br>{one.guarantee}" for name, one in zip(short(names, _LONGEST), items, strict=True)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": labels,
        "x": [one.error for one in items],
        "text": said,
        "textposition": "auto",
        "marker": {"color": [GREEN if one is shown else BLUE for one in items]},
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
    }
    percent = {"tickformat": "~%"} if shown.view.released.accuracy.percent else {}
    layout = {
        "xaxis": axis(with_unit(what, unit), rangemode="tozero", **percent),
        "yaxis": {"automargin": True, "autorange": "reversed"},
        "bargap": 0.35,
        "height": _AROUND + _A_BAR * len(items),
    }
    alt = "; ".join(f"{name}: {text}" for name, text in zip(names, said, strict=True))
    rows = [{"scenario": name, with_unit(what, unit): text} for name, text in zip(names, said, strict=True)]
    return Chart(conclusion.partition(",")[0], [bars], layout, f"{what.capitalize()}. {alt}.", rows)
