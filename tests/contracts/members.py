"""Finds the members of a folder and builds each from a few plain values, so that a new one needs no list."""

from __future__ import annotations

import dataclasses
from itertools import product
from types import ModuleType
from typing import Any

from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.errors import InvalidValueError
from dpcore.oracles import Uniform

VALUES: tuple[Any, ...] = (
    0.3, 1.5, (0.25, 1.25), (0.2, 0.3, 0.5), ((4.0, 1.0), (5.0, 2.0), (7.0, 0.0)), (Uniform(0, 1), Uniform(2, 5)),
    1, False, "nà", ((0.25, 1.25), (0.5, 2.0)), KernelDensity(), PriestleyChao(0.2, (0.0, 1.5)),
)  # fmt: skip


def kinds(module: ModuleType) -> list[type[Any]]:
    """What a module exports."""
    return [getattr(module, name) for name in module.__all__]


def members(module: ModuleType) -> list[Any]:
    """Every kind built in each way that its required fields, and at most one optional, take of VALUES."""
    built: dict[str, Any] = {}
    for kind in kinds(module):
        fields = [field for field in dataclasses.fields(kind) if field.init]
        required = [field.name for field in fields if field.default is dataclasses.MISSING]
        optional = [field.name for field in fields if field.name not in required]
        for names in [required, *([*required, name] for name in optional)]:
            for values in product(VALUES, repeat=len(names)):
                try:
                    member = kind(**dict(zip(names, values, strict=True)))
                except InvalidValueError:
                    continue
                built.setdefault(repr(member), member)
    return list(built.values())
