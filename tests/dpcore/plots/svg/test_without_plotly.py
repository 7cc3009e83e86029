"""Figures and their SVG where only this library and what it needs are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
_CODE = """
import sys
from importlib.abc import MetaPathFinder
class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("plotly", "_plotly_utils", "pandas"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocked())
import copy, pickle
import numpy as np
from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, plots, sample_sensitivity, targets
from dpcore.plots.answers.several import one_number
from dpcore.plots.groups import Whiskers, groups
from dpcore.plots.large_type import in_large_type
from dpcore.plots.matrices import matrices
from dpcore.plots.named import Room, named
from dpcore.plots.fits import polynomial_map
from dpcore.plots.svg import Theme, svg

point = OperatingPoint.for_gamma(0.05)
sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=50, at=point, seed=1)
noise = Laplace().calibrate(sample.sensitivity(), PureDP(epsilon=1.0))
values = np.array([1.0, 2.0, 3.0])
class Bowl:
    dims, domain = 2, ((0.0, 1.0), (0.0, 1.0))
    def __call__(self, at): return (at ** 2).sum(axis=1)
figures = [
    plots.sensitivity_cdf(sample), plots.miss(point), plots.operating_points(point), plots.losses(sample),
    plots.responses(np.ones(1), noise, None), plots.responses(values, noise, None, bars=True),
    groups(("a", "b", "c"), values, [Whiskers("w", values, "#0072B2")], name="n", colour="#009E73", from_zero=True),
    matrices(("a", "b"), [("m", np.eye(2), np.array([["1", "0"], ["0", "1"]]))], [[["x", "y"], ["z", "w"]]]),
    polynomial_map(Bowl(), ("x", "y")), one_number(1.0, 0.5, "years"), plots.made_up(plots.miss(point), "a")[0],
    in_large_type(plots.miss(point), type_size=16), named(plots.miss(point), Room(480, 300, 16, wide=True))[0],
]
for one in figures:
    for theme in Theme:
        assert svg(one, alt="a", theme=theme).startswith("<svg ")
    assert copy.deepcopy(one).ready().keys() == pickle.loads(pickle.dumps(one)).ready().keys() == {"data", "layout"}
    assert not hasattr(one, "update_layout")
print(figures[1]._repr_svg_()[:300])
print(figures[1].described("in words")._repr_svg_()[:300])
print([name for name in ("plotly", "pandas", "_plotly_utils", "streamlit") if name in sys.modules])
"""


def test_figures_of_many_kinds_are_made_and_written() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", _CODE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    own, said, loaded = done.stdout.splitlines()
    assert "<title>Chart of chance of more against share of changes not protected by the drawn Δ̂: m = " in own
    assert "<title>in words</title>" in said
    assert loaded == "[]"
