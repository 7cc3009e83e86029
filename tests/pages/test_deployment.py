"""The record of a release for a public registry: how it was protected, and no answer."""

from __future__ import annotations

import json
from typing import Any

from pages.components.receipt import SAMPLED
from tests.pages.test_list import _begun
from tests.pages.visit import confidential, go, link, press, released, sound

Files = list[tuple[str, str]]


def _record(files: Files) -> dict[str, Any]:
    said: dict[str, Any] = json.loads([data for key, data in files if key.startswith("deployment_")][-1])
    assert said["to_fill_in"] == ["data_curator", "intended_use", "data_product_region", "data_product_sector"]
    found: dict[str, Any] = said["deployment"]
    return found


def test_a_sampled_release_is_recorded_with_gamma_its_bound_and_its_oracle(files: Files) -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 40) for i in range(200))
    released(go(confidential(content, 0, 60), "release"))
    said = _record(files)
    assert said["dp_flavor"]["name"] == "other"  # random DP is none of the registry's
    assert "weaker than differential privacy" in said["dp_flavor"]["description"]
    assert said["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.0, "delta": 0.0, "gamma": 0.05, "confidence": None}
    assert said["privacy_loss"]["privacy_unit"] == "row"
    assert "differ in one record" in said["privacy_loss"]["privacy_unit_description"]
    made = said["implementation"]
    assert (made["mechanisms"], made["bound"], made["m"], made["k"], made["oracle_came"]) == (
        "Laplace",
        "RANK",
        199,
        190,
        "proposed",
    )
    assert made["fixed_before_the_first_response"] is True
    assert len(said["publication_date"]) == 10
    response, *_ = json.loads([data for key, data in files if key.startswith("download_")][-1])["response"].values()
    assert f"{response:.6g}"[:6] not in json.dumps(said)


def test_a_proved_release_is_pure_dp_by_its_proof(files: Files) -> None:
    target = {"kind": "Mean", "bounds": [10, 70]}
    app = link("release", table="diabetes", columns=["bmi"], target=target)
    way = app.radio(key="way")
    released(sound(way.set_value(way.options[1]).run()))
    said = _record(files)
    assert said["dp_flavor"]["name"] == "Pure DP"
    assert said["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.0}
    assert said["implementation"]["sensitivity_is"] == "proved for all tables"
    assert said["implementation"]["proof"]
    assert "oracle" not in said["implementation"]


def test_a_list_is_one_record(files: Files) -> None:
    press(_begun(), "release_list")
    assert _record(files)["name"].endswith("and 2 more")


def test_a_release_without_a_guarantee_is_recorded_as_that(files: Files) -> None:
    app = released(link("release", table="diabetes", columns=["bmi"], target={"kind": "Quantile", "q": 0.5, "bounds": [10, 70]}))
    press(app, "another")
    released(sound(app.radio(key="way").set_value(SAMPLED).run()))
    newest = json.loads([data for key, data in files if key.startswith("deployment_")][-2])["deployment"]  # it stands first
    assert newest["dp_flavor"]["name"] == "none"
    assert newest["privacy_loss"]["privacy_parameters"] is None
    assert newest["implementation"]["fixed_before_the_first_response"] is False
