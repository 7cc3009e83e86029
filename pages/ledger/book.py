"""The book of one browser: its answers, a ledger for each table, and which of its uploads are one table.

Nothing here calls Streamlit, because a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_FLOOR, Context
from typing import final

from dpcore.errors import DpcoreError, SampledLaterError
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.spending import Spent
from pages.experiment.error_sentences import plain
from pages.files.tables import Table
from pages.ledger.entry import CLOSED, Entry
from pages.ledger.long_release import Drawing

_PROVED_ONLY = "So noise is no longer sized by trials here."
_FORGOTTEN = (
    "The server forgot earlier answers of this browser: a release may have been interrupted, and this ledger may lack answers. "
    + _PROVED_ONLY
)
_LOADED = "This ledger was loaded from a file of {saved}. No file can prove that nothing was released since. " + _PROVED_ONLY
_WAS_PUBLIC = f"This table was public before, and its demonstrations are not in this ledger. {_PROVED_ONLY}"
_DEMONSTRATION = "This is a new demonstration: no guarantee covers its answers together with those of earlier ones."

_MOST_EMPTY, _MOST_USED = 1_000, 10_000
_MARKS = 2**23


@final
@dataclass(eq=False)
class Identities:
    """Groups the uploads of a browser by table.

    A table is known by the values of its columns, so another name, line end or separator changes nothing. An upload that shares a
    column of values with an earlier one is that table: a cell was changed, or a column was left out. If nothing is shared, the
    user is asked. Names are random, because a digest would confirm a guess of the table's records.

    Args:
        names: The name of each table, by the digests of its values and of its telling columns.
        titles: The title of each table, by name, in the order in which they came.
    """

    names: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def found(self, table: Table) -> list[str]:
        """Return the names of the earlier tables that a table is: several if it shares columns with several."""
        if table.digest in self.names:
            return [self.names[table.digest]]
        found = {self.names[digest] for digest in table.told_by if digest in self.names}
        return [name for name in self.titles if name in found]

    def in_doubt(self, table: Table) -> dict[str, str]:
        """Return the titles of tables of which this may be a new version; none if it was recognised."""
        return {} if self.found(table) else dict(self.titles)

    def known_by(self, table: Table, name: str) -> frozenset[str]:
        """Return all digests by which the table of this name is known."""
        return frozenset(digest for digest, known in self.names.items() if known == name) | table.told_by


@final
@dataclass(eq=False)
class Book:
    """The answers of one browser, and the ledger of each of its tables by the table's name here.

    All tabs of the browser share the book and run in different threads, so every change holds ``lock``.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    spent: set[str] = field(default_factory=set)  # tickets of clicks that released
    entries: list[Entry] = field(default_factory=list)
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    budgets: dict[str, Guarantee] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # when the file was saved from which a ledger was loaded
    begun: bool = False  # there was a click on Release, refused or not
    lost: bool = False  # the browser began a release before this book began
    same: dict[str, str] = field(default_factory=dict)  # names of tables that became one with another, and its name
    closed: set[str] = field(default_factory=set)  # tables of which two were counted apart, and became one
    confidential: set[str] = field(default_factory=set)  # tables that were charged while they were confidential
    demonstrated: set[str] = field(default_factory=set)  # tables whose ledger was emptied for a new demonstration
    drawing: Drawing | None = None  # the last release whose pairs took long to sample
    identities: Identities = field(default_factory=Identities)

    @property
    def had_begun(self) -> bool:
        """True if the book knows of a release, or of a click for one."""
        return self.begun or bool(self.ledgers)

    @property
    def is_empty(self) -> bool:
        """True if the browser would lose nothing with this book. New fields count too."""
        return not any(value for name, value in vars(self).items() if name not in ("lock", "identities"))

    @property
    def is_drawing(self) -> bool:
        """True while the pairs of a release are sampled."""
        return self.drawing is not None and self.drawing.open

    def name_of(self, table: Table) -> str:
        """Return the table's name here. A receipt from before two tables became one has the old name."""
        return self.same.get(table.digest, table.digest)

    def incomplete(self, table: Table) -> str:
        """Return why the table's ledger may lack answers; empty if nothing shows that it may."""
        said, name = [], self.name_of(table)
        if saved := self.files.get(name):
            said.append(_LOADED.format(saved=saved))
        if name in self.demonstrated:
            said.append(_DEMONSTRATION if table.public else _WAS_PUBLIC)
        elif self.lost:
            said.append(_FORGOTTEN)
        return " ".join(said)

    def ledger(self, table: Table) -> Ledger:
        """Return the table's ledger. If answers may be missing, it accepts nothing sampled, except in a new demonstration."""
        name = self.name_of(table)
        found = self.ledgers.get(name, Ledger())
        unknown = not table.public if name in self.demonstrated else self.lost
        return replace(found, after_responses=True) if unknown and not found.after_responses else found

    def total(self, name: str) -> Guarantee | None:
        """Return the guarantee that covers all answers about the table of this name, or None."""
        ledger = self.ledgers.get(name)
        return None if ledger is None or name in self.closed else ledger.total()

    def left(self, table: Table) -> str:
        """Return what is left of the table's budget, rounded down; empty without a budget. γ is averaged over the draws."""
        budget, made = self.budgets.get(self.name_of(table)), Spent.by(self.ledger(table).lines)
        if budget is None:
            return ""
        gamma = budget.gamma or 0.0
        numbers = {"ε": (budget.epsilon, made.epsilon), "δ": (budget.delta, made.delta), "γ": (gamma, made.joint_gamma)}
        left = {symbol: max(0.0, most - spent) for symbol, (most, spent) in numbers.items() if symbol == "ε" or most or spent}
        return ", ".join(f"{symbol} = {_rounded_down(value)}" for symbol, value in left.items())

    # Charges. The lock is held.

    def charge(self, table: Table, add: Callable[[Ledger], Ledger]) -> Line:
        """Add to the table's ledger, and return the new line."""
        name = self.name_of(table)
        ledger = add(self.ledger(table))
        self.ledgers[name] = ledger
        if not table.public:
            self.confidential.add(name)
        return ledger.lines[-1]

    def plan(self, table: Table, lines: Sequence[Line]) -> None:
        """Fix all lines of one click before the first of them is answered; raises what ``Ledger.planned`` raises."""
        self.ledgers[self.name_of(table)] = self._planned(table, lines)

    def end_plan(self, table: Table) -> None:
        """After a click: lines that were not made are not planned any more."""
        ledger = self.ledger(table)
        made = list(ledger.plan)
        for line in ledger.pending:
            made.remove(line)
        if made or ledger.lines:
            self.ledgers[self.name_of(table)] = replace(ledger, plan=tuple(made))
        else:
            self.ledgers.pop(self.name_of(table), None)

    def _planned(self, table: Table, lines: Sequence[Line]) -> Ledger:
        """Return the ledger with all lines planned before the first answer; afterwards each must be acceptable by itself."""
        ledger = self.ledger(table)
        if not ledger.responded:
            return ledger.planned(lines)
        for line in lines:
            ledger.foresee(line)
        return ledger

    def foresee(self, table: Table, lines: Sequence[Line]) -> tuple[list[Line], str]:
        """Return what a click would be charged now.

        Args:
            table: The table.
            lines: The lines of the click.

        Returns:
            The lines as they would be charged; none if the ledger refuses them. And why they cannot be released, with what to do;
            empty if they can.
        """
        name = self.name_of(table)
        try:
            before = self._planned(table, lines)
            after = before
            for line in lines:
                after = after.holding(line)
        except DpcoreError as error:
            return [], CLOSED if name in self.closed else self._refused(table, lines) or plain(error)
        charged = list(after.lines[len(before.lines) :])
        if name in self.closed:
            return charged, CLOSED
        budget = self.budgets.get(name)
        planned = not before.responded
        spent = Spent.by(before.lines, before.pending, whole=True) if planned else Spent.by(after.lines)
        over = "" if budget is None else spent.beyond(budget)
        return charged, _ran_out(over, budget, Spent.by(before.lines), spent) if over and budget is not None else ""

    def _refused(self, table: Table, lines: Sequence[Line]) -> str:
        """Return which of several lines is refused by itself, and why; empty if none is."""
        for line in lines if len(lines) > 1 else ():
            try:
                self.ledger(table).foresee(line)
            except DpcoreError as error:
                return f"“{line.about}”: {plain(error)}"
        return ""

    # Demonstrations on public tables.

    def why_no_demonstration(self, table: Table) -> str:
        """Return why the table's ledger cannot be emptied; empty if it can."""
        name = self.name_of(table)
        if not table.public:
            return "This table is confidential, so what was released of it stays in its ledger."
        if self.is_drawing:
            return "A release of this browser is being drawn. Its answer comes by itself: start a new demonstration after it."
        if name in self.confidential or name in self.files:
            return "Answers about this table were released while it was confidential, or may have been, so they stay."
        return ""

    def start_demonstration(self, table: Table) -> str:
        """Empty the ledger of a public table; or return why that is not possible."""
        if refused := self.why_no_demonstration(table):
            return refused
        name = self.name_of(table)
        self.ledgers.pop(name, None)
        self.closed.discard(name)
        self.demonstrated.add(name)
        self.entries[:] = [entry for entry in self.entries if entry.digest != name]
        return ""

    # Uploads that are one table.

    def settle(self, table: Table, earlier: str = "") -> str:
        """Return the name of an upload here: that of the earlier table that it is, or a new one.

        Args:
            table: The upload.
            earlier: Name of the earlier table that it is about, if the user says so.
        """
        known = self.identities
        with self.lock:
            met = {*known.found(table), earlier}
            name, *others = [one for one in known.titles if one in met] or [secrets.token_hex(16)]
            for other in others:
                self._join(name, other)
            known.titles.setdefault(name, table.title or table.name)  # no number of rows: it may be confidential
            known.names |= dict.fromkeys((table.digest, *table.told_by), name)
        return name

    def _join(self, name: str, other: str) -> None:
        """Move everything about the other table to the first, because they are one. The smaller budget applies.

        If both were charged, and something was sampled or protects other neighbours, no guarantee covers the answers together:
        what was sampled about one may have been chosen after an answer about the other. The table is then closed, with the lines
        of both. Its proved answers keep their own guarantee, and sampled ones have none.
        """
        known = self.identities
        known.names = {digest: name if before == other else before for digest, before in known.names.items()}
        known.titles.pop(other, None)
        self.same = {old: name if new == other else new for old, new in self.same.items()} | {other: name}
        for names in (self.confidential, self.demonstrated, self.closed):
            if other in names:
                names.add(name)
        ledgers = [self.ledgers.pop(one) for one in (name, other) if one in self.ledgers]
        if len(ledgers) == 2:
            self.ledgers[name] = self._sum(name, *ledgers)
        elif ledgers:
            self.ledgers[name] = ledgers[0]
        for place, entry in enumerate(self.entries):
            if entry.digest in (name, other):
                sampled = entry.line is not None and entry.line.drawn is not None
                closed = entry.closed or (sampled and name in self.closed)
                self.entries[place] = replace(entry, digest=name, closed=closed)
        if (budget := self.budgets.pop(other, None)) is not None:
            self.budgets[name] = smaller(budget, self.budgets.get(name, budget))
        if saved := dict.fromkeys(filter(None, (self.files.get(name), self.files.pop(other, None)))):
            self.files[name] = " and ".join(saved)

    def _sum(self, name: str, one: Ledger, other: Ledger) -> Ledger:
        """Return one ledger with the lines of both; close the table if they do not add up in every order."""
        lines = one.lines + other.lines
        found = Ledger(lines=one.lines, after_responses=True)
        try:
            if any(line.drawn is not None for line in lines):
                raise SampledLaterError("an answer about the same table")
            for line in other.lines:
                found = found.holding(line)
        except DpcoreError:
            self.closed.add(name)
            return replace(one, plan=(), lines=lines, after_responses=True)
        return found


