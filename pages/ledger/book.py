"""The book of one browser: its answers, an account for each table, and which of its uploads are one table.

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

from dpcore.errors import DpcoreError
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.spending import Spent
from pages.experiment.error_sentences import plain
from pages.files.tables import Table
from pages.ledger.entry import CLOSED, Entry
from pages.ledger.long_release import Drawing

_PROVED_ONLY = "So noise is no longer sampled here."
_FORGOTTEN = (
    "The server forgot earlier answers of this browser: a release may have been interrupted, and this ledger may lack answers. "
    + _PROVED_ONLY
)
_LOADED = "This ledger was loaded from a file of {saved}. No file can prove that nothing was released since. " + _PROVED_ONLY
_WAS_PUBLIC = f"This table was public before, and its demonstrations are not in this ledger. {_PROVED_ONLY}"
_DEMONSTRATION = "This is a new demonstration: no guarantee covers its answers together with those of earlier ones."
_SYMBOLS = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}
_MOST_BOOKS = 10_000


@final
@dataclass
class Account:
    """The ledger of one table, its budget, and what limits its guarantee.

    The budget is not the ledger's own: it can be lowered during a release, and the ledger must still record what was drawn.

    Args:
        ledger: The lines.
        budget: The most that all lines may spend.
        saved: When the file was saved from which the ledger was loaded; empty if it was not loaded.
        closed: True if two tables were counted apart and turned out to be this one.
        confidential: True if it was charged while the table was confidential.
        demonstrated: True if it was emptied for a new demonstration.
    """

    ledger: Ledger = field(default_factory=Ledger)
    budget: Guarantee | None = None
    saved: str = ""
    closed: bool = False
    confidential: bool = False
    demonstrated: bool = False

    @property
    def total(self) -> Guarantee | None:
        """The guarantee that covers all answers together, or None."""
        return None if self.closed else self.ledger.total()

    @property
    def left(self) -> str:
        """The rest of the budget, rounded down; empty without a budget. γ is averaged over the draws."""
        if self.budget is None:
            return ""
        most, spent = limits(self.budget), _sums(Spent.by(self.ledger.lines))
        names = [name for name in _SYMBOLS if name == "epsilon" or most[name] or spent[name]]
        return ", ".join(f"{_SYMBOLS[name]} = {_rounded_down(max(0.0, most[name] - spent[name]))}" for name in names)

    def joined(self, other: Account) -> Account:
        """Return the account of two tables that are one. The smaller budget applies.

        If both were charged, and a line was sampled or protects other neighbours, no guarantee covers the answers together: a
        sampled question about one table may have been chosen after an answer about the other. The account is then closed, with
        the lines of both. Its proved answers keep their own guarantee, and sampled ones have none.
        """
        ledger, closed = self.ledger if self.ledger.lines else other.ledger, self.closed or other.closed
        if self.ledger.lines and other.ledger.lines:
            both = Ledger(lines=self.ledger.lines + other.ledger.lines, after_responses=True)
            total = _sum(self.ledger, other.ledger)
            ledger, closed = total or both, closed or total is None
        unknown = self.ledger.after_responses or other.ledger.after_responses  # the lines of either may be incomplete
        return Account(
            ledger=replace(ledger, after_responses=True) if unknown else ledger,
            budget=smaller(self.budget, other.budget),
            saved=" and ".join(dict.fromkeys(filter(None, (self.saved, other.saved)))),
            closed=closed,
            confidential=self.confidential or other.confidential,
            demonstrated=self.demonstrated or other.demonstrated,
        )


@final
@dataclass(eq=False)
class Book:
    """The answers of one browser, and an account for each of its tables.

    A table is known by the values of its columns, so another name, line end or separator changes nothing. An upload that shares a
    telling column with an earlier one is that table: a cell was changed, or a column was left out. If nothing is shared, the user
    is asked. Names are random, because a digest would confirm a guess of the table's records.

    All tabs of the browser share the book and run in different threads, so every change holds ``lock``.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    begun: bool = False  # there was a click on Release, refused or not, or a ledger was loaded
    lost: bool = False  # the browser began a release before this book began
    spent: set[str] = field(default_factory=set)  # tickets of clicks that released
    entries: list[Entry] = field(default_factory=list)
    accounts: dict[str, Account] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of uploads, by the digests of all values and of each telling column
    titles: dict[str, str] = field(default_factory=dict)  # of uploads by their names, in the order in which they came
    same: dict[str, str] = field(default_factory=dict)  # names of tables that became one with another, and its name
    drawing: Drawing | None = None  # the last release whose pairs took long to sample

    @property
    def is_empty(self) -> bool:
        """True if the browser would lose nothing with this book. Its uploads count, because they are known only here."""
        return not (self.begun or self.lost or self.titles or any(one.budget for one in list(self.accounts.values())))

    @property
    def is_drawing(self) -> bool:
        """True while the pairs of a release are sampled."""
        return self.drawing is not None and self.drawing.open

    def name_of(self, table: Table) -> str:
        """Return the table's name here. A receipt from before two tables became one has the old name."""
        return self.same.get(table.digest, table.digest)

    def account(self, table: Table) -> Account:
        """Return the table's account."""
        return self.accounts.setdefault(self.name_of(table), Account())

    def ledger(self, table: Table) -> Ledger:
        """Return the table's ledger. If answers may be missing, it accepts nothing sampled, except in a new demonstration."""
        account = self.account(table)
        unknown = not table.public if account.demonstrated else self.lost
        return replace(account.ledger, after_responses=True) if unknown else account.ledger

    def incomplete(self, table: Table) -> str:
        """Return why the table's ledger may lack answers; empty if nothing shows that it may."""
        account = self.account(table)
        loaded = _LOADED.format(saved=account.saved) if account.saved else ""
        other = _FORGOTTEN if self.lost else ""
        if account.demonstrated:
            other = _DEMONSTRATION if table.public else _WAS_PUBLIC
        return f"{loaded} {other}".strip()

    def foresee(self, table: Table, lines: Sequence[Line]) -> tuple[list[Line], str]:
        """Return what a click would be charged now.

        Args:
            table: The table.
            lines: The lines of the click.

        Returns:
            The lines as they would be charged; none if the ledger refuses them. And why they cannot be released, with what to do;
            empty if they can.
        """
        account, before = self.account(table), self.ledger(table)
        try:
            planned = before if before.responded else before.planned(lines)
            after = planned
            for line in lines:
                after = after.holding(line)
        except DpcoreError as error:
            return [], CLOSED if account.closed else self._refused(table, lines) or plain(error)
        charged = list(after.lines[len(before.lines) :])
        if account.closed or account.budget is None:
            return charged, CLOSED * account.closed
        spent = Spent.by(after.lines) if before.responded else Spent.by(before.lines, planned.pending, whole=True)
        return charged, _why_beyond(account.budget, Spent.by(before.lines), spent)

    def _refused(self, table: Table, lines: Sequence[Line]) -> str:
        """Return which of several lines is refused by itself, and why; empty if none is."""
        for line in lines if len(lines) > 1 else ():
            try:
                self.ledger(table).foresee(line)
            except DpcoreError as error:
                return f"“{line.about}”: {plain(error)}"
        return ""

    # Charges. The lock is held.

    def charge(self, table: Table, add: Callable[[Ledger], Ledger]) -> Line:
        """Add to the table's ledger, and return the new line."""
        account = self.account(table)
        account.ledger = add(self.ledger(table))
        account.confidential |= not table.public
        return account.ledger.lines[-1]

    def plan(self, table: Table, lines: Sequence[Line]) -> None:
        """Fix all lines of one click before the first of them is answered. After an answer, no line needs a plan."""
        ledger = self.ledger(table)
        if not ledger.responded:
            self.account(table).ledger = ledger.planned(lines)

    def end_plan(self, table: Table) -> None:
        """After a click: lines that were not made are not planned any more."""
        account = self.account(table)
        made = list(account.ledger.plan)
        for line in account.ledger.pending:
            made.remove(line)
        account.ledger = replace(account.ledger, plan=tuple(made))

    # Demonstrations on public tables.

    def why_no_demonstration(self, table: Table) -> str:
        """Return why the table's ledger cannot be emptied; empty if it can."""
        account = self.account(table)
        if not table.public:
            return "This table is confidential, so its answers stay in the ledger."
        if self.is_drawing:
            return "A release of this browser is being drawn. Start a new demonstration after its answer."
        if account.confidential or account.saved:
            return "Answers about this table were released while it was confidential, or may have been, so they stay."
        return ""

    def start_demonstration(self, table: Table) -> str:
        """Empty the ledger of a public table; or return why that is not possible."""
        if refused := self.why_no_demonstration(table):
            return refused
        name = self.name_of(table)
        self.accounts[name] = Account(budget=self.account(table).budget, demonstrated=True)
        self.entries[:] = [entry for entry in self.entries if entry.digest != name]
        return ""

    # Uploads that are one table.

    def found(self, table: Table) -> list[str]:
        """Return the names of the earlier tables that an upload is: several if it shares columns with several."""
        if table.digest in self.names:
            return [self.names[table.digest]]
        found = {self.names[digest] for digest in table.told_by if digest in self.names}
        return [name for name in self.titles if name in found]

    def digests(self, table: Table) -> frozenset[str]:
        """Return all digests by which the table is known here."""
        name = self.name_of(table)
        return frozenset(digest for digest, known in self.names.items() if known == name) | table.told_by | {table.digest}

    def settle(self, table: Table, earlier: str = "") -> str:
        """Return the name of an upload here: that of the earlier table that it is, or a new one.

        Args:
            table: The upload.
            earlier: Name of the earlier table that it is about, if the user says so.
        """
        with self.lock:
            met = {*self.found(table), earlier}
            name, *others = [one for one in self.titles if one in met] or [secrets.token_hex(16)]
            for other in others:
                self._join(name, other)
            self.titles.setdefault(name, table.title or table.name)  # no number of rows: it may be confidential
            self.names |= dict.fromkeys((table.digest, *table.told_by), name)
        return name

    def _join(self, name: str, other: str) -> None:
        """Move everything about the other table to the first, because they are one."""
        self.names = {digest: name if before == other else before for digest, before in self.names.items()}
        self.titles.pop(other)
        self.same = {old: name if new == other else new for old, new in self.same.items()} | {other: name}
        account = self.accounts.pop(name, Account()).joined(self.accounts.pop(other, Account()))
        self.accounts[name] = account
        for place, entry in enumerate(self.entries):
            if entry.digest in (name, other):
                sampled = entry.line is not None and entry.line.drawn is not None
                self.entries[place] = replace(entry, digest=name, closed=entry.closed or (sampled and account.closed))


