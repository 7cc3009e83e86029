"""The base classes of targets, curves and oracles, with the defaults of everything that a class may add."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import CDF, Database, FloatArray, Inverse
from dpcore.base.columns import ONE_NUMBER, Column, Slots, stand_in
from dpcore.errors import InvalidValueError

if TYPE_CHECKING:
    default = property
else:

    class Default:
        """Like property, but an attribute of a subclass or of an instance takes its place; a class itself does not have it."""

        def __init__(self, get: Callable[[Any], Any]) -> None:
            self.get, self.__doc__ = get, get.__doc__

        def __get__(self, member: Any, owner: type) -> Any:
            if member is None:  # so that a required field of a dataclass does not take it for its default value
                raise AttributeError(f"{self.get.__name__} is an attribute of an instance of {owner.__name__}")
            return self.get(member)

    default = Default


LEAST_SHARE, MOST_SHARE = 2.0**-1022, 1 - 2.0**-53  # the shares that are inverted: the ends of a distribution can be infinite
_ROUNDING = 1 - 1e-12  # a jump at 1/n is also a jump at 1/n as computed
Offered = Any  # an optional method: a function, or None unless a class has it


class Member:
    """A target, curve, oracle or mechanism, and its names for pickers, forms and texts.

    Attributes:
        title: The name in pickers; by default the class's name in words.
        place: The place in a picker; smaller numbers come first.
        named_after_somebody: Whether the name is a person's, and keeps its capital in a sentence.
    """

    title: ClassVar[str] = ""
    place: ClassVar[int] = 1
    named_after_somebody: ClassVar[bool] = False

    @default
    def stands_for(self) -> Any:
        """The member that a picker shows in its place."""
        return None


class TakesColumns(Member, ABC):
    """A member that takes declared columns of a table: a target, a curve or an oracle.

    Attributes:
        takes: The slots for its columns.
        accepts_missing: Whether it takes missing values, NaN or ''. A target promises that a record of which all values are
            missing counts nowhere, that it answers however many are missing, and that its proof covers a value that gets lost.
        accepts_codes: Whether it takes the places of public categories, 0, 1, …, as numbers.
        reads_missing: Whether it says itself what happens to missing values.
        everyday: The name in the list of everyday questions, in one or two words; empty if it is not listed.
        once: The name if each user counts for one row, such as "Number of people".
        chooses: Whether its answer is a choice among too many candidates to be listed.
        rows_that_count: ``rows_that_count(records)``, (b,) -> (b,): the rows that a limit on a user's rows counts.
        offered: ``offered(columns)``, a class method: whether some member suits these columns, if that is sooner told than made.
    """

    takes: ClassVar[Slots] = ONE_NUMBER
    accepts_missing: ClassVar[bool] = False
    accepts_codes: ClassVar[bool] = False
    reads_missing: ClassVar[bool] = False
    everyday: ClassVar[str] = ""
    once: ClassVar[str] = ""
    chooses: ClassVar[bool] = False
    rows_that_count: ClassVar[Offered] = None
    offered: ClassVar[Offered] = None

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self | None:
        """Return the member that is proposed for these declared columns, or None."""
        return None

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether this member can work on exactly these columns."""
        return stand_in(self.takes, columns)


