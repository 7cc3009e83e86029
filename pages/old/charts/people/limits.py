"""What each limit of a person's total takes away, before noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore.guarantees.words import percent
from pages.old.charts.drawn import BLUE, GREY, VERMILION, Drawn, axis, figure, line, logarithmic, with_unit
from pages.old.experiment.contributions.limit import Limit, Taken


def taken_by_limit(limits: Sequence[Limit], found: Taken, chosen: Limit, *, unit: str = "") -> tuple[Drawn, str]:
    """Over rising limits B the share of people whose total is clipped, and the share of the value that is lost; the ``chosen`` B,
    one of them, is a line."""
    sizes = np.array([limit.size for limit in limits])
    here = int(np.flatnonzero(sizes == chosen.size)[0])
    traces = [
        line("people clipped", sizes, found.people, BLUE, hovertemplate="B = %{x:,.9~g}: %{y:.2%} of the people<extra></extra>"),
        line(
            "value lost",
            sizes,
            found.value,
            VERMILION,
            dash="dot",
            hovertemplate="B = %{x:,.9~g}: %{y:.2%} of the value<extra></extra>",
        ),
        line(f"B = {chosen.size:,.10g}", chosen.size, np.array([0.0, 1.0]), GREY, width=3, dash="dash", hoverinfo="skip"),
    ]
    drawn = figure(
        traces,
        x=logarithmic(with_unit("limit of a person's total, B", unit), sizes, ",.9~g"),
        y=axis("share of all", tickformat="~%", range=[0, 1.02], nticks=6),
    )
    return drawn, (
        f"What limits from {sizes[0]:,.10g} to {sizes[-1]:,.10g} take away. B = {chosen.size:,.10g} clips the total of "
        f"{percent(float(found.people[here]))} of the people, and {percent(float(found.value[here]))} of the value is lost."
    )
