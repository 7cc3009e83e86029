"""One experiment as checked data. Links, cache keys, reports and code are derived from its JSON form."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, final

from dpcore import Adjacency, ApproxDP, Bound, OperatingPoint, PureDP, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database
from dpcore.base.checks import share, whole
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import Norm
from dpcore.base.types import LatticeTarget, Oracle, Target, as_target
from dpcore.errors import InvalidValueError, UnknownKindError
from dpcore.mechanisms.base import Mechanism
from dpcore.oracles import Copula, Resample, ResamplePeople
from dpcore.registry import from_json, members, releasing, title_of
from pages.files.tables import Table


class Noise(Enum):
    """The sensitivity that the noise is calibrated to."""

    SAMPLED = "sampled"
    WORST_CASE = "worst case"
    BLOCKS = "blocks"

    @property
    def words(self) -> str:
        """The name on the page."""
        return self.value


LEAST_M, MOST_M = 1, 100_000
LEAST_GAMMA, MOST_GAMMA = 0.001, 0.5
LEAST_EPSILON, MOST_EPSILON = 0.01, 100.0
SLIDER_EPSILON = 20.0  # sliders and charts end here, unless a larger ε is typed
LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.5, 1 - 1e-9
MOST_NUMBERS = 256  # numbers in one answer; some charts grow with its square
_MOST_SEED = 2**128


@dataclass(frozen=True, slots=True)
class TableRecords:
    """Placeholder for an oracle that resamples rows of the scenario's own public table.

    A link contains this placeholder instead of data.
    """

    title: ClassVar[str] = "Rows of this table"  # its name in a list
    words: ClassVar[str] = "rows of the table itself"  # its name in the middle of a sentence
    stands_for: ClassVar[None] = None
    draws_people: ClassVar[bool] = False

    def of(self, records: Database, person: str | None) -> Oracle:
        """Return the oracle that resamples a public table.

        Args:
            records: Rows of the table.
            person: Field that identifies the user, if whole users are drawn.
        """
        return Resample(records) if person is None else ResamplePeople(records, person)


@final
@dataclass(frozen=True, slots=True)
class TableCopula(TableRecords):
    """Placeholder for the Gaussian copula of the scenario's own public table, which draws new records."""

    title: ClassVar[str] = "Copula of this table"
    words: ClassVar[str] = "a Gaussian copula of the table itself"

    def of(self, records: Database, person: str | None) -> Oracle:
        """Return the copula of a public table.

        Args:
            records: Rows of the table.
            person: Field that identifies the user, if whole users are drawn.

        Raises:
            InvalidValueError: If ``person`` is given, because a copula draws single rows.
        """
        expected = "one that draws people with all their rows: a copula draws single rows"
        require(person is None, "oracle", expected, self.words)
        return Copula(records)


OF_THE_TABLE: dict[str, TableRecords] = {type(one).__name__: one for one in (TableRecords(), TableCopula())}


