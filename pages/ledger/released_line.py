"""One line of a press: fresh draws under a seed from the system, noise, and the charge.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

from dpcore.base.norms import Norm
from dpcore.base.types import Database, Oracle
from dpcore.errors import (
    DpcoreError,
    IncompatibleReleasesError,
    InvalidValueError,
    MethodMismatchError,
    SampledLaterError,
)
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.descriptions import question
from pages.experiment.error_sentences import plain
from pages.experiment.margins import wrong_guess
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question
from pages.files.tables import Table
from pages.ledger.book import Book, line_of, part_of
from pages.ledger.entry import About, Entry, now
from pages.ledger.reach import brief, near_of, ranks_of, ranks_short, reach_of

_log = logging.getLogger(__name__)


@final
@dataclass(frozen=True, eq=False)
class AskedLine:
    """What a receipt said of one line, fixed before the first draw. ``shown``: the guarantee that it named. ``oracle``: of a list
    of questions, in place of the scenario's own. ``number``: its place in that list, from 1 on; 0 of a single question."""

    ticket: str
    scenario: Scenario
    table: Table
    worst_case: bool
    shown: Guarantee | None = None
    oracle: Oracle | None = None
    number: int = 0

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

    @property
    def takes_long(self) -> bool:
        """Whether its trials are made beside the server's own threads."""
        return self.seconds > cost.QUICK

    @cached_property
    def line(self) -> Line:
        """What it would be charged, before anything is said of what came before it."""
        return line_of(self.scenario, self.table, worst_case=self.worst_case, oracle=self.oracle)


@final
@dataclass(frozen=True, eq=False)
class Ready:
    """A line of a press before the table is asked.

    ``oracle``: what its trials are to be drawn from. ``calibrated``: its noise. ``problem`` says why there will be no answer.
    ``sample``: its fresh draws, complete, which are charged in any case; ``broken``: they failed before the last, and are
    charged too.
    """

    asked: AskedLine
    database: Database | None = None
    oracle: Oracle | None = None
    calibrated: Calibrated[Any] | None = None
    sample: SensitivitySample[Norm] | None = None
    problem: str = ""
    broken: bool = False

    @property
    def spends(self) -> bool:
        """Whether the ledger is charged for it: draws were made, or the table will be asked."""
        return self.calibrated is not None or self.sample is not None or self.broken


def begin(asked: AskedLine) -> Ready:
    """What it needs before any draw."""
    scenario, table = asked.scenario, asked.table
    try:
        database = table.prepare(scenario.columns, scenario.target).database
        if asked.worst_case:
            return Ready(asked, database, calibrated=calibrate_worst_case(scenario))
        return Ready(asked, database, asked.drawn_from)
    except DpcoreError as error:
        return Ready(asked, problem=plain(error))
    except MemoryError:
        raise
    except Exception as error:  # of somebody's oracle
        _log.warning("A release could not be begun: %s was raised.", type(error).__name__)
        return Ready(asked, problem="No answer: the trials failed before the table was asked. Nothing was charged.")


def draw(ready: Ready) -> Ready:
    """Make the draws of a line, and size its noise. The table is not asked."""
    scenario, oracle = ready.asked.scenario, ready.oracle
    assert oracle is not None
    try:
        sample = scenario.sample(oracle, at=scenario.point, seed=secrets.randbits(64))
    except (InvalidValueError, MethodMismatchError) as error:  # before the first draw
        return replace(ready, problem=plain(error))
    except DpcoreError as error:
        return replace(ready, problem=f"{plain(error)} The trials are charged their γ.", broken=True)
    except MemoryError:
        raise
    except Exception as error:  # of somebody's target or oracle, before the table itself was asked
        _log.warning("The trials of a release failed: %s was raised.", type(error).__name__)
        problem = "No answer: the trials failed before the table was asked. They are charged their γ."
        return replace(ready, problem=problem, broken=True)
    return calibrate(ready, sample)


