"""The report of what Explore shows: the answer in sentences, its charts, and all that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from pages.experiment.choices import title
from pages.old.charts.laid_out import NOT_YOUR_DATA
from pages.old.charts.svg import Theme, drawn_or_said
from pages.old.experiment.headlines.base import Row
from pages.old.reports import html as file
from pages.old.reports.document import (
    Address,
    Block,
    Live,
    Module,
    Notice,
    Part,
    Picture,
    Points,
    Report,
    Section,
    Table,
    Text,
    Tone,
)
from pages.old.shared import answer, figures, how_far_off, proof
from pages.old.shared.escape import unmarked
from pages.old.shared.live import parts
from pages.old.shared.reports.noise import made_with
from pages.old.state.release_entry import now
from pages.old.state.view import Shown, View
from pages.old.wording.question_words import question
from pages.old.wording.sentences import oracle_words, target_words
from pages.old.wording.values import bound_words

# What follows the hand of whoever reads a report of Explore; where nothing may move, what stands still is all there is.


_DESK = "report"


def module(view: View) -> Module | None:
    """What moves it; None where nothing does."""
    return file.module() if parts.offered(view) else None


def sentences(view: View, still: tuple[Block, ...]) -> tuple[Block, ...]:
    """The answer in words under both sliders, and the tables of all that follows."""
    if not isinstance(view, Shown) or not parts.offered(view):
        return still
    return (Live(_DESK, (*parts.ground(view), parts.slider("gamma"), parts.slider("epsilon"), parts.sentences(view)), still),)


def _moved(view: View, still: Picture, make: Callable[[Shown], tuple[Part, ...]]) -> tuple[Block, ...]:
    """A chart that follows the hand; what stands still where the kind of answer has none."""
    made = make(view) if isinstance(view, Shown) and parts.offered(view) else ()
    return (Live(_DESK, made, (still,)),) if made else (still,)


# The figures of a page as a report has them.


def picture(made: figures.Figure, height: int = 340) -> Picture:
    """A figure with what describes it."""
    figure, alt = made
    return Picture(drawn_or_said([(figure, alt, "")], width=480, height=height, theme=Theme.PAGE), alt)


NOTHING = "This is a look ahead, and no release: nothing private was published, and nothing was spent."
MADE_UP = "Where an answer is shown, it is that of a made-up table from the oracle, and not that of the confidential table."
BEGAN = "γ and ε can be moved in this report. This is what it began with, and what is printed."


def report(view: View, *, link: str, beside: Sequence[Row] = ()) -> Report:
    """Of a view. ``beside``: the numbers of the scenarios side by side, where there are several. What hangs on γ and ε follows
    the hand of its reader."""
    scenario, table = view.scenario, view.table
    name = table.title or table.name
    in_words = answer.sentences(view)
    first = Section("What would an answer be like?", sentences(view, said(in_words.heading, in_words.body)))
    sections = (
        _before(view),
        first,
        *_charts(view),
        *_beside(beside),
        _chosen(view),
        _points(view),
        ends(link),
    )
    about = f"{scenario.n:,} {words.counted_in(scenario.adjacency)} of {name}."
    return Report(f"What privacy costs: {question(scenario, table)}", about, sections, made_on(), module=module(view))


def said(heading: str, body: Sequence[str]) -> tuple[Block, ...]:
    """What a page says in Markdown, as plain text."""
    return Text(f"{unmarked(heading)}.", lead=True), Points(tuple(map(unmarked, body)))


def made_on() -> str:
    """When, and by which version."""
    return f"This report was made on {now()} with {made_with()}. It loads nothing and sends nothing."


def ends(link: str) -> Section:
    """The way back to what is shown."""
    said = Text("The link, the script and the notebook of this view make the same trials again, from the same seed.")
    there = (
        (Address("Open this view in the app. The link holds settings and no data.", link),)
        if link.startswith(("http://", "https://"))
        else ()
    )
    return Section("How can this be checked?", (said, *there))


def _before(view: View) -> Section:
    """That nothing was released, and of which table the numbers are."""
    return Section("What is this?", before(public=view.table.public))


def before(*, public: bool) -> tuple[Block, ...]:
    """The same in sentences."""
    nothing = Notice(NOTHING, Tone.GOOD)
    return (nothing,) if public else (nothing, Text(MADE_UP))


def _charts(view: View) -> list[Section]:
    found = []
    if (moved := figures.sensitivity(view)) is not None:
        how_far = _moved(view, picture(moved, 380), lambda shown: (parts.slider("gamma"), parts.sensitivity(shown, "")))
        found.append(Section("How sensitive is the question?", how_far))
    if isinstance(view, Shown):
        found.append(Section("What would be published?", _moved(view, picture(figures.answers(view)), _answers)))
        found.append(Section("How far off would it be at each ε?", _moved(view, picture(figures.errors(view)), _errors)))
    still = picture(figures.operating_points(view))
    trials = _moved(view, still, lambda shown: (parts.slider("gamma"), parts.trials(shown, "")))
    return [*found, Section("How many trials does it take?", trials)]


def _answers(shown: Shown) -> tuple[Part, ...]:
    """What would be published; above it, where that is so, that it is of a made-up table."""
    title = NOT_YOUR_DATA if shown.headline.exact.simulated else ""
    return parts.slider("epsilon"), *parts.answers(shown, how_far_off.usual_distance(shown), title)


def _errors(shown: Shown) -> tuple[Part, ...]:
    """How far off an answer is at each ε, where the kind has such a chart."""
    found = parts.errors(shown)
    return (parts.slider("epsilon"), *found) if found else ()


def _beside(rows: Sequence[Row]) -> list[Section]:
    if len(rows) < 2:
        return []
    cells = tuple(tuple(row.values()) for row in rows)
    return [Section("How do the pinned choices compare?", (Table(tuple(rows[0]), cells, "Side by side"),))]


def _chosen(view: View) -> Section:
    """Every choice that was made."""
    scenario, table = view.scenario, view.table
    columns = table.taken(scenario.columns, scenario.target)
    try:
        oracle = oracle_words(scenario.resolved_oracle(table))
    except DpcoreError:  # the records of a confidential table
        oracle = "none"
    rows = [
        ("what is asked", target_words(scenario.target, columns)),
        ("oracle: the made-up data that sizes the noise", oracle),
        ("mechanism: how noise is added", title(type(scenario.mechanism).__name__)),
        ("ε: less protection where it is larger", f"{scenario.epsilon:g}"),
        *([] if scenario.delta is None else [("δ", f"{scenario.delta:g}")]),
        ("γ: share of changes not protected", f"{scenario.gamma:g}"),
        ("m: trials", f"{scenario.m:,}"),
        ("k: which of the distances is Δ̂, counted from the smallest", f"{scenario.point.k:,}"),
        ("bound: how γ is certified", bound_words(scenario.bound.name)),
        ("seed of the trials", f"{scenario.seed}"),
    ]
    rules = [rule for rule in (table.missing_rule(scenario.columns, scenario.target), table.read_as(scenario.columns)) if rule]
    moved = [Text(BEGAN)] if module(view) else []
    return Section("What was chosen?", (*moved, Table(("choice", "value"), tuple(rows), "All choices"), *map(Text, rules)))


def _points(view: View) -> Section:
    """Table 1 of the paper at this choice."""
    found = proof.rows(view.scenario, proof.FIX_BOTH)
    cells = tuple(tuple(row.values()) for row in found)
    said = "The order k at which each bound certifies this γ with as many trials (Table 1 of Rubinstein & Aldà 2017)"
    return Section("What does each bound certify?", (Table(tuple(found[0]), cells, said),))
