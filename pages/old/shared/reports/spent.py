"""What was spent on a table, what is left of its budget, and what more would cost."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Line
from dpcore.ledger.spending import Spent
from pages.files.tables import Table as Data
from pages.ledger.book import CLOSED, Book
from pages.ledger.entry import Entry
from pages.old.reports.document import Block, Notice, Section, Table, Text, Tone

_HEAD = ("question", "charged as", "time", "ε", "δ", "γ")
_ONE_TAB = "This ledger holds what was released in one session of the app. Answers that were given elsewhere are not in it."


def spent(book: Book, table: Data) -> Section:
    """The ledger of the table, its total, and what is left."""
    one = book.ledger(table)
    blocks: list[Block] = [Text(_in_all(book, table), lead=True), Text(_left(book, table))]
    if one.lines:
        blocks.append(Table(_HEAD, tuple(map(_row, one.lines)), "The ledger of this table"))
    if incomplete := book.incomplete(table):
        blocks.append(Notice(incomplete, Tone.CARE))
    return Section("What was spent, and what is left?", (*blocks, Text(_ONE_TAB, small=True)))


def _in_all(book: Book, table: Data) -> str:
    if not book.ledger(table).lines:
        return "Nothing was spent."
    total = book.total(book.name_of(table))
    if total is None:
        return "No one guarantee covers all answers in this ledger."
    return f"All answers in this ledger together have spent {_numbers(total)}."


def _numbers(guarantee: Guarantee) -> str:
    """The numbers of a guarantee alone."""
    named = {"δ": facts(guarantee).delta, "γ": facts(guarantee).gamma}
    sure = facts(guarantee).confidence
    said = ", ".join([f"ε = {guarantee.epsilon:g}", *(f"{name} = {value:g}" for name, value in named.items() if value)])
    return said if sure is None else f"{said} with confidence {sure:g}"


def _left(book: Book, table: Data) -> str:
    budget = book.budgets.get(book.name_of(table))
    if budget is None:
        return "No budget was set for this table, so none is left or used up: the holder of the data decides on more."
    if book.name_of(table) in book.closed:
        return CLOSED
    made = Spent.by(book.ledger(table).lines)
    have = {"ε": (budget.epsilon, made.epsilon)}
    have |= {"δ": (facts(budget).delta, made.delta), "γ": (facts(budget).gamma or 0.0, made.joint_gamma)}
    shown = {name: pair for name, pair in have.items() if name == "ε" or any(pair)}
    over = [name for name, (most, used) in shown.items() if used > most * (1 + 1e-12)]
    left = ", ".join(f"{name} = {_rounded_down(max(0.0, most - used))}" for name, (most, used) in shown.items())
    whole = ", ".join(f"{name} = {most:g}" for name, (most, _) in shown.items())
    beyond = f" More was spent than the budget allows ({', '.join(over)}): nothing more can be released under it." * bool(over)
    average = " Its γ is counted on average over the draws." * (made.confidence is not None and "γ" in shown)
    return f"The budget is {whole}. Of it {left} {'are' if len(shown) > 1 else 'is'} left.{average}{beyond}"


def _rounded_down(value: float) -> str:
    """Three digits, never more than there is."""
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal_from_float(value * (1 + 1e-12))):g}"


def _row(line: Line) -> tuple[str, ...]:
    """A line, without its answer."""
    return (line.about or line.target, line.words, line.made, *numbers(line))


def numbers(line: Line) -> tuple[str, str, str]:
    """ε, δ and γ of a line."""
    return f"{line.epsilon:g}", f"{line.delta:g}", f"{line.gamma:g}"


def again(book: Book, table: Data, released: tuple[Entry, ...]) -> Section:
    """What a copy costs, and what asking the same again would."""
    free = "A copy of this report costs nothing, and neither does anything that is computed from its numbers."
    lines = [entry.line for entry in released if entry.line is not None]
    said = [Text(free, lead=True)]
    if lines:
        what = "the same question" if len(released) == 1 else "the same questions"
        epsilon = words.figure(sum(line.epsilon for line in lines))
        delta = sum(line.delta for line in lines)
        and_delta = f" and δ = {words.figure(delta)}" * bool(delta)
        again = (
            f"A report with new answers costs again: asking {what} once more makes new noise, and spends another ε = {epsilon}"
            f"{and_delta}. {_would(book, table, lines)} {_room(book, table, lines)}".rstrip()
        )
        said.append(Text(again))
    return Section("What would a second report cost?", tuple(said))


def _would(book: Book, table: Data, lines: list[Line]) -> str:
    """What all answers would then come to."""
    ledger = book.ledger(table)
    try:
        for line in lines:
            ledger = ledger.holding(line)
    except DpcoreError:
        return "Noise sized by trials is not offered for it any more, because these answers may have led to it."
    total = ledger.total()
    return "" if total is None else f"All together would then come to {words.name(total)}."


def _room(book: Book, table: Data, lines: list[Line]) -> str:
    """Whether the budget would allow it."""
    if book.name_of(table) not in book.budgets or any(line.drawn is not None for line in lines):
        return ""
    return "The budget has no room for that." if book.refusal(table, lines) else "The budget has room for that."
