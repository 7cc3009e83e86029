"""A click on Release: all questions of the list that was on the receipt are refused as a whole or answered.

First all pairs are sampled and all noise is calibrated, then the table is asked. What fails from its first draw on is charged.
Nothing here calls Streamlit, because a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import json
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
from dpcore.base.serialization import kind_to_plain
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
from pages.ledger.entry import About, Entry, brief, near_of, now, ranks_of, ranks_short, reach_of
from pages.ledger.long_release import Drawing, Outcome

RELEASE_SECONDS = 900.0  # of draws that one click may ask the server for
_OPEN = "Another release of this browser is being drawn: nothing was drawn or charged for this one. Press again after it."
_ANEW = "Nothing was drawn or charged: the table says anew whose its rows are. Begin the list again."
_CHANGED = (
    "Nothing was drawn or charged: since this receipt was shown, an answer about the table came, perhaps in another tab, and it "
    "changes what would be promised. Read the receipt again, then press."
)
_NOT_ASKED = "This question was not asked, because the trials of another one of the same press were ended."
_USED_UP = "These trials were the table's only ones: from now on its noise is sized to proved worst cases."
_CHARGED = "The trials are charged their γ."
_log = logging.getLogger(__name__)


@final
@dataclass(frozen=True, eq=False)
class AskedLine:
    """One question of a receipt, fixed before the first draw.

    Args:
        ticket: The ticket of the click; in a list it ends with the question's number.
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
            if self.proved is None:
                raise InvalidValueError("worst case", "proved for this target", None)
            return Ledger().foresee(self.proved).of_part(part).told(about=about)
        asked = scenario.target, self.drawn_from, scenario.norm, scenario.n, scenario.point, scenario.adjacency
        return Planned(*asked, scenario.mechanism, scenario.privacy, part).line.told(about=about)


def part_of(scenario: Scenario, table: Table) -> str:
    """Return which function of the file the target gets: its columns, how they are read, and what happens to missing values."""
    columns = [table.column(name) for name in scenario.columns]
    read = [(one.bounds, one.categories, one.missing, one.stands, one.read_as) for one in columns]
    form = None if table.form is None else kind_to_plain(table.form)
    whose = () if table.persons is None else ((table.persons.column, table.persons.stated),)
    left_out = (table.left_out,) if table.left_out else ()
    return json.dumps([scenario.columns, read, table.public, form, *whose, *left_out])


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

    Questions that share the list's oracle draw from one and the same. Several questions are numbered, and so are their tickets.
    """
    scenarios = made.lines(table)
    shared = _shared_oracle([line for one, line in zip(made.questions, scenarios, strict=True) if one.oracle is None], table)
    lines = [
        AskedLine(ticket, scenario, table, made.is_proved(scenario), oracle=shared if one.oracle is None else None)
        for one, scenario in zip(made.questions, scenarios, strict=True)
    ]
    if len(lines) > 1:
        lines = [replace(line, ticket=f"{ticket}.{place}", number=place) for place, line in enumerate(lines, 1)]
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
        Why nothing was drawn; empty if something was.
    """
    with book.lock:
        book.begun = True
        if asked.ticket in book.spent:
            return ""
        try:
            problem = _refused(book, asked)
        except DpcoreError as error:
            problem = f"{plain(error)} Nothing was drawn or charged."
        if problem:
            return problem
        book.spent |= {asked.ticket, *(one.ticket for one in asked.lines)}
        _draw_all(book, list(asked.lines), [], executor)
        return ""


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
    """A question of a click, until the table is asked.

    Args:
        asked: The question.
        database: The input of the target.
        oracle: The oracle of its pairs; None for the proved worst case.
        sample: Its complete draws. They are charged in any case.
        broken: True if its draws failed before the last. They are charged too.
        calibrated: Its noise.
        problem: Why it will not be answered.
    """

    asked: AskedLine
    database: Database | None = None
    oracle: Oracle | None = None
    sample: SensitivitySample[Norm] | None = None
    broken: bool = False
    calibrated: Calibrated[Any] | None = None
    problem: str = ""

    @property
    def spends(self) -> bool:
        """True if the ledger is charged: draws were made, or the table will be asked."""
        return self.calibrated is not None or self.sample is not None or self.broken


