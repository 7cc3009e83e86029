"""The report of released answers: one HTML file that runs no program, asks no host for anything and prints on A4.

The template holds the structure and the fixed sentences. This module gives it strings, numbers and tables, and the template
escapes them, so no name from a table can bring markup in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.base.installation import VERSION
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.text import EMPTY, counted, rows
from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP, Unit
from dpcore.ledger.spending import Spent
from dpcore.registry import members
from dpcore.result_types.numbers import SHARE
from pages.experiment.choices import title
from pages.experiment.descriptions import bound_words
from pages.experiment.scenario import Scenario
from pages.experiment.words import most_right, rounded_up
from pages.exports.report import allowed, template, trusted
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.entry import CLOSED, Entry, now, ranks_in_words, ranks_short

_MOST_CATEGORIES = 12
_CURVE, _TOLD = 201, 6  # points of a drawn curve, and of its table
_WIDTH, _HEIGHT = 640, 220  # of the drawn curve
_VERSIONS = ("numpy", "scipy", "opendp")


def release_report(book: Book, table: Table, entries: Sequence[Entry], *, who: str = "") -> str:
    """Return the report of some of a browser's answers about a table.

    Args:
        book: The browser's book.
        table: The table.
        entries: The answers, and the questions without one: at least one.
        who: Who released them; may be empty.
    """
    ordered = in_order(entries)
    released = [entry for entry in ordered if entry.release is not None]
    columns = {one["name"]: one for entry in released for one in entry.about.columns}
    style = (Path(__file__).parent / "release_report.css").read_text(encoding="utf-8")
    text: str = template("release_report.html.jinja").render(
        policy=trusted(f"default-src 'none'; style-src {allowed(style)}; base-uri 'none'; form-action 'none'"),
        style=trusted(style),
        box={"width": _WIDTH, "height": _HEIGHT},
        title=f"{'A private answer' if len(ordered) == 1 else 'Private answers'} about {table.title or table.name}",
        about=_about(table, ordered, who),
        incomplete=book.incomplete(table),
        closed=CLOSED if any(entry.closed for entry in ordered) else "",
        questions=[_question(entry) for entry in ordered],
        guarantees=_guarantees(book, table, released),
        uncovered=[(entry.about.question, CLOSED) for entry in released if not entry.covered],
        no_total=len(released) > 1 and book.account(table).total is None,
        noise=[(entry.about.question, _sized(entry)) for entry in released],
        sampled=any(entry.line is not None and entry.line.drawn is not None for entry in released),
        unseen=not all(entry.about.public for entry in released),
        missing=_unique(said for entry in released for said in (entry.about.missing, entry.about.read_as)),
        columns=[(one["label"], one["unit"] or "none", _range(one)) for one in columns.values()],
        ledger=_ledger(book, table),
        made=f"{now()} with {', '.join([f'dpcore {VERSION}', *(f'{name} {version(name)}' for name in _VERSIONS)])}",
    )
    return text


def releases_as_json(entries: Sequence[Entry]) -> str:
    """Return the released answers as JSON, each as its own download has it."""
    plain = [entry.to_json() for entry in in_order(entries) if entry.release is not None]
    return json.dumps(plain, indent=2, ensure_ascii=False)


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return one release after another; the answers of a list follow its first one, in the order of its questions."""
    first = {entry.ticket: place for place, entry in reversed(list(enumerate(entries)))}
    at = [(first[entry.ticket], entry.number) for entry in entries]
    return [entries[place] for place in sorted(range(len(entries)), key=at.__getitem__)]


def _unique(sentences: Iterable[str]) -> list[str]:
    """Return the sentences without repetitions and without empty ones."""
    return list(dict.fromkeys(filter(None, sentences)))


def _about(table: Table, entries: Sequence[Entry], who: str) -> str:
    """Return time, author and table of the answers."""
    name, by = table.title or table.name, f" by {who}" if who else ""
    one, (first, *_, last) = entries[0], sorted([entries[0].made, *(entry.made for entry in entries)])
    when = f"on {first}" if first == last else f"from {first} to {last}"
    adjacency = next((entry.line.adjacency for entry in entries if entry.line is not None), table.adjacency)
    size = counted(one.about.records, f" {descriptions.counted_in(adjacency)}")
    stated = f"about {size}, as its owner states" if adjacency.removes else size
    return f"Released {when}{by}. {name} is a {'public' if one.about.public else 'confidential'} table of {stated}."


# One question and its answer.


