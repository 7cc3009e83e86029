"""The one slide of scenarios side by side: its conclusion, its rows, and what none of their guarantees covers."""

from __future__ import annotations

from dataclasses import replace
from textwrap import shorten
from typing import Any

from dpcore.guarantees import words
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.mechanisms.response_law import SHARE_WITHIN, sampling_of
from pages import charts
from pages.charts.side_by_side import NOW
from pages.charts.slide import MOST_COLUMNS, Row, Slide, ends, on_one_axis
from pages.experiment.conclusion import GUARANTEE, ORACLE, PROTECTED, SIZE, Compared, conclusion
from pages.experiment.headlines.base import ALONE, MeasuredHeadline
from pages.shared import answer, badges, counted_odds
from pages.shared.escape import unmarked
from pages.state.pins import Stood, differing
from pages.state.view import Shown
from pages.wording.question_words import question

_TOO_FAR = 20.0  # times the widest row's reach: so far apart, dots on one axis would show two columns
_LONGEST, _LONG = 64, 150  # characters of what a scenario is, and of a sentence
_COIN = "A coin guesses 50 in 100."
_APART = " Each row has an axis of its own."
_DOTS = "Each row: 50 equally likely answers around the one without noise (dotted); 95 in 100 lie within ±. " + _COIN
_NO_GUARANTEE = "no guarantee"
_KINDS = ("pure DP", "approximate DP", "random DP")
_NUMBERS = ("epsilon", "gamma", "m", "n", "delta", "confidence")  # by the first of these that differ the rows are sorted


def of(stood: list[Stood]) -> Slide:
    """Of what may be shared of each: no answer of a confidential table's own."""
    some, differ = _sorted(stood), differing(stood)
    labels = dict(zip((one.name for one in stood), differ.each or differ.whole, strict=True))
    shared, dots = _dots(some)
    rows = tuple(_row(one, _called(one, labels[one.name], short=bool(differ.each)), dots.get(one.name)) for one in some)
    notes = _notes(some, _rows_are(some, len(dots), shared=shared))
    return Slide(
        title=_title([pair for pair in _shown(some) if not _unsafe(pair[1])]),
        says=_says(some),
        rows=rows,
        notes=notes,
        shared=shared,
    )


def _shown(some: list[Stood]) -> list[tuple[Stood, Shown]]:
    return [(one, one.view) for one in some if isinstance(one.view, Shown)]


# In which order they stand.


def _sorted(stood: list[Stood]) -> list[Stood]:
    """By the kinds of their guarantees, then by the numbers that differ; of one question the most accurate last."""
    one_question = len({_asks(view) for _, view in _shown(stood)}) == 1
    differ = [name for name in _NUMBERS if len({getattr(one.scenario, name) for one in stood}) > 1]

    def key(one: Stood) -> tuple[Any, ...]:
        shown = one.view if isinstance(one.view, Shown) else None
        kind = len(_KINDS) if shown is None else _KINDS.index(words.kind(shown.leading.guarantee))
        numbers = tuple(getattr(one.scenario, name) or 0 for name in differ)
        off = _off(shown) if shown is not None and one_question else None
        return (kind * bool(_kinds(stood) > 1), numbers, -(off or 0.0))

    return sorted(stood, key=key)


def _kinds(stood: list[Stood]) -> int:
    return len({words.kind(view.leading.guarantee) for _, view in _shown(stood)})


# What they come to.


def _title(answered: list[tuple[Stood, Shown]]) -> str:
    """The conclusion; of one alone its ±, and where nothing is to be said of several, what differs."""
    if not answered:
        return "No private answer with a guarantee at these choices"
    if len(answered) == 1:
        ((_, view),) = answered
        one = _compared(view, "")
        right = f"{', '.join(filter(None, (one.where, 'a guesser is right')))} {'at most ' * one.bounded}{one.right} in 100"
        return _short(f"{question(view.scenario, view.table)}: {_reach(view)}{f'; {right}' * bool(one.right)}")
    differ = differing([one for one, _ in answered])
    labels = differ.each or [one.name for one, _ in answered]
    compared = [_compared(view, label) for (_, view), label in zip(answered, labels, strict=True)]
    return conclusion(compared, differ.settings, differ.heading) or _short(f"What differs: {differ.heading}")


def _compared(view: Shown, label: str) -> Compared:
    guarantee, scenario = view.leading.guarantee, view.scenario
    random = isinstance(guarantee, RandomDP)
    terms = [(GUARANTEE, _but_epsilon(view)), (PROTECTED, repr((words.trial_of(scenario.adjacency), view.table.unit)))]
    terms += [(ORACLE, repr(scenario.oracle)), (SIZE, f"{scenario.n:,}")] * random
    right = "" if _unsafe(view) else _right(view)
    return Compared(
        label=label,
        terms=tuple(terms),
        asks=_asks(view),
        off=_off(view),
        right=right.removeprefix("at most "),
        bounded=right.startswith("at most "),
        where="where protected" if random else "",
    )


def _asks(view: Shown) -> str:
    """All that its answer without noise hangs on."""
    scenario = view.scenario
    return repr((view.table.name, view.table.digest, scenario.columns, scenario.target, scenario.n))


def _but_epsilon(view: Shown) -> str:
    """The guarantee by its name, without its ε."""
    guarantee = view.leading.guarantee
    return _NO_GUARANTEE if _unsafe(view) else view.promise.replace(f", ε = {guarantee.epsilon:g}", "")


def _unsafe(view: Shown) -> bool:
    """Whether its noise is sampled in a way that no guarantee holds for."""
    return not sampling_of(view.leading.law).exact


