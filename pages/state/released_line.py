"""One line of a press: fresh draws under a seed from the system, noise, and the charge.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, final

from dpcore.base.norms import Norm
from dpcore.base.types import Database, Oracle
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line, Standing
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost, preview
from pages.experiment.computable import answered
from pages.experiment.plus_minus import hangs_on_guesses, wrong_guess
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.state.book import Book, line_of, part_of
from pages.state.long_release import Drawing, Outcome
from pages.state.reach import brief, near_of, ranks_of, ranks_short, reach_of
from pages.state.release_entry import About, Entry, charge_of, now
from pages.wording.question_words import question
from pages.wording.sentences import plain

_log = logging.getLogger(__name__)
Terms = tuple[Standing, Guarantee | None]


@final
@dataclass(frozen=True, eq=False)
class AskedLine:
    """What a receipt said of one line, fixed before the first draw. ``shown``: how it said that the line would stand. ``oracle``:
    of a list of questions, in place of the scenario's own. ``numbers``: of its questions in that list; () of none."""

    ticket: str
    scenario: Scenario
    table: Table
    worst_case: bool
    shown: Terms | None = None
    oracle: Oracle | None = None
    numbers: tuple[int, ...] = ()

    @property
    def drawn_from(self) -> Oracle:
        """What its trials are drawn from."""
        return self.oracle or self.scenario.resolved_oracle(self.table)

    @property
    def seconds(self) -> float:
        """About how long its trials take; 0 where there are none."""
        return self.scenario.m * self.seconds_a_draw

    @cached_property
    def seconds_a_draw(self) -> float:
        """About how long one of its trials takes; 0 where there are none."""
        return 0.0 if self.worst_case else cost.a_draw(self.scenario, self.drawn_from)

    @cached_property
    def line(self) -> Line:
        """What it would be charged, before anything is said of what came before it."""
        return line_of(self.scenario, self.table, worst_case=self.worst_case, oracle=self.oracle)


def make(book: Book, asked: AskedLine, executor: Executor, then: Callable[[bool], None] = lambda cancelled: None) -> None:
    """Draw, respond and charge, under the book's lock; ``then`` follows the end of draws that take long, and is told whether they
    were cancelled."""
    scenario, table = asked.scenario, asked.table
    try:
        database = table.prepare(scenario.columns, scenario.target).database
        if asked.worst_case:
            proved = preview.calibrated_worst_case(scenario)
            assert proved is not None
            _respond(book, asked, proved, database)
            return
        oracle = asked.drawn_from
        if asked.seconds <= cost.QUICK:
            sample = scenario.sample(oracle, at=scenario.point, seed=secrets.randbits(64))
            _calibrate_and_respond(book, asked, sample, database)
        else:
            book.drawing = Drawing(scenario, oracle, executor, partial(_drawn, book, asked, database, then))
    except DpcoreError as error:
        _write(book, asked, plain(error))
    except MemoryError:
        raise
    except Exception as error:  # of somebody's target or oracle, before the table itself was asked
        _log.warning("The trials of a release failed: %s was raised.", type(error).__name__)
        _write(book, asked, "No answer: the trials failed before the table was asked. Nothing was charged.")


def _drawn(book: Book, asked: AskedLine, database: Database, then: Callable[[bool], None], outcome: Outcome) -> None:
    """The end of a press whose draws took long, and what follows it."""
    with book.lock:
        try:
            _end(book, asked, database, outcome)
        finally:
            then(outcome.cancelled)


def _end(book: Book, asked: AskedLine, database: Database, outcome: Outcome) -> None:
    if outcome.sample is not None:
        _calibrate_and_respond(book, asked, outcome.sample, database)
        return
    scenario = asked.scenario
    if outcome.charged:
        book.charge(
            asked.table,
            lambda ledger: ledger.add_draws(
                scenario.target,
                asked.drawn_from,
                norm=scenario.norm,
                n=scenario.n,
                at=scenario.point,
                adjacency=scenario.adjacency,
                looked=False,
                **_fields(asked),
            ),
            charge_of(asked.ticket),
        )
    _write(book, asked, outcome.problem)


