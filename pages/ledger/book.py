"""What one browser has released: its entries, and a ledger for each table.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from dpcore.base.plain import kind_to_plain
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line, Planned
from dpcore.ledger.spending import Spent
from pages.experiment.descriptions import question
from pages.experiment.error_sentences import plain
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.entry import Entry
from pages.ledger.long_release import Drawing


def line_of(scenario: Scenario, table: Table, *, worst_case: bool, oracle: Oracle | None = None) -> Line:
    """What a release of the scenario would be charged, before anything is said of what came before it. ``oracle``: of a list of
    questions, in place of the scenario's own."""
    about, part = question(scenario, table), part_of(scenario, table)
    if worst_case:
        proved = calibrate_worst_case(scenario)
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
    form = None if table.form is None else kind_to_plain(table.form)
    whose = () if table.persons is None else ((table.persons.column, table.persons.stated, table.persons.left_out),)
    left_out = (table.left_out,) if table.left_out else ()
    return json.dumps([scenario.columns, read, table.public, form, *whose, *left_out])


_FORGOTTEN = (
    "The server forgot earlier answers of this browser: a release may have been interrupted, and this ledger may lack answers. "
    "So noise is no longer sized by trials here."
)
_WAS_PUBLIC = (
    "This table was public before, and its demonstrations are not in this ledger. So noise is no longer sized by trials here."
)
_DEMONSTRATION = "This is a new demonstration: no guarantee covers its answers together with those of earlier ones."
CLOSED = (
    "This table and another upload turned out to be one table after answers about each were counted apart. No guarantee covers "
    "these answers together, and nothing more can be released of it."
)


