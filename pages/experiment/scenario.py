"""One experiment as data: checked where it is made, JSON in and out. Link, cache key, report and code come from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, final

from dpcore.base.checks import share, whole
from dpcore.base.facts import facts
from dpcore.base.norms import Norm, norm_named
from dpcore.base.types import (
    Database,
    LatticeTarget,
    Oracle,
    Target,
    check_served,
    groups_of,
    only_to_choose,
    person_of,
    takes_fields,
)
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles.copula import of_sample
from dpcore.oracles.resample import of_records
from dpcore.oracles.resample_people import of_people
from dpcore.registry.catalog import from_json, members, title_of, to_json
from dpcore.registry.fit import releasing
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from pages.files.tables import Table

VERSION = 1


class Noise(Enum):
    """How the noise is sized."""

    SAMPLED = "sampled"
    WORST_CASE = "worst case"
    BLOCKS = "blocks"

    @property
    def words(self) -> str:
        """Its name on the page."""
        return self.value


LEAST_M, MOST_M = 1, 100_000
LEAST_GAMMA, MOST_GAMMA = 0.001, 0.5
LEAST_EPSILON, MOST_EPSILON = 0.01, 20.0
LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.5, 1 - 1e-9
MOST_NUMBERS = 256  # of one answer: what is drawn of it grows with its pairs too
_MOST_SEED = 2**128


@dataclass(frozen=True, slots=True)
class TableRecords:
    """Stands for ``Resample`` of the scenario's own table, which must be public: a link holds no data."""

    words: ClassVar[str] = "rows of the table itself"  # what it draws, in the middle of a sentence

    def of(self, records: Database, person: str | None) -> Oracle:
        """The oracle of a public table's records; of people, who are named by the field ``person``, each with all rows."""
        return of_records(records) if person is None else of_people(records, person)


@final
@dataclass(frozen=True, slots=True)
class TableCopula(TableRecords):
    """Stands for the Gaussian copula of the scenario's own table, which must be public: it draws new records."""

    words: ClassVar[str] = "a Gaussian copula of the table itself"

    def of(self, records: Database, person: str | None) -> Oracle:
        """The copula of a public table's records; InvalidValueError for people, for it would draw single rows and no people."""
        if person is not None:
            expected = "one that draws people: a copula draws single rows, and here people are drawn with all their rows"
            raise InvalidValueError("oracle", expected, self.words)
        return of_sample(records)


OF_THE_TABLE: dict[str, TableRecords] = {type(one).__name__: one for one in (TableRecords(), TableCopula())}


