"""Cells that say what is asked: the target, the oracle, how many records, the neighbours, the operating point, the mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from dpcore.base.types import Database, person_of
from dpcore.guarantees import words as in_words
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.registry.laid_out import literal
from pages.experiment.scenario import OF_THE_TABLE, Scenario, TableRecords
from pages.reports.code import records
from pages.reports.code.cells import Cell, Lines, called, named, words

_TABLE = OF_THE_TABLE["TableRecords"]


@final
@dataclass(frozen=True, kw_only=True)
class Told:
    """What a page says of a question, in words: what was asked, the target, the oracle, the table's title."""

    question: str
    target: str
    oracle: str
    table: str


def of_scenario(scenario: Scenario, told: Told, *, oracle: bool = True) -> Iterator[Cell]:
    """What a scenario asks; without its ``oracle`` where nothing is drawn from it."""
    of = f"n = {scenario.n:,} {in_words.counted_in(scenario.adjacency)}"
    made_up = " The oracle makes up the tables that size the noise: {}. It is public." if oracle else ""
    outside = (told.target, told.table, *([told.oracle] if oracle else []))
    yield words(f"## What is asked\n\nThe target is {{}}, of {of} of the table “{{}}”.{made_up}", *outside)
    lines = [named("target", scenario.target)]
    lines += [oracle_code(scenario)] if oracle else []
    lines += [
        named("norm", scenario.norm),
        named("n", scenario.n),
        named("adjacency", scenario.adjacency),
        named("mechanism", scenario.mechanism),
        named("privacy", scenario.privacy),
    ]
    yield Lines("\n".join(lines))


def oracle_code(scenario: Scenario) -> str:
    """The oracle; one of the table's own records is made of ``database``."""
    oracle = scenario.oracle
    if not isinstance(oracle, TableRecords):
        return named("oracle", oracle)
    person = person_of(scenario.target)
    if person is not None:
        return called("of_people", "database", literal(person), before="oracle = ")
    return f"oracle = {'of_records' if oracle == _TABLE else 'of_sample'}(database)"


def records_cells(database: Database, table: str) -> Iterator[Cell]:
    """The records of a public table."""
    own = records.as_lines(database)
    where = "This file holds its rows" if own is not None else f"Its rows stand beside this file, in {records.FILE}"
    yield words(f"## The rows\n\nThe table “{{}}” was declared public. {where}, as the target takes them.", table)
    yield Lines(own if own is not None else records.read_beside(database))


def made_up(seed: int) -> Iterator[Cell]:
    """A table from the oracle, and the one line where a holder puts the own records in its place."""
    yield words(
        "## A made-up table\n\nThe table is confidential, and nothing of it is in this file. A table that the oracle makes up "
        "stands in for it, as in the app. Whoever holds the table can put its rows into the line that is marked. Then what "
        "follows uses confidential rows: do not publish it."
    )
    yield Lines(
        f"database = oracle.draw(1, n, rng=generator({seed}, 0, 3))[0]\n"
        "# YOUR RECORDS: replace the line above by your own table, as an array of the same type and with n rows."
    )


def draws(
    adjacency: Adjacency, point: OperatingPoint, seed: int, value: float | None, *, why: str = "They were looked at"
) -> Iterator[Cell]:
    """The draws at a point under their seed, Δ̂ of them, and that it is the one that was shown: None where nobody has seen it.

    ``why``: why no release is made of them.
    """
    yield words(
        f"## How far the answer moves\n\nWe {in_words.tried(adjacency)} in each of m = {point.m:,} made-up tables, and "
        f"measured how far the answer moves. Δ̂ is number {point.k:,} of these distances in order, which supports γ = "
        f"{point.gamma:g}. The seed is the app's, so the draws are the same, to the last bit. {why}, so dpcore makes no "
        "release of them: a release draws afresh."
    )
    seen = "" if value is None else f"{checked('sensitivity.value', value, 'Δ̂')}\n"
    yield Lines(
        f"{point_code(point)}\n{drawn_under(str(seed), 'sample = ')}\n"
        "sample = replace(sample, explored=True)  # no release is made of it\n"
        f'sensitivity = sample.sensitivity()\n{seen}print("Δ̂ =", sensitivity.value)'
    )


def drawn_under(seed: str, before: str) -> str:
    """The call that draws all that is asked, under a seed that is Python."""
    given = {"norm": "norm", "n": "n", "at": "point", "seed": seed, "adjacency": "adjacency"}
    return called("sample_sensitivity", "target", "oracle", **given, before=before)


def point_code(point: OperatingPoint) -> str:
    """The operating point."""
    confidence = {} if point.confidence is None else {"confidence": repr(point.confidence)}
    given = (str(point.m), repr(point.gamma))
    return called("OperatingPoint.for_both", *given, bound=f"Bound.{point.bound.name}", **confidence, before="point = ")


def proved(scenario: Scenario, value: float) -> Iterator[Cell]:
    """The worst case, and that it is the one that was shown."""
    yield words(
        "## The worst case\n\nFor this target it is proved how far one change can move the answer on any table. The proof is "
        "printed. Noise that is sized to that gives differential privacy itself."
    )
    usual = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
    given = ("norm", "n", *([] if usual else ["adjacency"]))
    yield Lines(
        f"{called('target.global_sensitivity', *given, before='proved = ')}\n"
        f"{checked('proved.value', float(value), 'the worst case')}\nprint(proved.value, proved.proof)"
    )


def checked(what: str, value: float, name: str) -> str:
    """That a number is what the app showed, to the bit."""
    said = f"The app showed {float(value)!r} as {name}, and here it is {{{what}!r}}. "
    return f'assert {what} == {float(value)!r}, (\n    f"{said}"\n    "Take the versions that are named above."\n)'
