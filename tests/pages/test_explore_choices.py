"""Explore: each target, mechanism and example has an answer, what cannot be is a sentence, and no secret is shown."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.laplace import LaplaceMechanism
from pages.experiment.choices import kind_of, mechanism_kinds, target_kinds
from pages.experiment.examples import EXAMPLES
from pages.experiment.scenario import Noise
from pages.experiment.tables import ours
from tests.pages.visit import (
    CHARTS,
    charts,
    declare,
    everything,
    go,
    headline,
    link,
    notices,
    opened,
    pick,
    press,
    scenario,
    settled,
    slide,
    sound,
    text,
    upload,
    use,
    visit,
)

TABLES = ours()
FIRST = {kind: name for name in reversed(TABLES) for kind in target_kinds(TABLES[name])}  # the table that offers a target first


def _answered(app: Any) -> bool:
    return charts(app).keys() >= CHARTS and "no private answer" not in headline(app)


@pytest.mark.parametrize("page", ["your_data", "people", "release", "about"])
def test_a_page_opens_with_a_heading(page: str) -> None:
    assert any(element.value.startswith("# ") for element in visit(page).markdown)


@pytest.mark.parametrize("table", TABLES)
def test_each_target_answers_its_first_table(table: str) -> None:
    """Every target with every oracle of its columns is asked without a page in ``tests/pages/experiment/test_defaults.py``."""
    app = pick(slide(visit(), "m", 19), "table", table)
    for target in target_kinds(TABLES[table]):
        if FIRST[target] == table:
            settled(pick(app, "target", target))
            assert (scenario(app).table, kind_of(scenario(app).target)) == (table, target)
            assert _answered(app), (target, text(app)[:300])


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_has_an_answer(name: str) -> None:
    app = settled(press(visit(), f"example_{name}"))
    assert scenario(app).table == EXAMPLES[name][0]
    assert _answered(app)


@pytest.mark.parametrize(("table", "target"), [("diabetes", "Histogram"), ("scientists", "LetterCounts")])
def test_each_mechanism_of_a_target_has_an_answer(table: str, target: str) -> None:
    app = pick(pick(visit(), "table", table), "target", target)
    for kind in mechanism_kinds(scenario(app).target):
        sound(opened(app, "options").selectbox(key="opt_mechanism").set_value(kind).run())
        assert type(scenario(app).mechanism).__name__ == kind
        assert (scenario(app).delta is None) == (kind != "GaussianMechanism")
        assert _answered(app), kind


def test_candidates_follow_bins_and_mechanism_the_mean() -> None:
    app = opened(pick(pick(visit(), "table", "diabetes"), "target", "Histogram"), "options")
    sound(app.selectbox(key="opt_mechanism").set_value("ExponentialMechanism").run())
    sound(opened(app, "options").number_input(key="opt_edges").set_value(3).run())
    assert scenario(app).mechanism == ExponentialMechanism(("0–40", "40–80", "80–120"))
    assert _answered(app)
    pick(app, "target", "Mean")
    assert scenario(app).mechanism == LaplaceMechanism()


@pytest.mark.parametrize(("name", "value"), [("m", 999), ("gamma", 0.1), ("epsilon", 0.01), ("epsilon", 20.0)])
def test_a_slider_changes_the_scenario_and_the_answer(name: str, value: float) -> None:
    app = visit()
    before = headline(app)
    slide(app, name, value)
    assert getattr(scenario(app), name) == value
    assert headline(app) != before
    assert _answered(app)


@pytest.mark.parametrize(
    ("name", "value", "raised", "point"), [("gamma", 0.001, "m was raised", (999, 0.001)), ("m", 1, "γ was raised", (1, 0.5))]
)
def test_unreachable_choice_raises_the_other(name: str, value: float, raised: str, point: tuple[int, float]) -> None:
    app = slide(visit(), name, value)
    assert (scenario(app).m, scenario(app).gamma) == point
    assert raised in notices(app)


def test_noise_is_calibrated_in_each_offered_way() -> None:
    app = pick(visit(), "table", "diabetes")
    for noise, said in ((Noise.SAMPLED, "Random DP"), (Noise.WORST_CASE, "Pure DP"), (Noise.BLOCKS, "Pure DP")):
        sound(app.button_group(key="noise").set_value(noise).run())
        assert scenario(app).noise is noise
        assert f"**{said}, ε = 1" in text(app)
        assert _answered(app)


def test_bound_brings_and_removes_its_confidence() -> None:
    app = visit()
    for bound, confidence in (("TOLERANCE", 0.95), ("RANK", None)):
        box = app.selectbox(key="bound")
        sound(box.set_value(next(one for one in type(scenario(app).bound) if one.name == bound)).run())
        assert (scenario(app).bound.name, scenario(app).confidence) == (bound, confidence)
        assert _answered(app)


def test_new_draws_have_a_new_seed() -> None:
    app = press(opened(visit(), "options"), "draw_again")
    assert scenario(app).seed != 1
    assert _answered(app)


@pytest.mark.parametrize("page", ["about", "release", "your_data"])
def test_a_link_opened_on_another_page_is_kept(page: str) -> None:
    app = go(link(page, gamma=0.1, epsilon=3.0, seed=5), "")
    assert (scenario(app).gamma, scenario(app).epsilon, scenario(app).seed) == (0.1, 3.0, 5)


def test_zero_sensitivity_is_told_beside_the_charts() -> None:
    app = link(target={"kind": "Proportion", "interval": [5, 6]}, oracle={"kind": "Uniform", "low": 0, "high": 1})
    assert headline(app) == "## These settings give no private answer."
    assert "The sampled sensitivity is 0" in notices(app)
    assert charts(app).keys() == {"sensitivity", "points"}


# Confidential tables.

_RECORD = "Zqzzyqz Zqwzkzz"
_PEOPLE = ("name\n" + f"{_RECORD}\n" * 61).encode()  # eight z in each: 488 in all, and no draw of Names comes near
_PAIRS = ("across,up\n" + "".join(f"{0.41371 + i / 997:.5f},{0.73913 - i / 991:.5f}\n" for i in range(80))).encode()


def _everywhere(app: Any) -> str:
    """All that Explore and Release send."""
    assert "simulated table" in headline(app)
    seen = [everything(opened(app, "options", "numbers")), text(app)]
    return "\n".join([*seen, everything(go(app, "release")), text(app)])


def test_names_are_nowhere_before_the_comparison() -> None:
    sent = _everywhere(use(declare(upload(visit(), "people.csv", _PEOPLE), "name", type="text")))
    assert all(secret not in sent for secret in (_RECORD, "Zqzz", "488.0", "“z”"))


@pytest.mark.parametrize("target", ["PriestleyChao", "KernelDensity"])
def test_nothing_of_a_curve_is_the_tables(target: str) -> None:
    app = upload(visit(), "pairs.csv", _PAIRS)
    for column in ("across", "up"):
        declare(app, column, 0, 1, constant="0.5")
    sent = _everywhere(settled(pick(use(app), "target", target)))
    assert all(secret not in sent for secret in ("0.41371", "0.73913"))
