"""What a scenario asks, in a few words."""

from __future__ import annotations

from typing import Any

from dpcore.base.facts import facts
from dpcore.base.types import asked_together, takes_fields
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import figure
from dpcore.ledger.spending import Spent
from dpcore.targets.on import unasked
from pages.experiment import defaults
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table

# What a budget lacks for one more release, in a sentence.


_SYMBOLS = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}


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
    left = max(0.0, most - getattr(before, name))
    averaged = " on average over the draws" if of_gamma and after.confidence is not None else ""
    return (
        f"This needs {symbol} = {figure(needed)}{averaged}; {figure(left)} is left of the budget's {figure(most)}. Nothing is "
        "drawn or charged. Raise the budget, or ask for less."
    )


# What is said of an answer whose guarantee does not hold, or holds by a word alone.


NO_GUARANTEE = (
    "No guarantee covers this answer. It was asked after an earlier answer about the same table, which may have led to it."
)
BY_WORD = (
    "This holds by its holder's word alone: that it was fixed before the first answer about the table. Nothing shows that where "
    "a plan came from a file, or where the server forgot answers."
)


def would_hold(alone: RandomDP, *, fitted: bool) -> str:
    """Of what a guarantee would hold that does not hold of this table (mathematics, section 4.5; 7.3 of a fit)."""
    if fitted:
        return (
            f"Its oracle is a private fit, made of such an answer. The guarantee ({words.name(alone)}) is about another "
            "table, drawn from that fit, and says nothing of this one."
        )
    return f"The guarantee ({words.name(alone)}) would hold had it been chosen without the earlier answers."


def question(scenario: Scenario, table: Table) -> str:
    """What was asked, in a few words: "Mean of cost, where sex is F, by ward"; of several together, the first of them."""
    if asked_together(scenario.target):
        first, *rest = questions(scenario, table)
        return f"{first}, and {len(rest):,} more" if len(rest) > 1 else " and ".join((first, *rest))
    return question_of(scenario.target, scenario.columns, table)


def question_of(whole: Any, names: tuple[str, ...], table: Table) -> str:
    """The same of a target that is asked of these columns."""
    target, own = unasked(whole, names)
    columns = tuple(table.column(name) for name in own)
    what = _asked_of(target, columns)
    if facts(whole).asks is not None:  # of people, who may be asked for a setting of the question first
        asked: str = whole.asks(what, table.columns)
        return f"{asked[:1].upper()}{asked[1:]}"
    return ", ".join(filter(None, (what, whole.words(table.columns) if takes_fields(whole) else "")))


def questions(scenario: Scenario, table: Table) -> tuple[str, ...]:
    """What was asked, each of several together in a few words."""
    together: Any = asked_together(scenario.target)
    return tuple(question_of(part, part.fields, table) for part in together) or (question(scenario, table),)


def _asked_of(target: Any, columns: tuple[Column, ...]) -> str:
    """As the target has it, else its name and the columns'."""
    own = facts(target).asked_of
    if own is not None:
        return str(own(columns))
    which = f" {target.named_by:g}" if facts(target).named_by is not None else ""
    named = facts(target).named or f"{defaults.title(defaults.kind_of(target))}{which}"
    return f"{named} of {', '.join(column.label or column.name for column in columns)}"