@final
@dataclass(frozen=True, slots=True)
class Scenario:
    """A table with the columns picked from it, a target, an oracle, and the choices of the sampler and the mechanism.

    Ranges are the screen's: m from 1 to 100,000, γ from 0.001 to 0.5, ε from 0.01 to 20, a confidence from 0.5 to
    1 − 1e-9, and an answer of at most 256 groups, categories, letters or lattice points. ``delta`` belongs to mechanisms of
    approximate DP and is None elsewhere, ``confidence`` to TOLERANCE likewise. GammaOutOfReachError where m cannot certify γ.
    """

    table: str
    columns: tuple[str, ...]
    target: Target
    oracle: Oracle | TableRecords
    norm: Norm
    n: int
    bound: Bound
    confidence: float | None
    m: int
    gamma: float
    epsilon: float
    delta: float | None
    mechanism: Mechanism[Any, Any]
    seed: int
    version: int = VERSION
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    noise: Noise = Noise.SAMPLED

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise InvalidValueError("version", f"{VERSION}, which this app reads", self.version)
        if not isinstance(self.table, str):
            raise InvalidValueError("table", "a name", self.table)
        if not isinstance(self.columns, tuple) or not self.columns or not all(isinstance(name, str) for name in self.columns):
            raise InvalidValueError("columns", "a tuple of at least one name", self.columns)
        if len(set(self.columns)) != len(self.columns):
            raise InvalidValueError("columns", "different from one another", self.columns)
        target: Any = self.target
        fields = tuple(target.fields) if takes_fields(target) else self.columns
        if self.columns != fields:
            raise InvalidValueError("columns", f"those of the question, in its order: {', '.join(fields)}", self.columns)
        if not isinstance(self.adjacency, Adjacency):
            raise InvalidValueError("adjacency", "one of the four adjacencies", self.adjacency)
        if (person_of(self.target) is None) != self.adjacency.of_records:
            asked = "one person's, for the question is about people" if person_of(target) else "one row's"
            raise InvalidValueError("adjacency", asked, self.adjacency.value)
        if not isinstance(self.noise, Noise):
            raise InvalidValueError("noise", "sampled, worst case or blocks", self.noise)
        whole("n", self.n)
        if whole("seed", self.seed, least=0) > _MOST_SEED:
            raise InvalidValueError("seed", "a whole number of at most 2¹²⁸", self.seed)
        if whole("m", self.m, least=LEAST_M) > MOST_M:
            raise InvalidValueError("m", f"a whole number from {LEAST_M} to {MOST_M:,}", self.m)
        for name, least, most in (("gamma", LEAST_GAMMA, MOST_GAMMA), ("epsilon", LEAST_EPSILON, MOST_EPSILON)):
            within(name, getattr(self, name), least, most)
        self._check_mechanism()
        _refuse_large(self.target)
        check_served(self.target, self.n)
        if self.norm != self.mechanism.norm:
            raise InvalidValueError("norm", f"{self.mechanism.norm.words}, for this mechanism", self.norm)
        if (self.delta is None) == (self.mechanism.privacy is ApproxDP):
            expected = "given for approximate DP" if self.delta is None else "left out under pure DP"
            raise InvalidValueError("delta", expected, self.delta)
        if self.delta is not None:
            share("delta", self.delta)
        if self.bound.has_confidence:
            within("confidence", self.confidence, LEAST_CONFIDENCE, MOST_CONFIDENCE)
        OperatingPoint.for_both(self.m, self.gamma, bound=self.bound, confidence=self.confidence)

    def _check_mechanism(self) -> None:
        """InvalidValueError for a mechanism that is not offered for the target, or whose own settings are another's."""
        kind = type(self.mechanism)
        known = releasing(members("mechanisms").values(), self.target)
        if kind.__module__.startswith("dpcore.mechanisms.") and kind not in known:
            only = [one for one in (*known, kind) if facts(one).only_for is not None]
            offered = " or ".join(map(title_of, known))
            expected = f"{title_of(only[0])} for {only[0].only_for}" if only else f"{offered} for this target"
            raise InvalidValueError("mechanism", expected, kind.__name__)
        try:
            self.mechanism.check(self.target)
        except DpcoreError:
            raise
        except Exception:  # whatever it raises is a refusal
            expected = "one that says whether it takes this target, and this one failed"
            raise InvalidValueError("mechanism", expected, type(self.mechanism).__name__) from None

    @property
    def point(self) -> OperatingPoint:
        """The least k that certifies γ with m draws."""
        return _point(self.m, self.gamma, bound=self.bound, confidence=self.confidence)

    @property
    def privacy(self) -> PureDP | ApproxDP:
        """What the mechanism is calibrated to."""
        return PureDP(self.epsilon) if self.delta is None else ApproxDP(self.epsilon, self.delta)

    def resolved_oracle(self, table: Table | None) -> Oracle:
        """The oracle itself; InvalidValueError for the records of a table that is confidential, or is not here, and for a
        copula of people."""
        if not isinstance(self.oracle, TableRecords):
            return self.oracle
        if table is None or not table.public:
            raise InvalidValueError("oracle", "public: a confidential table is no oracle for itself", self.table)
        return self.oracle.of(table.prepare(self.columns, self.target).database, person_of(self.target))

    def sample(self, oracle: Oracle, *, at: OperatingPoint, seed: int, **how: Any) -> SensitivitySample[Norm]:
        """What the sampler draws for it from its resolved oracle or from another; ``how`` as ``sample_sensitivity`` has it."""
        return sample_sensitivity(
            self.target, oracle, norm=self.norm, n=self.n, at=at, seed=seed, adjacency=self.adjacency, **how
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data that ``from_json`` reads back to an equal scenario."""
        return {field.name: plain_form(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, value: object) -> Scenario:
        """The scenario that plain data describes; UnknownKindError or InvalidValueError name what is wrong."""
        names = tuple(field.name for field in fields(cls))
        if not isinstance(value, dict):
            raise InvalidValueError("scenario", "an entry with its fields", value)
        if strange := sorted(set(value) - set(names)):
            raise UnknownKindError("field of a scenario", strange[0], names)
        value = {"adjacency": Adjacency.REPLACE_ONE_RECORD.name, "noise": Noise.SAMPLED.name} | value
        if missing := [name for name in names if name not in value]:
            raise InvalidValueError("scenario", f"given {', '.join(missing)}", None)
        return cls(**{name: parse(name, item) for name, item in value.items()})

    def with_(self, **changes: Any) -> Scenario:
        """A copy with changes, checked as any other."""
        return replace(self, **changes)


def parse(name: str, value: Any) -> Any:
    """One field of a scenario from its plain form."""
    if name == "columns":
        if not isinstance(value, (list, tuple)) or not value or not all(isinstance(one, str) for one in value):
            raise InvalidValueError("columns", "a list of at least one name", value)
        return tuple(value)
    if name == "oracle" and (own := [one for kind, one in OF_THE_TABLE.items() if value == {"kind": kind}]):
        return own[0]
    if name in _ROOMS:
        return from_json(value, _ROOMS[name])
    if name == "norm":
        return norm_named(value)
    if name in _NAMED:
        known = {one.name: one for one in _NAMED[name]}
        if not isinstance(value, str) or value not in known:
            raise UnknownKindError(name, value, tuple(known))
        return known[value]
    return value


_ROOMS = {"target": "targets", "oracle": "oracles", "mechanism": "mechanisms"}
_NAMED: dict[str, type[Enum]] = {"adjacency": Adjacency, "bound": Bound, "noise": Noise}


def plain_form(value: Any) -> Any:
    """The plain form of a scenario's field, which ``parse`` takes."""
    if isinstance(value, TableRecords):
        return {"kind": type(value).__name__}
    if isinstance(value, Norm):
        return value.name
    return value.name if isinstance(value, (Bound, Adjacency, Noise)) else to_json(value)


def _refuse_large(target: Target) -> None:
    """InvalidValueError for an answer of more than 256 categories, letters, groups or lattice points; of candidates that are
    only there to be chosen from, one a group is the answer."""
    groups, candidates = len(groups_of(target)), len(facts(target).candidates)
    size = groups if only_to_choose(target) else candidates or groups
    if isinstance(target, LatticeTarget):
        dims = len(target.domain)
        if (target.degree + 1) ** dims > MOST_NUMBERS:
            raise InvalidValueError("degree", f"at most {int(MOST_NUMBERS ** (1 / dims) + 1e-9) - 1:,}", target.degree)
    elif size > MOST_NUMBERS:
        raise InvalidValueError("groups" if size == groups else "categories or letters", f"at most {MOST_NUMBERS:,}", size)


def within(name: str, value: object, least: float, most: float) -> None:
    """InvalidValueError for what is no number in this range."""
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    if not least <= number <= most:
        raise InvalidValueError(name, f"a number from {least:g} to {most:.10g}", value)


# Kept, because a page asks for it a dozen times, and under TOLERANCE it takes a millisecond each time.
_point = lru_cache(maxsize=1_024, typed=True)(OperatingPoint.for_both)
