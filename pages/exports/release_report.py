"""The report of released answers: one HTML file that runs no program, asks no host for anything and prints on A4.

The template holds the structure and the fixed sentences; this module gives the strings, numbers and tables. The template escapes
all of them, so no name from a table can bring markup in.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context
from importlib.metadata import version
from pathlib import Path
from typing import Any, final

import numpy as np

from dpcore.answers.answer import moved_after
from dpcore.answers.numbers import SHARE
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.rounded import EMPTY, TOO_FEW, plus_minus, rows
from dpcore.base.version import VERSION
from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import ROW, Adjacency, Guarantee, RandomDP, Unit
from dpcore.ledger.accounting import Line
from dpcore.ledger.spending import Spent
from dpcore.registry.catalog import members
from pages.experiment.choices import title
from pages.experiment.names import bound_words
from pages.experiment.oracle_origin import OracleOrigin
from pages.experiment.scenario import Scenario
from pages.experiment.words import most_right, rounded_up
from pages.exports.templates import template
from pages.files.tables import Table
from pages.ledger.book import CLOSED, Book
from pages.ledger.entry import Entry, now
from pages.ledger.reach import ranks_in_words, ranks_short

Links = Sequence[tuple[str, str]]  # words and address
_MOST_CATEGORIES = 12
_CURVE, _TOLD, _SIDE = 201, 6, 5  # points of a drawn curve, of its table, and of each side of the table of a surface
_WIDTH, _HEIGHT = 640, 220  # of the drawn curve
_VERSIONS = ("numpy", "scipy", "opendp")
_ORACLES = {
    OracleOrigin.PROPOSED: "{who} kept the oracle that the app proposes. It is made from what is declared about the columns.",
    OracleOrigin.BY_HAND: "{who} chose the oracle by hand. The app cannot check that this was done without using the table.",
    OracleOrigin.OF_THE_TABLE: "{who} chose the rows of the table itself as the oracle. The table is public.",
}


def release_report(book: Book, table: Table, entries: Sequence[Entry], *, who: str = "", links: Links = ()) -> str:
    """Return the report of some of a browser's answers about a table.

    Args:
        book: The browser's book.
        table: The table.
        entries: The answers, and the questions without one. Without any, as for a ledger that was loaded from a file, the report
            is about all lines of the ledger.
        who: Who released them; may be empty.
        links: Links that open the questions in the app; what is not an http address is left out.
    """
    ordered = in_order(entries)
    released = [entry for entry in ordered if entry.release is not None]
    found = covered_of(book, table, released)
    return _fill(
        title=f"{'A private answer' if len(ordered) == 1 else 'Private answers'} about {table.title or table.name}",
        about=_about(table, ordered, who),
        incomplete=book.incomplete(table),
        closed=CLOSED if any(CLOSED in entry.caveats for entry in ordered) else "",
        questions=[_question(entry) for entry in ordered],
        guarantees=[_guarantee(one, alone=len(released) == 1) for one in found],
        uncovered=[(entry.about.question, " ".join(entry.caveats)) for entry in released if not entry.covered],
        no_total=len(released) > 1 and book.total(book.name_of(table)) is None,
        noise=[(entry.about.question, _sized(entry)) for entry in released],
        oracles=_oracles(released, who or "Whoever released these answers"),
        unseen=bool(released) and not all(entry.about.public for entry in released),
        missing=list(dict.fromkeys(said for entry in released for said in (entry.about.missing, entry.about.read_as) if said)),
        columns=_columns(released),
        ledger=_ledger(book, table, answers=not entries),
        links=[(said, address) for said, address in links if address.startswith(("http://", "https://"))],
        made=f"{now()} with {', '.join([f'dpcore {VERSION}', *(f'{name} {version(name)}' for name in _VERSIONS)])}",
    )


def releases_as_json(entries: Sequence[Entry]) -> str:
    """Return the released answers as JSON, each as its own download has it."""
    plain = [entry.to_json() for entry in in_order(entries) if entry.release is not None]
    return json.dumps(plain, indent=2, ensure_ascii=False)


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return one release after another; the answers of a list follow its first one, in the order of its questions."""
    first = {entry.of_list: place for place, entry in reversed(list(enumerate(entries))) if entry.of_list}
    at = [(first.get(entry.of_list, place), entry.number) for place, entry in enumerate(entries)]
    return [entries[place] for place in sorted(range(len(entries)), key=at.__getitem__)]


