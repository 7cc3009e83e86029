"""Programs that the type checker refuses, each at its line, and the right one, which it accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
HEAD = """\
import numpy as np

from dpcore import (
    L1, L2, LINF, RANGE, Adjacency, ApproxDP, BernsteinMechanism, Bound, ExponentialMechanism, GaussianMechanism,
    GlobalSensitivity, LaplaceMechanism, Ledger, OperatingPoint, PureDP, RandomDP, curves, oracles, sample_sensitivity, targets,
)
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.base.norms import L1Norm, L2Norm
from dpcore.guarantees.sensitivity import SampledSensitivity

point = OperatingPoint.for_gamma(0.05)
sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=3, at=point, seed=1)
in_l2 = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L2, n=3, at=point, seed=1)
proved = GlobalSensitivity(targets.Mean((0, 1)), 0.4, L1, Adjacency.REPLACE_ONE_RECORD, "By its width.", 3)
database = np.zeros(3)
curve = targets.OnLattice(curves.KernelDensity(), 5)
on_lattice = sample_sensitivity(curve, oracles.Uniform(0, 1), norm=L1, n=3, at=point, seed=1)
on_lattice_in_l2 = sample_sensitivity(curve, oracles.Uniform(0, 1), norm=L2, n=3, at=point, seed=1)
in_range = sample_sensitivity(targets.Histogram((0.0, 1.0)), oracles.Bernoulli(0.5), norm=RANGE, n=3, at=point, seed=1)
in_linf = sample_sensitivity(targets.Histogram((0.0, 1.0)), oracles.Bernoulli(0.5), norm=LINF, n=3, at=point, seed=1)
candidates = ("no", "yes")
"""
RIGHT = """\
released: Release[RandomDP] = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(epsilon=1.0)).release(database)
pure: Release[PureDP] = LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(database)
rounded: Release[RandomDP] = GaussianMechanism().calibrate(in_l2.sensitivity(), ApproxDP(1.0, 1e-6)).release(database)
calibrated: Calibrated[PureDP] = LaplaceMechanism().calibrate(proved, PureDP(1.0))
sensitivity: SampledSensitivity[L1Norm] = sample.sensitivity(allow_zero=True)
ledger = Ledger(budget=RandomDP(2.0, 0.0, 0.1)).add(sample).add(released).add(pure)
picked: Release[RandomDP] = ExponentialMechanism(candidates).calibrate(in_range.sensitivity(), PureDP(1.0)).release(database)
flipped = ExponentialMechanism(candidates, selection="permute-and-flip").calibrate(in_linf.sensitivity(), PureDP(1.0))
drawn: Release[RandomDP] = BernsteinMechanism(order=3).calibrate(on_lattice.sensitivity(), PureDP(1.0)).release(database)
looked = sample.at(OperatingPoint.for_both(10, 0.3, bound=Bound.TOLERANCE, confidence=0.95))
"""


@dataclass(frozen=True)
class Wrong:
    """One line that must not pass, and the code of mypy's error there."""

    line: str
    code: str


