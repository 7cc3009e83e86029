"""Who adds one file finds its kind everywhere: each test copies the tree, writes the file, and walks the copy."""

from __future__ import annotations

from pathlib import Path

from tests.stranger.tree import copy, run

ADDED = {"targets": "trimmed_mean", "oracles": "weibull", "mechanisms": "discrete_laplace"}


def test_one_file_is_enough(tmp_path: Path) -> None:
    tree = copy(tmp_path, **ADDED)
    walked = run(tree, "-m", "tests.stranger.walk").splitlines()
    assert {f"walked {room}" for room in ADDED} <= set(walked)


BROKEN = {
    "dpcore/targets/trimmed.py": "def f(:\n",
    "dpcore/oracles/far.py": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Far: ...\n",
}


def test_files_that_are_broken_leave_the_rest_of_the_app_as_it_was(tmp_path: Path) -> None:
    tree = copy(tmp_path)
    for file, source in BROKEN.items():
        (tree / file).write_text(source)
    assert "walked" in run(tree, "-m", "tests.stranger.walk_broken").splitlines()


RAISING = ("answer", "global_sensitivity", "seconds", "true_cdf", "lost", "asked_of", "pair", "batch", "fits", "call")
_TARGET = '''"""A mean of which {name} raises."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.base.bounds import Interval, clip
from dpcore.targets.columns import single_column


@dataclass(frozen=True)
class {kind}:
    """f(D) = the mean; (n,) -> (1,)."""

    bounds: Interval | None = None

    @classmethod
    def suited(cls, columns: Any) -> Any:
        """For one column."""
        return cls(bounds=columns[0].bounds)

    def {method}(self, *given: Any, **named: Any) -> Any:
        raise TypeError("Zqzz")
{call}'''
_CALL = """
    def __call__(self, database: Any, /) -> Any:
        return np.atleast_1d(clip(single_column(database), self.bounds).mean())
"""


_PLAIN = '''"""Laplace noise whose law says no more than that it draws."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcore.base.norms import L1
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Mechanism


@dataclass(frozen=True)
class PlainLaw:
    """Noise of this scale."""

    scale: float

    def draw(self, raw: Any, /) -> Any:
        return raw + np.random.default_rng().laplace(scale=self.scale, size=raw.shape)

    def simulate(self, raw: Any, /, *, size: int, rng: Any) -> Any:
        return raw + rng.laplace(scale=self.scale, size=(size, *raw.shape))

    def row(self, raw: Any, /) -> Any:
        return raw

    def log_ratio(self, raw: Any, other: Any, responses: Any, /) -> Any:
        return (L1(responses - other) - L1(responses - raw)) / self.scale

    def loss(self, raw: Any, other: Any, /) -> float:
        return float(L1(raw - other)) / self.scale


@dataclass(frozen=True)
class PlainNoise(Mechanism[Any, PureDP]):
    """Noise."""

    privacy: ClassVar[type[PureDP]] = PureDP

    @property
    def norm(self) -> Any:
        return L1

    @classmethod
    def suited(cls, target: Any, /) -> Any:
        return cls()

    def law(self, target: Any, sensitivity: float, privacy: PureDP) -> Any:
        return PlainLaw(sensitivity / privacy.epsilon)
'''
_ODD = '''"""An oracle that cannot draw."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Odd:
    """Nothing."""

    independent_records: Any = True

    @classmethod
    def suited(cls, columns: Any) -> Any:
        return cls()

    def draw(self, databases: int, records: int, /, *, rng: Any) -> Any:
        raise KeyError("Zqzz")
'''


def test_members_that_raise_wherever_they_are_asked_end_no_page(tmp_path: Path) -> None:
    tree, kinds = copy(tmp_path), []
    for name in RAISING:
        kind = f"Raises{name.title().replace('_', '')}"
        source = _TARGET.format(
            name=name, kind=kind, method="__call__" if name == "call" else name, call="" if name == "call" else _CALL
        )
        (tree / "dpcore" / "targets" / f"{kind.lower()}.py").write_text(source)
        kinds.append(kind)
    (tree / "dpcore" / "mechanisms" / "plain_noise.py").write_text(_PLAIN)
    (tree / "dpcore" / "oracles" / "odd.py").write_text(_ODD)
    said = run(tree, "-m", "tests.stranger.walk_raising", *kinds).splitlines()
    walked = [line.removeprefix("walked ") for line in said if line.startswith("walked ")]
    assert walked == ["PlainNoise and Odd", *kinds]
