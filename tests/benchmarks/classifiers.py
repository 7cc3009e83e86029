"""What private classifiers misclassify, beside diffprivlib's logistic regression, which runs in an environment of its own.

Its pins are ``diffprivlib.txt``, as ``uv pip compile --universal --generate-hashes`` makes them of diffprivlib==0.6.6 and
scikit-learn==1.5.2: a newer scikit-learn it cannot be imported beside.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import L1, InSteps, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.base.bounds import Interval
from dpcore.base.features import prepared
from dpcore.base.types import FloatArray, SteppedTarget
from tests.benchmarks.diffprivlib_fits import EPSILONS, SETTINGS

TITLE = "Private classifiers"
NOTE = (
    "The share of fresh records that is misclassified, mean over tables and noises; *p / s*: by the proved worst case, which is "
    "pure DP, and sampled at γ = .05 with m = 99. *Apart* and *overlapping*: two normal classes in two dimensions, centres .2 "
    "and .8 with sd .1, .4 and .6 with sd .2, n = 1,000, 10 tables, 4,000 fresh records each. *Breast cancer*: all ten columns "
    "with the catalogue's bounds, 20 random splits into 455 records and 114 held out; its oracle draws from the table. 100 "
    "noises a table. The last column is diffprivlib 0.6.6's logistic regression on the same tables, three fits a table, at C = "
    "1, at C = 1 with its features around their middle, and at C = 0.01."
)
HEADER = (
    "what",
    "wanted",
    "mean direction",
    "huberised, C = 1",
    "best of three",
    "SVM centred",
    "SVM",
    "diffprivlib",
    "mean direction above its best",
)
FOLDER = Path(__file__).parent
WANTED = {
    "apart": {0.1: 0.015, 1.0: 0.002},
    "overlapping": {1.0: 0.26},
    "breast cancer": {1.0: 0.1},
}
_TABLES, _SPLITS, _NOISES, _FITS = 10, 20, 100, 3
_UNIT = (0.0, 1.0)
Wrong = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True)
class Trial:
    """Tables (t, n, d+1) and fresh records of each (t, n', d+1), the features' public bounds, and the oracle that is sampled."""

    name: str
    bounds: tuple[Interval, ...]
    oracle: Any
    tables: FloatArray
    fresh: FloatArray

    def targets(self) -> tuple[Any, ...]:
        """As the columns of the table stand."""
        b = self.bounds
        return (
            targets.MeanDirection(b),
            targets.HuberDirection(b, C=1.0),
            targets.CandidateDirections(b),
            targets.LinearSVM(b, centred=True),
            targets.LinearSVM(b),
        )

    def scaled(self) -> dict[str, Any]:
        """Features from 0 to 1 and whether each record is of class 1: what the other library is given."""
        x, y = zip(*(prepared(table, self.bounds) for table in self.tables), strict=True)
        fresh, truth = zip(*(prepared(table, self.bounds) for table in self.fresh), strict=True)
        parts = {"x": x, "y": y, "fresh": fresh, "truth": truth}
        return {f"{self.name}/{part}": np.array(values) for part, values in parts.items()}


def rows() -> Iterator[tuple[str, ...]]:
    """(table and ε, wanted, ours, theirs)."""
    trials = (normal("apart", 0.2, 0.8, 0.1), normal("overlapping", 0.4, 0.6, 0.2), breast_cancer())
    theirs = diffprivlib(trials)
    for trial in trials:
        ours = [(of(trial, target, None), of(trial, target, _sampled(trial, target))) for target in trial.targets()]
        for epsilon in EPSILONS:
            yield _row(trial.name, epsilon, [(proved[epsilon], sampled[epsilon]) for proved, sampled in ours], theirs)


def _row(name: str, epsilon: float, ours: list[tuple[float, float]], theirs: Wrong | str) -> tuple[str, ...]:
    most = WANTED[name].get(epsilon)
    shown = [" / ".join(f"{one:.3f}" for one in pair) for pair in ours]
    if isinstance(theirs, str):
        peer = (theirs, "")
    else:
        found = [theirs[name][str(epsilon)][setting] for setting in SETTINGS]
        peer = (" / ".join(f"{one:.3f}" for one in found), f"{ours[0][0] - min(found):+.3f}")
    return f"{name}, ε = {epsilon:g}", "" if most is None else f"≤ {most:g}", *shown, *peer


def normal(name: str, low: float, high: float, sd: float, tables: int = _TABLES) -> Trial:
    """Two normal classes of two features."""
    bounds, rng = (_UNIT, _UNIT), np.random.default_rng(15)
    oracle = oracles.TwoClasses(2, low, high, sd, bounds)
    return Trial(name, bounds, oracle, oracle.draw(tables, 1_000, rng=rng), oracle.draw(tables, 4_000, rng=rng))


def breast_cancer(splits: int = _SPLITS) -> Trial:
    """569 tumours, in random halves of four fifths and one."""
    data = FOLDER.parents[1] / "data"
    catalog = json.loads((data / "catalog.json").read_text(encoding="utf-8"))
    (columns,) = [table["columns"] for table in catalog if table["name"] == "breast_cancer"]
    with (data / "breast_cancer.csv").open(encoding="utf-8") as file:
        named, *cells = csv.reader(file)
    if named != [column["name"] for column in columns]:
        raise ValueError(f"The catalogue has the columns in another order than the file: {named}")
    records = np.array(cells, dtype=np.float64)
    bounds = tuple((float(column["bounds"][0]), float(column["bounds"][1])) for column in columns[:-1])
    mixed = np.array([np.random.default_rng([15, split]).permutation(records) for split in range(splits)])
    return Trial("breast cancer", bounds, oracles.Resample(records), mixed[:, :455], mixed[:, 455:])


def of(trial: Trial, target: Any, sensitivity: Any, noises: int = _NOISES) -> dict[float, float]:
    """The share misclassified at each ε; by the proved worst case where no sensitivity is given."""
    known = sensitivity or target.global_sensitivity(L1, trial.tables.shape[1])
    mechanism: Any = InSteps() if isinstance(target, SteppedTarget) else Laplace()
    rng, raws = np.random.default_rng(16), [target(table) for table in trial.tables]
    found = {}
    for epsilon in EPSILONS:
        noise = mechanism.calibrate(known, PureDP(epsilon))
        wrong = [
            target.misclassified(noise.simulate(raw, size=noises, rng=rng, database=table), fresh).mean()
            for raw, table, fresh in zip(raws, trial.tables, trial.fresh, strict=True)
        ]
        found[epsilon] = float(np.mean(wrong))
    return found


def _sampled(trial: Trial, target: Any) -> Any:
    at = OperatingPoint.for_both(99, 0.05)
    return sample_sensitivity(target, trial.oracle, norm=L1, n=trial.tables.shape[1], at=at, seed=15).sensitivity()


def diffprivlib(trials: tuple[Trial, ...]) -> Wrong | str:
    """What its logistic regression misclassifies in this run; why it could not run, where it could not."""
    with tempfile.TemporaryDirectory() as folder:
        tables, python = Path(folder) / "tables.npz", Path(folder) / "environment" / "bin" / "python"
        scaled: dict[str, Any] = {}
        for trial in trials:
            scaled |= trial.scaled()
        np.savez(tables, **scaled)
        pins = str(FOLDER / "diffprivlib.txt")
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", pins]
        try:
            subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
            subprocess.run(install, check=True)
        except subprocess.CalledProcessError:
            return "it could not be installed"
        program = [str(python), str(FOLDER / "diffprivlib_fits.py"), str(tables), str(_FITS)]
        found: Wrong = json.loads(subprocess.check_output(program, text=True))
        return found
