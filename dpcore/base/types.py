"""What plugs into the library: arrays, and the protocols of targets and oracles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpcore.base.facts import facts

FloatArray = NDArray[np.float64]
Database = NDArray[Any]
"""Records on the first axis: a float array (n,) or (n, d), or an array (n,) of strings or with named fields."""
Inverse = Callable[[FloatArray], FloatArray]
"""The inverse distribution function F⁻¹(u) = inf{x: F(x) >= u} of one number, at u of any shape above 0 and below 1."""


@runtime_checkable
class Target(Protocol):
    """A non-private function of a database: deterministic, and given read-only arrays, none of which it keeps.

    Optional: ``true_cdf(oracle, norm, n)``, P(G <= g) of the distance G between its answers to two neighbours of n records of
    the oracle, a function of g of any shape; None where it is not known. What an oracle says of its records' law is in
    ``known_laws``.

    Optional: ``global_sensitivity(norm, n)``, its proved sensitivity with the proof, or None. One that proves any answers on
    every database of the right shape, NaN and infinities too: under a pure guarantee whether it fails must tell nothing.

    Optional, for the app: ``suited(columns)``, a class method, the one that is offered for a table's declared columns, or None;
    ``answer(columns)``, its kind of answer; ``seconds(n)``, about how long one call takes; ``numbers``, how many numbers it
    answers with; ``only_to_choose``, True where its numbers are scores.

    Optional, of one that takes missing values: ``lost(norm, n)``, how far its answer moves at most where a record's values all
    get lost, or are found; its global sensitivity is never less, and stands for it where there is none.
    """

    def __call__(self, database: Database, /) -> FloatArray:
        """(n, ...) -> (d,)"""


@runtime_checkable
class AdditiveTarget(Target, Protocol):
    """A target that is a sum over records, f(D) = Σ contribution(record, n): promises not to depend on their order."""

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, ...) -> (b, d)"""


@runtime_checkable
class AdditiveOverPeople(Target, Protocol):
    """A target that is a sum over people, f(D) = Σ each(rows): a person's part depends on that person's rows alone.

    A database without people has the value 0.
    """

    def each(self, rows: Database, /) -> FloatArray:
        """Rows of people, (rows,) -> (people, d)"""


@runtime_checkable
class OrderedTarget(Target, Protocol):
    """A target that depends on the records at a few places of the sorted database alone: promises not to depend on the rest.

    ``(min + max)/2`` has the places (0, n − 1). Under an oracle with an ``inverse`` it is sampled at no cost in n.
    """

    def places(self, n: int, /) -> tuple[int, ...]:
        """Of n sorted records, from 0 and increasing."""

    def from_places(self, records: FloatArray, n: int, /) -> FloatArray:
        """The records at those places of b sorted databases of n, (b, places) -> (b, d)"""


@runtime_checkable
class PairTarget(Target, Protocol):
    """A target that evaluates both neighbours from the n+1 records they share: promises not to depend on their order."""

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        """(b, n+1, ...) -> (b, d), (b, d): without the last record, and without the last but one."""


@runtime_checkable
class BatchTarget(Target, Protocol):
    """A target that evaluates many databases at once."""

    def batch(self, databases: Database, /) -> FloatArray:
        """(b, n, ...) -> (b, d)"""


@runtime_checkable
class Curve(Protocol):
    """A function-valued target: what a database says at each point of a public domain.

    Optional: ``domain``, one interval (low, high) a dimension, [0, 1] each where there is none; ``contribution(records, n,
    points) -> (b, p)``, ``pair(extended, points) -> two (b, p)`` and ``values_batch(databases, points) -> (b, p)``, which
    make the additive, pair and batch ways possible.
    """

    def values(self, database: Database, points: FloatArray, /) -> FloatArray:
        """points (p, dims) -> (p,)"""


@runtime_checkable
class LatticeTarget(Target, Protocol):
    """A target that is a curve on the (degree + 1)^dims points of a lattice, the first dimension fastest."""

    @property
    def degree(self) -> int: ...

    @property
    def domain(self) -> tuple[tuple[float, float], ...]: ...


@runtime_checkable
class ClassifierTarget(Target, Protocol):
    """A target whose answer tells two classes of records apart: weights of ``dims`` features and a bias, -> (dims + 1,)."""

    @property
    def dims(self) -> int: ...

    @property
    def x_bounds(self) -> tuple[tuple[float, float], ...]: ...

    def uncentred(self, answers: FloatArray, /) -> FloatArray:
        """The same answers as (w, b) for features scaled to [0, 1], class 1 being where w·x + b > 0: (k, dims + 1)."""

    def misclassified(self, answers: FloatArray, database: Database, /) -> FloatArray:
        """The share of the records that each answer (k, dims + 1) puts into the other class: -> (k,)."""


