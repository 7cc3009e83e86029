"""Letter counts, against Python's own Counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.targets import LetterCounts

FIXED = settings(derandomize=True, deadline=None, database=None, max_examples=60)
TEXT = st.text(alphabet=st.one_of(st.sampled_from("abcxyzABCXYZñÑáÁßẞıİſKéω漢🙂 '-"), st.characters(exclude_characters="\0")))
SCIENTISTS = np.array(
    [
        "Michael Jordan",
        "Andrew Ng",
        "Andrew Zisserman",
        "Christopher Manning",
        "Jitendra Malik",
        "Geoffrey Hinton",
        "Scott Shenker",
        "Bernhard Scholkopf",
        "Jon Kleinberg",
        "Judea Pearl",
    ]
)


def counted(texts: list[str], alphabet: str, ignore_case: bool, longest: int | None) -> FloatArray:
    """A letter, or a single character that is its small or capital form."""
    seen = Counter("".join(text[:longest] for text in texts))
    forms = [
        {x for x in (letter, letter.lower(), letter.upper()) if len(x) == 1} if ignore_case else {letter} for letter in alphabet
    ]
    return np.array([float(sum(seen[form] for form in some)) for some in forms])


@FIXED
@given(texts=st.lists(TEXT, min_size=1, max_size=8), ignore_case=st.booleans(), longest=st.sampled_from([None, 1, 3, 50]))
@pytest.mark.parametrize("alphabet", ["abcdefghijklmnopqrstuvwxyz", "zñ🙂A", "ß漢 -", "aé"])
def test_counts_are_counters(alphabet: str, texts: list[str], ignore_case: bool, longest: int | None) -> None:
    target = LetterCounts(alphabet, ignore_case=ignore_case, longest=longest)
    database = np.array(texts)
    found = target(database)
    assert found.dtype == np.float64
    assert (found == counted(texts, alphabet, ignore_case, longest)).all()
    parts = target.contribution(database, len(texts))
    assert parts.shape == (len(texts), len(alphabet))
    assert (parts.sum(axis=0) == found).all()
    for text, part in zip(texts, parts, strict=True):
        assert (part == counted([text], alphabet, ignore_case, longest)).all()


def test_case_is_ignored_or_not() -> None:
    database = np.array(["Aab", "B", "é É"])
    assert LetterCounts("abé", ignore_case=True)(database).tolist() == [2, 2, 2]
    assert LetterCounts("abé")(database).tolist() == [1, 1, 1]
    assert LetterCounts("ABÉ", ignore_case=True)(database).tolist() == [2, 2, 2]
    assert LetterCounts("aA")(database).tolist() == [1, 1]


def test_letters_that_share_a_capital_keep_their_own() -> None:
    """Turkish ı and i, the long s, the final sigma: a letter of the alphabet never loses its own capital to another."""
    assert LetterCounts("iı", ignore_case=True)(np.array(["iIı"])).sum() == 3
    assert LetterCounts("iı", ignore_case=True)(np.array(["I"])).tolist() == [1, 0]
    assert LetterCounts("sſ", ignore_case=True)(np.array(["SS"])).tolist() == [2, 0]


def test_the_letters_of_ten_computer_scientists() -> None:
    """The diffpriv vignette's example, case kept as there; the shortfalls of mathematics, section 5.3: with sampled L∞ = 3
    the exponential mechanism 6.47, with sampled RANGE = 5 it 5.55 and permute-and-flip 5.14."""
    target = LetterCounts()
    scores = target(SCIENTISTS)
    assert target.candidates[int(scores.argmax())] == "e"
    assert scores.max() == 15
    assert SelectionLaw(6.0, target.candidates, "gumbel").shortfall(scores) == pytest.approx(6.47, abs=0.005)
    assert SelectionLaw(5.0, target.candidates, "gumbel").shortfall(scores) == pytest.approx(5.55, abs=0.005)
    assert SelectionLaw(5.0, target.candidates, "permute-and-flip").shortfall(scores) == pytest.approx(5.14, abs=0.005)
