"""What was spent on a table, what is left of its budget, and what more would cost."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context
from functools import partial

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Event, Ledger, Line, Standing
from dpcore.ledger.of_one_table import protects_rows_and_people
from dpcore.ledger.spending import Spent
from pages.files.tables import Table as Data
from pages.reports.document import Block, Notice, Section, Table, Text, Tone
from pages.shared.reports.noise import questions
from pages.state.book import ROWS_AND_PEOPLE, Book
from pages.state.ledger import spent_in_all, why_no_total
from pages.state.release_entry import Entry

_HEAD = ("question", "charged as", "time", "ε", "δ", "γ")
_ONE_TAB = (
    "This ledger holds what was released in one session of the app, and what was entered by hand. Answers that were given "
    "elsewhere and not entered are not in it."
)
_BY_WORD = (
    "A line “fixed beforehand by its holder's word” comes from a file, from a plan of one, or after answers that the server "
    "forgot. Its guarantee holds if no earlier answer is missing here, and it adds up with no other."
)


def spent(book: Book, table: Data) -> Section:
    """The ledger of the table, its total, and what is left."""
    ledgers = [one for one in book.ledgers.get(table.digest, []) if one.lines]
    blocks: list[Block] = [Text(_in_all(ledgers), lead=True), Text(_left(book, table))]
    for number, one in enumerate(ledgers, 1):
        which = f"Ledger {number} of {len(ledgers)}" if len(ledgers) > 1 else "The ledger of this table"
        blocks.append(Table(_HEAD, tuple(_row(line) for line in one.lines), which))
    if len(ledgers) > 1:
        lines = [line for one in ledgers for line in one.lines]
        blocks += [Text(said) for said in (why_no_total(lines), spent_in_all(lines)) if said]
    if book.forgotten:
        blocks.append(Notice("The server forgot earlier answers of this tab: this ledger is not whole.", Tone.CARE))
    if incomplete := book.incomplete(table):
        blocks.append(Notice(incomplete, Tone.CARE))
    if any(one.to_join for one in ledgers):
        blocks.append(Text("The γ of planned answers that are still to come is counted already.", small=True))
    if any(line.event is Event.ENTERED for one in ledgers for line in one.lines):
        blocks.append(Text("Lines “entered by hand” stand as their holder wrote them.", small=True))
    if any(line.standing is Standing.HELD for one in ledgers for line in one.lines):
        blocks.append(Text(_BY_WORD, small=True))
    return Section("What was spent, and what is left?", (*blocks, Text(_ONE_TAB, small=True)))


def _in_all(ledgers: list[Ledger]) -> str:
    if len(ledgers) != 1:
        return f"The answers about this table stand in {len(ledgers)} ledgers." if ledgers else "Nothing was spent."
    total = ledgers[0].total()
    if total is not None:
        return f"All answers in this ledger together have spent {_numbers(total)}."
    joint = ledgers[0].joint()
    if joint is None:
        return "No one guarantee covers all answers in this ledger."
    return f"No one guarantee covers all answers in this ledger. Those that do add up have spent {_numbers(joint)}."


def _numbers(guarantee: Guarantee) -> str:
    """The numbers of a guarantee alone."""
    named = {"δ": facts(guarantee).delta, "γ": facts(guarantee).gamma}
    sure = facts(guarantee).confidence
    said = ", ".join([f"ε = {guarantee.epsilon:g}", *(f"{name} = {value:g}" for name, value in named.items() if value)])
    return said if sure is None else f"{said} with confidence {sure:g}"


def _left(book: Book, table: Data) -> str:
    budget = book.budgets.get(table.digest)
    if budget is None:
        return "No budget was set for this table, so none is left or used up: the holder of the data decides on more."
    lines, to_come = book.lines_of(table)
    if any(line.standing.void and line.responded for line in lines):
        return (
            "A budget was set, but an answer about this table has no guarantee: so it holds no longer, and nothing is left of it."
        )
    if protects_rows_and_people(lines):
        return ROWS_AND_PEOPLE
    made = Spent.by(lines, to_come)
    have = {"ε": (budget.epsilon, made.epsilon)}
    have |= {"δ": (facts(budget).delta, made.delta), "γ": (facts(budget).gamma or 0.0, made.joint_gamma)}
    shown = {name: pair for name, pair in have.items() if name == "ε" or any(pair)}
    over = [name for name, (most, used) in shown.items() if used > most * (1 + 1e-12)]
    left = ", ".join(f"{name} = {_rounded_down(max(0.0, most - used))}" for name, (most, used) in shown.items())
    whole = ", ".join(f"{name} = {most:g}" for name, (most, _) in shown.items())
    beyond = f" More was spent than the budget allows ({', '.join(over)}): nothing more can be released under it." * bool(over)
    average = " Its γ is counted on average over the draws." * (made.confidence is not None and "γ" in shown)
    later = " An answer that is asked after others can cost more γ than it would have before." * ("γ" in shown and not beyond)
    return f"The budget is {whole}. Of it {left} {'are' if len(shown) > 1 else 'is'} left.{average}{later}{beyond}"


def _rounded_down(value: float) -> str:
    """Three digits, never more than there is."""
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal_from_float(value * (1 + 1e-12))):g}"


def _row(line: Line) -> tuple[str, ...]:
    """A line, without its answer."""
    return (asked(line), line.words, line.made, *numbers(line))


def numbers(line: Line) -> tuple[str, str, str]:
    """ε, δ and γ of a line; of one without a guarantee γ as it was drawn, in brackets, which promises nothing."""
    if line.event is Event.ENTERED and line.guarantee is None:  # from its JSON: nobody knows what it cost
        return "?", "?", "?"
    gamma = f"{line.gamma:g}" if line.guarantee is not None or not line.gamma else f"({line.gamma:g})"
    return f"{line.epsilon:g}", f"{line.delta:g}", gamma


def asked(line: Line) -> str:
    """What a line is of; what its holder wrote about an entry of elsewhere is in no report."""
    return "a release made elsewhere" if line.event is Event.ENTERED else line.about or line.target


def again(book: Book, table: Data, released: tuple[Entry, ...]) -> Section:
    """What a copy costs, and what asking the same again would."""
    free = "A copy of this report costs nothing, and neither does anything that is computed from its numbers."
    lines = [entry.line for entry in released if entry.line is not None]
    said = [Text(free, lead=True)]
    if lines:
        what = "the same question" if questions(released) == 1 else "the same questions"
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
    """How the new answers would stand, after those that there are."""
    copy = book.copied()
    try:
        for new in [line.redrawn(f"to come {number}") for number, line in enumerate(lines)]:
            found = copy.foresee(table, new)
            copy.charge(table, partial(Ledger.holding, item=new))
            if found.standing.void:
                who = "It" if len(lines) == 1 else "At least one of them"
                inexact = found.standing is Standing.INEXACT
                reason = "because of how its noise is drawn" if inexact else "because these answers may have led to it"
                return f"{who} would have no guarantee, {reason}."
    except DpcoreError:
        return ""
    ledgers = [one for one in copy.ledgers.get(table.digest, []) if one.lines]
    total = ledgers[0].total() if len(ledgers) == 1 else None
    return "" if total is None else f"All together would then come to {words.name(total)}{_larger(lines, ledgers[0])}."


def _larger(lines: list[Line], after: Ledger) -> str:
    """Why γ is more than the sum, where it is."""
    later = any(line.standing is Standing.LARGER for line in after.lines[-len(lines) :])
    return ": γ grows by more than its own, because it would be asked after an answer" * later


def _room(book: Book, table: Data, lines: list[Line]) -> str:
    """Whether the budget would allow it."""
    if table.digest not in book.budgets:
        return ""
    try:
        refused = book.refusal_of(table, [line.redrawn(f"to come {number}") for number, line in enumerate(lines)])
    except DpcoreError:
        return ""
    return "The budget has no room for that." if refused else "The budget has room for that."