def guarantee_of(epsilon: float, delta: float, gamma: float) -> Guarantee:
    """Return the guarantee with these numbers: pure DP if δ and γ are 0.

    Raises:
        DpcoreError: If a number is out of range.
    """
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def smaller(one: Guarantee, other: Guarantee) -> Guarantee:
    """Return the budget that allows what both allow. A budget without γ allows no random DP."""
    first, second = one, other
    delta, gamma = min(first.delta, second.delta), min(first.gamma or 0.0, second.gamma or 0.0)
    return guarantee_of(min(one.epsilon, other.epsilon), delta, gamma)


def _ran_out(what: str, budget: Guarantee, before: Spent, after: Spent) -> str:
    """Return which number ran out, how much is needed and how much is left."""
    of_gamma = what == "gamma"
    symbol = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}[what]
    most = {"epsilon": budget.epsilon, "delta": budget.delta, "gamma": budget.gamma}[what]
    if not most:
        weaker = "random DP" if of_gamma else "approximate DP"
        return f"The budget has no {symbol}, so it holds no {weaker}, which this would be. Give it a total {symbol}" + (
            ", or take the worst case where one is proved." if of_gamma else "."
        )
    name = "joint_gamma" if of_gamma else what
    needed, left = getattr(after, name) - getattr(before, name), max(0.0, most - getattr(before, name))
    averaged = " on average over the draws" if of_gamma and after.confidence is not None else ""
    return (
        f"This needs {symbol} = {figure(needed)}{averaged}; {figure(left)} is left of the budget's {figure(most)}. Raise "
        "the budget, or ask for less."
    )


