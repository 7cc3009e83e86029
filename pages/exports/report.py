"""Reports as HTML: the templates, and the report of Explore with its charts, which loads nothing and prints on two pages."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from dpcore.guarantees.descriptions import figure
from pages.escape import seen
from pages.experiment.descriptions import settings
from pages.experiment.error_sentences import plain
from pages.experiment.view import View
from pages.experiment.words import filled
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
    scripts = " ".join(allowed(one) for one in (library, _DRAW))
    made = charts_of(view)
    charts = [
        {"alt": made[name].alt, "figure": _embedded(made[name].figure(line, height=_HEIGHT))} for name in ORDER if name in made
    ]
    return str(
        template("report.html.jinja").render(
            policy=f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:",
            library=trusted(library),
            draw=trusted(_DRAW),
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
        found["noise is calibrated to"] = figure(view.noise.sensitivity.value)
    return found


def _embedded(drawn: dict[str, Any]) -> Any:
    """Return a figure as JSON that cannot end the element it is in."""
    layout = drawn["layout"] | {"width": _WIDTH, "paper_bgcolor": "white", "plot_bgcolor": "white"}
    text = json.dumps({"data": drawn["data"], "layout": layout}, allow_nan=False)
    return trusted(text.replace("<", "\\u003c"))


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


# The templates of all reports. Every value in them is escaped, except the app's own scripts and styles.


@cache
def template(name: str) -> Any:
    """Return the template of this name in this folder. A missing value is an error, and no value brings markup in."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    there = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_without_controls,
    )
    return there.get_template(name)


def trusted(text: str) -> Any:
    """Return a text of the app itself, which is not escaped."""
    from markupsafe import Markup

    return Markup(text)


def allowed(text: str) -> str:
    """Return how a security policy allows a script or a style: by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _without_controls(value: Any) -> Any:
    """Return a text without control characters, and without marks that turn the text after them around."""
    return seen(value) if type(value) is str else value