def _calibrate_and_respond(book: Book, asked: AskedLine, sample: SensitivitySample[Norm], database: Database) -> None:
    try:
        calibrated = asked.scenario.mechanism.calibrate(sample.sensitivity(), asked.scenario.privacy)
    except BaseException as error:  # redrawing until pleased is looking
        _failed(book, asked, error, lambda ledger: ledger.add(sample, **_fields(asked)))
        return
    _respond(book, asked, calibrated, database)


def _respond(book: Book, asked: AskedLine, calibrated: Calibrated[Any], database: Database) -> None:
    try:
        release = calibrated.release(database)
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        _failed(book, asked, error, lambda ledger: ledger.add_failed(calibrated, n=asked.scenario.n, **_fields(asked)))
        return
    about = About.of(asked.scenario, asked.table).read_at(release.scale)
    reach = reach_of(calibrated, about.answer, release.response)
    ranks = ranks_of(calibrated.law, about.answer)
    answer = f"{brief(release.response, about.answer, reach)} {ranks_short(ranks)}".rstrip()
    line = book.charge(asked.table, lambda ledger: ledger.add(release, answer=answer, **_fields(asked)), charge_of(asked.ticket))
    near = near_of(calibrated, about.answer, release.response)
    guess = _guess(asked, calibrated, release)
    _write(book, asked, "", about, release=release, line=line, reach=reach, near=near, ranks=ranks, guess=guess)


def _failed(book: Book, asked: AskedLine, error: BaseException, charge: Callable[[Ledger], Ledger]) -> None:
    """It is charged in full, and said; what is the machine's failure and no member's goes on to whoever asked."""
    book.charge(asked.table, charge, charge_of(asked.ticket))
    # nothing of the message of an error that is not ours is said, for it could quote a record
    failed = "No answer: the program failed. The attempt is charged in full."
    _write(book, asked, plain(error) if isinstance(error, DpcoreError) else failed)
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    if not isinstance(error, DpcoreError):
        _log.warning("A release failed: %s was raised.", type(error).__name__)


def _guess(asked: AskedLine, calibrated: Calibrated[Any], release: Release[Any]) -> str:
    """That a guess of a confidential table was wrong, where the released numbers show it."""
    scenario, table = asked.scenario, asked.table
    columns = table.taken(scenario.columns, scenario.target)
    if table.public or not hangs_on_guesses(answered(scenario, columns)):
        return ""
    try:
        made_up = replace(preview.simulated_answer(scenario, asked.drawn_from), guesses=table.guesses)
        return wrong_guess(preview.headline(scenario, columns, made_up, calibrated), calibrated, release.response)
    except DpcoreError:
        return ""


def leave_out(book: Book, asked: AskedLine, why: str) -> None:
    """An entry for what was not asked: nothing was drawn or charged for it."""
    _write(book, asked, why, asked=False)


def _fields(asked: AskedLine) -> dict[str, str]:
    part = part_of(asked.scenario, asked.table)
    return {"part": part, "about": question(asked.scenario, asked.table), "made": now()}


def _write(book: Book, pressed: AskedLine, problem: str, about: About | None = None, **response: Any) -> None:
    """An entry for what came of a press, with the caveats that hold by now; ``response``: its fields of an entry."""
    scenario, table = pressed.scenario, pressed.table
    book.entries.append(
        Entry(
            ticket=pressed.ticket,
            digest=book.name_of(table),
            about=about or About.of(scenario, table),
            problem=problem,
            caveats=book.caveats(table),
            incomplete=book.incomplete(table),
            part=part_of(scenario, table),
            numbers=pressed.numbers,
            **response,
        )
    )
