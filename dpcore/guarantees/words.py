"""A guarantee in a sentence, and numbers for people: pages, reports and README say the same."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.tolerance import exact
from dpcore.guarantees.unit import ROW, Unit


def figure(value: float) -> str:
    """Three significant digits: 0.0123, 1,230, 1.23e-07."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "not a number"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        rounded = float(f"{value:.3g}")
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"
    return f"{value:.3g}"


def percent(value: float) -> str:
    """A share as a percentage of up to three digits: 5 %, 0.1 %. What is less than all never reads 100 %."""
    text = f"{value * 100:.3g}"
    return "over 99.9 %" if text == "100" and value < 1 else f"{text} %"


def kind(guarantee: Guarantee) -> str:
    """Which of the three it is."""
    if isinstance(guarantee, PureDP):
        return "pure DP"
    return "approximate DP" if isinstance(guarantee, ApproxDP) else "random DP"


def name(guarantee: Guarantee) -> str:
    """The guarantee with its parameters, in a few words."""
    text = f"{kind(guarantee)}, ε = {guarantee.epsilon:g}"
    if isinstance(guarantee, PureDP):
        return text
    if isinstance(guarantee, ApproxDP):
        return f"{text}, δ = {guarantee.delta:g}"
    delta = f", δ = {guarantee.delta:g}" if guarantee.delta else ""
    confidence = f", confidence {guarantee.confidence:g}" if guarantee.confidence is not None else ""
    return f"{text}{delta}, γ = {guarantee.gamma:g}{confidence}"


def guess(guarantee: Guarantee) -> str:
    """How often somebody is right, at most, who must tell from a response which of two records it was made with.

    Each of the two is as likely as the other beforehand, and all other records may be known. Let R be the responses at which
    one of them is guessed, a its probability with that record and b with the other. Then a <= e^ε·b + δ and 1 − b <= e^ε·(1 − a)
    + δ, so that a − b <= (e^ε − 1 + 2δ)/(e^ε + 1), and the guess is right with probability

        (1 + a − b)/2 <= (e^ε + δ)/(e^ε + 1)                                          (Kairouz, Oh & Viswanath 2015).

    Under random DP this is so on the pairs that are protected. A hundredth is rounded up.
    """
    delta = 0.0 if isinstance(guarantee, PureDP) else guarantee.delta
    right = (1 + delta * math.exp(-guarantee.epsilon)) / (1 + math.exp(-guarantee.epsilon))
    return f"at most {min(100, math.ceil(100 * right))} times in 100"


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
_DONE = {
    Adjacency.REPLACE_ONE_RECORD: "changed one row",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "left one row out",
    Adjacency.REPLACE_ONE_USER: "replaced one person",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "left one person out",
}


def unit_of(adjacency: Adjacency) -> str:
    """What a guarantee protects one of: "a person"."""
    return _UNITS[adjacency][0]


def counted_in(adjacency: Adjacency) -> str:
    """What n counts: "rows"."""
    return _UNITS[adjacency][1]


def trial_of(adjacency: Adjacency) -> str:
    """What a trial's second table is: "one row changed"."""
    return f"one {_UNITS[adjacency][2]}"


def tried(adjacency: Adjacency) -> str:
    """What was done to each made-up table: "changed one row"."""
    return _DONE[adjacency]


def guessed(adjacency: Adjacency) -> str:
    """What somebody might guess from an answer: "which of two rows was in the table"."""
    return _UNITS[adjacency][3]


_IN = {
    Adjacency.REPLACE_ONE_RECORD: ("your row is in", "another row stands in its place"),
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: ("your row is in", "your row is not in"),
    Adjacency.REPLACE_ONE_USER: ("you are in with your rows", "another person stands in your place"),
    Adjacency.ADD_OR_REMOVE_ONE_USER: ("you are in with your rows", "you are not in"),
}


_NOBODYS = {
    Adjacency.REPLACE_ONE_RECORD: ("this row is in", "another row stands in its place"),
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: ("this row is in", "this row is not in"),
}


def in_or_not(adjacency: Adjacency, unit: Unit) -> tuple[str, str]:
    """The two neighbours, as one says it to whom they differ in: "your row is in", "another row stands in its place". A row
    that is not about a person is nobody's."""
    return (_NOBODYS if _of_no_person(adjacency, unit) else _IN)[adjacency]


