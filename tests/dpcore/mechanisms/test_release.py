"""A release: no record can be reached from it, failures tell nothing, users are counted, noise is never swallowed."""

from __future__ import annotations

import gc
import pickle
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    Adjacency,
    ApproxDP,
    BernsteinMechanism,
    GaussianMechanism,
    GlobalSensitivity,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    sample_sensitivity,
)
from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.curves import KernelDensity
from dpcore.errors import DatabaseMismatchError, DpcoreError, InvalidValueError, NoiseUnderflowError, ReleaseFailedError
from dpcore.ledger.lines import Event
from dpcore.mechanisms import noise as release_noise
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.oracles import Resample, Uniform
from dpcore.targets import Mean, OnLattice
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, Capped

SECRET = 271828.1828


def _calibrated(target: Target, value: float = 1.0) -> Calibrated[PureDP]:
    proved = GlobalSensitivity(target, value, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    return LaplaceMechanism().calibrate(proved, PureDP(1.0))


def raises_with_a_record(database: Database, /) -> FloatArray:
    raise RuntimeError(f"cannot use {database[0]}")


def raises_a_value_error_with_a_record(database: Database, /) -> FloatArray:
    raise ValueError(f"cannot use {database[0]}")


def raises_from_another(database: Database, /) -> FloatArray:
    try:
        raise KeyError(database[0])
    except KeyError as error:
        raise InvalidValueError("record", "another", database[0]) from error


def mutates(database: Database, /) -> FloatArray:
    database[0] = 0
    return database


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (raises_with_a_record, "raised RuntimeError"),
        (raises_a_value_error_with_a_record, "gave no finite answer"),
        (raises_from_another, "gave no finite answer"),
        (lambda database: np.array([np.nan]), "gave no finite answer"),
        (lambda database: np.array([1.0, np.inf]), "gave no finite answer"),
        (lambda database: np.empty(0), "gave no finite answer"),
        (lambda database: np.array([f"{database[0]} is no number"]), "gave no finite answer"),
        (mutates, "gave no finite answer"),
    ],
)
def test_failed_release_holds_no_record(target: Target, why: str) -> None:
    with pytest.raises(ReleaseFailedError) as caught:
        _calibrated(target).release(np.array([SECRET, 1.0]))
    error = caught.value
    assert error.why == why
    assert error.__cause__ is None
    assert error.__context__ is None
    printed = "".join(traceback.format_exception(error))
    for text in (str(error), repr(error), repr(error.args), repr(vars(error)), printed):
        assert "271828" not in text


def writes_to_its_base(database: Database, /) -> FloatArray:
    """What a read-only view would let happen."""
    if isinstance(database.base, np.ndarray):
        database.base[0] = 0.0
    return np.array([0.0])


