"""Noise that its law does not say OpenDP samples: a release says so everywhere, and nothing promises anything of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, Ledger, PureDP
from dpcore.errors import BudgetExceededError
from dpcore.ledger.accounting import Standing
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Sampling, by_opendp
from dpcore.targets import Proportion
from tests.pages.test_list import _begun
from tests.pages.test_reports import prose, report
from tests.pages.visit import link, opened, press, released, sound, text, visit

Files = list[tuple[str, str]]
OWN = Sampling(words="drawn by numpy from floating-point numbers")
UNSTATED = "drawn in a way that its mechanism does not state"


def _newest(files: Files, start: str) -> str:
    return [data for key, data in files if key.startswith(start)][-1]


@pytest.fixture(params=[(OWN, OWN.words), (None, UNSTATED), ("by OpenDP, really", UNSTATED)], ids=["own", "nothing", "a text"])
def said(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    sampling, words = request.param
    monkeypatch.setattr(LaplaceLaw, "sampling", sampling)
    return str(words)


def _proved(app: Any) -> Any:
    way = app.radio(key="way")
    return sound(way.set_value(way.options[1]).run())


@pytest.mark.parametrize("worst", [False, True])
def test_a_release_has_no_guarantee_on_the_page_and_in_its_files(said: str, worst: bool, files: Files) -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    app = _proved(app) if worst else app
    assert "This answer would have no guarantee" in text(app)
    assert said in text(app)
    assert "system's entropy" not in text(app)
    released(app)
    assert "No guarantee covers this answer" in text(app)
    assert "Together:" not in text(app)
    assert "may be published under" not in text(app)
    made = json.loads(_newest(files, "download_"))
    assert (made["guarantee"], made["noise"], made["standing"]) == ("none", said, Standing.INEXACT.value)
    assert said in made["in_words"]
    written = prose(report(files, app))
    assert said in written
    assert "No, not as a private answer: no guarantee covers it." in written
    assert "OpenDP from the system" not in written
    opened(app, f"code_{made['release']}")
    assert "print(noise.guarantee)" not in _newest(files, "script_")


def test_nothing_of_the_ledger_adds_it_up_and_no_budget_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Proportion(interval=(0.0, 1.0)).global_sensitivity(L1, 3)
    release = Laplace().calibrate(count, PureDP(0.5)).release(np.array([0.2, 0.4, 3.0]))
    assert release.guarantee == PureDP(0.5)
    monkeypatch.setattr(LaplaceLaw, "sampling", None)
    calibrated = Laplace().calibrate(count, PureDP(0.5))
    other = calibrated.release(np.array([0.2, 0.4, 3.0]))
    assert (other.guarantee, other.sized_to, other.sampling) == (None, PureDP(0.5), Sampling())
    ledger = Ledger().add(release).add(other)
    assert (ledger.total(), ledger.lines[1].guarantee, ledger.lines[1].epsilon) == (None, None, 0.5)
    assert ledger.foresee(calibrated).standing is Standing.INEXACT
    again = Ledger.from_json(json.loads(json.dumps(ledger.to_json())))
    assert [line.standing for line in again.lines] == [Standing.PROVED, Standing.INEXACT]
    assert ledger.add_failed(calibrated, n=3).lines[-1].standing is Standing.INEXACT
    with pytest.raises(BudgetExceededError):
        Ledger(PureDP(10.0)).add(other)


def test_explore_names_no_guarantee_under_it_and_the_usual_one_elsewhere(said: str) -> None:
    named = ("**random DP, ε", "**Protected**", "**Not protected**", ", is weaker.")
    app = visit()
    assert f"**No guarantee**: its noise is {said}." in text(app)
    assert not [one for one in named if one in text(app)]
    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(LaplaceLaw, "sampling", by_opendp("make_laplace"))
        assert all(one in text(visit()) for one in named)


@pytest.mark.slow
def test_a_list_says_it_too(said: str) -> None:
    app = _begun()
    assert said in text(app)
    assert "This answer would have no guarantee" in text(app)
    press(app, "release_list")
    assert "No guarantee covers this answer" in text(app)


def test_what_comes_with_the_app_says_that_opendp_samples_it(files: Files) -> None:
    app = visit("release")
    exact = "drawn afresh and sampled exactly by OpenDP from the system's entropy, its scale rounded up"
    assert exact in text(app)
    released(app)
    made = json.loads(_newest(files, "download_"))
    assert (made["guarantee"], made["noise"]) == ("RandomDP", exact.removeprefix("drawn afresh and "))
    assert made["noise"] in prose(report(files, app))