class Target(TakesColumns):
    """A non-private function of a database, deterministic, that is given read-only arrays and keeps none of them.

    A subclass needs only ``__call__``. Everything else has a default: attributes that describe the answer, and methods that are
    None unless a class has them. Below, b is a number of databases or records, and d of numbers of the answer.

    Examples:
        >>> class Largest(Target):
        ...     def __call__(self, database):
        ...         return np.array([database.max()])
        >>> Largest()(np.array([1.0, 3.0, 2.0]))
        array([3.])

    Attributes:
        predicted_as: How its error is predicted on the page People: "count", "sum", "mean" or "share".
        untold: What its answer does not tell, and why.
        written: The field that a person writes as a text, such as a query.
        pairs_a_call: The number of pairs a call of ``batch`` is given if each call is costly; 0 for the usual number.
        answer: ``answer(columns)``: the kind of answer, for these columns.
        global_sensitivity: ``global_sensitivity(norm, n)``: the proved sensitivity, or None. A target that proves any answers on
            every database of the right shape, NaN and infinities too: under pure DP, whether it fails must tell nothing.
        lost: ``lost(norm, n)``: how far the answer moves at most if all values of a record get lost, or are found.
        true_cdf: ``true_cdf(oracle, norm, n)``: P(G <= g) of the distance G between answers to two neighbours of n records,
            or None.
        contribution: ``contribution(records, n)``, (b, ...) -> (b, d): of a sum over records, f(D) = Σ contribution(record, n).
        pair: ``pair(extended)``, (b, n+1, ...) -> two (b, d): both neighbours, without the last record and the last but one.
        batch: ``batch(databases)``, (b, n, ...) -> (b, d): many databases at once.
        tried: ``tried(databases)``: the same, NaN if it fails, and the reasons by index, which quote no value.
        each: ``each(rows)``, (rows,) -> (users, d): of a sum over users, each user's part, made only of that user's rows.
        places: ``places(n)``: the indices of the sorted records that the answer depends on, from 0 and increasing.
        from_places: ``from_places(records, n)``, (b, places) -> (b, d): the answer from the records at these indices.
        by_group: ``by_group(database, places, groups)``, -> (groups, d): the answers of all groups in one pass, if it takes
            missing values.
        weighted: ``weighted(values, weights)``: the scores of records with these weights.
        row_values: ``row_values(records)``, (b,) -> (b,): what each row that counts adds before it is clipped.
        asked: ``asked(databases)``: the inner target's columns, missing if a condition does not hold.
        scores_of: ``scores_of(answers)``: the scores of candidates for the answers of blocks.
        asked_of: ``asked_of(columns)``: what is asked, in few words.
        said_of: ``said_of(columns)``: the target with its settings, in words.
        said_around: ``said_around(what)``: the target in words, if ``what`` is its inner target in words.
    """

    predicted_as: ClassVar[str] = ""
    untold: ClassVar[str] = ""
    written: ClassVar[str] = ""
    pairs_a_call: ClassVar[int] = 0
    answer: ClassVar[Offered] = None
    global_sensitivity: ClassVar[Offered] = None
    lost: ClassVar[Offered] = None
    true_cdf: ClassVar[Offered] = None
    contribution: ClassVar[Offered] = None
    pair: ClassVar[Offered] = None
    batch: ClassVar[Offered] = None
    tried: ClassVar[Offered] = None
    each: ClassVar[Offered] = None
    places: ClassVar[Offered] = None
    from_places: ClassVar[Offered] = None
    by_group: ClassVar[Offered] = None
    weighted: ClassVar[Offered] = None
    row_values: ClassVar[Offered] = None
    asked: ClassVar[Offered] = None
    scores_of: ClassVar[Offered] = None
    asked_of: ClassVar[Offered] = None
    said_of: ClassVar[Offered] = None
    said_around: ClassVar[Offered] = None

    @abstractmethod
    def __call__(self, database: Database, /) -> FloatArray:
        """Return the answer: (n, ...) -> (d,)."""

    # The answer.

    @default
    def named(self) -> str:
        """The name in few words, if it is not the class's title."""
        return ""

    @default
    def candidates(self) -> tuple[Any, ...]:
        """The candidates that the answer scores; empty if it scores none."""
        return ()

    @default
    def numbers(self) -> Any:
        """The length of the answer, if it is known without a call."""
        return None

    @default
    def scores(self) -> bool:
        """True if its numbers are scores of candidates."""
        return False

    @default
    def is_selection_score(self) -> bool:
        """True if its scores are only for choosing a candidate: too many to be an answer themselves."""
        return self.chooses

    @default
    def whole_numbers(self) -> bool:
        """True if each number of the answer is a whole number."""
        return False

    @default
    def about_relations(self) -> bool:
        """True if the answer says how columns are related."""
        return False

    @default
    def relative_resolution(self) -> float:
        """The relative size of a change of the answer that rounding can make."""
        return 1e-7

    @default
    def from_a_part(self) -> str:
        """The answer on a part of the records is like that on all: "alike" as a mean, "in proportion" as a sum, or ""."""
        return ""

    @default
    def answer_bounds(self) -> Offered:
        """``answer_bounds(n)``: an interval that its one number never leaves, or None."""
        return None

    # The parts of a question. One about rows has the first eight, and one about users all of them.

    @default
    def target(self) -> Any:
        """The target that a question asks with conditions, groups or limits; None for any other target."""
        return None

    @default
    def accepts_structured(self) -> bool:
        """True if it takes databases with named fields: those of its ``fields``, in this order."""
        return False

    @default
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that the inner target gets."""
        return ()

    @default
    def fields(self) -> tuple[str, ...]:
        """The names of all columns that it reads."""
        return ()

    @default
    def where(self) -> tuple[Any, ...]:
        """The conditions that records have to meet."""
        return ()

    @default
    def by(self) -> Any:
        """The column of its groups."""
        return None

    @default
    def groups(self) -> tuple[str, ...]:
        """The public groups that it answers for, one equally long part of the answer after another."""
        return ()

    @default
    def person(self) -> str | None:
        """The field that says whose a row is."""
        return None

    @default
    def rows(self) -> int | None:
        """The number of rows that each user counts for."""
        return None

    @default
    def totals(self) -> tuple[float, float] | None:
        """The bounds of the total of a user's rows."""
        return None

    @default
    def groups_each(self) -> int | None:
        """The number of groups that a user counts in at most."""
        return None

    @default
    def each_once(self) -> bool:
        """True if each user counts once, in all or in each group."""
        return False

    @default
    def bounds(self) -> Any:
        """The public bounds of its values; None if none are stated, () if it takes none."""
        return ()

    @default
    def public_alone(self) -> bool:
        """True if its answer is the number of records, which may be public, unless there are conditions or groups."""
        return False

    def of_known_values(self) -> Target | None:
        """Return the target that a question evaluates: the same one, of the known values only; None if it cannot be asked so."""
        return self if self.accepts_missing else None

    # Proofs.

    @default
    def condition(self) -> str:
        """The unchecked condition of its proofs, as it is printed with a guarantee; empty if there is none."""
        return ""

    @default
    def regardless_of_n(self) -> bool:
        """True if records of which all values are missing change nothing, however many there are."""
        return False

    # Faster ways to evaluate it, and to evaluate parts of it. Those of ``ways`` hold; None for all that the class has.

    @default
    def ways(self) -> tuple[str, ...] | None:
        """The names of the sampling methods that hold, of those that its class has; None for all of them."""
        return None

    def check_records(self, n: int, /) -> None:
        """Raise InvalidValueError if it does not serve n records. It depends only on its settings and n."""

    @default
    def seconds(self) -> Offered:
        """``seconds(n)``: the approximate seconds of a call."""
        return None


