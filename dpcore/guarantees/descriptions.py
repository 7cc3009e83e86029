"""Guarantees in sentences, and numbers for people: pages, reports and README use the same words."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from dpcore.guarantees.operating_points import exact
from dpcore.guarantees.privacy import ROW, Adjacency, ApproxDP, Guarantee, PureDP, RandomDP, Unit


def figure(value: float) -> str:
    """Return a number with three significant digits: 0.0123, 1,230, 1.23e-07."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "not a number"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        rounded = float(f"{value:.3g}")
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"
    return f"{value:.3g}"


def percent(value: float) -> str:
    """Return a share as a percentage of up to three digits: 5 %, 0.1 %. A share below 1 is never 100 %."""
    text = f"{value * 100:.3g}"
    return "over 99.9 %" if text == "100" and value < 1 else f"{text} %"


def kind(guarantee: Guarantee) -> str:
    """Return the name of the kind of guarantee."""
    if isinstance(guarantee, PureDP):
        return "pure DP"
    return "approximate DP" if isinstance(guarantee, ApproxDP) else "random DP"


def name(guarantee: Guarantee) -> str:
    """Return the guarantee with its parameters, in a few words."""
    text = f"{kind(guarantee)}, ε = {guarantee.epsilon:g}"
    if isinstance(guarantee, PureDP):
        return text
    if isinstance(guarantee, ApproxDP):
        return f"{text}, δ = {guarantee.delta:g}"
    delta = f", δ = {guarantee.delta:g}" if guarantee.delta else ""
    confidence = f", confidence {guarantee.confidence:g}" if guarantee.confidence is not None else ""
    return f"{text}{delta}, γ = {guarantee.gamma:g}{confidence}"


def guess(guarantee: Guarantee) -> str:
    """Return how often an attacker is right, at most, who guesses from a response which of two records is in the table.

    Both are equally likely beforehand, and the attacker may know all other records. Let R be the responses at which the attacker
    guesses the first, with probability a if it is in the table and b otherwise. Then a <= e^ε·b + δ and 1 − b <= e^ε·(1 − a) + δ,
    so a − b <= (e^ε − 1 + 2δ)/(e^ε + 1), and the guess is right with probability

        (1 + a − b)/2 <= (e^ε + δ)/(e^ε + 1)                                          (Kairouz, Oh & Viswanath 2015).

    Under random DP this holds on the pairs that are protected. The percentage is rounded up.
    """
    delta = 0.0 if isinstance(guarantee, PureDP) else guarantee.delta
    right = (1 + delta * math.exp(-guarantee.epsilon)) / (1 + math.exp(-guarantee.epsilon))
    return f"at most {min(100, math.ceil(100 * right))}% of the time"


_CHANGE = {
    Adjacency.REPLACE_ONE_RECORD: "replacing one row",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "adding or removing one row",
    Adjacency.REPLACE_ONE_USER: "replacing one person, with all rows of that person,",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "adding or removing one person, with all rows of that person,",
}


_UNITS = {
    Adjacency.REPLACE_ONE_RECORD: ("a row", "rows", "row changed", "which of two rows was in the table"),
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: ("a row", "rows", "row left out", "whether a row was in the table"),
    Adjacency.REPLACE_ONE_USER: ("a person", "people", "person replaced", "which of two people was in the table"),
    Adjacency.ADD_OR_REMOVE_ONE_USER: ("a person", "people", "person left out", "whether somebody was in the table"),
}


def unit_of(adjacency: Adjacency) -> str:
    """Return the unit that a guarantee protects: "a person"."""
    return _UNITS[adjacency][0]


def counted_in(adjacency: Adjacency) -> str:
    """Return the units that n counts: "rows"."""
    return _UNITS[adjacency][1]


def trial_of(adjacency: Adjacency) -> str:
    """Return the difference of a pair's second table: "one row changed"."""
    return f"one {_UNITS[adjacency][2]}"


def guessed(adjacency: Adjacency) -> str:
    """Return the attacker's question: "which of two rows was in the table"."""
    return _UNITS[adjacency][3]


def right_in_100(right: float, *, exact: bool) -> int:
    """Return a percentage of right guesses: rounded, at most 99, because noise is never certain; a bound is rounded up."""
    return min(99, round(100 * right)) if exact else min(100, math.ceil(100 * right - 1e-9))


