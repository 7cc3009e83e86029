"""Noise that its law does not say OpenDP samples: Explore says so, and no release is made with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Sampling
from pages.experiment.scenario import Noise
from tests.pages.exports.released import prose
from tests.pages.test_list import _begun
from tests.pages.test_reports import report
from tests.pages.visit import details, link, released, sampled, sized, text, visit

Files = list[tuple[str, str]]
OWN = Sampling(words="drawn by numpy from floating-point numbers")
UNSTATED = "drawn in a way that its mechanism does not state"


def _newest(files: Files, start: str) -> str:
    return [data for key, data in files if key.startswith(start)][-1]


@pytest.fixture(params=[(OWN, OWN.words), (Sampling(), UNSTATED)], ids=["own", "nothing"])
def said(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    sampling, words = request.param
    monkeypatch.setattr(LaplaceLaw, "sampling", sampling)
    return str(words)


def _proved(app: Any) -> Any:
    return sized(app, Noise.WORST_CASE)


@pytest.mark.parametrize("worst", [False, True])
def test_a_release_is_refused(said: str, worst: bool) -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    app = _proved(app) if worst else sampled(app)
    assert "Its noise is not known to be drawn exactly" in text(app)
    assert not any(button.key == "release" for button in app.button)


def test_a_list_is_refused_too(said: str) -> None:
    assert "Its noise is not known to be drawn exactly" in text(_begun())


def test_what_comes_with_the_app_says_that_opendp_samples_it(files: Files) -> None:
    app = details(visit("release"))
    exact = "new and sampled exactly by OpenDP from the system's entropy, its scale rounded up"
    assert exact in text(app)
    released(app)
    made = json.loads(_newest(files, "download_"))
    assert (made["guarantee"], made["noise"]) == ("RandomDP", exact.removeprefix("new and "))
    assert made["noise"] in prose(report(files, app))