@contextmanager
def _explained(ready: Ready, failed: str, charged: str) -> Iterator[None]:
    """Turn an error into the problem of a question. Errors of the machine go on."""
    try:
        yield
    except DpcoreError as error:
        ready.problem = f"{plain(error)} {charged}".rstrip()
    except MemoryError:
        raise
    except Exception as error:  # of a target or an oracle from outside dpcore
        _log.warning("A release failed before the table was asked: %s was raised.", type(error).__name__)
        ready.problem = f"No answer: {failed} before the table was asked. {charged or 'Nothing was charged.'}"


def _draw_all(book: Book, left: list[AskedLine], ready: list[Ready], executor: Executor) -> None:
    """Make the draws of one question after another, then answer all. Draws that take long end in ``_drawn``."""
    try:
        while left:
            asked = left.pop(0)
            begun = begin(asked)
            if begun.oracle is not None and asked.seconds > cost.QUICK:
                then = partial(_drawn, book, begun, left, ready, executor)
                book.drawing = Drawing(asked.scenario, begun.oracle, executor, then)
                return
            if begun.oracle is not None:
                draw(begun, begun.oracle)
            ready.append(begun)
    except BaseException:  # of the machine: draws are charged
        if not asked.worst_case:
            charge_ended(book, asked, unseen=False)
        _charge_all(book, ready)
        raise
    _answer(book, ready)


def begin(asked: AskedLine) -> Ready:
    """Prepare a question without a draw."""
    ready, scenario = Ready(asked), asked.scenario
    with _explained(ready, "the trials failed", ""):
        ready.database = asked.table.prepare(scenario.columns, scenario.target)
        if asked.worst_case:
            ready.calibrated = asked.proved
        else:
            ready.oracle = asked.drawn_from
    return ready


def draw(ready: Ready, oracle: Oracle) -> None:
    """Make the draws of a question, and calibrate its noise. The table is not asked."""
    scenario = ready.asked.scenario
    with _explained(ready, "the trials failed", _CHARGED):
        ready.broken = True
        try:
            sample = scenario.sample(oracle, at=scenario.point, seed=secrets.randbits(64))
        except (InvalidValueError, MethodMismatchError) as error:  # before the first draw: nothing is charged
            ready.broken, ready.problem = False, plain(error)
            return
        ready.broken = False
        calibrate(ready, sample)


def calibrate(ready: Ready, sample: SensitivitySample[Norm]) -> None:
    """Calibrate the noise to complete draws. If that is refused, they are spent all the same."""
    scenario, ready.sample = ready.asked.scenario, sample
    with _explained(ready, "the program failed", _CHARGED):
        ready.calibrated = scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy)


def _drawn(book: Book, begun: Ready, left: list[AskedLine], ready: list[Ready], executor: Executor, outcome: Outcome) -> None:
    """Go on after draws that took long. If the user ended them, or they failed, the click answers nothing."""
    with book.lock:
        if outcome.sample is not None:
            begun.sample = outcome.sample
            ready.append(begun)
            try:
                calibrate(begun, outcome.sample)
            except BaseException:  # of the machine
                _charge_all(book, ready)
                raise
            _draw_all(book, left, ready, executor)
            return
        if outcome.charged:
            charge_ended(book, begun.asked, unseen=outcome.unseen)
        _charge_all(book, ready)
        write(book, begun.asked, outcome.problem)
        for asked in (*(one.asked for one in ready), *left):
            write(book, asked, _NOT_ASKED, asked=False)


def _answer(book: Book, ready: list[Ready]) -> None:
    """Plan all lines, and ask the table each question; or ask none if answers came meanwhile, or the budget was lowered."""
    table = ready[0].asked.table
    lines = [one.asked.line for one in ready if one.spends]
    _, refused = book.foresee(table, lines)
    if refused:
        _charge_all(book, ready)
        for one in ready:
            write(book, one.asked, one.problem or f"No answer: the table was not asked. {refused}")
        return
    book.plan(table, lines)
    try:
        _respond_all(book, list(ready))
    finally:
        book.end_plan(table)


