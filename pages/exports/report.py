"""The report: one HTML file with the charts of Explore, which asks no other host for anything and prints on two pages."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import date
from functools import cache
from typing import Any

from dpcore.guarantees.descriptions import figure
from pages.experiment.error_sentences import plain
from pages.experiment.view import View
from pages.experiment.words import filled
from pages.exports.settings import settings
from pages.exports.templates import template
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of

ORDER = (ANSWERS, SENSITIVITY, ERROR, POINTS)  # of the charts, where they follow one another
_HEIGHT = 288  # pixels of a chart: two of them and the text fit on a page
_WIDTH = 688  # pixels of an A4 page between its margins
_DRAW = """for (const place of document.querySelectorAll(".chart")) {
  const figure = JSON.parse(place.querySelector("script").textContent);
  Plotly.newPlot(place.querySelector("div"), figure.data, figure.layout, {displayModeBar: false});
}"""


def report(view: View, *, link: str, day: date) -> str:
    """Return the report of what Explore shows.

    Args:
        view: The view.
        link: Address that opens the scenario in the app; may be empty.
        day: The date on the report.
    """
    texts = filled(view)
    line, first, rest = texts["line"], texts["promise"], texts["limits"]
    library = _plotly()
    scripts = " ".join(_hash(one) for one in (library, _DRAW))
    made = charts_of(view)
    charts = [
        {"alt": made[name].alt, "figure": _embedded(made[name].figure(line, height=_HEIGHT))} for name in ORDER if name in made
    ]
    return str(
        template("report.html.jinja").render(
            policy=f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:",
            library=_trusted(library),
            draw=_trusted(_DRAW),
            headline=texts["headline"],
            problem="" if view.problem is None else plain(view.problem),
            first=first,
            rest=rest,
            simulated=""
            if view.question.table.public
            else "Its answers are those of a simulated table, not of the confidential one.",
            charts=charts,
            settings=settings(view.scenario, view.question.table) | _results(view),
            link=link,
            day=f"{day.day} {day:%B %Y}",
        )
    )


def _results(view: View) -> dict[str, str]:
    found = {"k": f"{view.point.k:,}"}
    if view.order_statistic is not None:
        found["Δ̂"] = figure(view.order_statistic)
    if view.noise is not None:
        found["noise is sized for"] = figure(view.noise.sensitivity.value)
    return found


def _embedded(drawn: dict[str, Any]) -> Any:
    """Return a figure as JSON that cannot end the element it is in."""
    layout = drawn["layout"] | {"width": _WIDTH, "paper_bgcolor": "white", "plot_bgcolor": "white"}
    text = json.dumps({"data": drawn["data"], "layout": layout}, allow_nan=False)
    return _trusted(text.replace("<", "\\u003c"))


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _trusted(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())
