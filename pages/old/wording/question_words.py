"""What a scenario asks, in a few words; and its target and its oracle in full."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass, replace
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.quoted import quoted
from dpcore.base.types import draws_people, takes_codes, takes_fields
from dpcore.guarantees.privacy import Guarantee
from dpcore.guarantees.words import figure, percent
from dpcore.ledger.spending import Spent
from dpcore.targets.on import unasked
from pages.experiment import choices as defaults
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from pages.old.wording.values import kind_words, name_words, number, small

# What a budget lacks for one more release, in a sentence.


_SYMBOLS = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}


def left_of(budget: Guarantee, what: str, spent: Spent) -> float:
    """How much of the budget's "epsilon", "delta" or "gamma" is not spent: of γ as it is averaged over the draws."""
    return max(0.0, float(getattr(budget, what) - getattr(spent, "joint_gamma" if what == "gamma" else what)))


def ran_out(what: str, budget: Guarantee, before: Spent, after: Spent) -> str:
    """Which number ran out, how much is needed and how much is left."""
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


def question(scenario: Scenario, table: Table) -> str:
    """What was asked, in a few words: "Mean of cost, where sex is F, by ward"."""
    return question_of(scenario.target, scenario.columns, table)


def question_of(whole: Any, names: tuple[str, ...], table: Table) -> str:
    """The same of a target that is asked of these columns; of one that is asked of blocks what that is, and of how many."""
    if facts(whole).said_around is not None:
        return f"{question_of(whole.target, names, table)}, median of {whole.k:,} blocks"
    target, own = unasked(whole, names)
    inner = facts(facts(whole).question or whole)
    grouped = inner.by
    told = {condition.column for condition in inner.where} | ({grouped.column} if grouped else set())
    # a row that a condition holds of, or that is in a group, has a value there: that it is known need not be said
    columns = tuple(replace(table.column(name), missing="") if name in told else table.column(name) for name in own)
    what = _asked_of(target, columns, *((facts(target).once,) if facts(whole).each_once else ()))
    if facts(whole).asks is not None:  # of people, who may be asked for a setting of the question first
        asked: str = whole.asks(what, table.columns)
        return f"{asked[:1].upper()}{asked[1:]}"
    return ", ".join(filter(None, (what, whole.words(table.columns) if takes_fields(whole) else "")))


def _asked_of(target: Any, columns: tuple[Column, ...], *called: str) -> str:
    """As the target has it, or as it is called here; else its name and the columns'."""
    own = facts(target).asked_of
    if own is not None:
        return str(own(columns, *called))
    which = f" {target.named_by:g}" if facts(target).named_by is not None else ""
    named = facts(target).named or f"{defaults.title(defaults.kind_of(target))}{which}"
    return f"{named} of {', '.join(map(_called, columns))}"


def _called(column: Column) -> str:
    return column.label or column.name


# A target or an oracle in words, made of its fields' labels: "the mean of income, between 0 and 40".


_CATALOGUED = ("dpcore.targets.", "dpcore.oracles.", "dpcore.curves.", "dpcore.mechanisms.", "pages.experiment.scenario")
_INNER = ("curve", "oracle", "rows", "columns", "question")  # members within members, which have words of their own
_MOST_ITEMS = 12
_DIVISORS = {0: "divided by n", 1: "divided by n − 1"}


def target_words(target: Any, columns: tuple[Column, ...]) -> str:
    """The target of these columns, with its public settings: no two settings read alike, up to twelve of a list."""
    of = {column.name: column for column in columns}
    if facts(target).said_around is not None and _known(target):
        return str(target.said_around(target_words(target.target, columns)))
    if takes_fields(target) and facts(target).said_of is None:
        its = tuple(of.get(name, Column(name)) for name in target.columns)
        once = small(facts(target.target).once) if facts(target).each_once else ""
        what = f"the {once} with a value of {_listed(tuple(map(_called, its)))}" if once else target_words(target.target, its)
        asks = facts(target).asks  # of people, who may be asked for a setting of the question first
        return ", ".join(filter(None, (what, target.words(columns)))) if asks is None else str(asks(what, columns, full=True))
    names = tuple(map(_called, columns))
    if not _known(target):
        return f"a function of its own of {_listed(names)}"
    made = facts(target).curve or target
    if not _known(made):
        return f"a curve of its own of {_listed(names)}"
    if facts(made).said_of is not None:
        return str(made.said_of(columns))
    noun = small(facts(made).named) or kind_words(type(made).__name__)
    settings = [*_settings(made, names), *(_settings(target, names) if made is not target else [])]
    own = [text for text in settings if f"{text} ".startswith(f"{noun} ")]  # as "quantile 0.9": a number that belongs to its noun
    return ", ".join([f"the {own[0] if own else noun} of {_listed(names)}", *(text for text in settings if text not in own)])