@final
@dataclass(frozen=True, slots=True)
class Scenario:
    """One experiment: a table, a target of its columns, an oracle, and the settings of sampler and mechanism.

    Args:
        table: Name of the table.
        columns: Names of the columns that the target takes, in its order.
        target: The target, with at most 256 groups, categories, letters or lattice points.
        oracle: The oracle, or a placeholder for one made from the public table.
        n: Number of records, or of users.
        bound: Theorem that certifies γ.
        confidence: From 0.5 to 1 − 1e-9, required for TOLERANCE and TIME_UNIFORM.
        m: Number of sampled pairs, from 1 to 100,000.
        gamma: Share of pairs that may be missed, from 0.001 to 0.5.
        epsilon: From 0.01 to 100.
        delta: Required for mechanisms of approximate DP, otherwise None.
        mechanism: The mechanism.
        seed: Seed of the draws, at most 2¹²⁸.
        adjacency: What changes between neighbours.
        noise: The sensitivity that the noise is calibrated to.

    Raises:
        InvalidValueError: If a field is out of range or does not fit the others.
        GammaOutOfReachError: If m pairs cannot certify γ.
    """

    table: str
    columns: tuple[str, ...]
    target: Target
    oracle: Oracle | TableRecords
    n: int
    bound: Bound
    confidence: float | None
    m: int
    gamma: float
    epsilon: float
    delta: float | None
    mechanism: Mechanism[Any, Any]
    seed: int
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    noise: Noise = Noise.SAMPLED

    def __post_init__(self) -> None:
        require(isinstance(self.table, str), "table", "a name", self.table)
        names = isinstance(self.columns, tuple) and all(isinstance(name, str) for name in self.columns)
        require(names and len(self.columns) > 0, "columns", "a list of at least one name", self.columns)
        require(len(set(self.columns)) == len(self.columns), "columns", "different from one another", self.columns)
        target: Any = as_target(self.target)
        object.__setattr__(self, "target", target)
        fields = tuple(target.fields) if target.accepts_structured else self.columns
        require(self.columns == fields, "columns", f"those of the question, in its order: {', '.join(fields)}", self.columns)
        require(isinstance(self.adjacency, Adjacency), "adjacency", "one of the four adjacencies", self.adjacency)
        expected = "one person's, because the question is about people" if target.person else "one row's"
        same_unit = (target.person is None) == self.adjacency.of_records
        require(same_unit, "adjacency", expected, self.adjacency.value)
        require(isinstance(self.noise, Noise), "noise", "sampled, worst case or blocks", self.noise)
        whole("n", self.n)
        require(whole("seed", self.seed, least=0) <= _MOST_SEED, "seed", "a whole number of at most 2¹²⁸", self.seed)
        few = whole("m", self.m, least=LEAST_M) <= MOST_M
        require(few, "m", f"a whole number from {LEAST_M} to {MOST_M:,}", self.m)
        within("gamma", self.gamma, LEAST_GAMMA, MOST_GAMMA)
        within("epsilon", self.epsilon, LEAST_EPSILON, MOST_EPSILON)
        self._check_mechanism()
        _refuse_large(self.target)
        self.target.check_records(self.n)
        expected = "given for approximate DP" if self.delta is None else "absent under pure DP"
        require((self.delta is not None) == (self.mechanism.privacy is ApproxDP), "delta", expected, self.delta)
        if self.delta is not None:
            share("delta", self.delta)
        if self.bound.has_confidence:
            within("confidence", self.confidence, LEAST_CONFIDENCE, MOST_CONFIDENCE)
        OperatingPoint.for_both(self.m, self.gamma, bound=self.bound, confidence=self.confidence)

    def _check_mechanism(self) -> None:
        """Raise InvalidValueError if the mechanism cannot release the target, or its settings belong to another target."""
        kind, kinds = type(self.mechanism), members("mechanisms").values()
        if kind in kinds and kind.suited(self.target) is None:
            expected = " or ".join(map(title_of, releasing(kinds, self.target)))
            raise InvalidValueError("mechanism", f"{expected} for this target", kind.__name__)
        self.mechanism.check(self.target)

    @property
    def norm(self) -> Norm:
        """The norm of the sensitivity."""
        norm: Norm = self.mechanism.norm
        return norm

    @property
    def point(self) -> OperatingPoint:
        """The least k that certifies γ with m draws."""
        return _cached_point(self.m, self.gamma, bound=self.bound, confidence=self.confidence)

    @property
    def privacy(self) -> PureDP | ApproxDP:
        """The guarantee that the mechanism is calibrated to."""
        return PureDP(self.epsilon) if self.delta is None else ApproxDP(self.epsilon, self.delta)

    def resolved_oracle(self, table: Table | None) -> Oracle:
        """Return the oracle, made from the table if the scenario holds a placeholder.

        Args:
            table: The scenario's table, or None if it is absent.

        Raises:
            InvalidValueError: If the placeholder's table is confidential or absent, or a copula should draw users.
        """
        if not isinstance(self.oracle, TableRecords):
            return self.oracle
        if table is None or not table.public:
            raise InvalidValueError("oracle", "public: a confidential table cannot be its own oracle", self.table)
        return self.oracle.of(table.prepare(self.columns, self.target), self.target.person)

    def sample(self, oracle: Oracle, *, at: OperatingPoint, seed: int, **how: Any) -> SensitivitySample[Norm]:
        """Draw pairs of neighbouring tables and measure how far the target moves.

        Args:
            oracle: The resolved oracle, or another one.
            at: The operating point.
            seed: Seed of the draws.
            **how: Other arguments of ``sample_sensitivity``.
        """
        return sample_sensitivity(
            self.target, oracle, norm=self.norm, n=self.n, at=at, seed=seed, adjacency=self.adjacency, **how
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data that ``from_json`` reads back to an equal scenario. Sampled noise is the default and not stated."""
        found = {field.name: plain_form(getattr(self, field.name)) for field in fields(self)}
        if self.noise is Noise.SAMPLED:
            del found["noise"]
        return found

    @classmethod
    def from_json(cls, value: object) -> Scenario:
        """Return the scenario that plain data describes.

        Args:
            value: The plain data.

        Raises:
            UnknownKindError: If a field or a class is unknown.
            InvalidValueError: If a value is missing or out of range.
        """
        names = tuple(field.name for field in fields(cls))
        if not isinstance(value, dict):
            raise InvalidValueError("scenario", "an entry with its fields", value)
        if strange := sorted(set(value) - set(names)):
            raise UnknownKindError("field of a scenario", strange[0], names)
        value = {"adjacency": Adjacency.REPLACE_ONE_RECORD.name, "noise": Noise.SAMPLED.name} | value
        missing = [name for name in names if name not in value]
        if missing:
            raise InvalidValueError(missing[0], "given", None)
        return cls(**{name: parse(name, item) for name, item in value.items()})

    def with_(self, **changes: Any) -> Scenario:
        """Return a checked copy with changes."""
        return replace(self, **changes)


def parse(name: str, value: Any) -> Any:
    """Return one field of a scenario from its plain form.

    Args:
        name: Name of the field.
        value: Its plain form.

    Raises:
        UnknownKindError: If the value names an unknown class or member.
        InvalidValueError: If the value has the wrong type.
    """
    match name:
        case "columns":
            return tuple(value) if isinstance(value, list) else value
        case "target" | "oracle" | "mechanism":
            own = [one for kind, one in OF_THE_TABLE.items() if name == "oracle" and value == {"kind": kind}]
            return own[0] if own else from_json(value, f"{name}s")
        case "adjacency" | "bound" | "noise":
            known = {one.name: one for one in _ENUMS[name]}
            if not isinstance(value, str) or value not in known:
                raise UnknownKindError(name, value, tuple(known))
            return known[value]
    return value


_ENUMS: dict[str, type[Enum]] = {"adjacency": Adjacency, "bound": Bound, "noise": Noise}


def plain_form(value: Any) -> Any:
    """Return the plain form of a scenario's field, which ``parse`` reads."""
    if isinstance(value, TableRecords):
        return {"kind": type(value).__name__}
    return value.name if isinstance(value, Enum) else to_json(value)


def _refuse_large(target: Target) -> None:
    """Raise InvalidValueError if an answer has more than 256 numbers.

    If the mechanism only selects one candidate per group, the size is the number of groups.
    """
    if isinstance(target, LatticeTarget):
        dims = len(target.domain)
        most = int(MOST_NUMBERS ** (1 / dims) + 1e-9) - 1
        require((target.degree + 1) ** dims <= MOST_NUMBERS, "degree", f"at most {most:,}", target.degree)
        return
    groups, candidates = len(target.groups), len(target.candidates)
    size = groups if target.is_selection_score else candidates or groups
    require(size <= MOST_NUMBERS, "groups" if size == groups else "categories or letters", f"at most {MOST_NUMBERS:,}", size)


def require(holds: bool, name: str, expected: str, got: object) -> None:
    """Raise InvalidValueError unless a condition holds.

    Args:
        holds: The condition.
        name: Name of the value.
        expected: What the value must be.
        got: The value.
    """
    if not holds:
        raise InvalidValueError(name, expected, got)


def within(name: str, value: object, least: float, most: float) -> None:
    """Check that a value is a number in a range.

    Args:
        name: Name of the value, for the error.
        value: The value.
        least: Lower end of the range.
        most: Upper end of the range.

    Raises:
        InvalidValueError: If the value is outside the range, or has another type.
    """
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    require(least <= number <= most, name, f"a number from {least:g} to {most:.10g}", value)


# A page asks for it a dozen times, and TOLERANCE takes 1 ms each time.
_cached_point = lru_cache(maxsize=1_024, typed=True)(OperatingPoint.for_both)
