"""Modules that a user may write, and what may change in each without the name of its target changing."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from dpcore.base.fingerprint import fingerprint

HEAD = "import functools\nfrom dataclasses import dataclass, field\nimport numpy as np\n"
HELPER = "SCALE = 2.0\ndef inner(x):\n    return SCALE * x\ndef outer(x):\n    return inner(x)\n"

CALLABLE = """
class Base:
    shift = 1.0
    def moved(self, x):
        return x + self.shift
class Target(Base):
    __slots__ = ("weight",)
    def __init__(self):
        self.weight = 3.0
    @property
    def factor(self):
        return 2.0
    @staticmethod
    def clipped(x):
        return np.clip(x, 0, 5)
    @classmethod
    def named(cls):
        return 7.0
    def __call__(self, db):
        return np.array([self.moved(self.clipped(db).mean()) * self.factor * self.weight + self.named()])
target = Target()
"""
SETTINGS = """
@dataclass
class Settings:
    low: float = 0.0
    names: list = field(default_factory=lambda: ["a"])
@dataclass(frozen=True)
class Target:
    settings: Settings
    def __call__(self, db):
        return np.array([db.mean() - self.settings.low])
target = Target(Settings())
"""
GLOBALS = """
NUMBER, WEIGHTS, TABLE = 2.0, np.arange(3.0), {"a": 1.0, "b": 2.0}
NAMES = {"x", "yy", "zzz"}
def by(x):
    return x + 1
def target(db):
    values = [NUMBER * x for x in db if x not in {0.25, 0.5, "never"}]
    return np.array([by(sum(values)) + WEIGHTS.sum() + TABLE["a"] + len(NAMES)])
"""
CLOSURE = """
def made(factor):
    power = [1.0]
    def target(db, least=0.0, *, most=9.0):
        inner = lambda x: (lambda y: y * factor)(x) ** power[0]
        return np.array([min(most, max(least, inner(db.mean())))])
    return target
target = made(2.0)
"""
PARTIAL = """
def scaled(factor, db, *, shift):
    return np.array([factor * db.mean() + shift])
target = functools.partial(scaled, 2.0, shift=1.0)
"""
IMPORTED = """
import helper
def target(db):
    return np.array([helper.outer(db.mean())])
"""
LOCALLY = """
def target(db):
    from helper import outer
    return np.array([outer(db.mean())])
"""
ESCAPED = """
import helper
def use(module, x):
    return module.outer(x)
def target(db):
    import helper as h
    return np.array([use(helper, db.mean()) + h.SCALE])
"""
METHOD = """
class Model:
    def __init__(self, rate):
        self.rate = rate
    def predict(self, db):
        return np.array([self.rate * db.mean()])
target = Model(0.5).predict
"""
DECORATED = """
def twice(function):
    @functools.wraps(function)
    def both(db):
        return 2 * function(db)
    return both
@functools.lru_cache
def table(k):
    return k + 1.0
@twice
def target(db):
    return np.array([db.mean() + table(1)])
"""
META = """
class Meta(type):
    bias = 1.0
class Target(metaclass=Meta):
    def __call__(self, db):
        return np.array([db.mean() + type(self).bias])
target = Target()
"""
CURVE = """
from dpcore.targets import OnLattice
class Curve:
    width = 0.5
    dimensions = 1
    degrees = 3
    def values(self, database, points, /):
        return np.exp(-self.width * (points[:, :1] - database) ** 2).mean(axis=1)
