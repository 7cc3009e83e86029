"""Links as nobody would write them: real ones with fields swapped, numbers no one chooses, nesting, and strange text."""

from __future__ import annotations

import json
import random
from typing import Any

from dpcore.registry.catalog import members

_LATTICE = {
    "kind": "OnLattice",
    "curve": {"kind": "PriestleyChao", "bandwidth": 0.1, "x_bounds": [0, 1], "y_bounds": [-1.5, 1.5]},
    "degree": 25,
    "dims": 1,
}
_DENSITY = {"kind": "OnLattice", "curve": {"kind": "KernelDensity", "bandwidth": 0.1, "bounds": [0, 1]}, "degree": 25, "dims": 1}
_CLASSIFIER = {"kind": "LinearSVM", "x_bounds": [[0, 1], [0, 1]], "C": 3.0, "tolerance": 1e-8}
CHOICES = {
    "m": 199,
    "gamma": 0.05,
    "epsilon": 1.0,
    "delta": None,
    "seed": 1,
    "bound": "RANK",
    "confidence": None,
    "adjacency": "REPLACE_ONE_RECORD",
}
_BERNSTEIN = {"mechanism": {"kind": "Bernstein", "order": 6, "norm": "L1", "clip": None}, "norm": "L1"}
_LAPLACE = {"mechanism": {"kind": "Laplace"}, "norm": "L1"}
_ASKED = {
    "kind": "On",
    "target": {"kind": "KnownMean", "bounds": [0, 240]},
    "columns": ["minutes"],
    "where": [{"kind": "Condition", "column": "clinic", "category": "Harbour", "interval": None, "excluded": True}],
    "by": {"kind": "Groups", "column": "clinic", "categories": ["Harbour", "Mill Road", "Old Town"]},
}
_CAPPED = {"kind": "Capped", "question": _ASKED, "person": "person", "rows": 5, "groups_each": 2, "salt": None}
_SUM = _ASKED | {"target": {"kind": "Sum", "bounds": [0, 240]}}
_CLIPPED = {"kind": "ClippedTotals", "question": _SUM, "person": "person", "totals": [0.0, 3000.0]}
_CLINICS = {"kind": "Categorical", "p": [0.5, 0.3, 0.2], "categories": ["Harbour", "Mill Road", "Old Town"]}
_PEOPLE = {
    "kind": "People",
    "rows": {"kind": "LogNormal", "median": 3.0, "spread": 1.0, "bounds": None},
    "names": ["minutes", "clinic"],
    "columns": [{"kind": "Uniform", "low": 0, "high": 240}, _CLINICS],
    "person": "person",
    "alike": 0.2,
    "activity": 0.1,
    "most": 1000,
}
REAL: tuple[dict[str, Any], ...] = (
    {
        "table": "loan_defaults",
        "columns": ["years_to_default"],
        "target": {"kind": "Mean", "bounds": None},
        "oracle": {"kind": "Exponential", "rate": 1.0, "bounds": None},
        "n": 500,
    }
    | _LAPLACE,
    {
        "table": "diabetes",
        "columns": ["age", "bmi"],
        "target": {"kind": "Mean", "bounds": [[0, 120], [10, 70]]},
        "n": 442,
        "oracle": {
            "kind": "Product",
            "columns": [{"kind": "Uniform", "low": 0, "high": 120}, {"kind": "Uniform", "low": 10, "high": 70}],
        },
        "mechanism": {"kind": "Gaussian", "calibration": "analytic"},
        "norm": "L2",
        "delta": 1e-6,
    },
    {
        "table": "diabetes",
        "columns": ["bmi"],
        "target": {"kind": "Quantile", "q": 0.5, "bounds": [10, 70]},
        "n": 442,
        "oracle": {"kind": "Normal", "mean": 40.0, "sd": 10.0, "bounds": [10, 70]},
        "bound": "TOLERANCE",
        "confidence": 0.95,
        "m": 299,
    }
    | _LAPLACE,
    {
        "table": "diabetes",
        "columns": ["sex"],
        "target": {"kind": "Histogram", "categories": [0, 1], "edges": None},
        "n": 442,
        "oracle": {"kind": "Categorical", "p": [0.5, 0.5]},
        "mechanism": {"kind": "Exponential", "candidates": [0, 1], "norm": "RANGE", "selection": "permute-and-flip"},
        "norm": "RANGE",
    },
    {
        "table": "diabetes",
        "columns": ["bmi"],
        "target": {"kind": "Histogram", "categories": None, "edges": [10, 30, 50, 70]},
        "n": 442,
        "oracle": {"kind": "TableRecords"},
        "bound": "TIME_UNIFORM",
        "confidence": 0.9,
        "m": 999,
    }
    | _LAPLACE,
    {
        "table": "diabetes",
        "columns": ["age"],
        "target": {"kind": "Variance", "bounds": [0, 120], "ddof": 1},
        "n": 442,
        "oracle": {"kind": "NormalMixture", "weights": [0.4, 0.6], "means": [30, 60], "sds": [9, 9], "bounds": [0, 120]},
        "bound": "DKW",
        "m": 2000,
    }
    | _LAPLACE,
    {
        "table": "diabetes",
        "columns": ["sex"],
        "target": {"kind": "Proportion", "category": 1, "interval": None},
        "n": 442,
        "oracle": {"kind": "Bernoulli", "p": 0.5},
    }
    | _LAPLACE,
    {
        "table": "scientists",
        "columns": ["name"],
        "target": {"kind": "LetterCounts", "alphabet": "aeiou", "ignore_case": True, "longest": 30},
        "oracle": {"kind": "Names"},
        "n": 10,
        "mechanism": {"kind": "Exponential", "candidates": list("aeiou"), "norm": "RANGE", "selection": "gumbel"},
        "norm": "RANGE",
    },
    {
        "table": "sine",
        "columns": ["x", "y"],
        "target": _LATTICE,
        "n": 250,
        "oracle": {"kind": "RegressionPrior", "noise": 0.2, "x_bounds": [0, 1], "y_bounds": [-1.5, 1.5]},
    }
    | _BERNSTEIN,
    {"table": "two_bumps", "columns": ["x"], "target": _DENSITY, "n": 5000, "oracle": {"kind": "Uniform", "low": 0, "high": 1}}
    | _BERNSTEIN,
    {
        "table": "two_classes",
        "columns": ["x1", "x2", "label"],
        "target": _CLASSIFIER,
        "n": 1000,
        "oracle": {"kind": "TwoClasses", "dims": 2, "positive": 0.2, "negative": 0.8, "sd": 0.1, "x_bounds": None},
    }
    | _LAPLACE,
    {
        "table": "scientists",
        "columns": ["name"],
        "target": {"kind": "LetterCounts", "alphabet": "abc", "ignore_case": False, "longest": None},
        "oracle": {"kind": "Resample", "records": ["Ada", "Alan"]},
        "n": 10,
    }
    | _LAPLACE,
    {
        "table": "visits",
        "columns": ["minutes", "clinic", "person"],
        "target": _CAPPED,
        "oracle": _PEOPLE,
        "n": 2000,
        "adjacency": "REPLACE_ONE_USER",
    }
    | _LAPLACE,
    {
        "table": "visits",
        "columns": ["minutes", "clinic", "person"],
        "target": _CLIPPED,
        "oracle": _PEOPLE,
        "n": 2000,
        "adjacency": "REPLACE_ONE_USER",
    }
    | _LAPLACE,
    {
        "table": "players",
        "columns": ["score", "player"],
        "target": _CAPPED
        | {"question": _ASKED | {"columns": ["score"], "where": [], "by": None}, "person": "player", "salt": 7}
        | {"groups_each": None},
        "oracle": {"kind": "TableRecords"},
        "n": 4,
        "adjacency": "ADD_OR_REMOVE_ONE_USER",
        "mechanism": {"kind": "Gaussian", "calibration": "analytic"},
        "norm": "L2",
        "delta": 1e-6,
    },
)
_NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    3,
    0.5,
    1e-9,
    1e-100,
    1e-320,
    5e-324,
    1e9,
    1e100,
    1e308,
    -1e308,
    10**8,
    10**18,
    10**19,
    10**30,
    10**400,
    2**31,
    2**63,
    2**64,
    255,
    256,
    999,
    1_000,
    1_999,
    2_000,
    20_000,
    99_999,
    100_000,
    999_999,
    0.05,
    0.999,
    1 - 1e-9,
    1 - 2**-53,
    0.1 + 0.2,
    -0.0,
    0.001,
)
_TEXTS = (
    "",
    " ",
    "\x00",
    "a",
    "_x_",
    "![x](http://example.org/x)",
    "<b>x</b>",
    ":red[x]",
    "é",
    "ẞ",
    "İ",
    "😀",
    "\u202eabc",
    "٣",
    "𝟘",
    "nan",
    "NaN",
    "Infinity",
    "L1",
    "LINF",
    "RANK",
    "TOLERANCE",
    "__class__",
    "../../etc/passwd",
    "kind",
    "0",
    "1e5",
    "aA",
    "ſs",
    "\ud800",
)
_MOST = 8_000  # bytes of a link
_SHARED = ("oracle", "m", "gamma", "bound", "confidence", "seed")