@final
@dataclass(frozen=True)
class FunctionTarget(Target):
    """A plain function of a database as a target; wherever the library takes a target, it takes the function too.

    Args:
        function: From a read-only database to an array of numbers (d,).
    """

    function: Callable[[Database], Any]

    def __call__(self, database: Database, /) -> FloatArray:
        answer: FloatArray = self.function(database)
        return answer


def as_target(target: object) -> Target:
    """Return a target itself, and a plain function as a target; InvalidValueError for anything else."""
    if isinstance(target, Target):
        return target
    if not callable(target) or isinstance(target, type):
        raise InvalidValueError("target", "a function of a table", target)
    return FunctionTarget(target)


class Curve(TakesColumns):
    """A function-valued target: a value of the database at each point of a public domain.

    Attributes:
        relative_resolution: The relative size of a change of a value that rounding can make.
        contribution: ``contribution(records, n, points)`` -> (b, p), of a sum over records.
        pair: ``pair(extended, points)`` -> two (b, p), both neighbours.
        values_batch: ``values_batch(databases, points)`` -> (b, p), many databases at once.
        lattice_sensitivity: ``lattice_sensitivity(norm, n, degree)``, the proved sensitivity over a lattice.

    Examples:
        >>> class ShareBelow(Curve):
        ...     def values(self, database, points):
        ...         return (database[:, None] <= points[:, 0]).mean(axis=0)
        >>> ShareBelow().values(np.array([0.2, 0.4]), np.array([[0.0], [0.3], [1.0]]))
        array([0. , 0.5, 1. ])
    """

    relative_resolution: ClassVar[float] = 1e-7
    contribution: ClassVar[Offered] = None
    pair: ClassVar[Offered] = None
    values_batch: ClassVar[Offered] = None
    lattice_sensitivity: ClassVar[Offered] = None

    @default
    def domain(self) -> tuple[tuple[float, float], ...]:
        """One interval (low, high) for each dimension; () for [0, 1] in each."""
        return ()

    @default
    def named(self) -> str:
        """The name in few words, if it is not the class's title."""
        return ""

    @abstractmethod
    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """Return the values at points (p, dims) -> (p,)."""