def _about(table: Table, entries: Sequence[Entry], who: str) -> str:
    """Return when and by whom the answers were released, and from which table."""
    name, by = table.title or table.name, f" by {who}" if who else ""
    if not entries:
        return f"These are all lines of a loaded ledger of {name}."
    one, first, last = entries[0], entries[0].made, max(entry.made for entry in entries)
    when = f"on {first}" if first == last else f"from {min(entry.made for entry in entries)} to {last}"
    adjacency = next((entry.line.adjacency for entry in entries if entry.line is not None), table.adjacency)
    size = counted(one.about.records, f" {descriptions.counted_in(adjacency)}")
    stated = "about " * adjacency.removes + size + ", as its owner states" * adjacency.removes
    return f"Released {when}{by}. {name} is a {'public' if one.about.public else 'confidential'} table of {stated}."


# One question and its answer.


@final
@dataclass(frozen=True, eq=False)
class Answered:
    """A response with its margins of error.

    Args:
        question: The question in words.
        kind: The kind of answer.
        response: The response.
        alone: Margin of each number by itself; empty if unknown.
        jointly: Margin of each number when all of them hold at once; empty if unknown.
    """

    question: str
    kind: Any
    response: Any
    alone: tuple[float, ...]
    jointly: tuple[float, ...]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Name and text of each part, rounded to its margin."""
        return tuple((name, said) for name, said, _ in rows(self.kind, self.response, self.alone))

    def reach(self, place: int) -> str:
        """Return ± of one number by itself, with its unit; empty if unknown."""
        return self._margin(self.alone, place)

    def reach_of_all(self, place: int) -> str:
        """Return ± of one number, so that those of all numbers hold at once."""
        return self._margin(self.jointly, place)

    def _margin(self, near: tuple[float, ...], place: int) -> str:
        if place >= len(near) or math.inf in (near[place], self.alone[place]):
            return TOO_FEW if place < len(near) and math.isfinite(self.alone[place]) else ""
        return plus_minus(near[place], self.kind.after)


def answered(entry: Entry) -> Answered:
    """Return the answer of an entry that has one."""
    assert entry.release is not None
    alone, jointly = entry.near or ((), ())
    return Answered(entry.about.question, entry.about.answer, entry.release.response, alone, jointly)


def _question(entry: Entry) -> dict[str, Any]:
    """Return the strings of a question and its answer; why a question failed is not told, because it can depend on the table."""
    of = {"question": entry.about.question, "asked": entry.asked, "answer": "", "rows": [], "curve": None, "notes": []}
    if entry.release is None:
        return of
    one = answered(entry)
    parts, share = one.rows, " (a share of all rows)" * (one.kind.unit == SHARE)
    if isinstance(one.response, BernsteinPolynomial):
        of["answer"] = f"A polynomial of degree {one.response.degree:,}. The JSON of the answers holds its coefficients."
        of["curve"] = _curve(one.response, one.kind.labels)
    elif len(parts) == 1:
        named = f"{parts[0][0]}: " * bool(facts(one.kind).picked and not one.alone)
        of["answer"] = f"{named}{parts[0][1]} {one.reach(0)}{share}"
    else:
        of["rows"] = [
            {"name": name, "answer": said, "alone": one.reach(place), "jointly": one.reach_of_all(place), "bar": bar}
            for place, ((name, said), bar) in enumerate(zip(parts, _bars(one), strict=True))
        ]
    return of | {"share": share, "notes": _notes(entry, one)}


def _notes(entry: Entry, one: Answered) -> list[str]:
    """Return what must be known about an answer, in sentences."""
    notes = []
    if entry.release is not None and entry.release.scale == 0:
        notes.append("No noise was added: it is proved that no row changes this answer.")
    elif len(one.alone) == 1 and one.reach(0):
        within = one.reach(0).removeprefix("±\u00a0")
        notes.append(f"In 95% of such releases the answer is at most {within} from the exact answer.")
    elif one.alone:
        notes.append("In 95% of such releases a number is within its own ± of the exact one.")
    if len(one.jointly) > 1:
        notes.append("The wider ± holds for all numbers of this answer at once, in 95% of releases.")
    if math.inf in (*one.alone, *one.jointly):
        notes.append(EMPTY)
    if entry.ranks is not None and entry.line is not None:
        notes += [f"{ranks_short(entry.ranks)}.", ranks_in_words(entry.ranks, entry.line.adjacency)]
    if entry.covered and entry.line is not None:
        notes.append(f"Released on {entry.made}. By itself this answer has {descriptions.name(entry.line.guarantee)}.")
    return [*notes, *filter(None, (entry.about.foretold, entry.guess))]


def _bars(one: Answered) -> list[dict[str, float] | None]:
    """Return for each number where its bar begins and ends, and where its 95% interval does, in percent of the width.

    A number that is not an amount is drawn as a point. Numbers in different units are not drawn.
    """
    values_of, size = facts(one.kind).values, len(one.rows)
    values = np.array([]) if values_of is None else np.asarray(values_of(one.response), dtype=float)
    near = np.array(one.alone or (0.0,) * size)
    if len(values) != size or len(near) != size or not np.isfinite(near).any():
        return [None] * size
    known = np.isfinite(near)
    from_zero = bool(facts(one.kind).from_zero)
    ends = np.concatenate([(values - near)[known], (values + near)[known], [0.0] if from_zero else []])
    low, width = float(ends.min()), float(np.ptp(ends)) or 1.0

    def across(value: float) -> float:
        return round(100 * (value - low) / width, 2)

    return [
        {
            "start": across(min(value, 0.0) if from_zero else value),
            "end": across(max(value, 0.0) if from_zero else value),
            "low": across(value - margin),
            "high": across(value + margin),
        }
        if math.isfinite(margin)
        else None
        for value, margin in zip(values.tolist(), near.tolist(), strict=True)
    ]


def _curve(curve: BernsteinPolynomial, labels: Sequence[str]) -> dict[str, Any]:
    """Return a curve as a line and as a table; of more dimensions a table over the first two, the others at their middle."""
    names = (*labels, *"xyzuvw"[len(labels) : curve.dims + 1])
    across = np.linspace(*curve.domain[0], _TOLD if curve.dims == 1 else _SIDE)
    if curve.dims > 1:
        middles = [np.mean(ends) for ends in curve.domain]
        up = np.linspace(*curve.domain[1], _SIDE)
        heights = [curve(np.array([[x, y, *middles[2:]] for x in across])) for y in up]
        cells = [[descriptions.figure(y), *map(descriptions.figure, row)] for y, row in zip(up.tolist(), heights, strict=True)]
        head = [f"{names[1]} (down), {names[0]} (across)", *map(descriptions.figure, across.tolist())]
        return {"head": head, "cells": cells, "line": ""}
    points = np.linspace(*curve.domain[0], _CURVE)
    values = curve(points)
    low, height = float(values.min()), float(np.ptp(values)) or 1.0
    x = _WIDTH * np.linspace(0, 1, _CURVE)
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, _HEIGHT * (1 - (values - low) / height), strict=True))
    return {
        "head": [names[0], *map(descriptions.figure, across.tolist())],
        "cells": [[names[1], *map(descriptions.figure, curve(across).tolist())]],
        "line": line,
        "low": descriptions.figure(low),
        "high": descriptions.figure(float(values.max())),
        "names": names,
    }


# Guarantees.


@final
@dataclass(frozen=True, eq=False)
class Covered:
    """Answers with the same guarantee that protect the same unit.

    Args:
        guarantee: The guarantee.
        unit: What one row is.
        adjacency: The neighbours.
        entries: The answers.
        together: Whether the guarantee covers all of them at once.
    """

    guarantee: Guarantee
    unit: Unit
    adjacency: Adjacency
    entries: tuple[Entry, ...]
    together: bool = False


def covered_of(book: Book, table: Table, released: Sequence[Entry]) -> list[Covered]:
    """Return the ledger's total if it covers all of several answers and they protect one unit; otherwise each its own guarantee.

    An answer that no guarantee covers any more is left out.
    """
    kept = [(entry, entry.line) for entry in released if entry.covered and entry.line is not None]
    units = {(entry.about.protected, line.adjacency) for entry, line in kept}
    total = book.total(book.name_of(table)) if len(kept) == len(released) > 1 and len(units) == 1 else None
    if total is not None:
        return [Covered(total, *units.pop(), tuple(entry for entry, _ in kept), together=True)]
    found: dict[tuple[Guarantee, Unit, Adjacency], list[Entry]] = {}
    for entry, line in kept:
        found.setdefault((line.guarantee, entry.about.protected, line.adjacency), []).append(entry)
    return [Covered(*key, tuple(some)) for key, some in found.items()]


def _guarantee(one: Covered, *, alone: bool) -> dict[str, Any]:
    """Return the strings of a guarantee: its name and numbers, who is protected, who is not, and what to print."""
    guarantee, adjacency, unit = one.guarantee, one.adjacency, one.unit
    name, delta = descriptions.name(guarantee), facts(guarantee).delta
    questions = ", ".join(f"“{entry.about.question}”" for entry in one.entries)
    random = isinstance(guarantee, RandomDP)
    all_of = "all answers together " * one.together
    weaker = " Differential privacy protects every change, and this is weaker." * random
    named = name.replace("DP", "differential privacy", 1)
    return {
        "name": name[:1].upper() + name[1:],
        "of": "" if alone else "All answers together" if one.together else f"Each answer by itself: {questions}",
        "random": random,
        "delta": descriptions.figure(delta) if delta else "",
        "factor": rounded_up(math.exp(min(guarantee.epsilon, 700))),
        "epsilon": f"{guarantee.epsilon:g}",
        "gamma": f"{guarantee.gamma:g}" if isinstance(guarantee, RandomDP) else "",
        "average": facts(guarantee).confidence is None,
        "protected": descriptions.protected(unit, guarantee, adjacency),
        "one": descriptions.unit_of(adjacency),
        "who": descriptions.counted_in(adjacency),
        "guessed": descriptions.guessed(adjacency),
        "right": f"{min(100, math.ceil(100 * most_right(guarantee.epsilon, delta) - 1e-9))}%",
        "in_full": descriptions.sentence(guarantee, adjacency, unit),
        "unprotected": descriptions.unprotected(guarantee, adjacency),
        "unusual": list(dict.fromkeys(entry.not_protected for entry in one.entries if entry.not_protected)),
        "beside": f"“With random noise, {all_of}under {named}, for {_protects(unit, adjacency)}.{weaker}”",
        "beside_which": "" if alone else "each answer" if one.together else questions,
    }


def _protects(unit: Unit, adjacency: Adjacency) -> str:
    """Return whom a guarantee protects, in a few words."""
    if not adjacency.of_records:
        return "one person with all rows of that person"
    row = "one row" if unit.name == ROW else f"one {unit.name} (one row)"
    return f"{row}, and not for all rows of one person" if unit.several else row


# Noise, oracle and columns.


def how_made(entry: Entry) -> str:
    """Return how the noise of an answer was sized, in a sentence."""
    assert entry.release is not None
    of = entry.release.provenance
    unit = moved_after(entry.about.answer).strip()
    sensitivity = counted(descriptions.figure(float(of["sensitivity"] or 0)), f" {unit}" if unit else "")
    noise = _noise(entry, descriptions.figure(entry.release.scale))
    if "sample_id" not in of:
        return f"{noise}, sized to the worst case, {sensitivity}."
    return (
        f"{noise}, sized to Δ̂ = {sensitivity}: number {of['k']:,} of {counted(format(of['m'], ','), ' sampled pairs')} under "
        f"{bound_words(str(of['bound']))} at γ = {of['gamma']:g}. The oracle was {entry.about.oracle}."
    )


def _noise(entry: Entry, scale: str) -> str:
    assert entry.release is not None
    settings, mechanism = entry.about.settings, entry.release.mechanism
    with suppress(DpcoreError):  # settings of members that are gone
        if settings is not None and (way := Scenario.from_json(settings).mechanism.chosen_by):
            return f"It was chosen by {way}, with noise of scale {scale}"
    kind = members("mechanisms").get(mechanism)
    return f"{facts(kind).in_words or f'{title(mechanism)} noise'} has scale {scale}"


def _sized(entry: Entry) -> str:
    """Return how the noise was sized and drawn; the seed of the sampled pairs reveals nothing of the noise."""
    assert entry.release is not None
    seed = entry.release.provenance.get("seed")
    drawn = "" if seed is None else f" The pairs were drawn from seed {seed}, which reveals nothing of the noise."
    noise = f" The noise was {entry.release.sampling.words}." * bool(entry.release.scale)
    return f"{how_made(entry)}{drawn}{noise}"


def _oracles(released: Sequence[Entry], who: str) -> list[str]:
    """Return who chose each oracle that sized noise; the worst case needs none."""
    sampled = [entry for entry in released if entry.line is not None and entry.line.drawn is not None]
    return list(dict.fromkeys(_ORACLES[entry.about.origin].format(who=who) for entry in sampled))


def _columns(released: Sequence[Entry]) -> list[tuple[str, str, str]]:
    """Return label, unit, and bounds or categories of the columns that were asked about."""
    columns: dict[str, dict[str, Any]] = {one["name"]: one for entry in released for one in entry.about.columns}
    return [(one["label"], one["unit"] or "none", _range(one)) for one in columns.values()]


def _range(column: dict[str, Any]) -> str:
    bounds, categories = column["bounds"], column["categories"]
    if categories:
        few = [f"{each:g}" if isinstance(each, float) else str(each) for each in categories[:_MOST_CATEGORIES]]
        more = len(categories) - len(few)
        return ", ".join(few) + (f" and {more:,} more" if more else "")
    return f"{bounds[0]:g} to {bounds[1]:g} (a value outside counts as the nearer one)" if bounds else "none declared"


# The ledger.


def _ledger(book: Book, table: Table, *, answers: bool) -> dict[str, Any]:
    """Return the ledger's lines, its total and what is left. ``answers``: whether each line shows its answer and guarantee."""
    lines = book.ledger(table).lines
    return {
        "lines": [(line.about or line.target, line.words, line.made, *numbers(line)) for line in lines],
        "answers": [
            (line.about or line.target, line.answer, descriptions.name(line.guarantee)) for line in lines if line.responded
        ]
        if answers
        else [],
        "random": any(line.gamma for line in lines),
        "total": _total(book, table),
        "left": _left(book, table),
        "ended": bool(book.ledger(table).sampling_ended_by),
    }