@runtime_checkable
class SteppedTarget(Target, Protocol):
    """A target that is the first of two steps: what it is answered, with noise, settles what is asked of the database next.

    The next target scores ``candidates``, and its sensitivity in RANGE is proved whatever the first response was. Both steps
    together answer with one vector.
    """

    def then(self, first: FloatArray, /) -> Target:
        """What is asked next, of a response to the first step (d,)."""

    def both(self, first: FloatArray, chosen: NDArray[np.int64], /) -> FloatArray:
        """The answer of both steps: responses to the first (k, d), indices of the candidates (k,) -> (k, e)."""

    def scores(self, first: FloatArray, database: Database, /) -> FloatArray:
        """``then`` of many first responses: (k, d) -> (k, candidates)."""


@runtime_checkable
class Oracle(Protocol):
    """Makes up plausible databases by a public rule: independent databases, exchangeable records.

    ``draw(b, r)`` has the law of the first r records of ``draw(b, n)`` for every n >= r. Optional: ``independent_records``,
    True where the records of one database are independent of one another too, with no shape that they share;
    ``inverse(u)``, where these are single numbers, their inverse distribution function, or None; ``draws_in_order``, True where
    ``draw(b, r)`` is, to the bit, the first b databases of more from the same generator; and ``draws_missing``, True where some
    values are missing, NaN or ''.

    Optional: ``draws_people``, True where its records are whole people, with ``person``, the name of the field that says whose
    a row is (``people``). Then ``draw(1, r)`` gives the rows of r people, (1, rows), each one's together, with codes from 0 to
    r − 1, and keys that are random numbers of the generator; of more than one database it raises InvalidValueError.

    Optional too, of independent single numbers, and None where it is not known: ``difference_cdf(d)``, P(|x − x'| <= d) of two
    records at d of any shape; ``support``, an interval that no record leaves; and ``chances``, where the values are few, the
    probability of each. With these, targets know their true sensitivity CDFs (``known_laws``).
    """

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """-> (databases, records, ...)"""


def only_to_choose(target: object) -> bool:
    """Whether a target says that its scores are for choosing among its candidates alone: too many to be answers themselves."""
    return facts(target).only_to_choose is True


def groups_of(target: object) -> tuple[str, ...]:
    """The public groups that a target answers for, one equally long part of its answer after another; () for one without."""
    return facts(target).groups


def takes_missing(target: object) -> bool:
    """Whether a target says that it takes missing values as they are, NaN or ''.

    It promises that a record of which all is missing is counted nowhere, and that it answers however many are missing. Its
    proved sensitivity, where it has one, covers a value that gets lost or is found.
    """
    return facts(target).takes_missing is True


def can_be_asked(target: object) -> bool:
    """Whether it can be asked under conditions and by group: it takes missing values, and has no second step, which would have
    to be asked so too."""
    return takes_missing(target) and not isinstance(target, SteppedTarget)


def takes_codes(target: object) -> bool:
    """Whether a target says that it takes the places of public categories as numbers, 0, 1, …: in a feature with more than two
    of them NaN stands for a value that is missing."""
    return facts(target).takes_codes is True


def takes_fields(target: object) -> bool:
    """Whether a target says that it takes databases with named fields: those of its ``fields``, in order."""
    return facts(target).takes_fields is True


def draws_fields(oracle: object) -> bool:
    """Whether an oracle says that its records have named fields, as such targets take them."""
    return facts(oracle).draws_fields is True


def draws_people(oracle: object) -> bool:
    """Whether an oracle says that its records are whole people, each of one row or more."""
    return facts(oracle).draws_people is True


def person_of(*kinds: object) -> str | None:
    """The name of the field of people: what the first of a target and an oracle that names one says; None where none does."""
    names = (facts(kind).person for kind in kinds)
    return next((name for name in names if isinstance(name, str)), None)


def independent_records(oracle: Oracle) -> bool:
    """Whether the oracle says that the records of one database are i.i.d.; exchangeable ones need not be."""
    return facts(oracle).independent_records is True


def inverse_of(oracle: Oracle) -> Inverse | None:
    """The inverse distribution function of one record, where the oracle's records are independent numbers and it knows it."""
    inverse: Inverse | None = facts(oracle).inverse
    return inverse if callable(inverse) and independent_records(oracle) else None


def draws_in_order(oracle: Oracle) -> bool:
    """Whether the oracle says that how many databases it draws does not change the first of them."""
    return facts(oracle).draws_in_order is True


def check_served(target: Target, n: int) -> None:
    """InvalidValueError where the target says, by its optional ``check_records(n)``, that it does not serve n records: refused
    before anything is drawn.

    It may look at its own settings and at n alone, and serves fewer records where it serves more.
    """
    check: Callable[[int], None] | None = facts(target).check_records
    if check is not None:
        check(n)