def _sum(one: Ledger, other: Ledger) -> Ledger | None:
    """Return one ledger with the lines of both, or None if they do not add up in every order."""
    if any(line.drawn is not None for line in one.lines + other.lines):
        return None
    found = Ledger(lines=one.lines, after_responses=True)
    try:
        for line in other.lines:
            found = found.holding(line)
    except DpcoreError:
        return None
    return found


# Budgets.


def guarantee_of(epsilon: float, delta: float, gamma: float) -> Guarantee:
    """Return the guarantee with these numbers: pure DP if δ and γ are 0.

    Raises:
        DpcoreError: If a number is out of range.
    """
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def smaller(one: Guarantee | None, other: Guarantee | None) -> Guarantee | None:
    """Return the smaller of two budgets in each number, or the only one. Without γ, a budget refuses random DP."""
    if one is None or other is None:
        return one or other
    first, second = limits(one), limits(other)
    return guarantee_of(*(min(first[name], second[name]) for name in _SYMBOLS))


def limits(budget: Guarantee | None) -> dict[str, float]:
    """Return the largest ε, δ and γ; 0 without a budget."""
    if budget is None:
        return dict.fromkeys(_SYMBOLS, 0.0)
    return {"epsilon": budget.epsilon, "delta": budget.delta, "gamma": budget.gamma or 0.0}


