"""The script of what Explore shows prints the same k, Δ̂ and scale, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pages.experiment.examples import example_named, first_scenario
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question, View, view
from pages.exports import ExportError
from pages.exports.script import script_of

ROOT = Path(__file__).parents[3]
TABLES = ours()


def _view(name: str, noise: Noise = Noise.SAMPLED) -> View:
    return _view_of(example_named(name, TABLES).with_(noise=noise, m=99))


def _view_of(scenario: Scenario) -> View:
    question = Question(scenario, TABLES[scenario.table])
    return view(scenario, question, question.sample(question.bank(scenario.m)))


def _run(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return run.stdout


@pytest.mark.parametrize("name", ["Mean", "Letters", "People"])
def test_script_prints_the_numbers_of_the_view(name: str) -> None:
    shown = _view(name)
    assert shown.noise is not None
    said = _run(script_of(shown)).splitlines()
    assert said[0] == f"k = {shown.point.k} of m = 99"
    assert said[1] == f"sampled sensitivity = {shown.order_statistic} and scale of the noise = {shown.noise.law.scale}"


def test_script_of_worst_case_noise_prints_its_scale() -> None:
    shown = _view("Histogram", Noise.WORST_CASE)
    assert shown.noise is not None
    worst = f"worst case = {shown.noise.sensitivity.value} and scale of the noise = {shown.noise.law.scale}"
    assert worst in _run(script_of(shown))


def test_blocks_have_no_script() -> None:
    with pytest.raises(ExportError, match="blocks"):
        script_of(_view_of(first_scenario(TABLES["diabetes"], "Mean", ("age",)).with_(noise=Noise.BLOCKS)))


def test_settings_without_noise_have_no_script() -> None:
    shown = _view("Mean", Noise.WORST_CASE)
    assert shown.noise is None
    with pytest.raises(ExportError, match="no private answer"):
        script_of(shown)