def _right(view: Shown) -> str:
    """How often the best guesser is right on the furthest change that is protected, as Explore counts it."""
    edge = view.leading.sensitivity.value
    return counted_odds.said(view.guesser, float(view.guesser.right(edge)))[0]


def _off(view: Shown) -> float | None:
    """Its ±; of several numbers the widest."""
    headline = view.headline
    if not isinstance(headline, MeasuredHeadline) or not headline.short_reach(view.leading):
        return None
    return float(max(headline.reaches(view.leading, SHARE_WITHIN), default=0.0))


# What stands in a row.


def _called(one: Stood, label: str, *, short: bool) -> str:
    """Its letter and what it is; of the one that is shown now that alone, where it tells it apart."""
    name = "" if one.name == NOW and short else one.name
    return _short(": ".join(filter(None, (name, label))), _LONGEST)


def _row(one: Stood, label: str, dots: tuple[Any, str] | None) -> Row:
    if not isinstance(one.view, Shown):
        return Row(label=label, why=_short(one.why))
    view = one.view
    figure, alt = dots or (None, "")
    right = "" if _unsafe(view) else f"a guesser is right {_right(view)} in 100"
    promise = _NO_GUARANTEE if _unsafe(view) else view.promise
    return Row(label=label, promise=promise, reach=_short(_reach(view)), guesser=right, dots=figure, alt=alt)


def _reach(view: Shown) -> str:
    """In one number where there is one; and whether it rests on what is foretold of a confidential table."""
    said = view.headline.short_reach(view.leading) or view.headline.reach(view.leading)
    return said + " (foretold)" * bool(view.headline.rests_on)


def _short(text: str, most: int = _LONG) -> str:
    return shorten(text, most, placeholder=" …")


def _dots(some: list[Stood]) -> tuple[bool, dict[str, tuple[Any, str]]]:
    """Whether all are on one axis, and the fifty dots of each that is one number: in columns as wide as those of the others."""
    drawn = [(one, view) for one, view in _shown(some) if one.dots is not None]
    if not drawn:
        return True, {}
    reach = {one.name: ends(one.dots[0]) for one, _ in drawn if one.dots is not None}
    half = {name: (high - low) / 2 for name, (low, high) in reach.items()}
    span = max(high for _, high in reach.values()) - min(low for low, _ in reach.values())
    shared = len({_measured(one) for one, _ in drawn}) == 1 and span <= 2 * _TOO_FAR * max(half.values())
    found: dict[str, tuple[Any, str]] = {}
    for one, view in drawn:
        columns = max(1.0, MOST_COLUMNS * (half[one.name] / (span / 2) if shared else 1.0))
        made = charts.as_dots(view.headline, view.leading, _off(view) or 0.0, columns)
        assert made is not None
        found[one.name] = made
    if shared:
        figures = on_one_axis([figure for figure, _ in found.values()])
        found = {name: (figure, alt) for figure, (name, (_, alt)) in zip(figures, found.items(), strict=True)}
    return shared, found


def _measured(one: Stood) -> tuple[str, ...]:
    """What its axis shows: numbers without a unit can be laid beside others of the same question alone."""
    return (one.unit, "" if one.unit else repr((one.scenario.table, one.scenario.columns, one.scenario.target)))


# What stands above and below the rows.


def _says(some: list[Stood]) -> tuple[str, ...]:
    """Of what it is, where all ask the same; and that it is no table of anybody's, where it is made up."""
    answered = _shown(some)
    asked = {question(one.scenario, one.view.table) for one in some if one.view is not None}
    simulated = [one.name for one, view in answered if view.headline.exact.simulated]
    made_up = charts.NOT_YOUR_DATA if len(simulated) == len(answered) else f"Made-up tables: {', '.join(simulated)}"
    same = _short(asked.pop()) if len(asked) == 1 else ""
    return tuple(filter(None, (same, made_up if simulated else "")))


def _rows_are(some: list[Stood], dots: int, *, shared: bool) -> tuple[str, ...]:
    """What is drawn in a row, or what its ± is."""
    if dots:
        return (_DOTS + _APART * (not shared),)
    widths = [view for _, view in _shown(some) if _off(view) is not None]
    alone = any(len(view.headline.answer.labels) > 1 for view in widths)
    return (f"95 in 100 answers lie within ±{ALONE * alone}. {_COIN}",) if widths else ()


def _notes(some: list[Stood], rows_are: tuple[str, ...]) -> tuple[str, ...]:
    """What the rows are, what is not protected in each, and what all was made from."""
    found: dict[str, dict[str, None]] = {}
    for _, view in _shown(some):
        found.setdefault(_left_out(view), {})[_but_epsilon(view)] = None
    limits = list(found) if len(found) == 1 else [f"{'; '.join(names)}. {said}" for said, names in found.items()]
    made_from = {badges.of_chart(view.table) for _, view in _shown(some)}
    return (*rows_are, *limits, "; ".join(sorted(made_from)))


def _left_out(view: Shown) -> str:
    if _unsafe(view):
        return "No guarantee: only noise that is sampled exactly has one."
    if isinstance(view.leading.guarantee, RandomDP):
        said = replace(answer.Said.of(view), such_as="")
        return f"{unmarked(answer.unprotected(view, said))} Differential privacy protects every change; this is weaker."
    slip = "" if isinstance(view.leading.guarantee, PureDP) else ", but for δ"
    return f"No change is left out{slip}: the noise is sized to the worst case over all tables."