def sentence(guarantee: Guarantee, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD, unit: Unit | None = None) -> str:
    """Return a guarantee in full: its inequality, the tables on which it holds, and the changes that it does not protect.

    Args:
        guarantee: The guarantee.
        adjacency: The neighbours.
        unit: If given, a record is called by its name, which comes from outside: escape the sentence on pages.
    """
    slip = f", plus δ = {guarantee.delta:g}," if not isinstance(guarantee, PureDP) and guarantee.delta else ""
    changes = (
        f"{_change(adjacency, unit)} changes the probability of any set of answers by at most a factor of "
        f"exp(ε) = {figure(_factor(guarantee.epsilon))}{slip}"
    )
    title = name(guarantee)[0].upper() + name(guarantee)[1:]
    if not isinstance(guarantee, RandomDP):
        return f"{title}: whatever the table, {changes.rstrip(',')}."
    covered = _all_but(exact(guarantee.gamma))
    if guarantee.confidence is None:
        where = f"with probability at least {covered}, over a random pair of tables from the oracle and over the sampler's draws"
        average = "This share is an average over the draws, and one run can leave out more. It"
    else:
        certain = sure(guarantee.confidence)
        where = (
            f"with confidence {certain} over the sampler's draws, on at least {covered} of random pairs of tables from the oracle"
        )
        average = "This"
    return (
        f"{title}: {changes} {where}. Of random changes like these, drawn from the oracle, up to {_share(guarantee.gamma)} is "
        f"not protected: those that involve unusual {counted_in(adjacency)}. {average} is not a share of people: in the table "
        "itself it can be nobody, or more. Differential privacy leaves no change out. So random DP is weaker than differential "
        "privacy."
    )


def sure(confidence: float) -> str:
    """Return a confidence, rounded down: 95 %."""
    return _all_but(1 - exact(confidence))


def protects(unit: Unit, guarantee: Guarantee, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> str:
    """Return the protected unit and the unprotected changes; escape the unit's name on pages."""
    return f"{protected(unit, guarantee, adjacency)} {unprotected(guarantee, adjacency)}".rstrip()


def protected(unit: Unit, guarantee: Guarantee, adjacency: Adjacency) -> str:
    """Return the protected unit, with statements of the data owner that are not verified.

    Pure and approximate DP protect k rows of a person by k changes of one row: P <= exp(kε) P' + δ Σ exp(jε) over j < k, which is
    at most k exp((k − 1)ε) δ. Random DP has no such group privacy: its pairs differ in one record.
    """
    if not adjacency.of_records:
        return f"One person is protected, with all rows of that person. {_WHOSE}"
    if not unit.answered:
        return "It was not said whether one person can have several rows: only one row is protected."
    if unit.several is None:
        return f"O{_one_unit(unit)[1:]} is protected. The data owner states that the rows are not about people (not verified)."
    if unit.several:
        return f"O{_one_unit(unit)[1:]} is protected, not one person. {_of_several(guarantee)}"
    return "One person's row is protected. The data owner states that one person has one row (not verified)."


def unprotected(guarantee: Guarantee, adjacency: Adjacency) -> str:
    """Return which changes random DP does not protect; empty for the others, which protect all."""
    if not isinstance(guarantee, RandomDP):
        return ""
    average = " on average" if guarantee.confidence is None else ""
    changes = "of a row" if adjacency.of_records else "of a person"
    left = _share(guarantee.gamma)
    share = f"Random DP leaves up to {left} of changes {changes}, drawn from the oracle, unprotected{average}."
    return f"{share} This is not a share of the people in the table."


_WHOSE = "The data owner states that one column names the person of each row (not verified)."


def _of_several(guarantee: Guarantee) -> str:
    if isinstance(guarantee, RandomDP):
        return "Nothing is promised for all rows of one person together."
    slip = ", and at up to k·exp((k − 1)ε) times δ" * isinstance(guarantee, ApproxDP)
    return f"A person with several rows is less protected: with k of them, at up to k times ε{slip}."


def _change(adjacency: Adjacency, unit: Unit | None) -> str:
    if unit is None or not adjacency.of_records:
        return _CHANGE[adjacency]
    return f"{'adding or removing' if adjacency.removes else 'replacing'} {_one_unit(unit)}"


def _one_unit(unit: Unit) -> str:
    return f"one {ROW}" if unit.name == ROW else f"one {unit.name} (one {ROW})"


def _share(value: float) -> str:
    """Return a share that is not protected: 1 in 20, otherwise a percentage of three digits, rounded up."""
    share = exact(value)
    return f"1 in {share.denominator:,}" if share.numerator == 1 else f"{_rounded_up(share):f} %"


def _all_but(share: Fraction) -> str:
    """Return what a share leaves, rounded down."""
    return f"{_plain(100 - _rounded_up(share)):f} %"


def _rounded_up(share: Fraction) -> Decimal:
    """Return a share in per cent, with three digits."""
    percentage = 100 * share
    up = Context(prec=3, rounding=ROUND_CEILING)
    return _plain(up.divide(Decimal(percentage.numerator), Decimal(percentage.denominator)))


def _plain(number: Decimal) -> Decimal:
    """Return a number without zeros at its end; never 1E+2."""
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize()


def _factor(epsilon: float) -> float:
    return math.exp(epsilon) if epsilon < 700 else math.inf