def _respond_all(book: Book, ready: list[Ready]) -> None:
    """A fault of the program costs its own question, and not those that follow."""
    while ready:
        one = ready.pop(0)
        try:
            if one.calibrated is not None:
                respond(book, one)
            else:
                _charge_all(book, [one])
                write(book, one.asked, f"{one.problem} {_USED_UP}" if one.spends else one.problem)
        except BaseException:
            _respond_all(book, ready)
            raise


def respond(book: Book, ready: Ready) -> None:
    """Ask the table, charge and write what came of it. Whatever fails from here on is charged in full."""
    asked, calibrated = ready.asked, ready.calibrated
    assert calibrated is not None
    assert ready.database is not None
    try:
        release = calibrated.release(ready.database)
        about = About.of(asked.scenario, asked.table).read_at(release.scale)
        reach = reach_of(calibrated, about.answer, release.response)
        ranks = ranks_of(calibrated.law, about.answer)
        answer = f"{brief(release.response, about.answer, reach)} {ranks_short(ranks)}".rstrip()
        line = book.charge(asked.table, lambda ledger: ledger.add(release, answer=answer, **_fields(asked)))
    except BaseException as error:  # whatever the reason, draws were made and the table was asked
        book.charge(asked.table, lambda ledger: ledger.add_failed(calibrated, n=asked.scenario.n, **_fields(asked)))
        if isinstance(error, DpcoreError):
            write(book, asked, plain(error))
            return
        write(book, asked, "No answer: the program failed. The attempt is charged in full.")
        if not isinstance(error, Exception) or isinstance(error, MemoryError):  # of the machine
            raise
        _log.warning("A release failed: %s was raised.", type(error).__name__)  # its message could quote a record
        return
    near = near_of(calibrated, about.answer, release.response)
    write(book, asked, "", about, release=release, line=line, reach=reach, near=near, ranks=ranks)


def write(book: Book, of: AskedLine, problem: str, about: About | None = None, **response: Any) -> None:
    """Add the entry of a question; ``response``: its other fields."""
    scenario, table = of.scenario, of.table
    book.entries.append(
        Entry(
            ticket=of.ticket,
            digest=book.name_of(table),
            about=about or About.of(scenario, table),
            problem=problem,
            incomplete=book.incomplete(table),
            part=part_of(scenario, table),
            number=of.number,
            **response,
        )
    )


def _charge_all(book: Book, ready: Sequence[Ready]) -> None:
    """Charge the draws of questions that get no answer."""
    for one in ready:
        if one.sample is not None:
            _charge(book, one.asked, partial(Ledger.add, item=one.sample))
        elif one.broken:
            charge_ended(book, one.asked, unseen=False)


def charge_ended(book: Book, asked: AskedLine, *, unseen: bool) -> None:
    """Charge draws that were ended before the last. ``unseen``: the user saw none of them, so the table may be asked again."""
    scenario = asked.scenario
    of = scenario.target, asked.drawn_from
    fixed = {"norm": scenario.norm, "n": scenario.n, "at": scenario.point, "adjacency": scenario.adjacency}
    _charge(book, asked, lambda ledger, **fields: ledger.add_draws(*of, **fixed, looked=not unseen, **fields))


def _charge(book: Book, asked: AskedLine, add: Callable[..., Ledger]) -> None:
    """Charge draws. If nothing sampled is accepted any more, they can lead to no answer, and cost nothing."""
    with suppress(SampledLaterError, IncompatibleReleasesError):
        book.charge(asked.table, lambda ledger: add(ledger, **_fields(asked)))


def _fields(asked: AskedLine) -> dict[str, str]:
    return {"part": part_of(asked.scenario, asked.table), "about": question(asked.scenario, asked.table), "made": now()}