@final
@dataclass(eq=False)
class Book:
    """What one browser has released: its entries, and the ledger of each table by the table's name here.

    All tabs of the browser share it, each in threads of its own: whatever changes it holds ``lock``.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    spent: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    budgets: dict[str, Guarantee] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # the time when the file was saved that a ledger was loaded from
    begun: bool = False  # a press came, whether it was refused or not
    lost: bool = False  # the browser began a release before this book began
    same: dict[str, str] = field(default_factory=dict)  # names that were given up because two tables are one, and for which
    closed: set[str] = field(default_factory=set)  # tables of which two were counted apart, and turned out to be one
    confidential: set[str] = field(default_factory=set)  # tables that were charged while they were confidential
    demonstrated: set[str] = field(default_factory=set)  # tables whose ledger was emptied for a new demonstration
    drawing: Drawing | None = None  # the press whose draws are being made, or were last

    @property
    def had_begun(self) -> bool:
        """Whether it knows of a release, or of a press for one."""
        return self.begun or bool(self.ledgers)

    def name_of(self, table: Table) -> str:
        """The name of the table here: a press that was begun before two tables became one still has the old one."""
        return self.same.get(table.digest, table.digest)

    def incomplete(self, table: Table) -> str:
        """Why the table's ledger may lack answers; empty if nothing shows that it may."""
        said, name = [], self.name_of(table)
        if day := self.files.get(name):
            said.append(
                f"This ledger was loaded from a file of {day}. No file can prove that nothing was released since. So noise is no "
                "longer sized by trials here."
            )
        if name in self.demonstrated:
            said.append(_DEMONSTRATION if table.public else _WAS_PUBLIC)
        elif self.lost:
            said.append(_FORGOTTEN)
        return " ".join(said)

    def ledger(self, table: Table) -> Ledger:
        """The ledger of the table. If answers may be missing, it takes nothing sampled, except in a new demonstration."""
        name = self.name_of(table)
        found = self.ledgers.get(name, Ledger())
        unknown = not table.public if name in self.demonstrated else self.lost
        return replace(found, after_responses=True) if unknown and not found.after_responses else found

    def total(self, name: str, *, delta: float | None = None) -> Guarantee | None:
        """What covers all answers about the table of this name, as ``Ledger.total`` has it; None if the table is closed."""
        ledger = self.ledgers.get(name)
        return None if ledger is None or name in self.closed else ledger.total(delta=delta)

    def charge(self, table: Table, add: Callable[[Ledger], Ledger]) -> Line:
        """Add to the table's ledger, and return the new line."""
        name = self.name_of(table)
        ledger = add(self.ledger(table))
        self.ledgers[name], self.titles[name] = ledger, table.title or table.name
        if not table.public:
            self.confidential.add(name)
        return ledger.lines[-1]

    def fix(self, table: Table, lines: Sequence[Line]) -> None:
        """Fix all lines of one press, before the first of them is answered; raises what ``Ledger.planned`` raises."""
        self.ledgers[self.name_of(table)] = self._fixed(table, lines)

    def let_go(self, table: Table) -> None:
        """After a press: what of it was not made is not planned any more."""
        ledger = self.ledger(table)
        made = list(ledger.plan)
        for line in ledger.pending:
            made.remove(line)
        if made or ledger.lines:
            self.ledgers[self.name_of(table)] = replace(ledger, plan=tuple(made))
        else:
            self.ledgers.pop(self.name_of(table), None)

    def foresee(self, table: Table, lines: Sequence[Line]) -> list[Line]:
        """The lines of one press as they would be charged now; raises what the ledger raises."""
        ledger = self._fixed(table, lines)
        for line in lines:
            ledger = ledger.holding(line)
        return list(ledger.lines[len(ledger.lines) - len(lines) :])

    def _fixed(self, table: Table, lines: Sequence[Line]) -> Ledger:
        """Before the first answer all lines of a press are planned; afterwards each must be acceptable by itself."""
        ledger = self.ledger(table)
        if not ledger.responded:
            return ledger.planned(lines)
        for line in lines:
            ledger.foresee(line)
        return ledger

    @property
    def is_drawing(self) -> bool:
        """Whether the draws of a press are still being made."""
        return self.drawing is not None and self.drawing.open

    def refusal(self, table: Table, lines: Sequence[Line]) -> str:
        """Why these lines of one press cannot be released now, in a sentence that says what to do; empty if they can."""
        if self.name_of(table) in self.closed:
            return CLOSED
        try:
            fixed = self._fixed(table, lines)
            after = Spent.by(fixed.lines, fixed.pending, whole=True)
            if fixed.responded:
                for line in lines:
                    fixed = fixed.holding(line)
                after = Spent.by(fixed.lines)
        except DpcoreError as error:
            return self._which(table, lines) or plain(error)
        budget = self.budgets.get(self.name_of(table))
        what = "" if budget is None else after.beyond(budget)
        return ran_out(what, budget, Spent.by(self.ledger(table).lines), after) if what and budget is not None else ""

    def _which(self, table: Table, lines: Sequence[Line]) -> str:
        """Which of several lines is refused by itself, and why; empty if none is."""
        for line in lines if len(lines) > 1 else ():
            try:
                self.ledger(table).foresee(line)
            except DpcoreError as error:
                return f"“{line.about}”: {plain(error)}"
        return ""

    def why_no_demonstration(self, table: Table) -> str:
        """Why the table's ledger cannot be emptied; empty if it can."""
        name = self.name_of(table)
        if not table.public:
            return "This table is confidential, so what was released of it stays in its ledger."
        if self.is_drawing:
            return "A release of this browser is being drawn. Its answer comes by itself: start a new demonstration after it."
        if name in self.confidential or name in self.files:
            return "Answers about this table were released while it was confidential, or may have been, so they stay."
        return ""

    def start_demonstration(self, table: Table) -> str:
        """Empty the ledger of a public table; or return a sentence that says why not."""
        if refused := self.why_no_demonstration(table):
            return refused
        name = self.name_of(table)
        self.ledgers.pop(name, None)
        self.closed.discard(name)
        self.demonstrated.add(name)
        self.entries[:] = [entry for entry in self.entries if entry.digest != name]
        return ""


_SYMBOLS = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}


def left_of(budget: Guarantee, what: str, spent: Spent) -> float:
    """Return how much of the budget is not spent.

    Args:
        budget: The budget.
        what: "epsilon", "delta" or "gamma"; γ is averaged over the draws.
        spent: What is spent.
    """
    return max(0.0, float(getattr(budget, what) - getattr(spent, "joint_gamma" if what == "gamma" else what)))


def ran_out(what: str, budget: Guarantee, before: Spent, after: Spent) -> str:
    """Return which number ran out, how much is needed and how much is left."""
    symbol, of_gamma = _SYMBOLS[what], what == "gamma"
    if what not in budget.__dataclass_fields__:
        weaker = "random DP" if of_gamma else "approximate DP"
        return f"The budget has no {symbol}, so it holds no {weaker}, which this would be. Give it a total {symbol}" + (
            ", or take the worst case where one is proved." if of_gamma else "."
        )
    name = "joint_gamma" if of_gamma else what
    needed, most = getattr(after, name) - getattr(before, name), getattr(budget, what)
    left = left_of(budget, what, before)
    averaged = " on average over the draws" if of_gamma and after.confidence is not None else ""
    return (
        f"This needs {symbol} = {figure(needed)}{averaged}; {figure(left)} is left of the budget's {figure(most)}. Raise "
        "the budget, or ask for less."
    )