def _sums(spent: Spent) -> dict[str, float]:
    """Return the sums that a budget limits."""
    return {"epsilon": spent.epsilon, "delta": spent.delta, "gamma": spent.joint_gamma}


def _why_beyond(budget: Guarantee, before: Spent, after: Spent) -> str:
    """Return which number of a budget would be exceeded, how much is needed and how much is left; empty if none would be."""
    over = after.beyond(budget)
    if not over:
        return ""
    symbol, most, spent = _SYMBOLS[over], limits(budget)[over], _sums(before)[over]
    if not most:
        weaker, remedy = "approximate DP", "."
        if over == "gamma":
            weaker, remedy = "random DP", ", or choose proved noise if there is any."
        return f"The budget has no {symbol}, so it allows no {weaker}. Give it a total {symbol}{remedy}"
    averaged = " on average over the draws" if over == "gamma" and after.confidence is not None else ""
    return (
        f"This needs {symbol} = {figure(_sums(after)[over] - spent)}{averaged}; {figure(max(0.0, most - spent))} is left of the "
        f"budget's {figure(most)}. Raise the budget, or ask for less."
    )


def _rounded_down(value: float) -> str:
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal_from_float(value * (1 + 1e-12))):g}"


# The books of all browsers.


@final
class Books:
    """The book of each browser, by the browser's name. Memory is bounded: a book takes about 10 kB for each answer.

    Beyond ``most`` books the least recently opened one is dropped, an empty one if there is any. A browser whose book was used
    remembers that it began a release, so its next book is ``lost``, as after a restart of the server.
    """

    def __init__(self, most: int = _MOST_BOOKS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._books: OrderedDict[str, Book] = OrderedDict()  # least recently opened first

    def get(self, browser_name: str) -> Book:
        """Return the browser's book, or a new one."""
        with self._lock:
            book = self._books.pop(browser_name, None) or Book()
            if len(self._books) >= self._most:
                empty = (name for name, one in self._books.items() if one.is_empty)
                del self._books[next(empty, next(iter(self._books)))]
            self._books[browser_name] = book
            return book


BOOKS = Books()  # of this module and not in Streamlit's caches, which any browser can clear with one message
