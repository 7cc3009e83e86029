"""Differences and ratios of released numbers: intervals beside closed forms, their coverage, and what has none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, PureDP, targets
from dpcore.answers.choice import Choice
from dpcore.answers.grouped import Grouped
from dpcore.answers.numbers import Numbers
from dpcore.answers.ratio import Ratio
from dpcore.base.declared import Column
from dpcore.errors import InvalidValueError
from dpcore.ledger import derived as room
from dpcore.ledger.derived import Derived, derived, shown_numbers
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

TWO = Numbers(("a", "b"), "kg")
MEANS = Grouped(Ratio(("mean",), "kg", (0.0, 10.0)), ("men", "women"))


def _released(response: Any, scale: float = 1.0, law: str = LAPLACE) -> Release[Any]:
    """A release of these numbers, under noise of this law."""
    proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 10)
    assert proved is not None
    made = Laplace().calibrate(proved, PureDP(1.0)).release(np.linspace(0, 1, 10))
    return replace(made, response=np.asarray(response, dtype=np.float64), scale=scale, composes_as=law)


def _beyond(t: float, one: float, other: float) -> float:
    """P(one·L − other·L' > t) for t >= 0 and standard Laplace L, L' of their own: half of (a²e^{−t/a} − b²e^{−t/b})/(a² − b²)."""
    other *= 1 + 1e-7  # so that the widths differ
    return float((one**2 * np.exp(-t / one) - other**2 * np.exp(-t / other)) / (one**2 - other**2) / 2)


def test_a_difference_has_the_interval_of_the_closed_form_and_covers_95_in_100() -> None:
    """200,000 differences of noise: a share of .95 ± .005; a tenth less noise in one of the numbers is told apart."""
    found = derived(_released([30.0, 7.0], 3.0), TWO, 0, 1, Derived.DIFFERENCE)
    assert found.within is not None
    assert found.value == pytest.approx(23.0)
    low, high = found.within
    assert high - found.value == pytest.approx(found.value - low, rel=1e-3)  # of noise and its mirror image
    half = (high - low) / 2
    assert _beyond(half / 3, 1.0, 1.0) == pytest.approx(0.025, abs=0.001)
    drawn = 3 * np.random.default_rng(4).laplace(size=(200_000, 2))
    assert np.mean(np.abs(drawn[:, 0] - drawn[:, 1]) <= half) == pytest.approx(0.95, abs=0.005)
    assert abs(np.mean(np.abs(0.8 * (drawn[:, 0] - drawn[:, 1])) <= half) - 0.95) > 0.01


def test_a_difference_under_normal_noise_is_that_of_two_normal_numbers() -> None:
    found = derived(_released([3.0, 7.0], 2.0, NORMAL), TWO, 1, 0, Derived.DIFFERENCE)
    assert found.within == pytest.approx((4 - 1.96 * 2 * np.sqrt(2), 4 + 1.96 * 2 * np.sqrt(2)), abs=0.06)
    assert (found.value, found.after) == (4.0, " kg")


def test_the_ends_of_a_ratio_are_where_fieller_has_them() -> None:
    """At an end θ of A/B the noise of A − θB reaches its released value with a chance of 2.5 %."""
    found = derived(_released([50.0, 20.0]), TWO, 0, 1, Derived.RATIO)
    assert found.within is not None
    assert (found.value, found.after) == (2.5, "")
    for end in found.within:
        assert _beyond(abs(50 - 20 * end), 1.0, end) == pytest.approx(0.025, abs=0.001)
    turned = derived(_released([50.0, -20.0]), TWO, 0, 1, Derived.RATIO)
    assert turned.within == pytest.approx((-found.within[1], -found.within[0]), rel=0.01)


@pytest.mark.parametrize(
    ("answer", "truth", "how"),
    [
        (TWO, (5.0, 4.0), Derived.RATIO),
        (MEANS, (20.0, 100.0, -30.0, 90.0), Derived.RATIO),
        (MEANS, (30.0, 30.0, 0.0, 30.0), Derived.DIFFERENCE),
    ],
    ids=["near 0", "of means", "of a mean at its bound"],
)
def test_intervals_hold_what_is_without_noise_in_95_of_100_releases(
    answer: Any, truth: tuple[float, ...], how: Derived, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250 releases, one standard error .014: at least .91; one without ends holds all."""
    monkeypatch.setattr(room, "_DRAWS", 400)
    one, other = (number.value for number in shown_numbers(_released(truth), answer))
    exact, held = one - other if how is Derived.DIFFERENCE else one / other, 0
    for noise in np.random.default_rng(8).laplace(size=(250, len(truth))):
        within = derived(_released(truth + noise), answer, 0, 1, how).within
        held += within is None or within[0] <= exact <= within[1]
    assert held / 250 >= 0.91


def test_a_ratio_whose_denominators_noise_reaches_0_has_no_interval_and_its_difference_has_one() -> None:
    """95 in 100 noises reach at most log(20) = 2.996 times the scale."""
    assert derived(_released([9.0, 2.9]), TWO, 0, 1, Derived.RATIO).within is None
    assert derived(_released([9.0, -2.9]), TWO, 0, 1, Derived.RATIO).within is None
    assert derived(_released([9.0, 3.1]), TWO, 0, 1, Derived.RATIO).within is not None
    assert derived(_released([9.0, 2.9]), TWO, 0, 1, Derived.DIFFERENCE).within is not None


def test_intervals_keep_to_what_bounds_make_possible_and_hold_the_number_itself() -> None:
    far = derived(_released([50.0, 30.0, -30.0, 30.0]), MEANS, 0, 1, Derived.DIFFERENCE)  # 13.3, so 10
    assert far.within is not None
    assert far.within[1] == far.value == 10.0
    assert far.within[0] < 10.0
    of_ages = replace(MEANS, of=Ratio(("mean",), "kg", (1.0, 10.0)))
    weak = derived(_released([0.0, 3.0, 0.0, 3.0]), of_ages, 0, 1, Derived.RATIO)
    assert weak.within is not None
    assert weak.within[0] >= 0.1
    assert weak.within[1] <= 10.0


def test_without_noise_the_number_is_its_own_interval() -> None:
    found = derived(_released([3.0, 4.0], 0.0, ""), TWO, 0, 1, Derived.RATIO)
    assert found.within == (0.75, 0.75)


@pytest.mark.parametrize(
    ("places", "how", "said"),
    [
        ((0, 0), Derived.DIFFERENCE, "another than the first"),
        ((0, 2), Derived.RATIO, "one of the 2"),
        ((-1, 0), Derived.RATIO, "one of the 2"),
        ((0, 1), Derived.RATIO, "other than 0"),
    ],
)
def test_what_cannot_be_compared_is_refused(places: tuple[int, int], how: Derived, said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        derived(_released([1.0, 0.0]), TWO, *places, how)


def test_answers_that_are_no_numbers_or_have_noise_of_an_unknown_law_have_none() -> None:
    assert shown_numbers(_released([1.0, 2.0], law=""), TWO) == ()
    assert shown_numbers(replace(_released([1.0]), response="x"), Choice(("x", "y"))) == ()
    assert shown_numbers(_released([1.0, 2.0]), Grouped(Choice(("x",)), ("a", "b"))) == ()
    columns = (Column("a", unit="kg"),)
    assert [one.name for one in shown_numbers(_released([1.0, 2.0]), Numbers((columns[0].name,)))] == ["number 1", "number 2"]