def link(rng: random.Random) -> dict[str, str]:
    """A query of a few mutations; at most about 8 kB."""
    said: dict[str, Any] = json.loads(json.dumps(CHOICES | rng.choice(REAL)))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        _mutated(said, rng)
    query = {"v": "1"} | {name: _text(value, rng) for name, value in said.items()}
    if rng.random() < 0.05:
        query |= {rng.choice(_TEXTS) + str(i): rng.choice(_TEXTS) for i in range(rng.choice((1, 3, 300)))}
    if rng.random() < 0.4:
        query["pins"] = _text(_pins(said, rng), rng)
    if rng.random() < 0.3:
        query["list"] = _text(_list(said, rng), rng)
    return _cut(query)


def _list(said: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Up to three questions of real links, some with an oracle of their own, with what they share; most with a mutation."""
    one: dict[str, Any] = {"questions": [], **{name: said.get(name) for name in _SHARED}, "worst_case": rng.random() < 0.5}
    for real in rng.sample((said, *REAL), rng.choice((1, 1, 2, 3))):
        asked = {name: real[name] for name in ("target", "mechanism", "delta") if name in real} | {"epsilon": 1.0}
        alone = {name: real.get(name) for name in ("columns", "oracle")}
        one["questions"].append(asked | rng.choice(({}, alone)))
    one = json.loads(json.dumps(one))
    for _ in range(rng.choice((0, 1, 1, 2))):
        _change_inside(one, rng)
    return one


def _pins(said: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """What up to six pins have that the link has not, most of them as a person would change it."""
    pins: dict[str, Any] = {}
    for letter in rng.sample("ABCDEFab", rng.choice((1, 2, 3, 4, 6))):
        one = json.loads(json.dumps(said))
        if rng.random() < 0.3:
            one = json.loads(json.dumps(CHOICES | rng.choice(REAL)))
        one |= rng.choice(({"epsilon": 0.5}, {"m": 299}, {"gamma": 0.1}, {"seed": rng.randrange(100)}, {}))
        if rng.random() < 0.4:
            _mutated(one, rng)
        pins[letter] = {name: value for name, value in one.items() if value != said.get(name)}
    if rng.random() < 0.1:
        pins[rng.choice("ABCD")] = _value(None, rng)
    return pins


def _mutated(said: dict[str, Any], rng: random.Random) -> None:
    """One change somewhere."""
    change = rng.randrange(8)
    if change == 0:  # a field of another link
        name = rng.choice(list(said))
        said[name] = json.loads(json.dumps((CHOICES | rng.choice(REAL))[name]))  # its own: it may be changed within
    elif change == 1:
        said.pop(rng.choice(list(said)), None)
    elif change == 2:  # any member in any place
        said[rng.choice(("target", "oracle", "mechanism"))] = _member(rng)
    elif change == 3:
        said["bound"] = rng.choice(("RANK", "DKW", "TOLERANCE", "TIME_UNIFORM"))
        said["confidence"] = rng.choice((None, 0.5, 0.95, rng.random(), rng.choice(_NUMBERS)))
        said["gamma"], said["m"] = (
            rng.choice((0.001, 0.5, rng.random() / 2)),
            rng.choice((1, 19, 199, 100_000, rng.randrange(1, 10**5))),
        )
    else:
        _change_inside(said, rng)


def _change_inside(said: dict[str, Any], rng: random.Random) -> None:
    """A value somewhere in the tree of one field becomes another one."""
    holder: Any = said
    key: Any = rng.choice(list(said))
    while isinstance(holder[key], (dict, list)) and holder[key] and rng.random() < 0.8:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    holder[key] = _value(holder[key], rng)


def _value(old: Any, rng: random.Random) -> Any:
    kind = rng.randrange(10)
    if kind < 3:
        return rng.choice(_NUMBERS)
    if kind == 3 and isinstance(old, (int, float)) and not isinstance(old, bool):
        return _near(old, rng)
    if kind == 4:
        return rng.choice(_TEXTS)
    if kind == 5:
        return rng.choice((None, True, False, [], {}, [[]], {"kind": "Mean"}, [old], [None], {"kind": old}))
    if kind == 6:  # many of them
        many = rng.choice((2, 10, 100, 257, 900))
        return [old if rng.random() < 0.5 else rng.choice(_NUMBERS)] * many if rng.random() < 0.5 else list(range(many))
    if kind == 7:
        return "".join(chr(rng.choice((97 + i, 0x4E00 + i))) for i in range(rng.choice((2, 30, 255, 257, 1500))))
    if kind == 8:
        return _nested(old, rng)
    return _member(rng)


def _near(old: float, rng: random.Random) -> Any:
    try:
        return rng.choice((old * 10, old / 7, -old, old + 1, old - 1, old * 1e6, old * 1e-6, float(old)))
    except OverflowError:
        return old + 1


def _nested(value: Any, rng: random.Random) -> Any:
    for _ in range(rng.choice((1, 3, 20, 200))):
        value = rng.choice(([value], {"kind": "Product", "columns": [value]}))
    return value


def _member(rng: random.Random) -> Any:
    """One that a real link has, or a kind with no settings."""
    if rng.random() < 0.7:
        return json.loads(json.dumps(rng.choice(REAL)[rng.choice(("target", "oracle", "mechanism"))]))
    folder = rng.choice(("targets", "oracles", "mechanisms", "curves"))
    return {"kind": rng.choice(list(members(folder)))}


def _text(value: Any, rng: random.Random) -> str:
    if rng.random() < 0.01:
        return rng.choice((*_TEXTS, "[" * 3_000, '{"a":' * 1_000, "9" * 5_000, "1e" + "9" * 50))
    return value if isinstance(value, str) else json.dumps(value)


def _cut(query: dict[str, str]) -> dict[str, str]:
    """The first fields that are 8 kB together."""
    kept, size = {}, 0
    for name, value in query.items():
        size += len((name + value).encode(errors="replace")) + 2
        if size <= _MOST:
            kept[name] = value
    return kept
