"""What one tab has released: its entries, its ledgers, and its plans.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import final

from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency, Guarantee
from dpcore.ledger.accounting import Event, Ledger, Line, Planned, Standing
from dpcore.ledger.of_one_table import counts_two_neighbours, first_that_takes, planned, protects_rows_and_people
from dpcore.ledger.spending import Spent
from pages.experiment import preview
from pages.experiment.scenario import Scenario
from pages.files.forms import to_json
from pages.files.tables import Table
from pages.state.long_release import Drawing
from pages.state.release_entry import Entry
from pages.state.tab import FORGOTTEN, after_a_loss
from pages.wording.question_words import question, ran_out
from pages.wording.sentences import plain

_DRAWING = "A release of this tab is being drawn."
_TWO_NEIGHBOURS = (
    "Some answers about this table protect a row that is replaced, and others one that is added or removed. These do not add up, "
    "so no budget holds both. Remove the budget to release more."
)
ROWS_AND_PEOPLE = (
    "Some answers about this table protect a row each, and others a person with all rows. Neither counts in the other's unit, so "
    "no budget holds both. Remove the budget to release more, or go on with the unit of the answers before."
)


def line_of(scenario: Scenario, table: Table, *, worst_case: bool, oracle: Oracle | None = None) -> Line:
    """What a release of the scenario would be charged, before anything is said of what came before it. ``oracle``: of a list of
    questions, in place of the scenario's own."""
    about, part = question(scenario, table), part_of(scenario, table)
    if worst_case:
        proved = preview.calibrated_worst_case(scenario)
        if proved is None:
            raise InvalidValueError("worst case", "proved for this target", None)
        return Ledger().foresee(proved).of_part(part).told(about=about)
    drawn, mechanism, privacy = oracle or scenario.resolved_oracle(table), scenario.mechanism, scenario.privacy
    planned = Planned(
        scenario.target, drawn, scenario.norm, scenario.n, scenario.point, scenario.adjacency, mechanism, privacy, part
    )
    return planned.line.told(about=about)


def part_of(scenario: Scenario, table: Table) -> str:
    """Which function of the file the target gets: its columns, how they are read, and what becomes of their missing values."""
    columns = [table.column(name) for name in scenario.columns]
    read = [(one.bounds, one.categories, one.missing, one.stands, one.read_as) for one in columns]
    form = None if table.form is None else to_json(table.form)
    whose = () if table.persons is None else ((table.persons.column, table.persons.stated, table.persons.left_out),)
    left_out = (table.left_out,) if table.left_out else ()
    return json.dumps([scenario.columns, read, table.public, form, *whose, *left_out])


@final
@dataclass(frozen=True, eq=False)
class PlannedRelease:
    """A release that was listed before the first response, when the book had ``entries_before`` entries. ``name``: the same in
    any file that it is saved to."""

    scenario: Scenario
    worst_case: bool
    line: Line
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    entries_before: int = 0