def whose_side(adjacency: Adjacency, unit: Unit) -> str:
    """On whose side a possible answer lies that speaks for the first of the two neighbours."""
    return "this row's side" if _of_no_person(adjacency, unit) else "your side"


def _of_no_person(adjacency: Adjacency, unit: Unit) -> bool:
    return unit.of_no_person and adjacency.of_records


def right_in_100(right: float, *, exact: bool) -> int:
    """How many times in 100 a guesser is right: rounded, but to 99 at most, since noise never tells for sure; a bound up."""
    return min(99, round(100 * right)) if exact else min(100, math.ceil(100 * right - 1e-9))


def sentence(guarantee: Guarantee, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD, unit: Unit | None = None) -> str:
    """What is promised, on which tables, and what is not; with a ``unit``, a replaced record goes by its name.

    A unit's name comes from outside: a page escapes the sentence.
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
        f"not protected: those that involve unusual {counted_in(adjacency)}. {average} is no count of people: in the table "
        "itself it can be nobody, or more. Differential privacy leaves no change out. So random DP is weaker than differential "
        "privacy."
    )


def left_out(guarantee: RandomDP, share: str = "") -> str:
    """How large the share without a promise is: γ is an average over the draws, unless there is a confidence. ``share``: as it
    is written, in place of γ."""
    return f"up to {share or _share(guarantee.gamma)}{' on average' * (guarantee.confidence is None)}"


def sure(confidence: float) -> str:
    """A confidence, rounded down: 95 %."""
    return _all_but(1 - exact(confidence))


def at_most(share: float) -> str:
    """A share without a promise, rounded up: 1 in 20, 6.52 %; "100 %" from where three digits say so."""
    return "100 %" if share >= 1 else _share(share)


def protects(unit: Unit, guarantee: Guarantee, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> str:
    """What a guarantee protects, and what it does not, as the table's holder answered: one record, or one person.

    A unit's name comes from outside: a page escapes the sentence.
    """
    return f"{protected(unit, guarantee, adjacency)} {unprotected(guarantee, adjacency)}".rstrip()


def protected(unit: Unit, guarantee: Guarantee, adjacency: Adjacency) -> str:
    """What is protected, and by whose word.

    Pure and approximate DP follow a person through k rows by k changes of one row: P <= exp(kε) P' + δ Σ exp(jε) over
    j < k, which is at most k exp((k − 1)ε) δ. Random DP has no such group privacy: its pairs differ in one record.
    """
    if not adjacency.of_records:
        return f"One person is protected, with all rows of that person. {_WHOSE}"
    if not unit.answered:
        return "It was not said whether one person can have several rows: only one row is protected."
    if unit.several is None:
        return f"O{_one_unit(unit)[1:]} is protected. By the word of the table's holder, the rows are not about persons."
    if unit.several:
        return f"O{_one_unit(unit)[1:]} is protected, not one person. {_of_several(guarantee)}"
    return "One person's row is protected. This takes the word of the table's holder that one person has one row."


def unprotected(guarantee: Guarantee, adjacency: Adjacency) -> str:
    """Which changes random DP leaves out; empty of the others, which leave out none."""
    if not isinstance(guarantee, RandomDP):
        return ""
    average = " on average" if guarantee.confidence is None else ""
    changes = "of a row" if adjacency.of_records else "of a person"
    left = _share(guarantee.gamma)
    share = f"Random DP leaves up to {left} of changes {changes}, drawn from the oracle, unprotected{average}."
    return f"{share} That is no count of people."


_WHOSE = "This takes the word of the table's holder that one column says whose each row is."


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
    """A share without a promise: 1 in 20, else a percentage of three digits, rounded up."""
    share = exact(value)
    return f"1 in {share.denominator:,}" if share.numerator == 1 else f"{_rounded_up(share):f} %"


def _all_but(share: Fraction) -> str:
    """What a share leaves, rounded down."""
    return f"{_plain(100 - _rounded_up(share)):f} %"


def _rounded_up(share: Fraction) -> Decimal:
    """In per cent."""
    percentage = 100 * share
    up = Context(prec=3, rounding=ROUND_CEILING)
    return _plain(up.divide(Decimal(percentage.numerator), Decimal(percentage.denominator)))


def _plain(number: Decimal) -> Decimal:
    """Without zeros at its end; never 1E+2."""
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize()


def _factor(epsilon: float) -> float:
    return math.exp(epsilon) if epsilon < 700 else math.inf