def _question(entry: Entry) -> dict[str, Any]:
    """Return the strings of a question and its answer; why a question failed is not told, because it can depend on the table."""
    of = {"question": entry.about.question, "asked": entry.asked, "answer": "", "rows": [], "curve": None, "notes": []}
    if entry.release is None:
        return of
    kind, response, alone = entry.about.answer, entry.release.response, entry.near or ()
    parts, share = rows(kind, response, alone), " (a share of all rows)" * (kind.unit == SHARE)
    if isinstance(response, BernsteinPolynomial):
        of["answer"] = f"A polynomial of degree {response.degree:,}. The JSON of the answers holds its coefficients."
        of["curve"] = _curve(response, kind.labels)
    elif len(parts) == 1:
        (name, said, near), *_ = parts
        named = f"{name}: " * bool(kind.picked and not alone)
        of["answer"] = f"{named}{said} {near}{share}"
    else:
        of["rows"] = [
            {"name": name, "answer": said, "alone": near, "bar": bar}
            for (name, said, near), bar in zip(parts, _bars(entry, len(parts)), strict=True)
        ]
    return of | {"share": share, "notes": _notes(entry, parts[0][2] if len(alone) == 1 else "")}


def _notes(entry: Entry, near: str) -> list[str]:
    """Return what must be known about an answer, in sentences; ``near``: its ±, if it is one number."""
    notes, alone = [], entry.near or ()
    if entry.release is not None and entry.release.scale == 0:
        notes.append("No noise was added: it is proved that no row changes this answer.")
    elif near:
        within = near.removeprefix("±\u00a0")
        notes.append(f"In 95% of such releases the answer is at most {within} from the exact answer.")
    elif alone:
        notes.append("In 95% of such releases a number is within its own ± of the exact one.")
    if math.inf in alone:
        notes.append(EMPTY)
    if entry.line is not None:
        if entry.ranks is not None:
            notes += [f"{ranks_short(entry.ranks)}.", ranks_in_words(entry.ranks, entry.line.adjacency)]
        if entry.covered:
            notes.append(f"Released on {entry.made}. By itself this answer has {descriptions.name(entry.line.guarantee)}.")
    return [*notes, entry.about.foretold] if entry.about.foretold else notes


def _bars(entry: Entry, size: int) -> list[dict[str, float] | None]:
    """Return start and end of each number's bar and of its 95% interval, in percent of the width.

    A number that is not an amount is drawn as a point. Numbers in different units are not drawn.
    """
    assert entry.release is not None
    kind: Any = entry.about.answer
    numbers = kind.values(entry.release.response)
    values = np.array([]) if numbers is None else np.asarray(numbers, dtype=float)
    near = np.array(entry.near or (0.0,) * size)
    known = np.isfinite(near)
    if len(values) != size or len(near) != size or not known.any():
        return [None] * size
    from_zero = bool(kind.from_zero)
    starts, ends = (np.minimum(values, 0), np.maximum(values, 0)) if from_zero else (values, values)
    edges = np.stack([starts, ends, values - near, values + near])
    low, width = edges[:, known].min(), np.ptp(edges[:, known]) or 1.0
    names = ("start", "end", "low", "high")
    return [
        dict(zip(names, np.round(100 * (at - low) / width, 2).tolist(), strict=True)) if shown else None
        for at, shown in zip(edges.T, known, strict=True)
    ]


def _curve(curve: BernsteinPolynomial, labels: Sequence[str]) -> dict[str, Any]:
    """Return a curve as a line and as a table."""
    names = (*labels, *"xy"[len(labels) :])
    across = np.linspace(*curve.domain[0], _TOLD)
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


