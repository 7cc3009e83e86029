"""The label that an answer would have, of what Explore shows: it says across itself that nothing was published."""

from __future__ import annotations

from dpcore.mechanisms.response_law import sampling_of
from pages.charts.label import Label, Look, Part, Words
from pages.shared.labels.around import ELSEWHERE, HOW_MANY, Told
from pages.shared.labels.published import about_words, of_about
from pages.state.release_entry import About
from pages.state.view import Shown, View

EXAMPLE = "Example: nothing was published"
NONE = "There is no label: no guarantee would cover this answer."


def of_view(view: View) -> Label | None:
    """Of a view that may be shared; None where no guarantee would cover its answer."""
    if not isinstance(view, Shown) or not sampling_of(view.leading.law).exact:
        return None
    about, adjacency = About.of(view.scenario, view.table), view.scenario.adjacency
    reach = view.headline.short_reach(view.leading)
    said = (Words(about.question, most=2), Words(reach, Look.LEAD, most=2), *about_words(about, adjacency, Told()))
    would = Part("What would be published?", said, heavy=True)
    last = Part(HOW_MANY, (Words(f"None here. {ELSEWHERE}"),))
    parts = of_about(about, view.leading.guarantee, adjacency).parts()
    return Label("An answer as it would be", (would, *parts, last, Told().part), EXAMPLE)
