"""Two targets that do different things never share a fingerprint; one that has it twice has the same."""

from __future__ import annotations

import functools
import importlib
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats

from dpcore import L1, Bound, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity
from dpcore.base.fingerprint import describe, fingerprint, installed, to_json
from dpcore.base.norms import Norm
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.ledger.accounting import Ledger, Planned
from dpcore.sampling.draws import SamplingStoppedError
from dpcore.targets import Mean, OnLattice
from tests.dpcore.base.changed_sources import CHANGES, CURVE, GLOBALS, IMPORTED, all_of_them, before_and_after, imported

ROOT = Path(__file__).parents[3]
SHA = 64

AT = OperatingPoint.for_gamma(0.01)


def _defined(body: str, given: str = "") -> Callable[[Database], FloatArray]:
    """As a notebook defines a function, under one name again and again."""
    names: dict[str, Any] = {"np": np, "scale": 2.0, "__name__": "__main__"}
    exec(f"def f(db{given}):\n    return {body}", names)
    made: Callable[[Database], FloatArray] = names["f"]
    return made


class _Locked:
    """A target that does not pickle, for it holds a lock."""

    def __init__(self, factor: float) -> None:
        self.factor, self.lock = factor, threading.Lock()

    def __call__(self, database: Database) -> FloatArray:
        return np.array([self.factor * database.mean()])


def _scaled(factor: float) -> Callable[[Database], FloatArray]:
    return lambda database: np.array([factor * database.mean()])


