"""Pinned scenarios side by side: their errors as bars."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantees.words import figure
from pages.figures.theme import BLUE, GREEN, Chart, axis, short, with_unit

_LONGEST = 48  # characters of a name
_AROUND, _A_BAR = 90, 48  # pixels of height


def compare_chart(
    names: Sequence[str],
    guarantees: Sequence[str],
    errors: Sequence[float],
    *,
    shown: int,
    what: str,
    unit: str,
    percent: bool,
) -> Chart:
    """Return a bar for the error of each scenario.

    Args:
        names: Their names.
        guarantees: Their guarantees, each in a short line.
        errors: Their errors, all in the same unit.
        shown: Which of them the page shows.
        what: In which sense the error is meant.
        unit: Its unit.
        percent: Whether it is a share.
    """
    said = [f"{figure(100 * error)}%" if percent else figure(error) for error in errors]
    labels = [f"{name}<br>{line}" for name, line in zip(short(names, _LONGEST), guarantees, strict=True)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": labels,
        "x": list(errors),
        "text": said,
        "textposition": "auto",
        "marker": {"color": [GREEN if place == shown else BLUE for place in range(len(names))]},
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
    }
    along = axis(with_unit(what, unit), rangemode="tozero", **({"tickformat": "~%"} if percent else {}))
    layout = {
        "xaxis": along,
        "yaxis": {"automargin": True, "autorange": "reversed"},
        "bargap": 0.35,
        "height": _AROUND + _A_BAR * len(names),
    }
    alt = "; ".join(f"{name}: {text}" for name, text in zip(names, said, strict=True))
    rows = [{"scenario": name, with_unit(what, unit): text} for name, text in zip(names, said, strict=True)]
    return Chart("Pinned scenarios", [bars], layout, f"{what.capitalize()}. {alt}.", rows)
