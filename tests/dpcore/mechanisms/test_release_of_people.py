"""A release of people: they are counted, and not their rows; where one is added or removed, nothing tells how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Adjacency, GlobalSensitivity, LaplaceMechanism, Ledger, OperatingPoint, PureDP, sample_sensitivity
from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import DatabaseMismatchError, DpcoreError, InvalidValueError, ReleaseFailedError
from dpcore.ledger.lines import Event
from dpcore.mechanisms.base import Calibrated
from tests.dpcore.sampling.people import ORACLE, REMOVED, REPLACED, Capped

N = 6
TABLE = ORACLE.draw(1, N, rng=np.random.default_rng(2))[0]
assert len(TABLE) not in (N, N - 1)


def _proved(adjacency: Adjacency, n: int | None = N, target: Any = None) -> Calibrated[PureDP]:
    known = GlobalSensitivity(target or _OfPeople(), 2.0, L1, adjacency, "By definition.", n)
    return LaplaceMechanism().calibrate(known, PureDP(1.0))


def _sampled(adjacency: Adjacency, n: int = N) -> Calibrated[Any]:
    at = OperatingPoint.for_gamma(0.1)
    sample = sample_sensitivity(Capped(), ORACLE, norm=L1, n=n, at=at, seed=1, adjacency=adjacency)
    return LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0))


@dataclass(frozen=True)
class _OfPeople(Capped):
    """Says itself which field is that of people."""

    person: str = "person"


@pytest.mark.parametrize("made", [_proved, _sampled], ids=["proved", "sampled"])
def test_where_one_is_replaced_people_are_counted(made: Any) -> None:
    assert made(REPLACED).release(TABLE).provenance["n"] == N
    for n in (N + 1, len(TABLE)):
        with pytest.raises(DatabaseMismatchError) as caught:
            made(REPLACED, n).release(TABLE)
        assert (caught.value.what, caught.value.expected, caught.value.got) == ("a number of people of", n, N)


@pytest.mark.parametrize("made", [_proved, _sampled], ids=["proved", "sampled"])
@pytest.mark.parametrize("rows", [len(TABLE), 3, 0])
def test_where_one_is_added_or_removed_the_stated_number_stands_whatever_the_table_has(made: Any, rows: int) -> None:
    calibrated = made(REMOVED, 1_234)
    release = calibrated.release(TABLE[:rows])
    assert release.provenance == calibrated.provenance(1_234)
    assert release.provenance["n"] == 1_234 == calibrated.provenance(rows)["n"]
    assert Ledger().add(release).lines[0].n == 1_234
    assert Ledger().add_failed(calibrated, n=rows).lines[0].n == 1_234


def test_a_number_that_nobody_states_is_not_read_off_the_table() -> None:
    refused = []
    for table in (TABLE, TABLE[:3]):
        with pytest.raises(InvalidValueError) as caught:
            _proved(REMOVED, None).release(table)
        assert caught.value.name == "sensitivity"
        refused.append(str(caught.value))
    assert refused[0] == refused[1]
    assert _proved(REPLACED, None).release(TABLE).provenance["n"] == N  # there it is public


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
@pytest.mark.parametrize("made", [_proved, _sampled], ids=["proved", "sampled"])
def test_a_refusal_says_the_same_of_tables_of_another_number_of_people(made: Any, spoiled: Any) -> None:
    said = {_of_a_table(made(REMOVED), spoiled(TABLE[TABLE["person"]["code"] < few])) for few in (2, 4, N)}
    assert len(said) == 1
    assert "released" not in said
    assert _of_a_table(made(REPLACED), spoiled(TABLE)) != "released"


def test_a_target_that_fails_tells_no_number_either() -> None:
    def fails(database: Database, /) -> FloatArray:
        raise ValueError(str(len(database)))

    for few in (2, N):
        with pytest.raises(ReleaseFailedError) as caught:
            _proved(REMOVED, 50, fails).release(TABLE[TABLE["person"]["code"] < few])
        assert str(len(TABLE)) not in str(caught.value)


def test_the_field_of_people_is_the_targets_where_it_names_one() -> None:
    renamed = users.per_user(TABLE[["cost", "kind"]].copy(), TABLE["person"]["code"], person="patient")
    assert _proved(REPLACED, N, _Named()).release(renamed).provenance["n"] == N
    with pytest.raises(DatabaseMismatchError) as caught:
        _proved(REPLACED, N, _Named()).release(TABLE)
    assert caught.value.expected == "patient"


@dataclass(frozen=True)
class _Elsewhere(Target):
    """Names another field than the oracle does that it is sampled with, and reads neither."""

    person: str = "patient"

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database["cost"].sum()])


def test_the_targets_name_goes_before_the_oracles() -> None:
    renamed = users.per_user(TABLE[["cost", "kind"]].copy(), TABLE["person"]["code"], person="patient")
    at = OperatingPoint.for_gamma(0.1)
    sample = sample_sensitivity(_Elsewhere(), ORACLE, norm=L1, n=N, at=at, seed=1, adjacency=REPLACED)
    assert LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).release(renamed).provenance["n"] == N


class _Named(Target):
    person = "patient"

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([users.count(database["patient"])])


def test_records_are_counted_where_a_record_is_all_that_there_is_of_a_user() -> None:
    numbers = np.arange(5.0)
    assert _proved(REPLACED, 5, np.sum).release(numbers).provenance["n"] == 5
    assert _proved(REMOVED, 9, np.sum).release(numbers).provenance["n"] == 9
    with pytest.raises(DatabaseMismatchError) as caught:
        _proved(REPLACED, 4, np.sum).release(numbers)
    assert caught.value.what == "a number of rows of"
    rows = GlobalSensitivity(_OfPeople(), 2.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", len(TABLE))
    assert LaplaceMechanism().calibrate(rows, PureDP(1.0)).release(TABLE).provenance["n"] == len(TABLE)
    assert Event.RELEASE is Ledger().add(_proved(REMOVED).release(TABLE)).lines[0].event