DIFFERENT: dict[str, tuple[Any, Any]] = {
    "calls another": (_defined("np.mean(db)"), _defined("np.max(db)")),
    "constant": (_defined("np.mean(db) + 1"), _defined("np.mean(db) + 2")),
    "generator": (_defined("sum(x for x in db)"), _defined("sum(x * x for x in db)")),
    "default": (_defined("c * np.mean(db)", ", c=1.0"), _defined("c * np.mean(db)", ", c=9.0")),
    "closure": (_scaled(1.0), _scaled(100.0)),
    "state beside a lock": (_Locked(1.0), _Locked(100.0)),
    "setting": (Mean((0.0, 1.0)), Mean((0.0, 2.0))),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_differs_has_another(what: str) -> None:
    one, other = DIFFERENT[what]
    assert fingerprint(one) == fingerprint(one)
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_to_what_an_importable_target_refers_to_is_seen(change: str) -> None:
    before, after = before_and_after(change)
    assert len(before) == len(after) == SHA
    assert before != after


@pytest.mark.slow
def test_it_is_the_same_in_another_process() -> None:
    """Whatever the order of sets there: each process has its own hashes of strings."""
    command = [sys.executable, "-m", "tests.dpcore.base.changed_sources"]
    env = {**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {change: list(both) for change, both in all_of_them().items()}


def test_it_is_the_same_from_source_and_from_compiled_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twice.py").write_text("import numpy as np\n" + GLOBALS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    seen = set()
    for _ in range(2):
        importlib.invalidate_caches()
        seen.add(fingerprint(importlib.import_module("twice").target))
        del sys.modules["twice"]
    assert list(tmp_path.glob("__pycache__/*.pyc"))
    assert len(seen) == 1


def test_a_global_that_a_function_uses_is_part_of_it() -> None:
    function: Any = _defined("scale * np.mean(db)")
    before = fingerprint(function)
    function.__globals__["scale"] = 3.0
    assert fingerprint(function) != before
    function.__globals__["scale"] = 2.0
    function.__globals__["never read"] = 1.0
    assert fingerprint(function) == before


def test_what_a_name_means_where_nothing_had_it_is_part_of_it() -> None:
    function: Any = _defined("len(later(db))")
    before = fingerprint(function)
    for later in (np.sort, np.unique, lambda db: db):
        function.__globals__["later"] = later
        assert len({before, before := fingerprint(function)}) == 2
    function.__globals__["len"] = sum
    assert fingerprint(function) != before


NEAR = (0.0, -0.0, 0, False, np.float32(0), np.float64(0), "0", b"0", None, [0], (0,), {0}, frozenset({0}), {0: 0}, [[0]], [(0,)])


def test_values_that_are_nearly_alike_are_told_apart() -> None:
    def holding(value: object) -> Callable[[Database], object]:
        return lambda database: (value, database)

    assert len({fingerprint(holding(value)) for value in NEAR}) == len(NEAR)


OBJECTS = (
    Fraction(1, 3),
    Fraction(1, 2),
    Decimal("1.0"),
    Decimal("1.00"),
    date(2020, 1, 1),
    date(2020, 1, 2),
    deque([1]),
    deque([2]),
    defaultdict(int, a=1),
    defaultdict(float, a=1),
    defaultdict(int, a=2),
    re.compile("a"),
    re.compile("a", re.I),
    Bound.RANK,
    Bound.DKW,
    random.Random(1),
    random.Random(2),
    np.random.default_rng(1),
    np.random.default_rng(2),
    range(3),
    range(4),
)


def test_objects_are_told_apart_by_what_they_are_pickled_as() -> None:
    seen = [fingerprint(functools.partial(len, one)) for one in OBJECTS]
    assert {len(one) for one in seen} == {SHA}
    assert seen == [fingerprint(functools.partial(len, one)) for one in OBJECTS]
    assert len(set(seen)) == len(seen)


def test_the_class_of_an_object_is_part_of_it_whatever_it_is_pickled_as() -> None:
    class Named:
        scale = 1.0

        def __call__(self, db: Database) -> FloatArray:
            return self.scale * db

        def __reduce__(self) -> Any:
            return str, ("me",)

    before = fingerprint(Named())
    assert len(before) == SHA
    assert fingerprint(Named()) == before
    Named.scale = 2.0
    assert fingerprint(Named()) != before


def test_what_makes_an_object_again_is_part_of_it() -> None:
    class Made:
        def __init__(self, make: object) -> None:
            self.make = make

        def __reduce__(self) -> Any:
            return self.make, ("me",)

    assert fingerprint(Made(str)) == fingerprint(Made(str)) != fingerprint(Made(len))


def _nothing() -> Iterator[None]:
    yield


def test_the_version_of_what_is_installed_is_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = (
        np.mean,
        np.add,
        scipy.special.expit,
        scipy.stats.norm.cdf,
        _defined("np.mean(db)"),
        functools.partial(np.quantile, q=0.5),
        contextmanager(_nothing),
    )
    before = [fingerprint(target) for target in targets]
    owner = installed._owner
    monkeypatch.setattr(installed, "_owner", lambda top, origin: (known := owner(top, origin)) and f"{known}, another version")
    assert not set(before) & {fingerprint(target) for target in targets}
    target = functools.partial(sample_sensitivity, Mean())
    own = fingerprint(target)
    monkeypatch.setattr(installed, "VERSION", "0.0.0")
    assert fingerprint(target) != own


def _arrays() -> Iterator[Any]:
    grid = np.arange(6.0).reshape(2, 3)
    yield from (
        grid,
        grid.T,
        np.asfortranarray(grid),
        grid.ravel(),
        grid.astype(">f8"),
        grid.astype(np.float32),
        grid + 1,
        grid[:1],
    )
    yield from (np.array([(1, 2)], dtype=[(a, int), (b, int)]) for a, b in ("xy", "yx"))
    yield from (np.array([1, None], dtype=object), np.array([2, None], dtype=object), np.zeros(0), np.zeros((0, 3)))


def test_arrays_are_told_apart_by_content_type_shape_and_layout() -> None:
    seen = [fingerprint(functools.partial(np.dot, array)) for array in _arrays()]
    assert seen == [fingerprint(functools.partial(np.dot, array.copy(order="K"))) for array in _arrays()]
    assert len(set(seen)) == len(seen)


def test_public_records_are_told_apart_by_the_names_and_types_of_their_columns() -> None:
    """Their JSON is the same, and so was their fingerprint."""
    records = [np.array([(1.0, 2.0)], dtype=[(a, float), (b, float)]) for a, b in (("age", "pay"), ("pay", "age"))]
    assert to_json(oracles.Resample(records[0])) == to_json(oracles.Resample(records[1]))
    assert len({fingerprint(oracles.Resample(one)) for one in records}) == 2
    assert len({fingerprint(oracles.Resample(np.ones(3, dtype=kind))) for kind in (np.float32, np.float64)}) == 2


def test_a_member_of_the_catalogue_has_the_one_that_it_always_had() -> None:
    assert fingerprint(Mean((0.0, 1.0))) == "21ca0d94a0ad1c97283dc0a2e1142591efcdce2555a225113a41bd39d2a49ea3"
    assert fingerprint(oracles.Resample(np.arange(3.0))) == "3feca600f2fc97df61879c0edd7341a2734ed3f1443c5ba19edf76a8ad4648b0"


def test_a_member_that_holds_what_is_of_the_user_s_own_has_no_json() -> None:
    with imported(CURVE) as studied:
        with pytest.raises(TypeError):
            to_json(studied.target)
        assert describe(studied.target).startswith("OnLattice(curve=")
        again = OnLattice(studied.Curve(), 3)
        assert fingerprint(again) == fingerprint(studied.target) != fingerprint(studied.target.curve)
        studied.Curve.width = 0.9
        assert fingerprint(again) != fingerprint(OnLattice(type("Curve", (studied.Curve,), {})(), 3))


class _Half(Norm):
    """A norm of the user's own that calls itself L1."""

    name = "L1"
    share = 0.5

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return self.share * np.abs(values).sum(axis=-1)

    def __reduce__(self) -> Any:
        return _Half, ()


def test_a_norm_of_the_user_s_own_is_not_the_one_whose_name_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(_Half())
    assert fingerprint(L1) != before == fingerprint(_Half())
    monkeypatch.setattr(_Half, "share", 0.25)
    assert fingerprint(_Half()) != before


INSTALLED = (np.mean, np.add, np.linalg.norm, scipy.special.expit, scipy.stats.norm.cdf, len, list.append, str.join, np.float64)


@pytest.mark.parametrize("function", INSTALLED, ids=lambda function: function.__name__)
def test_an_installed_function_is_taken_by_name_and_version(function: Any) -> None:
    assert len(fingerprint(function)) == SHA
    assert fingerprint(function) == fingerprint(function)
    assert fingerprint(function) != fingerprint(np.max)


def test_a_function_that_was_put_in_an_installed_one_s_place_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    target, seen = _defined("np.median(db)"), set()
    for shift in (0.0, 1.0):
        seen.add(fingerprint(target))
        shifted = functools.wraps(np.mean)(lambda db, by=shift: np.mean(db) + by)
        shifted.__module__, shifted.__qualname__ = "numpy", "median"
        monkeypatch.setattr(np, "median", shifted)
    assert len(seen | {fingerprint(target)}) == 3


def test_code_that_says_that_it_is_installed_is_looked_into() -> None:
    target: Any = _with("scale * np.mean(db)", __name__="numpy")
    before = fingerprint(target)
    target.__globals__["scale"] = 3.0
    assert fingerprint(target) != before
    classes = [type("ndarray", (), {"__module__": "numpy", "scale": scale}) for scale in (1.0, 2.0)]
    assert len({fingerprint(cls) for cls in (*classes, np.ndarray)}) == 3


def test_what_goes_round_in_circles_has_one() -> None:
    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n != 0 and even(n - 1)

    ring: list[Any] = [1.0]
    ring.append(ring)
    for value in (even, odd, functools.partial(even, ring)):
        assert len(fingerprint(value)) == SHA
        assert fingerprint(value) == fingerprint(value)


def _with(text: str, **more: object) -> Any:
    function = _defined(text)
    assert isinstance(function, FunctionType)
    function.__globals__.update(more)
    return function


def _lazily(name: str) -> object:
    return len(name)


LAZY = ModuleType("lazy")
LAZY.__dict__["__getattr__"] = _lazily
UNCERTAIN: dict[str, Any] = {
    "getattr": _with("getattr(np, 'mean')(db)"),
    "getattr by another name": _with("get(np, 'mean')(db)", get=getattr),
    "getattr of a partial": functools.partial(getattr, np),
    "globals": _with("globals()['np'].mean(db)"),
    "eval": _with("eval('np.mean(db)')"),
    "open": _with("float(open('scale').read()) * db"),
    "a function's globals": _with("(lambda: 0).__globals__['np'].mean(db)"),
    "importlib": _with("il.import_module('numpy').mean(db)", il=importlib),
    "sys.modules": _with("sys.modules['numpy'].mean(db)", sys=sys),
    "a module that makes its names": _with("lazy.mean(db)", lazy=LAZY),
    "generator": _with("next(kept) * db", kept=(x for x in (1, 2))),
    "compiled with a function inside": _with("made(db)", made=np.frompyfunc(lambda x: x + 1, 1, 1)),
    "thread's own": _with("own.scale * db", own=threading.local()),
}


@pytest.mark.parametrize("what", UNCERTAIN)
def test_what_cannot_be_told_has_a_new_one_each_time(what: str) -> None:
    seen = {fingerprint(UNCERTAIN[what]) for _ in range(3)}
    assert len(seen) == 3
    assert all("@" in one for one in seen)


def test_a_class_that_was_told_of_others_is_uncertain() -> None:
    class Own(Sequence[int]):
        def __getitem__(self, index: Any) -> Any: ...

        def __len__(self) -> int:
            return 0

    target = _with("isinstance(db, Own)", Own=Own)
    assert len(fingerprint(target)) == SHA
    Own.register(np.ndarray)
    assert fingerprint(target) != fingerprint(target)


HOW: dict[str, Any] = {"norm": L1, "n": 30, "at": AT, "seed": 1}
ORACLE = oracles.Uniform(0, 1)


def _stopped(target: Any) -> Any:
    stop = threading.Event()
    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(target, ORACLE, **HOW, cancel=stop, on_progress=lambda _: stop.set())
    return caught.value.draws


def _is_refused(target: Any, draws: Any) -> bool:
    try:
        return len(sample_sensitivity(target, ORACLE, **HOW, resume=draws).distances) != AT.m
    except InvalidValueError as error:
        return (error.name, error.got) == ("resume", "draws of another run")


@pytest.mark.parametrize("what", [what for what in DIFFERENT if what != "setting"])
def test_the_draws_of_one_target_are_not_resumed_by_another(what: str) -> None:
    one, other = DIFFERENT[what]
    draws = _stopped(one)
    assert _is_refused(other, draws)
    assert not _is_refused(one, draws)


def test_draws_are_not_resumed_after_a_class_attribute_or_a_module_s_global_changed() -> None:
    with imported(CHANGES["class attribute of a base"][0]) as studied:
        draws = _stopped(studied.target)
        assert not _is_refused(studied.target, draws)
        studied.Base.shift = 2.0
        assert _is_refused(studied.target, draws)
    for name, value in (("SCALE", 3.0), ("inner", lambda x: 0.0)):
        with imported(IMPORTED) as studied:
            draws = _stopped(studied.target)
            assert not _is_refused(studied.target, draws)
            setattr(studied.helper, name, value)
            assert _is_refused(studied.target, draws)


def test_draws_of_what_cannot_be_told_are_not_resumed() -> None:
    target = _with("getattr(np, 'mean')(db)")
    assert _is_refused(target, _stopped(target))


def test_draws_of_an_oracle_that_changed_are_not_resumed() -> None:
    class Shifted:
        by = 0.0

        def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
            return rng.random((databases, records)) + self.by

    stop = threading.Event()
    with pytest.raises(SamplingStoppedError) as caught:
        sample_sensitivity(np.median, Shifted(), **HOW, cancel=stop, on_progress=lambda _: stop.set())
    Shifted.by = 1.0
    with pytest.raises(InvalidValueError):
        sample_sensitivity(np.median, Shifted(), **HOW, resume=caught.value.draws)


def test_a_plan_does_not_admit_another_function_of_the_same_name() -> None:
    planned, later = _defined("np.mean(db)"), _defined("np.max(db)")
    ledger = Ledger().planned([Planned(planned, ORACLE, L1, 30, AT)])
    for seed, target in enumerate((planned, later)):
        sample = sample_sensitivity(target, ORACLE, norm=L1, n=30, at=AT, seed=seed)
        ledger = ledger.add(Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release(np.linspace(0, 1, 30)))
    assert [line.apart for line in ledger.lines] == [False, True]