class Oracle(TakesColumns):
    """Simulates plausible databases by a public rule: independent databases, each of exchangeable records.

    ``draw(b, r)`` has the distribution of the first r records of ``draw(b, n)`` for every n >= r.

    If ``draws_people``, its records are whole users. Then ``draw(1, r)`` gives the rows of r users, (1, rows), each one's
    together, with codes from 0 to r − 1 in the field ``person``, and keys that are random numbers of the generator; for more than
    one database it raises InvalidValueError.

    Examples:
        >>> class Dice(Oracle):
        ...     independent_records = True
        ...
        ...     def draw(self, databases, records, /, *, rng):
        ...         return rng.integers(1, 7, size=(databases, records)).astype(float)
        >>> Dice().draw(1, 3, rng=np.random.default_rng(1))
        array([[3., 4., 5.]])
    """

    draws_people: ClassVar[bool] = False

    @abstractmethod
    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, (databases, records, ...)."""

    @default
    def independent_records(self) -> bool:
        """True if the records of one database are independent of one another, with no parameter that they share."""
        return False

    @default
    def draws_in_order(self) -> bool:
        """True if ``draw(b, r)`` is, to the bit, the first b databases of more from the same generator."""
        return False

    @default
    def draws_fields(self) -> bool:
        """True if its records have named fields."""
        return False

    # Facts about independent single numbers; None if unknown.

    @default
    def inverse(self) -> Inverse | None:
        """The inverse distribution function of a record."""
        return None

    @default
    def difference_cdf(self) -> CDF | None:
        """P(|x − x'| <= d) of two records, at d of any shape."""
        return None

    @default
    def support(self) -> tuple[float, float] | None:
        """An interval that no record leaves."""
        return None

    @default
    def chances(self) -> Mapping[float, float] | Mapping[str, float] | None:
        """The probability of each value, if there are few."""
        return None

    # Its parts.

    @default
    def columns(self) -> tuple[Any, ...]:
        """The oracle of each column, if the columns are independent."""
        return ()

    @default
    def names(self) -> tuple[str, ...]:
        """The names of these columns."""
        return ()

    @default
    def person(self) -> str | None:
        """The field that says whose a row is."""
        return None


class LatticeTarget(Target):
    """A target that is a curve on the (degree + 1)^dims points of a lattice, the first dimension fastest."""

    @property
    @abstractmethod
    def degree(self) -> int:
        """One less than the points in each dimension."""

    @property
    @abstractmethod
    def domain(self) -> tuple[tuple[float, float], ...]:
        """One interval (low, high) for each dimension."""


class SteppedTarget(Target):
    """A target that is the first of two steps: the noisy response to it decides which target comes next.

    The next target scores ``candidates``, and its sensitivity in RANGE is proved whatever the first response was. Both steps
    together answer with one vector.

    Attributes:
        steps: What the two steps are called.
    """

    steps: ClassVar[tuple[str, str]] = ("the first answer", "a candidate is chosen")

    def of_known_values(self) -> None:
        """Return None: the second step would have to be asked with the same conditions."""
        return

    @abstractmethod
    def then(self, first: FloatArray, /) -> Target:
        """Return what is asked next, for a response to the first step (d,)."""

    @abstractmethod
    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """Return the answers of both steps: responses to the first (k, d), indices of the candidates (k,) -> (k, e)."""

    @abstractmethod
    def scores_after(self, first: FloatArray, database: Database, /) -> FloatArray:
        """Return the scores of ``then`` for many first responses: (k, d) -> (k, candidates)."""

    def apart(self, responses: FloatArray, /) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return the responses to the first step and the indices of the candidates, if answers tell them."""
        raise InvalidValueError("target", "one whose answers tell both steps", self)


def can_be_asked(target: Any) -> bool:
    """Return whether a target, or some target of a class, can be asked with conditions and by group: of its known values."""
    if not isinstance(target, type):
        return target.of_known_values() is not None
    if not issubclass(target, Target) or issubclass(target, SteppedTarget):
        return False
    return target.accepts_missing or target.of_known_values is not Target.of_known_values


# Facts about an oracle's records, for the true CDFs of sensitivities: used only if the records are independent.


def inverse_of(oracle: Oracle) -> Inverse | None:
    """Return the inverse distribution function of a record, if the records are independent numbers and it is known."""
    return oracle.inverse if oracle.independent_records else None


def difference_cdf(oracle: Oracle) -> CDF | None:
    """Return P(|x − x'| <= d) for two records, if they are independent and it is known."""
    return oracle.difference_cdf if oracle.independent_records else None


def chances(oracle: Oracle) -> Mapping[float, float] | Mapping[str, float] | None:
    """Return the probability of each value of a record, if records are independent and have few known values."""
    return oracle.chances if oracle.independent_records else None


def jump(at_zero: float, place: float) -> CDF:
    """Return the CDF of a distance that is 0 with probability ``at_zero``, and ``place`` otherwise."""
    return lambda g: np.where(np.asarray(g) >= place * _ROUNDING, 1.0, np.where(np.asarray(g) >= 0, at_zero, 0.0))