def numbers(line: Line) -> tuple[str, str, str]:
    """Return ε, δ and γ of a line."""
    return f"{line.epsilon:g}", f"{line.delta:g}", f"{line.gamma:g}"


def _total(book: Book, table: Table) -> str:
    if not book.ledger(table).lines:
        return "Nothing was spent."
    total = book.total(book.name_of(table))
    if total is None:
        return "No one guarantee covers all answers in this ledger."
    _, _, spent = descriptions.name(total).partition(", ")
    return f"All answers in this ledger together have spent {spent}."


def _left(book: Book, table: Table) -> str:
    """Return what is left of the budget, rounded down."""
    budget = book.budgets.get(book.name_of(table))
    if budget is None:
        return "No budget was set for this table: its owner decides how much more may be spent."
    if book.name_of(table) in book.closed:
        return CLOSED
    made, of = Spent.by(book.ledger(table).lines), facts(budget)
    every = {"ε": (budget.epsilon, made.epsilon), "δ": (of.delta, made.delta), "γ": (of.gamma or 0.0, made.joint_gamma)}
    shown = {name: pair for name, pair in every.items() if name == "ε" or any(pair)}
    whole = ", ".join(f"{name} = {most:g}" for name, (most, _) in shown.items())
    left = ", ".join(f"{name} = {_rounded_down(max(0.0, most - used))}" for name, (most, used) in shown.items())
    over = ", ".join(name for name, (most, used) in shown.items() if used > most * (1 + 1e-12))
    average = " Its γ is counted on average over the draws." * (made.confidence is not None and "γ" in shown)
    beyond = f" More was spent than the budget allows ({over}), so nothing more can be released." * bool(over)
    return f"The budget is {whole}. What is left of it: {left}.{average}{beyond}"


def _rounded_down(value: float) -> str:
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal_from_float(value * (1 + 1e-12))):g}"


# The file.


def _fill(**values: Any) -> str:
    from markupsafe import Markup

    style = (Path(__file__).parent / "release_report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    box = {"width": _WIDTH, "height": _HEIGHT}
    return str(template("release_report.html.jinja").render(policy=Markup(policy), style=Markup(style), box=box, **values))