WRONG = {
    "a_release_without_a_sensitivity": Wrong("LaplaceMechanism().release(database)", "attr-defined"),
    "a_calibration_without_a_sensitivity": Wrong("LaplaceMechanism().calibrate(PureDP(1.0))", "call-overload"),
    "a_number_as_a_sensitivity": Wrong("LaplaceMechanism().calibrate(0.4, PureDP(1.0))", "call-overload"),
    "a_sampled_release_labelled_pure": Wrong(
        "r: Release[PureDP] = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(database)", "assignment"
    ),
    "a_sampled_release_labelled_approximate": Wrong(
        "r: Release[ApproxDP] = GaussianMechanism().calibrate(in_l2.sensitivity(), ApproxDP(1.0, 1e-6)).release(database)",
        "assignment",
    ),
    "a_sampled_calibration_labelled_pure": Wrong(
        "c: Calibrated[PureDP] = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0))", "assignment"
    ),
    "a_sampled_sensitivity_as_a_global_one": Wrong("s: GlobalSensitivity[L1Norm] = sample.sensitivity()", "assignment"),
    "a_random_guarantee_as_a_pure_one": Wrong("g: PureDP = RandomDP(1.0, 0.0, 0.05)", "assignment"),
    "a_pure_guarantee_as_an_approximate_one": Wrong("g: ApproxDP = PureDP(1.0)", "assignment"),
    "l2_given_to_laplace": Wrong("LaplaceMechanism().calibrate(in_l2.sensitivity(), PureDP(1.0))", "arg-type"),
    "l1_given_to_gaussian": Wrong("GaussianMechanism().calibrate(proved, ApproxDP(1.0, 1e-6))", "arg-type"),
    "an_l2_sample_as_one_in_l1": Wrong("s: SampledSensitivity[L1Norm] = in_l2.sensitivity()", "assignment"),
    "l1_given_to_exponential": Wrong("ExponentialMechanism(candidates).calibrate(sample.sensitivity(), PureDP(1.0))", "arg-type"),
    "a_proved_l1_given_to_exponential": Wrong("ExponentialMechanism(candidates).calibrate(proved, PureDP(1.0))", "arg-type"),
    "l2_given_to_exponential": Wrong("ExponentialMechanism(candidates).calibrate(in_l2.sensitivity(), PureDP(1.0))", "arg-type"),
    "l2_given_to_bernstein": Wrong("BernsteinMechanism().calibrate(on_lattice_in_l2.sensitivity(), PureDP(1.0))", "arg-type"),
    "range_given_to_bernstein": Wrong("BernsteinMechanism().calibrate(in_range.sensitivity(), PureDP(1.0))", "arg-type"),
    "range_given_to_laplace": Wrong("LaplaceMechanism().calibrate(in_range.sensitivity(), PureDP(1.0))", "arg-type"),
    "an_exponential_under_approximate_dp": Wrong(
        "ExponentialMechanism(candidates).calibrate(in_range.sensitivity(), ApproxDP(1.0, 1e-6))", "call-overload"
    ),
    "a_bernstein_under_approximate_dp": Wrong(
        "BernsteinMechanism().calibrate(on_lattice.sensitivity(), ApproxDP(1.0, 1e-6))", "call-overload"
    ),
    "a_sampled_selection_labelled_pure": Wrong(
        "r: Release[PureDP] = ExponentialMechanism(candidates).calibrate(in_range.sensitivity(), PureDP(1.0)).release(database)",
        "assignment",
    ),
    "an_exponential_without_candidates": Wrong("ExponentialMechanism()", "call-arg"),
    "an_exponential_in_l1": Wrong("ExponentialMechanism(candidates, norm=L1)", "arg-type"),
    "a_bernstein_in_l2": Wrong("BernsteinMechanism(norm=L2)", "arg-type"),
    "a_selection_of_another_name": Wrong('ExponentialMechanism(candidates, selection="softmax")', "arg-type"),
    "a_function_as_a_curve": Wrong("targets.OnLattice(np.sin, 5)", "arg-type"),
    "a_target_as_a_curve": Wrong("targets.OnLattice(targets.Mean(), 5)", "arg-type"),
    "a_gaussian_under_pure_dp": Wrong("GaussianMechanism().calibrate(in_l2.sensitivity(), PureDP(1.0))", "call-overload"),
    "a_laplace_under_approximate_dp": Wrong("LaplaceMechanism().calibrate(proved, ApproxDP(1.0, 1e-6))", "call-overload"),
    "random_dp_as_a_privacy": Wrong(
        "LaplaceMechanism().calibrate(sample.sensitivity(), RandomDP(1.0, 0.0, 0.05))", "call-overload"
    ),
    "two_guarantees_added": Wrong("PureDP(1.0) + PureDP(1.0)", "operator"),
    "two_releases_added_by_hand": Wrong("PureDP(1.0).epsilon + RandomDP(1.0, 0.0, 0.05)", "operator"),
    "a_tuple_as_a_point": Wrong(
        "sample_sensitivity(targets.Mean(), oracles.Uniform(0, 1), norm=L1, n=3, at=(19, 19, 0.05), seed=1)", "arg-type"
    ),
    "a_positional_seed": Wrong("sample_sensitivity(targets.Mean(), oracles.Uniform(0, 1), L1, 3, point, 1)", "call-arg"),
    "no_seed": Wrong("sample_sensitivity(targets.Mean(), oracles.Uniform(0, 1), norm=L1, n=3, at=point)", "call-arg"),
    "a_string_as_a_norm": Wrong(
        'sample_sensitivity(targets.Mean(), oracles.Uniform(0, 1), norm="L1", n=3, at=point, seed=1)', "type-var"
    ),
    "a_string_as_a_bound": Wrong('OperatingPoint.for_gamma(0.05, bound="RANK")', "arg-type"),
    "an_oracle_that_does_not_draw": Wrong(
        "sample_sensitivity(targets.Mean(), database, norm=L1, n=3, at=point, seed=1)", "arg-type"
    ),
    "a_changed_point": Wrong("point.gamma = 0.01", "misc"),
    "a_changed_guarantee": Wrong("PureDP(1.0).epsilon = 0.1", "misc"),
    "a_changed_target": Wrong("targets.Mean().bounds = (0.0, 1.0)", "misc"),
    "a_changed_label": Wrong(
        "LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(database).guarantee = PureDP(0.1)", "misc"
    ),
    "a_subclass_of_a_target": Wrong("class Mine(targets.Mean): ...", "misc"),
    "a_subclass_of_a_guarantee": Wrong("class Mine(PureDP): ...", "misc"),
    "a_number_charged_to_a_ledger": Wrong("Ledger().add(1.0)", "arg-type"),
    "a_guarantee_charged_to_a_ledger": Wrong("Ledger().add(PureDP(1.0))", "arg-type"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str]]]:
    """Run ``mypy --strict`` once, and return lines and codes of errors by program."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "right.py").write_text(HEAD + RIGHT)
    for name, wrong in WRONG.items():
        (folder / f"{name}.py").write_text(f"{HEAD}{wrong.line}\n")
    files = sorted(str(path) for path in folder.glob("*.py"))
    settings = folder / "mypy.ini"
    settings.write_text(f"[mypy]\nmypy_path = {ROOT}\nfollow_imports = silent\nignore_missing_imports = true\n")
    arguments = ["--strict", "--config-file", str(settings), "--cache-dir", str(folder / "cache"), "--no-error-summary"]
    output, trouble, _ = api.run([*arguments, *files])
    assert trouble == ""
    errors: dict[str, list[tuple[int, str]]] = {Path(file).stem: [] for file in files}
    for match in re.finditer(r"^(.*)\.py:(\d+): error: .*\[([a-z-]+)\]$", output, re.MULTILINE):
        errors[Path(match[1]).stem].append((int(match[2]), match[3]))
    assert sum(map(len, errors.values())) == output.count(": error:")
    return errors


def test_the_right_program_passes(found: dict[str, list[tuple[int, str]]]) -> None:
    assert found["right"] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_is_refused_at_its_line(name: str, found: dict[str, list[tuple[int, str]]]) -> None:
    assert found[name] == [(HEAD.count("\n") + 1, WRONG[name].code)]