def test_target_gets_a_copy() -> None:
    database = np.array([SECRET, 1.0])
    _calibrated(writes_to_its_base).release(database)
    assert database.tolist() == [SECRET, 1.0]
    assert database.flags.writeable
    with pytest.raises(ReleaseFailedError):
        _calibrated(mutates).release(database)
    assert database.tolist() == [SECRET, 1.0]


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
def test_value_that_swallows_the_noise_is_refused(add: Callable[[FloatArray, float], FloatArray]) -> None:
    with pytest.raises(NoiseUnderflowError) as caught:
        add(np.array([0.0, 1e18]), 1.0)
    assert caught.value.scale == 1.0
    at_the_edge = 2.0**42  # its spacing is 2⁻¹⁰ = scale/1024
    assert add(np.array([at_the_edge]), 1.0) != at_the_edge
    with pytest.raises(NoiseUnderflowError):  # 100 beyond 2⁴³, because the noisy response is what is looked at
        add(np.array([-(2.0**43) - 100]), 1.0)


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
@pytest.mark.parametrize(
    ("raw", "noisy", "refused"),
    [
        (0.5, 2.0**43, True),
        (0.5, -(2.0**43), True),
        (0.5, np.inf, True),
        (0.5, 2.0**42, False),
        (1e18, 2.0**42, False),
        (-1e300, 0.25, False),
        (1e18, 2.0**43, True),
    ],
)
def test_refusal_looks_at_the_noisy_response(
    add: Callable[[FloatArray, float], FloatArray], raw: float, noisy: float, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is post-processing: whether a release is refused tells no more than the response would have."""
    monkeypatch.setattr(release_noise, "_measurement", lambda kind, scale: lambda values: [noisy] * len(values))
    if refused:
        with pytest.raises(NoiseUnderflowError):
            add(np.array([raw]), 1.0)
    else:
        assert add(np.array([raw]), 1.0).tolist() == [noisy]


def test_the_spacings_of_all_entries_count_together() -> None:
    """Two entries at half of what one may have; a third is too many."""
    for number, allowed in ((1, 2.0**42), (2, 2.0**41), (4, 2.0**40)):
        assert np.isfinite(release_noise.add_laplace(np.full(number, allowed * 1.5), 1.0)).all()
        with pytest.raises(NoiseUnderflowError):
            release_noise.add_laplace(np.full(number, allowed * 2.5), 1.0)


@pytest.mark.parametrize("add", [release_noise.add_laplace, release_noise.add_gaussian])
@pytest.mark.parametrize(
    "values",
    [np.array([np.nan]), np.array([1.0, -np.inf]), np.zeros((2, 2)), np.zeros(2, dtype=np.float32), np.array(1.0)],
    ids=repr,
)
def test_what_is_no_finite_vector_gets_no_noise(add: Callable[[FloatArray, float], FloatArray], values: FloatArray) -> None:
    with pytest.raises(InvalidValueError) as caught:
        add(values, 1.0)
    assert caught.value.name == "values"


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_noise_needs_a_scale(scale: float) -> None:
    for add in (release_noise.add_laplace, release_noise.add_gaussian):
        with pytest.raises(InvalidValueError) as caught:
            add(np.zeros(1), scale)
        assert caught.value.name == "scale"


def first(database: Database, /) -> FloatArray:
    return np.array(database[:1])


@pytest.mark.parametrize("value", [0.0, 5.0])
def test_a_response_is_read_only(value: float) -> None:
    sample = sample_sensitivity(
        first, Resample(np.array([1.0, 1.0 + value])), norm=L1, n=2, at=OperatingPoint.for_gamma(0.05), seed=1
    )
    response = (
        LaplaceMechanism().calibrate(sample.sensitivity(allow_zero=True), PureDP(1.0)).release(np.array([1.0, 2.0])).response
    )
    assert not response.flags.writeable


N = 6
TABLE = ORACLE.draw(1, N, rng=np.random.default_rng(2))[0]
assert len(TABLE) not in (N, N - 1)


def _of_proof(adjacency: Adjacency, n: int | None = N, target: Any = None) -> Calibrated[PureDP]:
    known = GlobalSensitivity(target or _OfPeople(), 2.0, L1, adjacency, "By definition.", n)
    return LaplaceMechanism().calibrate(known, PureDP(1.0))


def _of_sample(adjacency: Adjacency, n: int = N) -> Calibrated[Any]:
    at = OperatingPoint.for_gamma(0.1)
    sample = sample_sensitivity(Capped(), ORACLE, norm=L1, n=n, at=at, seed=1, adjacency=adjacency)
    return LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0))


@dataclass(frozen=True)
class _OfPeople(Capped):
    """Says itself which field is that of people."""

    person: str = "person"


@pytest.mark.parametrize("made", [_of_proof, _of_sample], ids=["proved", "sampled"])
def test_release_counts_replaced_people(made: Any) -> None:
    assert made(REPLACED).release(TABLE).provenance["n"] == N
    for n in (N + 1, len(TABLE)):
        with pytest.raises(DatabaseMismatchError) as caught:
            made(REPLACED, n).release(TABLE)
        assert (caught.value.what, caught.value.expected, caught.value.got) == ("a number of people of", n, N)


@pytest.mark.parametrize("made", [_of_proof, _of_sample], ids=["proved", "sampled"])
@pytest.mark.parametrize("rows", [len(TABLE), 3, 0])
def test_release_states_a_confidential_number(made: Any, rows: int) -> None:
    calibrated = made(REMOVED, 1_234)
    release = calibrated.release(TABLE[:rows])
    assert release.provenance == calibrated.provenance(1_234)
    assert release.provenance["n"] == 1_234 == calibrated.provenance(rows)["n"]
    assert Ledger().add(release).lines[0].n == 1_234
    assert Ledger().add_failed(calibrated, n=rows).lines[0].n == 1_234


def test_confidential_number_is_never_read() -> None:
    refused = []
    for table in (TABLE, TABLE[:3]):
        with pytest.raises(InvalidValueError) as caught:
            _of_proof(REMOVED, None).release(table)
        assert caught.value.name == "sensitivity"
        refused.append(str(caught.value))
    assert refused[0] == refused[1]
    assert _of_proof(REPLACED, None).release(TABLE).provenance["n"] == N  # there it is public


def _of_a_table(calibrated: Calibrated[Any], table: Database) -> str:
    try:
        calibrated.release(table)
    except DpcoreError as error:
        return f"{type(error).__name__}: {error}"
    return "released"


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda table: table[["cost", "kind"]].copy(),
        lambda table: np.stack([table, table], axis=1),
        lambda table: table[::-1],
        lambda table: table["cost"].copy(),
    ],
    ids=["no people", "another shape", "another order", "no fields"],
)
@pytest.mark.parametrize("made", [_of_proof, _of_sample], ids=["proved", "sampled"])
def test_refusal_tells_no_number_of_people(made: Any, spoiled: Any) -> None:
    said = {_of_a_table(made(REMOVED), spoiled(TABLE[TABLE["person"]["code"] < few])) for few in (2, 4, N)}
    assert len(said) == 1
    assert "released" not in said
    assert _of_a_table(made(REPLACED), spoiled(TABLE)) != "released"


@dataclass(frozen=True)
class _Elsewhere(Target):
    """Names another field than the oracle does that it is sampled with, and reads neither."""

    person: str = "patient"

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database["cost"].sum()])


def test_field_of_people_is_the_targets_first() -> None:
    renamed = users.per_user(TABLE[["cost", "kind"]].copy(), TABLE["person"]["code"], person="patient")
    at = OperatingPoint.for_gamma(0.1)
    sample = sample_sensitivity(_Elsewhere(), ORACLE, norm=L1, n=N, at=at, seed=1, adjacency=REPLACED)
    for calibrated in (_of_proof(REPLACED, N, _Elsewhere()), LaplaceMechanism().calibrate(sample, PureDP(1.0))):
        assert calibrated.release(renamed).provenance["n"] == N
        with pytest.raises(DatabaseMismatchError) as caught:
            calibrated.release(TABLE)
        assert caught.value.expected == "patient"


def test_release_counts_records_without_a_person() -> None:
    numbers = np.arange(5.0)
    assert _of_proof(REPLACED, 5, np.sum).release(numbers).provenance["n"] == 5
    assert _of_proof(REMOVED, 9, np.sum).release(numbers).provenance["n"] == 9
    with pytest.raises(DatabaseMismatchError) as caught:
        _of_proof(REPLACED, 4, np.sum).release(numbers)
    assert caught.value.what == "a number of rows of"
    rows = GlobalSensitivity(_OfPeople(), 2.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", len(TABLE))
    assert LaplaceMechanism().calibrate(rows, PureDP(1.0)).release(TABLE).provenance["n"] == len(TABLE)
    assert Event.RELEASE is Ledger().add(_of_proof(REMOVED).release(TABLE)).lines[0].event


CANARY = 31_415.926_535
_OUTSIDE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.FrameType)


def _reachable(start: object) -> Iterator[Any]:
    """Every object that a release leads to, but modules, classes and functions, which lead everywhere."""
    seen: set[int] = set()
    todo: list[Any] = [start]
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, _OUTSIDE):
            continue
        seen.add(id(item))
        yield item
        todo.extend(gc.get_referents(item))
        if isinstance(item, np.ndarray):  # numpy does not tell the collector of its base
            todo.append(item.base)


def _holds_canary(item: Any) -> bool:
    if isinstance(item, np.ndarray):
        return item.dtype.kind == "f" and bool((item == CANARY).any())
    if isinstance(item, float):
        return item == CANARY
    if isinstance(item, (str, bytes)):
        text = item if isinstance(item, str) else item.decode("latin-1")
        return "31415.9" in text or np.float64(CANARY).tobytes().decode("latin-1") in text
    return False


def _leaks(start: object) -> list[Any]:
    return [item for item in _reachable(start) if _holds_canary(item)]


def _database() -> FloatArray:
    return np.array([CANARY, 1.0, 2.0, 3.0, 4.0])


@dataclass(frozen=True, eq=False)
class HoldsItsTable(Target):
    """A target that, unwisely, was made from the confidential table."""

    table: Database

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([np.median(database)])


def first_two(database: Database, /) -> FloatArray:
    """Its answer is a view into the database."""
    return database[1:3]


def _laplace(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    return LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(_database())


def _gaussian(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L2, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    return GaussianMechanism().calibrate(sample.sensitivity(), ApproxDP(1.0, 1e-6)).release(_database())


def _proved(target: Target) -> Release[Any]:
    proved: Any = Mean(bounds=(0, 1)).global_sensitivity(L1, 5)
    return LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(_database())


def _bernstein(target: Target) -> Release[Any]:
    """diffpriv's Bernstein response is a closure that carries the table."""
    proved: Any = OnLattice(KernelDensity(0.1), 4).global_sensitivity(L1, 5)
    return BernsteinMechanism(order=3).calibrate(proved, PureDP(1.0)).release(_database())


def _exact(target: Target) -> Release[Any]:
    sample = sample_sensitivity(target, Resample(np.array([1.0])), norm=L1, n=5, at=OperatingPoint.for_gamma(0.05), seed=3)
    released = LaplaceMechanism().calibrate(sample.sensitivity(allow_zero=True), PureDP(1.0)).release(_database())
    assert released.scale == 0
    return released


@pytest.mark.parametrize("make", [_laplace, _gaussian, _proved, _bernstein, _exact])
@pytest.mark.parametrize(
    "target",
    [Mean(), first_two, HoldsItsTable(_database()), lambda database: database[1:2]],
    ids=["Mean", "view", "holding", "lambda"],
)
def test_no_record_is_reachable_from_a_release(make: Callable[[Target], Release[Any]], target: Target) -> None:
    release = make(target)
    if make is _exact and isinstance(target, Mean):
        assert release.response == [_database().mean()]
    assert _leaks(release) == []
    assert not _holds_canary(repr(release))
    assert not _holds_canary(pickle.dumps(release))


def test_the_search_finds_a_record_wherever_it_hides() -> None:
    release = _laplace(Mean())
    database = _database()
    hidden: list[Any] = [
        database,
        database[2:3],
        {"x": (database,)},
        CANARY,
        str(CANARY),
        HoldsItsTable(database),
        pickle.dumps(database),
    ]
    for where in hidden:
        assert _leaks([release, where]), where


def test_provenance_is_strings_and_numbers_only() -> None:
    for make in (_laplace, _gaussian, _proved):
        provenance = make(HoldsItsTable(_database()) if make is not _proved else Mean()).provenance
        assert {type(value) for value in provenance.values()} <= {str, int, float, type(None)}
        assert provenance["n"] == 5
    sampled = _laplace(Mean()).provenance
    assert (sampled["seed"], sampled["m"], sampled["k"], sampled["gamma"], sampled["bound"]) == (3, 19, 19, 0.05, "RANK")
    assert (sampled["target"], sampled["oracle"], sampled["way"], sampled["norm"]) == (
        "Mean()",
        "Uniform(low=0, high=1)",
        "additive",
        "L1",
    )