def calibrate(ready: Ready, sample: SensitivitySample[Norm]) -> Ready:
    """Size the noise to complete draws; if that is refused, they are spent all the same."""
    scenario = ready.asked.scenario
    try:
        return replace(ready, calibrated=scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy), sample=sample)
    except DpcoreError as error:
        return replace(ready, sample=sample, problem=plain(error))
    except MemoryError:
        raise
    except Exception as error:
        _log.warning("The noise of a release could not be sized: %s was raised.", type(error).__name__)
        problem = "No answer: the program failed before the table was asked. The trials are charged their γ."
        return replace(ready, sample=sample, problem=problem)


def charge_draws(book: Book, ready: Ready) -> None:
    """Charge draws that led to no answer. If nothing sampled is accepted any more, they can lead to none, and cost nothing."""
    sample = ready.sample
    if sample is not None:
        _charge(book, ready.asked, lambda ledger: ledger.add(sample, **_fields(ready.asked)))
    elif ready.broken:
        charge_ended(book, ready.asked, unseen=False)


def charge_ended(book: Book, asked: AskedLine, *, unseen: bool) -> None:
    """Charge draws that were ended before the last. ``unseen``: nobody saw any, so that the table may be asked anew."""
    scenario = asked.scenario
    _charge(
        book,
        asked,
        lambda ledger: ledger.add_draws(
            scenario.target,
            asked.drawn_from,
            norm=scenario.norm,
            n=scenario.n,
            at=scenario.point,
            adjacency=scenario.adjacency,
            looked=not unseen,
            **_fields(asked),
        ),
    )


def _charge(book: Book, asked: AskedLine, add: Callable[[Ledger], Ledger]) -> None:
    with contextlib.suppress(SampledLaterError, IncompatibleReleasesError):
        book.charge(asked.table, add)


def respond(book: Book, ready: Ready) -> None:
    """Ask the table, charge and write what came of it. Whatever fails from here on is charged in full."""
    asked, calibrated = ready.asked, ready.calibrated
    assert calibrated is not None
    assert ready.database is not None
    scenario, table = asked.scenario, asked.table
    try:
        release = calibrated.release(ready.database)
        about = About.of(scenario, table).read_at(release.scale)
        reach = reach_of(calibrated, about.answer, release.response)
        ranks = ranks_of(calibrated.law, about.answer)
        answer = f"{brief(release.response, about.answer, reach)} {ranks_short(ranks)}".rstrip()
        line = book.charge(table, lambda ledger: ledger.add(release, answer=answer, **_fields(asked)))
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        _failed(book, asked, error, calibrated)
        return
    near = near_of(calibrated, about.answer, release.response)
    guess = _guess(asked, calibrated, release)
    write(book, asked, "", about, release=release, line=line, reach=reach, near=near, ranks=ranks, guess=guess)


def _failed(book: Book, asked: AskedLine, error: BaseException, calibrated: Calibrated[Any]) -> None:
    """It is charged in full, and said; what is the machine's failure and no member's goes on to whoever asked."""
    book.charge(asked.table, lambda ledger: ledger.add_failed(calibrated, n=asked.scenario.n, **_fields(asked)))
    # nothing of the message of an error that is not ours is said, for it could quote a record
    failed = "No answer: the program failed. The attempt is charged in full."
    write(book, asked, plain(error) if isinstance(error, DpcoreError) else failed)
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    if not isinstance(error, DpcoreError):
        _log.warning("A release failed: %s was raised.", type(error).__name__)


def _guess(asked: AskedLine, calibrated: Calibrated[Any], release: Release[Any]) -> str:
    """Return a sentence if the released numbers show that a guess of a confidential table was wrong."""
    try:
        return wrong_guess(Question(asked.scenario, asked.table), calibrated.law, release.response)
    except DpcoreError:
        return ""


def _fields(asked: AskedLine) -> dict[str, str]:
    part = part_of(asked.scenario, asked.table)
    return {"part": part, "about": question(asked.scenario, asked.table), "made": now()}


def write(book: Book, pressed: AskedLine, problem: str, about: About | None = None, **response: Any) -> None:
    """Add an entry for what came of a press; ``response``: its fields of an entry."""
    scenario, table = pressed.scenario, pressed.table
    book.entries.append(
        Entry(
            ticket=pressed.ticket,
            digest=book.name_of(table),
            about=about or About.of(scenario, table),
            problem=problem,
            incomplete=book.incomplete(table),
            part=part_of(scenario, table),
            number=pressed.number,
            **response,
        )
    )