def oracle_words(oracle: Any) -> str:
    """The oracle with its public parameters."""
    if not _known(oracle):
        return "an oracle of its own"
    parts = facts(oracle).columns
    if isinstance(parts, tuple) and parts:
        names = (f"{quoted(name)} " for name in oracle.names) if oracle.names else repeat("")
        its = "; and ".join(name + oracle_words(part) for name, part in zip(names, parts, strict=False))
        return f"{_people(oracle)}: {its}" if draws_people(oracle) else f"independent columns: {its}"
    if groups := facts(oracle).parts:
        each = zip(groups, oracle.weights, strict=True)
        return "a mixture: " + "; ".join(f"{percent(weight)} {oracle_words(part)}" for part, weight in each)
    inner = facts(oracle).oracle
    noun = kind_words(type(oracle).__name__) if inner is None else oracle_words(inner)
    return ", ".join([noun, *_settings(oracle, ())])


def _people(oracle: Any) -> str:
    """How many rows they have, and how these hang together."""
    settings = [text for text in _settings(oracle, ()) if not text.startswith(("names", "person"))]
    return f"people with several rows; rows a person: {oracle_words(oracle.rows)}, rounded up; {', '.join(settings)}; each row"


def _known(value: Any) -> bool:
    return is_dataclass(value) and type(value).__module__.startswith(_CATALOGUED)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def _settings(member: Any, names: tuple[str, ...]) -> list[str]:
    """One phrase a field; those that are not given, and defaults that have no label, are left out."""
    found = [(field, getattr(member, field.name)) for field in fields(member) if field.init and field.name not in _INNER]
    counts: tuple[int, ...] = member.categories if takes_codes(member) else ()
    if counts:
        bounds = next(field for field, _ in found if field.name == "x_bounds")
        found = [(field, value) for field, value in found if field.name not in ("x_bounds", "categories")]
        first = [_of_features(bounds, member.x_bounds, counts, names)]
    else:
        first = []
    return first + [_setting(field, value, names) for field, value in found if value is not None and not _silent(field, value)]


def _of_features(field: Field[Any], bounds: tuple[Any, ...], counts: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Between which bounds each feature lies, or of how many categories it is."""
    each = zip(bounds, counts, names or ("a column",) * len(counts), strict=False)
    return ", ".join(
        f"{name} of {counted(count, ' categories')}" if count else _between(field, pair, (name,)) for pair, count, name in each
    )


def _silent(field: Field[Any], value: Any) -> bool:
    if isinstance(value, np.ndarray) or field.name == "ddof":
        return False
    named = "label" in field.metadata or "bounds" in field.name
    return not named and field.default is not MISSING and value == field.default


def _setting(field: Field[Any], value: Any, names: tuple[str, ...]) -> str:
    name = field.name
    if isinstance(value, np.ndarray):
        return f"from {counted(f'{len(value):,}', ' public rows')}"
    if name == "ddof":
        return _DIVISORS[value]
    if name == "longest":
        return f"at most {counted(f'{value:,}', ' letters')} of a row"
    if name == "alphabet":
        return _letters(value)
    if name.endswith("bounds") or name in ("interval", "clip"):
        return _between(field, value, names)
    label = field.metadata.get("label", "")
    name = small(label) if len(label) > 1 else name_words(name)  # a label of one letter is a formula's
    if name[-1:].isdigit():
        name += ":"
    if isinstance(value, bool):
        return f"{name}: {'yes' if value else 'no'}"
    if isinstance(value, tuple):
        return f"{name} {_list(value)}"
    return f"{name} {quoted(value) if isinstance(value, str) else number(value)}"


def _between(field: Field[Any], value: Any, names: tuple[str, ...]) -> str:
    """One interval, or one a column: the first columns are meant, and ``y_bounds`` is of the last."""
    if not isinstance(value[0], tuple):
        if names and field.name in ("x_bounds", "y_bounds"):
            whose = f"{names[-1 if field.name == 'y_bounds' else 0]} "
        else:
            whose = f"{small(field.metadata['label'])} " if field.name in ("x_bounds", "y_bounds") else ""
        return f"{whose}between {number(value[0])} and {number(value[1])}"
    whose_all = [names[i] if i < len(names) else f"column {i + 1}" for i in range(len(value))]
    pairs = zip(whose_all, value, strict=True)
    return ", ".join(f"{whose} between {number(low)} and {number(high)}" for whose, (low, high) in pairs)


def _list(values: tuple[Any, ...]) -> str:
    shown = [quoted(item) if isinstance(item, str) else number(item).replace(",", "") for item in values[:_MOST_ITEMS]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more up to {number(values[-1])}" if more and not isinstance(values[-1], str) else "")


def _letters(alphabet: str) -> str:
    run = len(alphabet) > 3 and all(ord(b) == ord(a) + 1 for a, b in pairwise(alphabet))
    return f"letters {alphabet[0]} to {alphabet[-1]}" if run else f"letters {quoted(alphabet)}"
