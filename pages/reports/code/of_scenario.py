"""What Explore shows of a scenario, made anew: the draws, Δ̂, what it costs to know it, and possible private answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from textwrap import indent
from typing import Any, final

import numpy as np

from dpcore.answers.answer import moved_in
from dpcore.guarantees import words as in_words
from dpcore.mechanisms.response_law import SHARE_WITHIN, sampling_of
from dpcore.sampling.sampler import SensitivitySample
from pages import charts
from pages.experiment.headlines.base import Headline
from pages.experiment.preview import Reference
from pages.experiment.scenario import MOST_M, Scenario, TableRecords
from pages.files.tables import Table
from pages.reports.code import asked, records
from pages.reports.code.asked import Told
from pages.reports.code.cells import Cell, Lines, Program, called, drawn, words
from pages.reports.code.script import extras

CDF = "The empirical distribution of how far the answer moves, with its 95 % band, and Δ̂ at the order k."
POINTS = "The least number of trials m for each γ under each bound, with this choice marked."


@final
@dataclass(frozen=True, kw_only=True)
class Shown:
    """What Explore shows besides the headline: the ``sample`` that Δ̂ is of, and the law it is compared with. ``proved``: whether
    the worst case leads. ``off``: how far off an answer may be in the dots; None where nobody said so. ``dots``: whether the
    answers are drawn as dots, too."""

    sample: SensitivitySample[Any]
    reference: Reference | None = None
    proved: bool = False
    free: bool = False
    dots: bool = False
    off: float | None = None


def of_scenario(headline: Headline, table: Table, told: Told, shown: Shown) -> Program:
    """The program of one scenario. Nothing of a confidential table is in it: its answer is that of a made-up one.

    TypeError for a target, an oracle or a mechanism of somebody's own, which has no code.
    """
    scenario = headline.scenario
    scenario.to_json()  # the TypeError, before anything is made
    database = table.prepare(scenario.columns, scenario.target).database if table.public else None
    cells = tuple(_cells(headline, table, told, shown))
    beside = records.beside(database, cells)
    needs = extras(scenario.target, scenario.oracle, scenario.mechanism)
    return Program(f"{told.question}, as Explore showed it", cells, needs, beside)


def _cells(headline: Headline, table: Table, told: Told, shown: Shown) -> Iterator[Cell]:
    scenario = headline.scenario
    value = headline.noise.sensitivity.value
    yield words(
        "This file makes anew what Explore showed of “{}” in the table “{}”: how far the answer moves, how much noise hides "
        "that, and what private answers can look like. It releases nothing.",
        told.question,
        told.table,
    )
    yield from before(scenario, table, told)
    yield from asked.of_scenario(scenario, told)
    yield from asked.draws(scenario.adjacency, scenario.point, scenario.seed, value)
    if headline.worst is not None:
        yield from asked.proved(scenario, headline.worst.sensitivity.value)
    yield from _distances(headline, shown)
    yield from records_after(scenario, table, told)
    yield from _answers(headline, table, shown)
    yield from promised(headline, shown)


def before(scenario: Scenario, table: Table, told: Told) -> Iterator[Cell]:
    """The records of a table that its own oracle is made of."""
    if isinstance(scenario.oracle, TableRecords):
        yield from asked.records_cells(table.prepare(scenario.columns, scenario.target).database, told.table)


def records_after(scenario: Scenario, table: Table, told: Told) -> Iterator[Cell]:
    """Those of another public table, or a made-up table in the place of a confidential one."""
    if not table.public:
        yield from asked.made_up(scenario.seed)
    elif not isinstance(scenario.oracle, TableRecords):
        yield from asked.records_cells(table.prepare(scenario.columns, scenario.target).database, told.table)


def _distances(headline: Headline, shown: Shown) -> Iterator[Cell]:
    """The distances in a figure, beside the true law where that is known; and what m buys."""
    reference = shown.reference
    with_it = (
        "" if reference is None else f" Beside it stands the {'true one' if reference.m is None else 'one of a large sample'}."
    )
    yield words(
        f"The figure shows the share of made-up tables in which the answer moved by no more than a distance.{with_it} The next "
        "one shows how many made-up tables a smaller γ takes."
    )
    chart = charts.sensitivity_cdf(
        shown.sample,
        true=None if reference is None else reference.cdf,
        true_name="" if reference is None else reference.name,
        unit=moved_in(headline.answer),
        global_sensitivity=None if headline.worst is None else headline.worst.sensitivity.value,
        covered=None if shown.proved else headline.noise.sensitivity.value,
    )
    yield drawn(chart, CDF)
    yield drawn(charts.operating_points(headline.scenario.point, most_m=MOST_M), POINTS)


def _answers(headline: Any, table: Table, shown: Shown) -> Iterator[Cell]:
    """The noise, a few private answers, and those of the app's figures."""
    worst = headline.worst
    whose = "the table's own answer" if table.public else "the answer of the made-up table"
    yield words(
        f"## What would be published\n\nThe mechanism is calibrated to Δ̂ and ε. Around {whose} it gives answers like the five "
        "that are printed. They are simulated: none is a release."
    )
    lines = ["noise = mechanism.calibrate(sensitivity, privacy)"]
    lines.append(f"worst = {'None  # no worst case is proved here' if worst is None else 'mechanism.calibrate(proved, privacy)'}")
    leads = "worst" if shown.proved else "noise"
    lines += ["exact = np.atleast_1d(target(database))", "rng = np.random.default_rng(2017)"]
    lines.append(called("print", f"{leads}.simulate(exact, size=5, rng=rng, database=database)"))
    yield Lines("\n".join(lines))
    figures = [charts.answer(replace(headline, noise=worst) if shown.free and worst is not None else headline)]
    if shown.dots:
        leading = worst if shown.proved and worst is not None else headline.noise
        off = float(np.max(headline.reaches(leading, SHARE_WITHIN))) if shown.off is None else shown.off
        dots = charts.as_dots(headline, leading, off)
        figures = [*([] if dots is None else [dots]), *figures]
    for chart in figures:
        yield drawn(*(chart if table.public else charts.made_up(*chart)))


def promised(headline: Headline, shown: Shown) -> Iterator[Cell]:
    """The guarantee that leads, what it does not cover, and how a release is made."""
    scenario = headline.scenario
    leads = headline.worst if shown.proved and headline.worst is not None else headline.noise
    sampling = sampling_of(leads.law)
    said = f"Nothing. The noise is {sampling.words}, and only noise that OpenDP samples exactly gets a guarantee."
    said = in_words.sentence(leads.guarantee, scenario.adjacency) if sampling.exact else said
    yield words(
        f"## What would be promised\n\n{said}\n\nIt is void if the target, the oracle, the bounds, ε or any other choice "
        "was made by looking at a confidential table. It covers one release: each further one spends it again.\n\nA release "
        "draws afresh, under a seed that nobody knows beforehand, and takes its noise from the system. The function says how. "
        "Nothing calls it here."
    )
    if shown.proved:
        body = "    return mechanism.calibrate(proved, privacy).release(records)"
    else:
        body = indent(asked.drawn_under("secrets.randbits(64)", "fresh = "), "    ")
        body += "\n    return mechanism.calibrate(fresh.sensitivity(), privacy).release(records)"
    yield Lines(f'def release(records):\n    """One private answer. Each call spends the guarantee again."""\n{body}')
