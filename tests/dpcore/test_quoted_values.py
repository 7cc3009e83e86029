"""No message, stored failure or log record quotes a value of the table, however a target, a query or an oracle fails."""

from __future__ import annotations

import pickle
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    Adjacency,
    Column,
    GlobalSensitivity,
    LaplaceMechanism,
    Ledger,
    OperatingPoint,
    PureDP,
    SensitivitySample,
    sample_sensitivity,
)
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, NoAnswerError, ReleaseFailedError
from dpcore.oracles import Resample
from dpcore.sampling.draws import ExecutorLostError
from dpcore.targets import SqlQuery

WORD, NUMBER = "zwieback", 86_420.125
COLUMNS = (Column("cost", bounds=(0.0, 1e6)), Column("note", role="text"))
TABLE = np.array([(NUMBER, WORD)] * 6, dtype=[("cost", float), ("note", "U8")])
QUERIES = (
    "SELECT sum(note::INT) FROM data",
    "SELECT sum(note::DATE - DATE '2020-01-01') FROM data",
    "SELECT sum(cost::SMALLINT) FROM data",
    "SELECT sum(cost::INT * 100000::INT) FROM data",
    "SELECT 1 / (count(*) - count(cost)) FROM data",
    "SELECT cost FROM data",
)


def raises_with_rows(database: Database, /) -> FloatArray:
    raise ValueError(f"cannot use {database.tolist()}")


def refuses_rows(database: Database, /) -> FloatArray:
    raise InvalidValueError("row", "another", database.tolist())


def gives_words(database: Database, /) -> FloatArray:
    return np.array(database["note"])


def casts_words(database: Database, /) -> FloatArray:
    return np.array([float(word) for word in database["note"]])


TARGETS: list[Any] = [raises_with_rows, refuses_rows, gives_words, casts_words, *(SqlQuery(one, COLUMNS) for one in QUERIES)]
named = pytest.mark.parametrize("target", TARGETS, ids=lambda one: getattr(one, "__name__", getattr(one, "query", "")))


def refuse_values(*texts: object) -> None:
    """AssertionError if a text holds the word or the number of the table."""
    for said in map(str, texts):
        assert WORD not in said
        assert "86420" not in said.replace(",", "").replace("_", "")


def _all_of(error: BaseException) -> str:
    return (
        "".join(traceback.format_exception(error))
        + repr(error.args)
        + repr(vars(error))
        + repr(pickle.loads(pickle.dumps(error)))
    )


@named
def test_a_failed_pair_keeps_no_value(target: Any, caplog: pytest.LogCaptureFixture) -> None:
    sample: SensitivitySample[Any] = sample_sensitivity(
        target, Resample(TABLE), norm=L1, n=4, at=OperatingPoint.for_sample_size(9), seed=1
    )
    assert len(sample.failures) == 9
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.sensitivity()
    refuse_values(*sample.failures.values(), caught.value, caught.value.reasons, caplog.text)


@named
def test_a_failed_release_keeps_no_value(target: Any, caplog: pytest.LogCaptureFixture) -> None:
    proved = GlobalSensitivity(target, 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", None)
    calibrated = LaplaceMechanism().calibrate(proved, PureDP(1.0))
    with pytest.raises(ReleaseFailedError) as caught:
        calibrated.release(TABLE)
    line = Ledger().add_failed(calibrated, n=len(TABLE)).lines[0]
    refuse_values(_all_of(caught.value), line, caplog.text)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_that_fails_names_no_value(query: str) -> None:
    try:
        SqlQuery(query, COLUMNS)(TABLE)
    except NoAnswerError as error:
        refuse_values(_all_of(error))


@dataclass(frozen=True)
class _Raises(Oracle):
    """An oracle that fails with its records on every worker."""

    records: Database

    def draw(self, databases: int, n: int, /, *, rng: np.random.Generator) -> Database:
        if threading.current_thread() is not threading.main_thread():  # in which the sampler looks at first draws
            raise LookupError(f"cannot use {self.records.tolist()}")
        return np.broadcast_to(self.records[:1], (databases, n)).copy()


def test_failed_task_of_worker_quotes_no_value(caplog: pytest.LogCaptureFixture) -> None:
    mean: Callable[[Database], FloatArray] = lambda database: np.array([database["cost"].mean()])  # noqa: E731
    at = OperatingPoint.for_sample_size(99)
    with ThreadPoolExecutor(2) as pool, pytest.raises(ExecutorLostError) as caught:
        sample_sensitivity(mean, _Raises(TABLE), norm=L1, n=4, at=at, seed=1, executor=pool)
    assert caught.value.kind == "LookupError"
    refuse_values("".join(traceback.format_exception(caught.value)), caught.value.why, caplog.text)