def _guarantees(book: Book, table: Table, released: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the ledger's total if it covers all of several answers and they protect one unit; otherwise each its own guarantee.

    An answer that no guarantee covers any more is left out.
    """
    found: dict[tuple[Guarantee, Unit, Adjacency], list[Entry]] = {}
    kept = [(entry, entry.line) for entry in released if entry.covered and entry.line is not None]
    units = {(entry.about.protected, line.adjacency) for entry, line in kept}
    total = book.account(table).total if len(kept) == len(released) > 1 and len(units) == 1 else None
    for entry, line in kept:
        found.setdefault((total or line.guarantee, entry.about.protected, line.adjacency), []).append(entry)
    alone, together = len(released) == 1, total is not None
    return [_guarantee(*key, entries, alone=alone, together=together) for key, entries in found.items()]


def _guarantee(
    guarantee: Guarantee, unit: Unit, adjacency: Adjacency, entries: Sequence[Entry], *, alone: bool, together: bool
) -> dict[str, Any]:
    """Return the strings of a guarantee: its name and numbers, who is protected, who is not, and what to print."""
    name, delta, random = descriptions.name(guarantee), guarantee.delta, isinstance(guarantee, RandomDP)
    questions = ", ".join(f"“{entry.about.question}”" for entry in entries)
    return {
        "name": name[:1].upper() + name[1:],
        "of": "" if alone else "All answers together" if together else f"Each answer by itself: {questions}",
        "random": random,
        "delta": descriptions.figure(delta) if delta else "",
        "factor": rounded_up(math.exp(min(guarantee.epsilon, 700))),
        "epsilon": f"{guarantee.epsilon:g}",
        "gamma": f"{guarantee.gamma:g}" if isinstance(guarantee, RandomDP) else "",
        "average": guarantee.confidence is None,
        "protected": descriptions.protected(unit, guarantee, adjacency),
        "one": descriptions.unit_of(adjacency),
        "who": descriptions.counted_in(adjacency),
        "guessed": descriptions.guessed(adjacency),
        "right": f"{min(100, math.ceil(100 * most_right(guarantee.epsilon, delta) - 1e-9))}%",
        "in_full": descriptions.sentence(guarantee, adjacency, unit),
        "unprotected": descriptions.unprotected(guarantee, adjacency),
        "unusual": _unique(entry.not_protected for entry in entries),
    }


# Noise and columns.


def how_made(entry: Entry) -> str:
    """Return how the noise of an answer was sized, in a sentence."""
    assert entry.release is not None
    of = entry.release.provenance
    unit = entry.about.answer.moved_after.strip()
    sensitivity = counted(descriptions.figure(float(of["sensitivity"] or 0)), f" {unit}" if unit else "")
    scale, settings, kind = descriptions.figure(entry.release.scale), entry.about.settings, entry.release.mechanism
    known = members("mechanisms").get(kind)
    noise = f"{known.in_words if known is not None and known.in_words else f'{title(kind)} noise'} has scale {scale}"
    with suppress(DpcoreError):  # settings of members that are gone
        if settings is not None and (way := Scenario.from_json(settings).mechanism.chosen_by):
            noise = f"It was chosen by {way}, with noise of scale {scale}"
    if "sample_id" not in of:
        return f"{noise}, calibrated to the worst case, {sensitivity}."
    pairs = counted(format(of["m"], ","), " sampled pairs")
    return (
        f"{noise}, calibrated to Δ̂ = {sensitivity}: number {of['k']:,} of {pairs} under {bound_words(str(of['bound']))} at "
        f"γ = {of['gamma']:g}. The oracle was {entry.about.oracle}."
    )


def _sized(entry: Entry) -> str:
    """Return how the noise was sized and drawn; the seed of the sampled pairs reveals nothing of the noise."""
    assert entry.release is not None
    seed = entry.release.provenance.get("seed")
    drawn = "" if seed is None else f" The pairs were drawn from seed {seed}, which reveals nothing of the noise."
    noise = f" The noise was {entry.release.sampling.words}." * bool(entry.release.scale)
    return f"{how_made(entry)}{drawn}{noise}"


def _range(column: dict[str, Any]) -> str:
    bounds, categories = column["bounds"], column["categories"]
    if categories:
        few = [f"{each:g}" if isinstance(each, float) else str(each) for each in categories[:_MOST_CATEGORIES]]
        more = len(categories) - len(few)
        return ", ".join(few) + (f" and {more:,} more" if more else "")
    return f"{bounds[0]:g} to {bounds[1]:g} (a value outside counts as the nearer one)" if bounds else "none declared"


# The ledger.


def _ledger(book: Book, table: Table) -> dict[str, Any]:
    """Return the ledger's lines, its total and the remaining budget."""
    ledger, total = book.ledger(table), book.account(table).total
    lines = ledger.lines
    numbers = [(f"{line.epsilon:g}", f"{line.delta:g}", f"{line.gamma:g}") for line in lines]
    spent = "Nothing was spent."
    if total is not None:
        spent = f"All answers in this ledger together have spent {descriptions.name(total).partition(', ')[2]}."
    elif lines:
        spent = "No one guarantee covers all answers in this ledger."
    return {
        "lines": [(line.about or line.target, line.words, line.made, *each) for line, each in zip(lines, numbers, strict=True)],
        "total": spent,
        "left": _left(book, table),
        "ended": bool(ledger.sampling_ended_by),
    }


def _left(book: Book, table: Table) -> str:
    """Return what is left of the budget."""
    account = book.account(table)
    budget, spent = account.budget, Spent.by(account.ledger.lines)
    if budget is None:
        return "No budget was set for this table: its owner decides how much more may be spent."
    if account.closed:
        return CLOSED
    numbers = {"ε": budget.epsilon, "δ": budget.delta, "γ": budget.gamma}
    whole = ", ".join(f"{symbol} = {most:g}" for symbol, most in numbers.items() if most)
    average = " Its γ is counted on average over the draws." * (spent.confidence is not None and bool(budget.gamma))
    over = {"": "", "epsilon": "ε", "delta": "δ", "gamma": "γ"}[spent.beyond(budget)]
    beyond = f" More was spent than the budget allows ({over}), so nothing more can be released." * bool(over)
    return f"The budget is {whole}. What is left of it: {account.left}.{average}{beyond}"
