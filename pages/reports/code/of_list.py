"""A list of questions, made anew: what is asked together, how far it moves, and how close each answer is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import asked_together
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import sentence
from pages import charts
from pages.experiment import preview
from pages.experiment.in_blocks import blocks_of
from pages.experiment.listed.accuracy import Accuracy
from pages.experiment.listed.distances import Sampled
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.code import asked, records
from pages.reports.code.asked import Told
from pages.reports.code.cells import Cell, Lines, Program, drawn, words
from pages.reports.code.of_scenario import before, records_after
from pages.reports.code.script import extras

_TOO_LARGE = (
    "There is no code of this list, because its table is large and its questions need several files of rows. Take the code of "
    "one question after another, on Explore."
)


def of_list(made: QuestionList, table: Table, told: Told, questions: tuple[str, ...], near: Accuracy | None) -> Program | str:
    """The program of a list, or a sentence that says why there is none. ``questions``: each in a few words. ``near``: how close
    the page says that the answers are which are asked together; None where it does not say so.

    TypeError for a target, an oracle or a mechanism of somebody's own, which has no code.
    """
    lines = made.lines(table)
    for scenario in lines:
        scenario.to_json()  # the TypeError, before anything is made
    databases = [table.prepare(scenario.columns, scenario.target).database for scenario in lines] if table.public else []
    large = [database for database in databases if records.as_lines(database) is None]
    if len(large) > 1:
        return _TOO_LARGE
    cells = tuple(_cells(made, table, told, questions, near))
    beside = (records.FILE, partial(records.as_csv, large[0])) if large else None
    needs = extras(*((one.target, one.oracle, one.mechanism) for one in lines))
    asked, them = counted(len(questions), " questions"), "it" if len(questions) == 1 else "them"
    return Program(f"{asked}, as the app showed {them}", cells, needs, beside)


def _cells(made: QuestionList, table: Table, told: Told, questions: tuple[str, ...], near: Accuracy | None) -> Iterator[Cell]:
    listed = "\n".join(f"- question {place}: {{}}" for place in range(1, len(questions) + 1))
    yield words(
        "This file makes anew what the app showed of a list of questions about the table “{}”. It releases nothing.\n\n" + listed,
        told.table,
        *questions,
    )
    together = made.together(table)
    if together is not None:
        yield from _together(made, together, table, told, questions, near)
    for place in made.alone:
        yield words(f"## Question {place + 1}, a line of its own\n\n{{}}", questions[place])
        yield from _alone(made.by_itself(place, table), table, told, questions[place], worst_case=made.worst_case)


def _together(
    made: QuestionList, scenario: Scenario, table: Table, told: Told, questions: tuple[str, ...], near: Accuracy | None
) -> Iterator[Cell]:
    """All whose answers are numbers, as one target."""
    what = "the answers to questions " + ", ".join(str(place + 1) for place in made.joined)
    yield from before(scenario, table, told)
    yield from asked.of_scenario(scenario, replace(told, target=f"{what}, each over its width"))
    if near is None:
        yield from asked.draws(scenario.adjacency, scenario.point, scenario.seed, None)
        yield from _promised(scenario, _sampled(scenario, scenario.point))
        return
    oracle = scenario.resolved_oracle(table)
    run = preview.exploration(scenario, oracle) if isinstance(near.size, Sampled) else None
    noise: Any = preview.calibrated_worst_case(scenario) if run is None else preview.calibrated(scenario, run)
    yield from _sized(scenario, near, noise)
    yield from records_after(scenario, table, told)
    yield from _accuracies(made, scenario, table, near, noise)
    size = near.size
    yield from _promised(scenario, _sampled(scenario, size.point) if isinstance(size, Sampled) else scenario.privacy)


def _sized(scenario: Scenario, near: Accuracy, noise: Any) -> Iterator[Cell]:
    """How far all of them move together: by trials, or proved."""
    value = noise.sensitivity.value
    if isinstance(near.size, Sampled):
        yield from asked.draws(scenario.adjacency, near.size.point, scenario.seed, value)
        return
    yield from asked.proved(scenario, value)


def _accuracies(made: QuestionList, scenario: Scenario, table: Table, near: Accuracy, noise: Any) -> Iterator[Cell]:
    """Each question's ±, and what private answers look like."""
    how = "all at once" if near.jointly else "each alone"
    yield words(
        f"## How close the answers are\n\n95 in 100 private answers lie this close to the one without noise, {how}. Each is in "
        "the unit of its question, as the app said it."
    )
    sampled = isinstance(near.size, Sampled)
    widths = facts(scenario.target).widths or (1.0,) * len(asked_together(scenario.target))
    reaches = zip(made.joined, near.reaches(widths, scenario.epsilon), strict=True)
    said = "\n".join(f'print("question {place + 1}: ± {within:.6g}")' for place, within in reaches)
    sized = "sensitivity" if sampled else "proved"
    yield Lines(
        f"noise = mechanism.calibrate({sized}, privacy)\n{said}\nexact = np.atleast_1d(target(database))\n"
        "rng = np.random.default_rng(2017)\nprint(noise.simulate(exact, size=5, rng=rng, database=database))"
    )
    yield words("The figure shows one private answer to each question, simulated. It is no release.")
    simulated = partial(preview.simulated_answer, scenario, scenario.resolved_oracle(table))
    exact = preview.answer(scenario, table) if table.public else simulated()
    exact = replace(exact, guesses=near.headline.exact.guesses)
    columns = table.taken(scenario.columns, scenario.target)
    chart = charts.answer(preview.headline(scenario, columns, exact, noise))
    yield drawn(*(chart if table.public else charts.made_up(*chart)))


def _alone(scenario: Scenario, table: Table, told: Told, question: str, *, worst_case: bool) -> Iterator[Cell]:
    """A question that is a line of its own: asked, and measured or proved."""
    worst = preview.worst_case(scenario) if worst_case or blocks_of(scenario) is not None else None
    proved = None if worst is None else worst.value
    yield from before(scenario, table, told)
    yield from asked.of_scenario(scenario, replace(told, target=question), oracle=proved is None)
    if proved is None:
        yield from asked.draws(scenario.adjacency, scenario.point, scenario.seed, None)
    else:
        yield from asked.proved(scenario, proved)
    sized = "sensitivity" if proved is None else "proved"
    yield Lines(f"noise = mechanism.calibrate({sized}, privacy)\nprint(noise.guarantee)")
    yield from _promised(scenario, _sampled(scenario, scenario.point) if proved is None else scenario.privacy)


def _sampled(scenario: Scenario, point: OperatingPoint) -> RandomDP:
    """What noise sized to trials gives."""
    return RandomDP(scenario.epsilon, scenario.delta or 0.0, point.gamma, point.confidence)


def _promised(scenario: Scenario, guarantee: Guarantee) -> Iterator[Cell]:
    """What a release of this line would promise."""
    sampling = preview.sampling(scenario)
    if sampling is not None and not sampling.exact:
        yield words("## What would be promised\n\n{}", f"Nothing. {sampling.no_guarantee}")
        return
    yield words(
        f"## What would be promised\n\n{sentence(guarantee, scenario.adjacency)}\n\nIt is void if a question, the oracle, the "
        "bounds, a width, ε or any other choice was made by looking at a confidential table. It covers one release. A release "
        "draws afresh, under a seed that nobody knows beforehand."
    )
