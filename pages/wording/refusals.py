"""What a constructor refuses, in a sentence: the setting, what it must be, and what came."""

from __future__ import annotations

import re

from dpcore.errors import InvalidValueError
from pages.wording.values import name_words, plain_text, quoted, spoken

# What no person typed: the program's own words for what it got.
_INNER = (
    "at",
    "calibrated",
    "coefficients",
    "database",
    "databases",
    "domain",
    "item",
    "mechanism and privacy",
    "oracle",
    "plan",
    "points",
    "polynomial",
    "records",
    "resume",
    "scores",
    "sensitivity",
    "values",
)
_GREEK = ("γ", "ε", "δ", "ρ")
_OF_COLUMN = re.compile(r"(.*) of (?!the )(.+)")
_EXPECTED: tuple[tuple[str, str], ...] = (
    (r"a pair \(low, high\).*", "two numbers, the lower one first"),
    (r", unless allow_zero=True", ""),
    (r"\bfinite (number|float)s?\b(?<=s)", "numbers"),
    (r"\ba finite number\b", "a number"),
    (r"a sequence of at least", "at least"),
    (r"a sequence of numbers", "numbers with commas between them"),
    (r"None: the column holds text", "left out, for the column holds text"),
    (r"None under (RANK|DKW|TOLERANCE|TIME_UNIFORM).*", r"left out under \1"),
    (r"None under pure DP", "left out under pure DP"),
    (r": target\.candidates|: targets\.OnLattice\(.*\)| for ddof = .*", ""),
    (r"an object with values\(.*\)", "a curve"),
    (r"an object with draw\(.*\)", "an oracle"),
    (r'an object \{"kind": …\}', "an entry that names its kind"),
    (r"an object with ", "an entry with "),
    (r"of shape \(n,\) or \(n, d\)", "of numbers, in one column or several"),
    (r"of shape \(p, (\w+)\)", r"of \1 numbers each"),
    (r"drawing arrays .*", "a source of numbers or of texts"),
    (r"a numpy array with records .*", "a list of records of numbers or of texts"),
    (r"an array of at least one record .*", "a table of at least one record"),
    (r"PureDP, ApproxDP, RandomDP or None", "a guarantee, or left out"),
    (r"True or False", "yes or no"),
    (r"'gumbel' or 'permute-and-flip'", "the exponential mechanism or permute-and-flip"),
    (r", \(degree \+ 1\).*|(?<=[\d,]): it takes a .*", ""),
    (r"given all of .*", "given with all its settings"),
    (r"one of .*Bound\..*", "one of the bounds that this app has"),
)


def refusal(error: InvalidValueError) -> str:
    """A sentence on one setting: what it must be, and what was given where a person would know it again."""
    came = _came(error)
    return f"{_subject(error.name)} must be {_expected(error.expected)}{f', but {came} was given' if came else ''}."


def _subject(name: str) -> str:
    """The setting, with its column where it is one's."""
    if column := _OF_COLUMN.fullmatch(name):
        return f"The {name_words(column[1])} of {quoted(column[2])}"
    words = name_words(name)
    return words if words in _GREEK else f"The {words}"


def _expected(text: str) -> str:
    for pattern, words in _EXPECTED:
        text = re.sub(pattern, words, text)
    return plain_text(text)


def _came(error: InvalidValueError) -> str:
    if error.name in _INNER or (isinstance(error.got, str) and re.search(r"\bof shape\b|\blines\b|\barguments?\b", error.got)):
        return ""
    if isinstance(error.got, float) and "whole" in error.expected:
        return quoted(str(error.got))  # 199.0, which is none
    return spoken(error.got)