def _rounded_down(value: float) -> str:
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal_from_float(value * (1 + 1e-12))):g}"


@final
class Books:
    """The book of each browser, by the browser's name. Memory is bounded by these rules:

    - At most ``most_empty`` empty books are kept (2 kB each). Beyond that the least recently opened one is dropped. Its browser
      loses nothing.
    - At most ``most_used`` other books are kept (about 10 kB for each answer). Beyond that the least recently opened one is
      dropped and its browser's name is marked. The browser's next book begins as ``lost``: its user is told that answers were
      forgotten, and noise is no longer sized by trials there.
    - Marks take 8 MB and are never removed. Names can share a mark, so a user may be told without need (1% of new browsers after
      84,000 dropped books). The user of a used book that was dropped is always told.
    """

    def __init__(self, most_empty: int = _MOST_EMPTY, most_used: int = _MOST_USED) -> None:
        self._most_empty, self._most_used = most_empty, most_used
        self._lock = threading.Lock()
        self._empty: OrderedDict[str, Book] = OrderedDict()  # least recently opened first; used since then is possible
        self._used: OrderedDict[str, Book] = OrderedDict()
        self._marks = bytearray(_MARKS)

    def get(self, browser_name: str) -> Book:
        """Return the browser's book, or a new one."""
        with self._lock:
            book = self._used.pop(browser_name, None) or self._empty.pop(browser_name, None)
            if book is None:
                book = Book(lost=bool(self._marks[_mark(browser_name)]))
            (self._empty if book.is_empty else self._used)[browser_name] = book
            self._drop_beyond_limits()
            return book

    def _drop_beyond_limits(self) -> None:
        while len(self._empty) > self._most_empty:
            browser_name, book = self._empty.popitem(last=False)
            if not book.is_empty:
                self._used[browser_name] = book
        while len(self._used) > self._most_used:
            browser_name, _ = self._used.popitem(last=False)
            self._marks[_mark(browser_name)] = 1


def _mark(browser_name: str) -> int:
    return hash(browser_name) % _MARKS


BOOKS = Books()  # of this module and not in Streamlit's caches, which any browser can clear with one message
