"""What stands in a legend where no worst case is proved: there may be one that nobody has shown."""

from __future__ import annotations

from typing import Any

from dpcore.plots.style import GREY

NOT_PROVED = "no proved worst case"


def no_proved_worst_case() -> dict[str, Any]:
    """A legend entry in the worst case's place."""
    style = {"color": GREY, "dash": "longdash", "width": 2}
    return {"type": "scatter", "mode": "lines", "name": NOT_PROVED, "x": [None], "y": [None], "line": style}
