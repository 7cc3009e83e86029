"""What Release says for people: the noise before the press, the unit in each guarantee, and no entry that was not asked for."""

from __future__ import annotations

from typing import Any

from dpcore.answers.numbers import in_full
from tests.pages.visit import link, press, sound, text, visit

_MEAN = {"kind": "Mean", "bounds": [0, 20]}


def _worst_case(app: Any) -> Any:
    way = app.radio(key="way")
    return sound(way.set_value(way.options[1]).run())


def test_the_worst_case_says_before_the_press_how_far_its_noise_reaches() -> None:
    """A mean of 500 records between 0 and 20 moves by 0.04 at most, and log(20) scales of 0.04 hold 95 in 100 of its noise."""
    said = text(_worst_case(link("release", target=_MEAN)))
    assert "The proved worst case, 0.04 years, sizes the noise" in said
    assert "95 times in 100 the noise on a number is within ± 0.12 years (about 44 days)." in said


def test_the_total_names_the_unit_that_it_protects() -> None:
    said = text(press(link("release", target=_MEAN), "release"))
    assert "replacing one loan (one row)" in said
    assert "replacing one row changes" not in said


def test_large_numbers_are_written_out() -> None:
    written = [in_full(value) for value in (0.307627, 1788.234, 1234567.8, -2e6)]
    assert written == ["0.307627", "1,788.23", "1,234,568", "-2,000,000"]


def test_the_bound_is_named_as_prose_has_it() -> None:
    said = text(press(visit("release"), "release"))
    assert said.count("under the rank bound") == 2  # on the receipt and with the response
