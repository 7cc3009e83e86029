"""A release that was made: its response, and the sensitivity that sized its noise, made anew from its provenance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

from dpcore.answers.answer import KindOfAnswer, Within, moved_in
from dpcore.base.fingerprint import fingerprint
from dpcore.base.types import Database, person_of
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.ledger.derived import shown_numbers
from dpcore.mechanisms.base import Release
from dpcore.registry.laid_out import literal
from pages import charts
from pages.charts.answers.several import published_each
from pages.experiment.scenario import MOST_M, Scenario, TableRecords
from pages.files.tables import Table
from pages.reports.code import asked, records
from pages.reports.code.asked import Told
from pages.reports.code.cells import Cell, Figure, Lines, Program, called, drawn, named, words
from pages.reports.code.of_scenario import CDF, POINTS
from pages.reports.code.script import extras

_OTHER = (
    "This release cannot be made anew: its oracle was made of the table's own rows, and the table is no longer here as it was."
)

_OF_DISTANCES = """share = np.arange(1, point.m + 1) / point.m
band = np.sqrt(np.log(2 / 0.05) / (2 * point.m))
steps = {"type": "scatter", "mode": "lines", "x": np.sort(sample.distances), "line": {"shape": "hv"}}
hidden = {"showlegend": False, "line": {"shape": "hv", "width": 0}}
chart = go.Figure(
    {
        "data": [
            steps | hidden | {"y": np.maximum(share - band, 0)},
            steps | hidden | {"y": np.minimum(share + band, 1), "fill": "tonexty", "showlegend": True, "name": "95 % band"},
            steps | {"y": share, "name": "trials"},
            {"type": "scatter", "mode": "lines", "x": [sensitivity.value] * 2, "y": [0, 1], "name": "Δ̂"},
        ],
        "layout": {"xaxis": {"title": {"text": MOVED}}, "yaxis": {"title": {"text": "share of changes"}}},
    }
)"""


@final
@dataclass(frozen=True, kw_only=True)
class Made:
    """A release with what its page says of it. ``answer``: what its response is, as it is read at its scale. ``table``: where it
    is still there. ``together``: columns that other lines of the same press name, which an oracle of the table's own records
    draws with its own. ``near``: how close each number of several answers is; None of one answer."""

    scenario: Scenario
    release: Release[Any]
    answer: KindOfAnswer
    reach: Within
    told: Told
    promise: str
    caveats: tuple[str, ...]
    missing: str
    date: str
    table: Table | None = None
    together: tuple[str, ...] = ()
    near: tuple[float, ...] | None = None


def of_release(made: Made) -> Program | str:
    """The program, or a sentence that says why there is none. It holds the response, which is public, and of the table nothing,
    unless the oracle was made of a public table's records.

    TypeError for a target, an oracle or a mechanism of somebody's own, which has no code.
    """
    made.scenario.to_json()  # the TypeError, before anything is made
    database: Database | None = None
    if isinstance(made.scenario.oracle, TableRecords) and "oracle_id" in made.release.provenance:
        database = _drawn_from(made)
        if database is None:
            return _OTHER
    scenario = made.scenario
    cells = tuple(_cells(made, database))
    beside = records.beside(database, cells)
    return Program(
        f"{made.told.question}, a private answer", cells, extras(scenario.target, scenario.oracle, scenario.mechanism), beside
    )


def _drawn_from(made: Made) -> Database | None:
    """The records that the oracle was made of: known by the oracle's own fingerprint."""
    table, scenario = made.table, made.scenario
    oracle: Any = scenario.oracle
    person = person_of(scenario.target)
    if table is None or not table.public:
        return None
    for columns in dict.fromkeys((scenario.columns, made.together)):
        if columns and all(name in table.values for name in columns if name != person):
            database = table.prepare(columns, scenario.target).database
            if fingerprint(oracle.of(database, person)) == made.release.provenance["oracle_id"]:
                return database
    return None