@final
@dataclass(eq=False)
class Book:
    """What one tab has released: its entries, and by a table's digest its ledgers (those of one list do not add up)."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    spent: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    ledgers: dict[str, list[Ledger]] = field(default_factory=dict)
    plans: dict[str, list[PlannedRelease]] = field(default_factory=dict)
    budgets: dict[str, Guarantee] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)  # releases that were entered from their JSON
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)  # when the files were saved that its ledgers came from
    lost: bool = False  # the tab released before this book began
    same: dict[str, str] = field(default_factory=dict)  # names that were given up because two tables are one, and for which
    unordered: set[str] = field(default_factory=set)  # tables whose answers came in an order that nothing here shows
    drawing: Drawing | None = None  # the press whose draws are being made, or were last

    def name_of(self, table: Table) -> str:
        """The name of the table here: a press that was begun before two tables became one still has the old one."""
        return self.same.get(table.digest, table.digest)

    def caveats(self, table: Table) -> tuple[str, ...]:
        """What a release of this table must say beside its guarantee, as of now."""
        return (FORGOTTEN,) if self.lost and not self._entered(self.name_of(table)) else ()

    @property
    def forgotten(self) -> bool:
        """Whether the tab released what no server remembers, and nothing was entered in its place."""
        return self.lost and not any(self._entered(digest) for digest in self.ledgers)

    def _entered(self, digest: str) -> bool:
        lines = (line for ledger in self.ledgers.get(digest, []) for line in ledger.lines)
        return any(line.event is Event.ENTERED and not line.loaded for line in lines)  # a file may lack what was forgotten

    def incomplete(self, table: Table) -> str:
        """That what came from a file may not be all, and of which day; empty where nothing did."""
        days = self.files.get(self.name_of(table), ())
        if not days:
            return ""
        file = f"a file of {days[0]}" if len(days) == 1 else f"files of {', '.join(days[:-1])} and {days[-1]}"
        return f"This ledger was loaded from {file}. Releases that were made since, elsewhere, are not in it."

    def responded(self, table: Table) -> bool:
        """Whether there was a response to the table, whatever its ledger."""
        return any(ledger.responded for ledger in self.ledgers.get(self.name_of(table), []))

    def lines_of(self, table: Table) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """What was charged to the table, and what is planned and still to come, in all its ledgers."""
        return of_all(self.ledgers.get(self.name_of(table), []))

    def foresee(self, table: Table, line: Line) -> Line:
        """The line as it would stand now."""
        return self._with(table, line)[1].lines[-1]

    def charge(self, table: Table, add: Callable[[Ledger], Ledger], name: str = "") -> Line:
        """Add to the table's first ledger that it adds up with, else to a new one; the line as it stands. ``name``: of its
        charge."""
        self.titles[self.name_of(table)] = table.title or table.name
        before = self.responded(table)
        ledgers = self.ledgers.setdefault(self.name_of(table), [])
        i, new = first_that_takes(ledgers, add, after_responses=before)
        new = _named(self._known(table, new), len(new.lines) - 1, name)
        ledgers[i : i + 1] = [new]
        if new.lines[-1].responded:  # the larger γ sums the lines of its own ledger: it must know of an answer in another one
            self.ledgers[self.name_of(table)] = [one if one is new else _after_responses(one) for one in ledgers]
        return new.lines[-1]

    def plan(self, scenario: Scenario, table: Table, line: Line, *, worst_case: bool) -> str:
        """List a release before the first response; or a sentence that says why not."""
        if self.responded(table):
            return "A plan is made before the first answer about a table, and this table has one: the plan stays as it is."
        if self.is_drawing:
            return f"{_DRAWING} Its answer comes by itself, and a plan is made before the first answer."
        ledgers = self.ledgers.get(self.name_of(table), [])
        line = replace(line, standing=Standing.HELD) if self.lost else line  # nothing shows that it came first
        try:
            with_line = planned(ledgers, line)
        except DpcoreError as error:
            return plain(error)
        if refused := self._beyond(table, with_line, needs=line, whole=True):
            return refused
        self.ledgers[self.name_of(table)] = with_line
        self.titles[self.name_of(table)] = table.title or table.name
        self.plans.setdefault(self.name_of(table), []).append(
            PlannedRelease(scenario, worst_case, line, entries_before=len(self.entries))
        )
        return ""

    def unplan(self, table: Table, place: int) -> str:
        """Take a release off the plan again; or a sentence that says why not."""
        listed = self.plans.get(self.name_of(table), [])
        if self.responded(table) or place >= len(listed):
            return "The plan stays as it is: an answer came since."
        if self.is_drawing:
            return f"{_DRAWING} The plan stays as it is meanwhile."
        left = [item for i, item in enumerate(listed) if i != place]
        ledgers = [Ledger(lines=ledger.lines) for ledger in self.ledgers[self.name_of(table)] if ledger.lines]
        for item in left:
            ledgers = planned(ledgers, item.line)
        self.ledgers[self.name_of(table)], self.plans[self.name_of(table)] = ledgers, left
        return ""

    def enter(
        self,
        table: Table,
        n: int,
        guarantee: Guarantee | None,
        *,
        made: str,
        note: str,
        first: bool,
        adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
        name: str = "",
    ) -> None:
        """Enter a release of the table that was made elsewhere, before all that is here or after it. ``name``: of its charge."""
        self.titles[self.name_of(table)] = table.title or table.name
        self.unordered.add(self.name_of(table))
        ledgers = self.ledgers.setdefault(self.name_of(table), [])
        i, new = first_that_takes(
            ledgers,
            lambda ledger: ledger.enter(guarantee, n=n, adjacency=adjacency, made=made, note=note, first=first),
            after_responses=self.responded(table),
        )
        new = _named(new, 0 if first else len(new.lines) - 1, name)
        before = self.lines_of(table)[0]
        ledgers[i : i + 1] = [new]
        self.ledgers[self.name_of(table)] = [
            one if one is new else one.late() if first else _after_responses(one) for one in ledgers
        ]
        if first:
            self.plans.pop(self.name_of(table), None)
            entered, after = new.lines[0], self.lines_of(table)[0]
            self.judge_entries(before, [line for line in after if line is not entered])

    def judge_entries(self, before: Sequence[Line], after: Sequence[Line]) -> None:
        """Each response says what holds of it now, as its line in the ledger does."""
        anew = {id(old): new for old, new in zip(before, after, strict=True)}
        self.entries[:] = [replace(one, line=anew.get(id(one.line), one.line)) for one in self.entries]

    @property
    def is_drawing(self) -> bool:
        """Whether the draws of a press are still being made."""
        return self.drawing is not None and self.drawing.open

    def refusal(self, table: Table, line: Line) -> str:
        """Why the table's budget has no room for this line, in a sentence that names the number; empty where it has."""
        ledgers, (i, new) = self.ledgers.get(self.name_of(table), []), self._with(table, line)
        return self._beyond(table, [*ledgers[:i], new, *ledgers[i + 1 :]], needs=new.lines[-1])

    def copied(self) -> Book:
        """A copy whose ledgers are its own, for looking ahead."""
        return replace(self, ledgers={name: list(some) for name, some in self.ledgers.items()}, titles=dict(self.titles))

    def refusal_of(self, table: Table, lines: Sequence[Line]) -> str:
        """The same of several lines of one press: that of the first for which there is no room after the others."""
        copy = self.copied()
        for line in lines:
            if refused := copy.refusal(table, line):
                return refused
            copy.charge(table, partial(Ledger.holding, item=line))
        return ""

    def _with(self, table: Table, line: Line) -> tuple[int, Ledger]:
        """The place of the ledger that would take the line, and that ledger with it."""
        ledgers = self.ledgers.get(self.name_of(table), [])
        i, new = first_that_takes(ledgers, lambda ledger: ledger.holding(line), after_responses=self.responded(table))
        return i, self._known(table, new)

    def _known(self, table: Table, ledger: Ledger) -> Ledger:
        return after_a_loss(ledger, entered=self._entered(self.name_of(table))) if self.lost else ledger

    def _beyond(self, table: Table, ledgers: list[Ledger], *, needs: Line, whole: bool = False) -> str:
        budget = self.budgets.get(self.name_of(table))
        if budget is None:
            return ""
        if needs.standing is Standing.INEXACT:
            return "This answer would have no guarantee, so no budget can hold it. Take another mechanism, or remove the budget."
        if needs.standing.void:
            return "This answer would have no guarantee, so no budget can hold it. Take the worst case, or remove the budget."
        if any(line.standing.void and line.responded for one in ledgers for line in one.lines):
            return "An answer about this table has no guarantee, so no budget holds any more. Remove the budget to release more."
        if protects_rows_and_people([line for one in ledgers for line in one.lines]):
            return ROWS_AND_PEOPLE
        if counts_two_neighbours([line for one in ledgers for line in one.lines]):
            return _TWO_NEIGHBOURS
        before = Spent.by(*self.lines_of(table), whole=whole)
        after = Spent.by(*of_all(ledgers), whole=whole)
        what = after.beyond(budget)
        return ran_out(what, budget, before, after) if what else ""


def of_all(ledgers: Sequence[Ledger]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What was charged in all these ledgers, and what is planned in them and still to come."""
    return tuple(line for one in ledgers for line in one.lines), tuple(line for one in ledgers for line in one.pending)


def _named(ledger: Ledger, place: int, name: str) -> Ledger:
    """With this name for one of its charges."""
    lines = [replace(line, charge=name) if name and i == place else line for i, line in enumerate(ledger.lines)]
    return replace(ledger, lines=tuple(lines))


def _after_responses(ledger: Ledger) -> Ledger:
    return replace(ledger, after_responses=True)
