"""The record of a release for a public registry: how it was protected, and no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pages.registry_records import misfits, records
from tests.pages.test_list import _begun
from tests.pages.visit import confidential, go, link, press, released, sampled, sound

Files = list[tuple[str, str]]


def _newest(files: Files, kind: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads([data for key, data in files if key.startswith(f"{kind}_")][-1])
    return said


def _record(files: Files) -> dict[str, Any]:
    said = _newest(files, "deployment")
    assert misfits(said) == []
    found: dict[str, Any] = said["deployment"]
    return found


def test_a_sampled_release_is_a_custom_variant_with_gamma_its_bound_and_its_oracle_in_sentences(files: Files) -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 40) for i in range(200))
    released(sampled(go(confidential(content, 0, 60), "release")))
    said = _record(files)
    assert said["dp_variant"]["variant_name"] == "Custom"  # random DP is none of the registry's
    assert said["dp_variant"]["data_domain"] == 'The column "income" holds numbers from 0 to 60.'
    loss = said["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": 1.0}
    assert "weaker than differential privacy" in loss["privacy_parameters_details"]
    assert "0.05" in loss["privacy_parameters_details"]
    assert loss["privacy_unit"] == "row"
    assert "differ in one row" in loss["privacy_unit_details"]
    why = said["implementation"]["justification"]
    assert "of 199 distances" in why
    assert "it is number 190 in rising order" in why
    assert "γ = 0.05 by the bound RANK" in why
    assert "The app proposed it" in why
    assert "fixed before the first answer" in said["implementation"]["preprocessing_and_hyperparameter_tuning"]
    beside = _newest(files, "values")
    assert [beside[name] for name in ("bound", "m", "k", "oracle_came")] == ["RANK", 199, 190, "proposed"]
    assert beside["parameters"] == {"epsilon": 1.0, "delta": 0.0, "gamma": 0.05, "confidence": None}
    assert beside["fixed_before_the_first_response"] is True
    response, *_ = json.loads([data for key, data in files if key.startswith("download_")][-1])["response"].values()
    for file in (said, beside):
        assert f"{response:.6g}"[:6] not in json.dumps(file)


def test_a_proved_release_is_pure_dp_by_its_proof(files: Files) -> None:
    target = {"kind": "Mean", "bounds": [10, 70]}
    app = link("release", table="diabetes", columns=["bmi"], target=target)
    way = app.radio(key="way")
    released(sound(way.set_value(way.options[1]).run()))
    said = _record(files)
    assert said["dp_variant"]["variant_name"] == "Pure DP"
    assert said["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.0}
    assert "proved for all tables" in said["implementation"]["justification"]
    assert "whatever was chosen or asked before" in said["implementation"]["preprocessing_and_hyperparameter_tuning"]
    beside = _newest(files, "values")
    assert beside["proof"] in said["implementation"]["justification"]
    assert "oracle" not in beside


def test_a_list_is_one_record(files: Files) -> None:
    press(_begun(), "release_list")
    assert _record(files)["basic"]["name"].endswith("and 2 more")


@pytest.mark.slow
def test_every_kind_of_release_fits_the_registry() -> None:
    made = list(records())
    variants = {record["deployment"]["dp_variant"].get("variant_name") for record in made}
    assert variants == {"Pure DP", "Approximate DP", "Custom"}
    assert [wrong for record in made for wrong in misfits(record)] == []


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        (("deployment", "dp_variant"), "variant_name", "Random DP"),
        (("deployment", "dp_variant"), "description", "a field that the registry does not have"),
        (("deployment", "privacy_loss", "privacy_parameters"), "gamma", 0.05),
        (("deployment", "privacy_loss", "privacy_parameters"), "epsilon", "1"),
        (("deployment", "deployment_model"), "access_type", "Non-Interactive"),
        (("deployment", "basic"), "data_curators", []),
        ((), "record", "deployment"),
    ],
)
def test_a_misspelt_field_or_choice_does_not_fit(place: tuple[str, ...], name: str, value: object) -> None:
    record: dict[str, Any] = next(records())
    part = record
    for step in place:
        part = part[step]
    part[name] = value
    assert len(misfits(record)) == 1