def _cells(made: Made, database: Database | None) -> Iterator[Cell]:
    scenario, release, told = made.scenario, made.release, made.told
    of = release.provenance
    sampled = "sample_id" in of
    yield words(
        "This file holds the private answer to “{}”, of the table “{}”, which was released on {}. It makes anew how its noise "
        "was sized. It needs no row of the table for that, and it releases nothing.",
        told.question,
        told.table,
        made.date,
    )
    yield from _response(made)
    if database is not None:
        yield from asked.records_cells(database, told.table)
    yield from asked.of_scenario(scenario, told, oracle=sampled)
    yield words("{}", made.missing)
    if sampled:
        yield from _draws(made, of)
    else:
        yield from asked.proved(scenario, float(of["sensitivity"] or 0.0))
    sized = "sensitivity" if sampled else "proved"
    yield words(
        "## The noise\n\nIts scale follows from the sensitivity and ε. It is the one that the answer was made with. The noise "
        "was {}.",
        made.release.sampling.words,
    )
    yield Lines(
        f"noise = mechanism.calibrate({sized}, privacy)\n{asked.checked('noise.law.scale', release.scale, 'the scale')}"
        + "\nprint(noise.guarantee)" * (release.guarantee is not None)
    )
    yield from _compared(made)
    yield words("## What is promised\n\n{}" + "\n\n{}" * len(made.caveats), made.promise, *made.caveats)
    yield words(
        "It is void if the target, the oracle, the bounds, ε or any other choice was made by looking at a confidential table. "
        "It covers this one answer: what it adds up to with other answers about the table, the ledger of the app says."
    )


def _response(made: Made) -> Iterator[Cell]:
    yield words("## The private answer\n\nThis is the answer as it was released. What it says follows, as the app reads it.")
    yield Lines(
        f"{named('response', made.release.response)}\n{named('answer', made.answer)}\n"
        'for name, said in answer.parts(response):\n    print(f"{name}: {said}")'
    )
    response: Any = made.release.response
    answer: Any = made.answer
    if made.near is None:
        published = charts.published(response, answer, made.reach)
        if published is not None:
            yield drawn(published, "The private answer.")
        return
    for place, chart in enumerate(published_each(response, answer, made.near), 1):
        if chart is not None:
            yield drawn(chart, f"The private answer to question {place}.")


def _draws(made: Made, of: Mapping[str, str | int | float | None]) -> Iterator[Cell]:
    point, seed, value = point_of(of), int(of["seed"] or 0), float(of["sensitivity"] or 0.0)
    yield from asked.draws(made.release.adjacency, point, seed, value, why="Their seed is known by now")
    unit = moved_in(made.answer)
    moved = f"how far the answer moves{f' ({unit})' if unit else ''}"
    yield Figure(_OF_DISTANCES.replace("MOVED", literal(moved)), CDF)
    yield drawn(charts.operating_points(point, most_m=MOST_M), POINTS)


def point_of(of: Mapping[str, Any]) -> OperatingPoint:
    """The operating point that a provenance tells of."""
    return OperatingPoint.for_both(of["m"], of["gamma"], bound=Bound[of["bound"]], confidence=of["confidence"])


def _compared(made: Made) -> Iterator[Cell]:
    """Differences and ratios of the numbers of the response."""
    if len(shown_numbers(made.release, made.answer)) < 2:
        return
    release = made.release
    yield words(
        "## Two numbers compared\n\nA difference or a ratio of two numbers of this answer costs nothing more, for it is "
        "computed of the answer alone. Its interval is simulated from the noise: in 95 of 100 releases such an interval "
        "holds what the two are without noise. It tells of the noise alone, and it is no interval for the population. "
        "Each number is compared with the first: put another place into the first line."
    )
    run = called("between", "one", "other", "how", scale=repr(release.scale), composes_as=literal(release.composes_as))
    yield Lines(
        "first = 0\nnumbers = answer.shown(response)\none = numbers[first]\n"
        "for other in numbers[:first] + numbers[first + 1 :]:\n"
        "    for how in Derived:\n"
        "        if how is Derived.DIFFERENCE and one.after != other.after:\n"
        "            continue  # in different units there is no difference\n"
        "        if how is Derived.RATIO and other.value == 0:\n"
        "            continue  # nothing can be divided by 0\n"
        f"        found = {run}\n"
        '        print(f"{how.value} of {one.name} and {other.name}: {found.value!r}{found.after}, within {found.within}")'
    )
