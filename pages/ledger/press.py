"""A click on Release: all questions on the receipt are refused together or answered.

First all pairs are sampled and all noise is calibrated, then the table is asked. Failures are charged from the first draw on.
Nothing here calls Streamlit, because a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, final

from dpcore.base.arrays import Database
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError, IncompatibleReleasesError, InvalidValueError, MethodMismatchError, SampledLaterError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line, Planned
from dpcore.ledger.spending import Spent
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.descriptions import question
from pages.experiment.error_sentences import plain
from pages.experiment.noise import answered, calibrate_worst_case
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.entry import About, Entry, brief, now, ranks_of, ranks_short, reach_of
from pages.ledger.long_release import Drawing, Outcome

RELEASE_SECONDS = 900.0  # of draws that one click may ask the server for
_OPEN = "Another release of this browser is being drawn: nothing was drawn or charged for this one. Click again after it."
_ANEW = "Nothing was drawn or charged: the table was declared again, with other people or neighbours. Begin the list again."
_CHANGED = (
    "Nothing was drawn or charged: since this receipt was shown, an answer about the table came, perhaps in another tab, and it "
    "changes the guarantee. Read the receipt again, then click."
)
_NOT_ASKED = "This question was not asked, because the draws of another question of the same release were ended."
_NOTHING = "Nothing was charged."
_USED_UP = "The sampled pairs are charged their γ. They were the table's only ones, so from now on only proved noise is offered."
_log = logging.getLogger(__name__)


@final
@dataclass(frozen=True, eq=False)
class AskedLine:
    """One question of a receipt, fixed before the first draw.

    Args:
        ticket: The ticket of the click.
        scenario: The scenario.
        table: Its table.
        worst_case: Whether the noise is calibrated to the proved worst case.
        oracle: The oracle that the questions of a list share; None for the scenario's own.
        number: The question's number in its list, from 1; 0 for a single question.
    """

    ticket: str
    scenario: Scenario
    table: Table
    worst_case: bool
    oracle: Oracle | None = None
    number: int = 0

    @property
    def drawn_from(self) -> Oracle:
        """The oracle of its pairs."""
        return self.oracle or self.scenario.resolved_oracle(self.table)

    @cached_property
    def seconds_a_draw(self) -> float:
        """About how long one of its pairs takes; 0 if it needs none."""
        return 0.0 if self.worst_case else cost.a_draw(self.scenario, self.drawn_from)

    @property
    def seconds(self) -> float:
        """About how long its pairs take."""
        return self.scenario.m * self.seconds_a_draw

    @cached_property
    def proved(self) -> Calibrated[Any] | None:
        """Noise calibrated to the proved worst case, or None without a proof. Raises DpcoreError if ε is too small."""
        return calibrate_worst_case(self.scenario)

    @property
    def ranks(self) -> int | None:
        """Margin in ranks under the proved worst case, which sampled noise never exceeds; None if ranks are not counted."""
        columns = tuple(self.table.column(name) for name in self.scenario.columns)
        with suppress(DpcoreError):  # no noise at this ε, which the receipt says
            return None if self.proved is None else ranks_of(self.proved.law, answered(self.scenario, columns))
        return None

    @cached_property
    def line(self) -> Line:
        """The line of an empty ledger after this question."""
        scenario = self.scenario
        about, part = question(scenario, self.table), part_of(scenario, self.table)
        if self.worst_case:
            assert self.proved is not None
            return Ledger().foresee(self.proved).of_part(part).told(about=about)
        asked = scenario.target, self.drawn_from, scenario.norm, scenario.n, scenario.point, scenario.adjacency
        return Planned(*asked, scenario.mechanism, scenario.privacy, part).line.told(about=about)


def part_of(scenario: Scenario, table: Table) -> str:
    """Return which function of the file the target gets: its columns, how they are read, and what happens to missing values."""
    columns = [table.column(name) for name in scenario.columns]
    return repr((columns, table.public, table.form, table.persons, table.left_out))


@final
@dataclass(frozen=True, eq=False)
class Press:
    """The questions that one click releases.

    Args:
        ticket: Makes many clicks one release: it is spent under the lock.
        lines: The questions.
        shown: The guarantee that the receipt named for each line. If it is another one at the click, nothing is released.
    """

    ticket: str
    lines: tuple[AskedLine, ...]
    shown: tuple[Guarantee, ...] | None = None

    def showing(self, lines: Sequence[Line]) -> Press:
        """Return it with the guarantees of these lines on its receipt."""
        return replace(self, shown=tuple(line.guarantee for line in lines))


def of_list(ticket: str, made: QuestionList, table: Table) -> Press:
    """Return what one click on a list of questions releases.

    Questions that share the list's oracle draw from one and the same. Several questions are numbered.
    """
    scenarios = made.lines(table)
    shared = _shared_oracle([line for one, line in zip(made.questions, scenarios, strict=True) if one.oracle is None], table)
    lines = [
        AskedLine(
            ticket,
            scenario,
            table,
            made.is_proved(scenario),
            oracle=shared if one.oracle is None else None,
            number=place if len(scenarios) > 1 else 0,
        )
        for place, (one, scenario) in enumerate(zip(made.questions, scenarios, strict=True), 1)
    ]
    return Press(ticket, tuple(lines))


def _shared_oracle(sharing: Sequence[Scenario], table: Table) -> Oracle | None:
    """Return the oracle of all columns that these questions name: only what is drawn from one oracle adds up."""
    if not sharing or (isinstance(sharing[0].oracle, TableRecords) and not table.public):  # the line refuses such an oracle
        return None
    first = sharing[0]
    if not isinstance(first.oracle, TableRecords):
        return first.oracle
    columns = tuple(dict.fromkeys(name for scenario in sharing for name in scenario.columns))
    return first.oracle.of(table.prepare(columns, first.target), first.target.person)


def totals(lines: Sequence[Line]) -> Guarantee | None:
    """Return what all lines of a click have together; None if their γ add up to 1 or more."""
    return Spent.by((), Ledger().planned(lines).pending, whole=True).guarantee()


def press(book: Book, asked: Press, executor: Executor) -> str:
    """Release, once for each ticket.

    The receipt is checked again under the lock, because another tab may have released meanwhile.

    Args:
        book: The browser's book.
        asked: What was on the receipt.
        executor: The workers for draws that take long. These are the book's ``drawing``, and no other release is accepted until
            they end. The responses follow by themselves.

    Returns:
        The reason if nothing was drawn, otherwise an empty text.
    """
    with book.lock:
        book.begun = True
        if asked.ticket in book.spent:
            return ""
        try:
            problem = _refused(book, asked)
        except DpcoreError as error:
            problem = f"{plain(error)} Nothing was drawn or charged."
        if not problem:
            book.spent.add(asked.ticket)
            _go_on(book, [begin(one) for one in asked.lines], executor)
        return problem


def _refused(book: Book, asked: Press) -> str:
    """Return why nothing can be released now; raise TooSlowError if the draws of all lines together would take too long."""
    if any(one.scenario.adjacency is not one.table.adjacency for one in asked.lines):
        return _ANEW
    if book.is_drawing:
        return _OPEN
    left = RELEASE_SECONDS
    for one in asked.lines:
        if not one.worst_case:
            cost.refuse_slow(one.scenario.m, one.seconds_a_draw, max(left, 1e-6))
            left -= one.seconds
    foreseen, refused = book.foresee(asked.lines[0].table, [one.line for one in asked.lines])
    if refused:
        return f"Nothing was drawn or charged. {refused}"
    return _CHANGED if asked.shown is not None and asked.showing(foreseen).shown != asked.shown else ""


@final
@dataclass(eq=False)
class Ready:
    """A question during a release.

    Args:
        asked: The question.
        database: Its part of the table.
        oracle: The oracle of its pairs; None if none are drawn.
        drawn: True from its first draw on.
        unseen: True if its draws were ended before the last, and nobody saw them.
        sample: Its complete draws.
        calibrated: Its noise.
        problem: The reason if it will not be answered.
    """

    asked: AskedLine
    database: Database | None = None
    oracle: Oracle | None = None
    drawn: bool = False
    unseen: bool = False
    sample: SensitivitySample[Norm] | None = None
    calibrated: Calibrated[Any] | None = None
    problem: str = ""

    @property
    def spends(self) -> bool:
        """True if the ledger is charged: draws were made, or the table will be asked."""
        return self.drawn or self.calibrated is not None


@contextmanager
def _explained(ready: Ready) -> Iterator[None]:
    """Turn an error into the problem of a question. Errors of the machine go on."""
    try:
        yield
    except DpcoreError as error:
        ready.problem = plain(error)
    except MemoryError:
        raise
    except Exception as error:  # of a target or an oracle from outside dpcore
        _log.warning("A release failed before the table was asked: %s was raised.", type(error).__name__)
        ready.problem = "No answer: the program failed before the table was asked."


def begin(asked: AskedLine) -> Ready:
    """Prepare a question without a draw."""
    ready, scenario = Ready(asked), asked.scenario
    with _explained(ready):
        ready.database = asked.table.prepare(scenario.columns, scenario.target)
        if asked.worst_case:
            ready.calibrated = asked.proved
        else:
            ready.oracle = asked.drawn_from
    return ready


def _go_on(book: Book, ready: list[Ready], executor: Executor) -> None:
    """Make the draws of one question after another, then answer all. After draws that take long, ``_drawn`` goes on."""
    try:
        for one in ready:
            if one.oracle is not None and not one.drawn:
                one.drawn = True
                if one.asked.seconds > cost.QUICK:
                    book.drawing = Drawing(one.asked.scenario, one.oracle, executor, partial(_drawn, book, ready, one, executor))
                    return
                draw(one, one.oracle)
            if one.sample is not None and one.calibrated is None and not one.problem:
                calibrate(one, one.sample)
    except BaseException:  # of the machine: draws are charged
        _charge_draws(book, ready)
        raise
    _answer(book, ready)


def draw(ready: Ready, oracle: Oracle) -> None:
    """Make the draws of a question. The table is not asked."""
    scenario = ready.asked.scenario
    with _explained(ready):
        try:
            ready.sample = scenario.sample(oracle, at=scenario.point, seed=secrets.randbits(64))
        except (InvalidValueError, MethodMismatchError):  # before the first draw: nothing is charged
            ready.drawn = False
            raise


def calibrate(ready: Ready, sample: SensitivitySample[Norm]) -> None:
    """Calibrate the noise to complete draws. If that is refused, they are spent all the same."""
    scenario = ready.asked.scenario
    with _explained(ready):
        ready.calibrated = scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy)


def _drawn(book: Book, ready: list[Ready], last: Ready, executor: Executor, outcome: Outcome) -> None:
    """Go on after draws that took long. If the user ended them, or they failed, the click answers nothing."""
    with book.lock:
        last.sample, last.drawn, last.unseen = outcome.sample, outcome.charged, outcome.unseen
        if outcome.sample is not None:
            _go_on(book, ready, executor)
            return
        _charge_draws(book, ready)
        for one in ready:
            write(book, one.asked, outcome.problem if one is last else _NOT_ASKED, asked=one is last)


def _answer(book: Book, ready: list[Ready]) -> None:
    """Plan all lines, and ask the table each question; or ask none if answers came meanwhile, or the budget was lowered."""
    table = ready[0].asked.table
    lines = [one.asked.line for one in ready if one.spends]
    _, refused = book.foresee(table, lines)
    if refused:
        _charge_draws(book, ready)
        for one in ready:
            write(book, one.asked, one.problem or f"No answer: the table was not asked. {refused}")
        return
    book.plan(table, lines)
    faults = []
    for one in ready:  # a fault of the program costs its own question, and not those that follow
        try:
            _conclude(book, one)
        except BaseException as fault:
            faults.append(fault)
    book.end_plan(table)
    if faults:
        raise faults[0]


def _conclude(book: Book, ready: Ready) -> None:
    """Answer a question, or write why it has no answer."""
    if ready.calibrated is not None:
        respond(book, ready, ready.calibrated)
        return
    _charge_draws(book, [ready])
    write(book, ready.asked, f"{ready.problem} {_USED_UP if ready.drawn else _NOTHING}")


def respond(book: Book, ready: Ready, calibrated: Calibrated[Any]) -> None:
    """Ask the table, charge and write what came of it. Whatever fails from here on is charged in full."""
    asked = ready.asked
    assert ready.database is not None
    try:
        release = calibrated.release(ready.database)
        about = About.of(asked.scenario, asked.table).read_at(release.scale)
        reach = reach_of(calibrated.law, about.answer, release.response)
        ranks = ranks_of(calibrated.law, about.answer)
        answer = f"{brief(release.response, about.answer, reach)} {ranks_short(ranks)}".rstrip()
        line = _charge(book, asked, Ledger.add, item=release, answer=answer)
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        _charge(book, asked, Ledger.add_failed, calibrated=calibrated, n=asked.scenario.n)
        if isinstance(error, DpcoreError):
            write(book, asked, plain(error))
            return
        write(book, asked, "No answer: the program failed. The attempt is charged in full.")
        if not isinstance(error, Exception) or isinstance(error, MemoryError):  # of the machine
            raise
        _log.warning("A release failed: %s was raised.", type(error).__name__)  # its message could quote a record
        return
    write(book, asked, "", about, release=release, line=line, reach=reach, ranks=ranks)


def write(book: Book, of: AskedLine, problem: str, about: About | None = None, **response: Any) -> None:
    """Add the entry of a question; ``response``: its other fields."""
    book.entries.append(
        Entry(
            ticket=of.ticket,
            number=of.number,
            digest=book.name_of(of.table),
            about=about or About.of(of.scenario, of.table),
            problem=problem,
            incomplete=book.incomplete(of.table),
            **response,
        )
    )


def _charge_draws(book: Book, ready: Sequence[Ready]) -> None:
    """Charge the draws of questions that get no answer.

    If nothing sampled is accepted any more, they can lead to no answer, and cost nothing.
    """
    for one in ready:
        if one.drawn:
            scenario = one.asked.scenario
            with suppress(SampledLaterError, IncompatibleReleasesError):
                _charge(
                    book,
                    one.asked,
                    Ledger.add_draws,
                    target=scenario.target,
                    oracle=one.oracle,
                    norm=scenario.norm,
                    n=scenario.n,
                    at=scenario.point,
                    adjacency=scenario.adjacency,
                    looked=not one.unseen,
                )


def _charge(book: Book, asked: AskedLine, add: Callable[..., Ledger], **item: Any) -> Line:
    """Charge a question, with its words and the time."""
    about, part = question(asked.scenario, asked.table), part_of(asked.scenario, asked.table)
    return book.charge(asked.table, lambda ledger: add(ledger, part=part, about=about, made=now(), **item))
