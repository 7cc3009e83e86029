"""The members of a folder, found by the catalogue that looks into it, each built in several ways: a new one needs no list."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from dpcore import registry
from dpcore.base.arrays import Database
from dpcore.base.bounds import Interval
from dpcore.base.columns import Column
from dpcore.base.filters import Filter, GroupBy
from dpcore.base.norms import NORMS, Norm
from dpcore.base.types import Oracle, Target
from dpcore.base.users import per_user
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.oracles import Categorical, Exponential, Uniform
from dpcore.targets import ContributionBounded, Count, Histogram, Mean, Proportion, QuantileScores, Query, Sum, Variance

VALUES: tuple[Any, ...] = (
    0.3,
    1.5,
    (0.25, 1.25),
    (0.2, 0.3, 0.5),
    ((4.0, 1.0), (5.0, 2.0), (7.0, 0.0)),
    (Uniform(0, 1), Uniform(2, 5)),
    1,
    False,
    True,
    "nà",
    ((0.25, 1.25), (0.5, 2.0)),
    KernelDensity(),
    PriestleyChao(0.2, (0.0, 1.5)),
)

OF_PEOPLE = per_user(np.array([(0.3, "b"), (1.5, "nà")] * 9, dtype=[("a", float), ("t", "U2")]), np.arange(18) ** 2 % 11)
FIELDS = ("a", "b", "t")  # numbers in the first two, texts in the last
PERSON_FIELD = "who"
OF_THEIR_OWN: dict[tuple[str, Any], tuple[Any, ...]] = {  # of fields that take nothing else, by their names and types
    ("target", Target): (
        Mean((0.25, 1.25)),
        Sum((0.25, 1.25)),
        Proportion(interval=(0.25, 1.0)),
        Histogram(edges=(0.0, 0.5, 1.0), counts=True),
        Query(Sum((0.25, 1.25)), ("a",)),
        QuantileScores(0.4, (0.25, 1.25), 4),
    ),
    ("k", int): (2, 3),
    ("person", str | None): (None, PERSON_FIELD),
    ("columns", tuple[str, ...]): (FIELDS[:1], FIELDS[1:2]),
    ("query", str): (
        "SELECT sum(a), count(b), max(a * b) FROM data WHERE t <> 'b'",
        "SELECT count(DISTINCT who), max(m) FROM (SELECT who, sum(a) AS m FROM data WHERE t <> 'b' GROUP BY who)",
        "SELECT t, sum(a) AS s FROM (SELECT t, a FROM data UNION ALL VALUES ('b', 0), ('nà', 1)) GROUP BY t",
    ),
    ("table", tuple[Column, ...]): (
        (Column("a", bounds=(0.25, 1.25)), Column("b"), Column("t", role="text", categories=("b", "nà", "cc"))),
        (Column("a"), Column("t", role="text"), Column(PERSON_FIELD, role="person")),
        (
            Column("a", bounds=(0.25, 1.25)),
            Column("b", bounds=(0.0, 2.0)),
            Column("t", role="text", categories=("b", "nà", "cc")),
        ),
    ),
    ("answer_if_missing", float | None): (0.5,),
    ("where", tuple[Filter, ...]): ((Filter("b", interval=(0.25, 1.25)), Filter("t", "b", excluded=True)),),
    ("by", GroupBy | None): (GroupBy("t", ("b", "nà")), GroupBy("b", (0.5, 1.0, 7.0))),
    ("question", Query): (
        Query(Sum((0.25, 1.25)), ("a",)),
        Query(Mean((0.25, 1.25)), ("a",), by=GroupBy("b", (0.0, 1.0))),
        Query(QuantileScores(0.4, (0.25, 1.25), 4), ("a",), (Filter("b", interval=(0.25, 1.25)),)),
    ),
    ("person", str): (PERSON_FIELD,),
    ("parts", tuple[Target, ...]): (
        (Mean((0.25, 1.25)), Histogram(edges=(0.0, 0.5, 1.0), counts=True), Variance((0.25, 1.25))),
        (
            Query(Sum((0.25, 1.25)), FIELDS[:1]),
            Query(Mean((0.25, 1.25)), FIELDS[1:2], by=GroupBy("t", ("b", "nà"))),
            Query(Variance((0.0, 1.0)), FIELDS[:1]),
        ),
        (
            Query(Sum((0.25, 1.25)), FIELDS[:1], (Filter("t", "b"),)),
            Query(Proportion(interval=(0.25, 1.0)), FIELDS[1:2], (Filter("t", "nà"),)),
            Query(Count(interval=(0.25, 1.0)), FIELDS[1:2]),
        ),
        (
            ContributionBounded(Query(Sum((0.25, 1.25)), FIELDS[:1]), PERSON_FIELD, 2),
            ContributionBounded(Query(Mean((0.0, 1.0)), FIELDS[1:2]), PERSON_FIELD),
        ),
    ),
    ("totals", Interval): ((-0.75, 1.5), (0.0, 2.0)),
    ("widths", tuple[float, ...]): ((0.3, 7.0, 1.1), (3.0, 0.7)),
    ("names", tuple[str, ...]): (FIELDS[:2],),
    ("rows", Oracle): (Exponential(0.4), Uniform(0, 5)),
    ("parts", tuple[Oracle, ...]): ((Exponential(0.4), Uniform(0, 1), Uniform(2, 5)),),
    ("records", Database): (*VALUES, OF_PEOPLE),
    ("oracle", Oracle): (Uniform(0, 1), Categorical((0.2, 0.3, 0.5), ("nà", "b", "cc"))),
    ("categories", tuple[str, ...] | None): (("nà", "b", "cc"),),
    ("bins", tuple[int, ...]): ((2,), (3, 2)),
}


def kinds(folder: str) -> list[type[Any]]:
    """The kinds in a folder of dpcore."""
    return list(registry.members(folder).values())


def members(folder: str, *, further: tuple[Any, ...] = ()) -> list[Any]:
    """Every kind built in each way that its required fields, and at most one optional, take of VALUES and ``further``.

    Fields with a few possible values (a Literal, a norm) take each of these with each of the other ways. Bounds that an
    oracle clips its records to are quantiles of its own records, so that they clip some and not nearly all.
    """
    return [member for kind in kinds(folder) for member in _built(folder, kind, (*VALUES, *further))]


@cache  # all of them take seconds, and several files ask for them
def _built(folder: str, kind: type[Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    built: dict[str, Any] = {}
    for way in _ways(kind, values):
        try:
            member = kind(**way)
            if folder == "oracles" and way.get("bounds") is not None:
                member = dataclasses.replace(member, bounds=_quantiles(dataclasses.replace(member, bounds=None)))
        except DpcoreError:
            continue
        built.setdefault(repr(member), member)
    return tuple(built.values())


def few(built: list[Any], most: int = 3) -> list[Any]:
    """Up to so many of each kind, the first and the last among them: for checks that take long."""
    found = []
    for kind in dict.fromkeys(map(type, built)):
        own = [member for member in built if type(member) is kind]
        found += [own[round(place)] for place in dict.fromkeys(np.linspace(0, len(own) - 1, min(most, len(own))))]
    return found


FAR = ((-1e308, 7e307), (0.0, 1e-310), (1e15, 1e15 + 1), (-1e-300, 1e200), (1.0, 1 + 2.0**-52))


def stretched(member: Any) -> list[Any]:
    """The member with each interval of its options, one after another, replaced by those near the ends of the floats."""
    found = []
    for field in dataclasses.fields(member):
        value = getattr(member, field.name)
        for far in FAR:
            changed = stretched(value) if dataclasses.is_dataclass(value) else [far] if _is_interval(value) else []
            for other in changed:
                try:
                    found.append(dataclasses.replace(member, **{field.name: other}))
                except InvalidValueError:
                    continue
    return list({repr(other): other for other in found}.values())


def _is_interval(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, float) for end in value)


def _ways(kind: type[Any], values: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    hints = get_type_hints(kind)
    fields = [field for field in dataclasses.fields(kind) if field.init]
    few = {field.name: known for field in fields if (known := _few(hints[field.name]))}
    open_ = [field for field in fields if field.name not in few]
    required = [field.name for field in open_ if _has_no_default(field)]
    optional = [field.name for field in open_ if field.name not in required]
    for names in [required, *([*required, name] for name in optional)]:
        for given in product(*(OF_THEIR_OWN.get((name, hints[name]), values) for name in names)):
            for chosen in product(*few.values()):
                yield dict(zip([*names, *few], [*given, *chosen], strict=True))


def _few(hint: Any) -> tuple[Any, ...]:
    """The values of a field that has only a few: a Literal's, or a norm of each class."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    classes = [part for part in (get_args(hint) or (hint,)) if isinstance(part, type) and issubclass(part, Norm)]
    return tuple(norm for norm in NORMS.values() if type(norm) in classes)


def _has_no_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _quantiles(free: Any) -> tuple[float, float]:
    """Where a tenth of an oracle's records lie below, and a tenth above."""
    low, high = np.quantile(free.draw(50, 20, rng=np.random.default_rng(3)), [0.1, 0.9])
    return float(low), float(high)
