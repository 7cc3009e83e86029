"""Where the packages of an extra are absent, what needs them says in a sentence how to install them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, Ledger, PureDP, oracles, targets
from dpcore.base.norms import L1
from dpcore.oracles import discrete
from dpcore.sampling.executors import local_pool

EXTRAS = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def _fit() -> object:
    return targets.LinearSVM(x_bounds=((0.0, 1.0),))(np.array([[0.2, 0.0], [0.8, 1.0]]))


def _draw() -> object:
    discrete._name_tables.cache_clear()
    return oracles.Names().draw(1, 1, rng=np.random.default_rng(0))


def _total() -> object:
    mean = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 5)
    assert mean is not None
    return Ledger(budget=None).add(LaplaceMechanism().calibrate(mean, PureDP(0.1)).release(np.ones(5))).total(delta=1e-6)


NEEDED: dict[str, tuple[str, Callable[[], Any], str]] = {  # the extra, what needs it, and a module that it imports
    "a fit": ("learners", _fit, "sklearn.exceptions"),
    "a draw of names": ("names", _draw, "names"),
    "a tight total": ("tight", _total, "dp_accounting.pld.privacy_loss_distribution"),
    "a pool": ("cluster", local_pool, "joblib.externals"),
}


@pytest.mark.parametrize("what", NEEDED)
def test_absent_package_error_says_what_to_install(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    extra, use, module = NEEDED[what]
    monkeypatch.setitem(sys.modules, module, None)
    package = module.partition(".")[0].replace("_", "-")
    said = f'the package {package}, which is not installed: in the folder of dpcore, run pip install ".[{extra}]".'
    with pytest.raises(ModuleNotFoundError) as raised:
        use()
    assert str(raised.value) == f"This needs {said}"


def test_every_extra_that_the_library_has_is_tried() -> None:
    """Scripts that are taken away say themselves what their figures need, and a query what it does (``sql.process``)."""
    assert {extra for extra, _, _ in NEEDED.values()} == set(EXTRAS) - {"app", "plots", "sql"}
