"""A response, its list and its download say who is not protected, and only where somebody is not."""

from __future__ import annotations

import json

import pytest

from pages.experiment.scenario import Noise
from tests.pages.visit import ask, link, press, sized, text, visit


def test_a_response_says_who_is_not_protected_and_why() -> None:
    said = text(press(visit("release"), "release"))
    response = said.partition("## Answers")[2]
    assert "**Not protected**: unusual rows. " in response
    assert "No worst case is proved here" in response
    assert "If the oracle's rows differ less than real ones, more of them are not protected." in response


def test_a_response_under_the_worst_case_leaves_nobody_out() -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    sized(app, Noise.WORST_CASE)
    assert "**Not protected**" not in text(press(app, "release"))


@pytest.mark.parametrize("sampled", [True, False])
def test_a_list_and_its_download_say_who_is_not_protected(sampled: bool, downloads: list[str]) -> None:
    """Under sampled noise once for each of its two answers; under the proved worst case not at all."""
    app = link("release", table="diabetes", columns=["bmi"])
    app = ask(app, "Mean of Age")
    sized(app, Noise.SAMPLED if sampled else Noise.WORST_CASE)
    response = text(press(app, "release")).partition("## Answers")[2]
    told = json.loads(next(one for one in downloads if '"number_in_list"' in one))["not_protected"]
    assert response.count("**Not protected**") == (2 if sampled else 0)
    if not sampled:
        assert told is None
        return
    assert told.startswith(
        "Not protected: unusual rows. The noise is not calibrated to the proved worst case, so an unusual one "
    )
    assert told.endswith("If the oracle's rows differ less than real ones, more of them are not protected.")
    assert told.removeprefix("Not protected") in response
