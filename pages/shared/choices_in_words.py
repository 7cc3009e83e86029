"""What can be chosen privately of a question, in the words of the sections that offer it, and what a choice would do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import Oracle
from dpcore.guarantees import words as guarantees
from pages.charts.people.choices import NEARLY_ALL, shown
from pages.experiment.contributions.private_choice import MOST_PEOPLE, PrivateChoice, rows_that_count
from pages.experiment.scenario import Scenario, TableRecords
from pages.state.choosing import THE_BOUND

_LIKELY = 0.2  # a chance below it is no advice


@final
@dataclass(frozen=True, kw_only=True)
class Chosen:
    """What is chosen, in the words of a section. ``key``: of its controls. ``of``: what is made up to try it on.
    ``switch``: it among others. ``without``: what would be without a penalty."""

    key: str
    title: str
    symbol: str
    what: str
    without: str
    penalty_in: str
    switch: str = ""
    of: str = "people"


ROWS = Chosen(
    key="choose_rows",
    title="Choose s without looking at the table",
    symbol="s",
    what="how many rows of each person count",
    without="Without a penalty, all caps above the largest number of rows would score the same.",
    penalty_in="people",
    switch="How many rows count, s",
)
BOUND = Chosen(
    key=THE_BOUND,
    title="Choose the upper bound without looking",
    symbol="the upper bound",
    what="up to which value rows count: a larger value counts as this bound",
    without="Without a penalty, all bounds above the largest value would score the same.",
    penalty_in="rows",
    switch="Up to which value a row counts",
)
BOUNDS = Chosen(
    key="choose_bounds",
    title="Nobody can state narrow bounds? Choose them privately",
    symbol="the bound",
    what="up to which bound values count: one that lies further out counts as the bound",
    without="Without a penalty, all bounds beyond the furthest value would score the same.",
    penalty_in="rows",
    of="rows",
)
TOTAL = Chosen(
    key="choose_total",
    title="Choose the limit of a total without looking",
    symbol="the limit B",
    what="up to where each person's total counts: a larger total counts as this limit",
    without="Without a penalty, all limits above the largest total would score the same.",
    penalty_in="people",
)


def hardly_seen(words: Chosen, choice: Scenario, oracle: Oracle) -> str:
    """That a choice of an upper bound hardly sees the values; empty where the rows outweigh penalty and chance together.

    That is where Σ min(s, N_u) > penalty·log(U_k/U_1) + (2s/ε₁)·log k. The right side is how far the penalty sets the first of
    k bounds above the last, and how far chance lifts the best of k equal ones (mathematics, section 15.4); of records s = 1. The
    rows are those of people or records drawn from the oracle, as many as n: nothing of the table.
    """
    target: Any = choice.target
    drawn = rows_that_count(choice, oracle)
    s = facts(target).rows or 1
    rows = float(np.minimum(drawn.rows_a_person, s).sum()) * choice.n / min(choice.n, MOST_PEOPLE)
    chance = 2 * s / choice.epsilon * math.log(len(target.candidates))
    if rows > target.most_penalty + chance:
        return ""
    weigh, count = (f"{float(f'{number:.3g}'):,.0f}" for number in (target.most_penalty + chance, rows))  # in three digits
    smaller = "Take a larger smallest bound" if words is BOUNDS else "Take a smaller s"
    return (
        f"**This choice hardly sees the values.** Penalty and chance weigh as much as {counted(weigh, f' {words.penalty_in}')} "
        f"here, and the {words.of} that it was tried on have {count} that count. A bound that is far too small can then come up "
        f"often, whatever the values are. {smaller}, a larger ε of the choice, or a smaller penalty. If it is publicly known how "
        "large the values get, declare that bound and leave the choice out."
    )


def numbers(words: Chosen, tried: PrivateChoice, choice: Scenario, scenario: Scenario) -> str:
    """What is chosen most often, and how much larger the error is than with the best one."""
    settled: Any = choice.target
    penalty = counted(guarantees.figure(settled.penalty), f" {words.penalty_in}")
    real = "If real values lie in another way" if words is BOUNDS else "If real people bring their rows in another way"
    return (
        f"{_tried_on(words, choice)} {_likeliest(words, tried, choice)} With what is chosen, **the answer's error "
        f"is {_times(tried.regret)} on average**, and {_times(tried.regret_within(NEARLY_ALL), 'at most ')} in 19 of 20 choices. "
        f"Penalty: {penalty}. {real}, the choice "
        f"can be better or worse than this. {_cost(choice, scenario)}"
    )


def _likeliest(words: Chosen, tried: PrivateChoice, choice: Scenario) -> str:
    """What is chosen most often, where that is often enough to be told; and the best one."""
    likely, best = (shown(tried.candidates[place]) for place in (tried.likeliest, tried.best))
    chance = float(tried.chances.max())
    if chance < _LIKELY:
        tries = "less than one" if chance < 0.01 else f"{chance * 100:.0f}"
        tried_on = f"these {words.of}" if isinstance(choice.oracle, TableRecords) else f"these made-up {words.of}"
        even = f"even the likeliest, {likely}, comes up in {tries} of 100 tries"
        return f"No value is likely: {even}. Best for {tried_on} would be {best}."
    name = words.symbol[:1].upper() + words.symbol[1:] if len(words.symbol) > 1 else words.symbol
    return f"**{name} = {likely} is chosen most often**, in {guarantees.percent(chance)} of choices. The best would be {best}."


def _cost(choice: Scenario, scenario: Scenario) -> str:
    """The sum of both guarantees, ε₁ + ε₂ at the answer's δ, where neither is sized by trials."""
    both = replace(scenario.privacy, epsilon=scenario.epsilon + choice.epsilon)
    return f"Choice and answer together cost {guarantees.name(both)}, if the answer's noise is sized to the worst case."


def _tried_on(words: Chosen, choice: Scenario) -> str:
    """Whose rows they were: made-up people's, or those of a public table, drawn again."""
    number = f"{min(choice.n, MOST_PEOPLE):,}"
    if isinstance(choice.oracle, TableRecords):
        drawn = counted(number, f" {words.of}")
        return f"We tried it on {drawn} of this public table, drawn again: some more than once, some never."
    most = f" We make up no more than {MOST_PEOPLE:,}." if choice.n > MOST_PEOPLE else ""
    return f"We tried it on {counted(number, f' made-up {words.of}')} from the oracle, not on your table.{most}"


def _times(regret: float, most: str = "") -> str:
    """How large the error is, beside that with the best candidate."""
    times = guarantees.figure(1 + regret)
    return f"{most}as large as with the best" if times == "1" else f"{most}{times} times as large as with the best"


ELSEWHERE = (
    "**How good is it, wherever the values lie?** Nobody knows that beforehand, so we also tried it on made-up rows "
    "around each of these values: half of them nearer to 0, and one in forty more than seven times as far out."
)


def by_scale(tried: Mapping[float, PrivateChoice], of_values: str) -> list[dict[str, str]]:
    """A row for each value around which records were made up."""
    return [
        {
            "Values around": _with_unit(scale, of_values),
            "The bound chosen most often": _with_unit(one.candidates[one.likeliest], of_values),
            "The best bound": _with_unit(one.candidates[one.best], of_values),
            "Error, times that of the best": guarantees.figure(1 + one.regret),
            "In 19 of 20 choices at most": guarantees.figure(1 + one.regret_within(NEARLY_ALL)),
        }
        for scale, one in tried.items()
    ]


def _with_unit(value: float, unit: str) -> str:
    return counted(shown(value), f" {unit}" if unit else "")