target = OnLattice(Curve(), 3)
"""

# what changes: (the module, the text in it or in its helper, the text after)
CHANGES: dict[str, tuple[str, str, str]] = {
    "class attribute of a base": (CALLABLE, "shift = 1.0", "shift = 2.0"),
    "inherited method": (CALLABLE, "return x + self.shift", "return x - self.shift"),
    "property": (CALLABLE, "return 2.0", "return 4.0"),
    "staticmethod": (CALLABLE, "np.clip(x, 0, 5)", "np.clip(x, 0, 50)"),
    "classmethod": (CALLABLE, "return 7.0", "return 8.0"),
    "slot": (CALLABLE, "self.weight = 3.0", "self.weight = 30.0"),
    "base": (CALLABLE, "class Target(Base)", "class Other(Base):\n    shift = 5.0\nclass Target(Other)"),
    "field": (SETTINGS, "Target(Settings())", "Target(Settings(low=1.0))"),
    "field's default": (SETTINGS, "low: float = 0.0", "low: float = 0.5"),
    "default factory": (SETTINGS, '["a"]', '["b"]'),
    "global number": (GLOBALS, "= 2.0, np", "= 3.0, np"),
    "global array's content": (GLOBALS, "np.arange(3.0)", "np.arange(3.0) + 1"),
    "global array's dtype": (GLOBALS, "np.arange(3.0)", "np.arange(3.0, dtype=np.float32)"),
    "global array's shape": (GLOBALS, "np.arange(3.0)", "np.arange(3.0)[None]"),
    "global dict": (GLOBALS, '"a": 1.0', '"a": 1.5'),
    "global set": (GLOBALS, '"yy"', '"y"'),
    "called function": (GLOBALS, "return x + 1", "return x + 2"),
    "called function becomes another": (GLOBALS, "def target", "by = lambda x: x\ndef target"),
    "installed function becomes another": (GLOBALS, "return np.array", "return np.asarray"),
    "comprehension": (GLOBALS, "NUMBER * x for", "NUMBER + x for"),
    "constant set": (GLOBALS, "0.25, 0.5", "0.25, 0.75"),
    "closure cell": (CLOSURE, "made(2.0)", "made(3.0)"),
    "closure cell's content": (CLOSURE, "[1.0]", "[2.0]"),
    "default argument": (CLOSURE, "least=0.0", "least=0.1"),
    "keyword default": (CLOSURE, "most=9.0", "most=8.0"),
    "nested lambda": (CLOSURE, "y * factor", "y + factor"),
    "partial's argument": (PARTIAL, "scaled, 2.0", "scaled, 3.0"),
    "partial's keyword": (PARTIAL, "shift=1.0", "shift=2.0"),
    "partial's function": (PARTIAL, "+ shift", "- shift"),
    "helper's helper": (IMPORTED, "return SCALE * x", "return SCALE + x"),
    "helper's helper's global": (IMPORTED, "SCALE = 2.0", "SCALE = 3.0"),
    "helper, imported when called": (LOCALLY, "SCALE = 2.0", "SCALE = 3.0"),
    "helper, handed on as a module": (ESCAPED, "return SCALE * x", "return SCALE + x"),
    "bound method's object": (METHOD, "Model(0.5)", "Model(0.25)"),
    "bound method's code": (METHOD, "self.rate * db", "self.rate + db"),
    "decorator": (DECORATED, "2 * function", "3 * function"),
    "decorated function": (DECORATED, "db.mean() + table", "db.mean() - table"),
    "cached function": (DECORATED, "k + 1.0", "k + 2.0"),
    "metaclass": (META, "bias = 1.0", "bias = 2.0"),
    "the user's curve in a catalogue member": (CURVE, "width = 0.5", "width = 0.7"),
    "catalogue member around the user's curve": (CURVE, "OnLattice(Curve(), 3)", "OnLattice(Curve(), 2)"),
}


@contextmanager
def imported(source: str, helper: str = HELPER) -> Iterator[ModuleType]:
    """The module ``studied`` with this source, beside ``helper``, as a new process imports them."""
    sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode
    with TemporaryDirectory() as folder:
        Path(folder, "studied.py").write_text(HEAD + source)
        Path(folder, "helper.py").write_text(helper)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield importlib.import_module("studied")
        finally:
            sys.path.remove(folder)
            sys.dont_write_bytecode = kept
            for name in ("studied", "helper"):
                sys.modules.pop(name, None)


def before_and_after(change: str) -> tuple[str, str]:
    """The fingerprints of the target, of its module as it was and as it is."""
    source, old, new = CHANGES[change]
    assert (source + HELPER).count(old) == 1, change
    seen = []
    for before, after in ((old, old), (old, new)):
        with imported(source.replace(before, after), HELPER.replace(before, after)) as studied:
            seen.append(fingerprint(studied.target))
    return seen[0], seen[1]


def all_of_them() -> dict[str, Any]:
    """As ``before_and_after``, of every change."""
    return {change: before_and_after(change) for change in CHANGES}


if __name__ == "__main__":
    print(json.dumps(all_of_them()))
