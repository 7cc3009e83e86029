"""A new member is one file and a line in its package: each test copies the tree, adds both, and walks the copy."""

from __future__ import annotations

from pathlib import Path

from tests.stranger.tree import copy, listed, run

ADDED = {"targets": "trimmed_mean", "oracles": "weibull", "mechanisms": "discrete_laplace"}


def test_one_file_is_enough(tmp_path: Path) -> None:
    tree = copy(tmp_path, **ADDED)
    walked = run(tree, "-m", "tests.stranger.walk").splitlines()
    assert {f"walked {room}" for room in ADDED} <= set(walked)


RAISING = ("pair", "batch", "call")
_TARGET = '''"""A mean of which {name} raises."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.base.bounds import Interval, clip
from dpcore.base.types import Target
from dpcore.targets.columns import single_column


@dataclass(frozen=True)
class {kind}(Target):
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
from dpcore.mechanisms.response_law import Law


@dataclass(frozen=True)
class PlainLaw(Law):
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

from dpcore.base.types import Oracle


@dataclass(frozen=True)
class Odd(Oracle):
    """Nothing."""

    independent_records: Any = True

    @classmethod
    def suited(cls, columns: Any) -> Any:
        return cls()

    def draw(self, databases: int, records: int, /, *, rng: Any) -> Any:
        raise KeyError("Zqzz")
'''


def test_raising_members_break_no_page(tmp_path: Path) -> None:
    tree, kinds = copy(tmp_path), []
    for name in RAISING:
        kind = f"Raises{name.title().replace('_', '')}"
        source = _TARGET.format(
            name=name, kind=kind, method="__call__" if name == "call" else name, call="" if name == "call" else _CALL
        )
        (tree / "dpcore" / "targets" / f"{kind.lower()}.py").write_text(source)
        listed(tree, "targets", kind.lower(), kind)
        kinds.append(kind)
    (tree / "dpcore" / "mechanisms" / "plain_noise.py").write_text(_PLAIN)
    listed(tree, "mechanisms", "plain_noise", "PlainNoise")
    (tree / "dpcore" / "oracles" / "odd.py").write_text(_ODD)
    listed(tree, "oracles", "odd", "Odd")
    said = run(tree, "-m", "tests.stranger.walk_raising", *kinds).splitlines()
    walked = [line.removeprefix("walked ") for line in said if line.startswith("walked ")]
    assert walked == ["PlainNoise and Odd", *kinds]
