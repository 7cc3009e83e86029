"""A release whose draws take long: one outcome a press, whatever is pressed or lost, and never of draws that came first."""

from __future__ import annotations

import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any

import pytest

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L1
from dpcore.base.types import as_target
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.oracles import Uniform
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from pages import state
from pages.experiment.scenario import Scenario
from pages.ledger.long_release import Drawing, Outcome
from tests.engines.slow_targets import slow
from tests.engines.test_executors import Breaks

PATIENCE = 20.0  # seconds, on a busy machine
N, M, LONG = 30, 199, 20_000
ORACLE = Uniform(0, 1)


def make(**changes: Any) -> Scenario:
    base = {"table": "t.csv", "columns": ("x",), "target": as_target(slow), "oracle": ORACLE, "n": N, "m": M}
    return replace(state.example(), **(base | changes))


def _alone(drawing: Drawing, m: int) -> FloatArray:
    """The first m distances of the drawing's seed, drawn by nobody else."""
    at = OperatingPoint.for_sample_size(m)
    with ThreadPoolExecutor(16) as sleepers:  # sooner than alone: the target sleeps
        return sample_sensitivity(slow, ORACLE, norm=L1, n=N, at=at, seed=drawing.seed, executor=sleepers).distances


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


class Outcomes(list[Outcome]):
    """What a drawing was told to come to."""

    def of(self, scenario: Scenario, executor: Executor) -> Drawing:
        return Drawing(scenario, ORACLE, executor, self._end)

    def _end(self, outcome: Outcome) -> None:
        time.sleep(0.02)  # noise and a ledger's line take their time: others press meanwhile
        self.append(outcome)

    def only(self, drawing: Drawing) -> Outcome:
        """The one outcome, once it is there; and the drawing is no longer open."""
        until(lambda: not drawing.open)
        (outcome,) = self
        return outcome

    def sample(self, drawing: Drawing) -> SensitivitySample[Any]:
        sample = self.only(drawing).sample
        assert sample is not None
        return sample


class Mended(Executor):
    """Breaks after some tasks, until it is mended: as a pool whose workers were lost."""

    def __init__(self, tasks: int) -> None:
        self._broken: Executor = Breaks(tasks, BrokenProcessPool("a worker died"))
        self._threads: Executor | None = None
        self.runs = 0

    def mend(self, threads: Executor) -> None:
        self._threads = threads

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.runs += fn is pkgutil.resolve_name  # the first task of each
        return (self._threads or self._broken).submit(fn, *args, **kwargs)


def _lost(outcomes: Outcomes, scenario: Scenario, tasks: int) -> tuple[Drawing, Mended]:
    """A drawing whose workers are lost for good after so many tasks."""
    executor = Mended(tasks)
    drawing = outcomes.of(scenario, executor)
    until(lambda: drawing.job.lost and not drawing.job.running)
    return drawing, executor


def at_once(call: Callable[[], Any], threads: int = 12) -> None:
    """The same press by many threads."""
    barrier = threading.Barrier(threads)

    def pressed() -> None:
        barrier.wait(PATIENCE)
        call()

    running = [threading.Thread(target=pressed) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_drawing_is_one_fresh_sample_at_fixed_point(threads: ThreadPoolExecutor) -> None:
    outcomes = Outcomes()
    drawing = outcomes.of(make(), threads)
    sample = outcomes.sample(drawing)
    assert sample.point == drawing.scenario.point
    assert not sample.explored
    assert (sample.distances == _alone(drawing, M)).all()
    other = outcomes.of(make(), threads)
    assert other.seed != drawing.seed
    other.cancel()


def test_cancelled_drawing_is_charged_without_sample(threads: ThreadPoolExecutor) -> None:
    outcomes = Outcomes()
    drawing = outcomes.of(make(m=LONG), threads)
    until(lambda: len(drawing.job.distances) > 20)
    at_once(drawing.cancel, 4)
    outcome = outcomes.only(drawing)
    assert outcome.sample is None
    assert outcome.charged
    assert "charged" in outcome.problem
    assert f"{LONG:,} pairs" in outcome.problem


def test_drawing_goes_on_after_lost_workers(threads: ThreadPoolExecutor) -> None:
    outcomes = Outcomes()
    drawing, executor = _lost(outcomes, make(), 3)
    assert drawing.open
    assert outcomes == []
    assert "broke off" in drawing.job.problem
    executor.mend(threads)
    drawing.go_on()
    sample = outcomes.sample(drawing)
    assert (sample.distances == _alone(drawing, M)).all()
    assert not sample.explored


def test_go_on_many_times_at_once_draws_once(threads: ThreadPoolExecutor) -> None:
    outcomes = Outcomes()
    drawing, executor = _lost(outcomes, make(), 1)
    before = executor.runs
    executor.mend(threads)
    at_once(drawing.go_on)
    outcomes.sample(drawing)
    assert executor.runs == before + 1


def test_cancel_many_times_at_once_charges_once() -> None:
    outcomes = Outcomes()
    drawing, _ = _lost(outcomes, make(), 3)
    at_once(drawing.cancel)
    assert outcomes.only(drawing).charged
    drawing.cancel()
    drawing.go_on()
    assert len(outcomes) == 1
    assert not drawing.open


def test_cancel_at_last_draw_gives_no_release(threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    drawings: list[Drawing] = []

    def cancelled(*given: Any, **how: Any) -> Any:
        sample = sample_sensitivity(*given, **how)
        until(lambda: bool(drawings))
        drawings[0].cancel()
        return sample

    monkeypatch.setattr("pages.experiment.scenario.sample_sensitivity", cancelled)
    outcomes = Outcomes()
    drawings.append(outcomes.of(make(), threads))
    assert outcomes.only(drawings[0]).sample is None


def test_failing_program_is_charged_if_it_drew(threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: Any, on_progress: Any, **how: Any) -> Any:
        if drawn:
            sample_sensitivity(*_, **how, on_progress=on_progress)
        raise MemoryError

    monkeypatch.setattr("pages.experiment.scenario.sample_sensitivity", no_room)
    for drawn in (True, False):
        outcomes = Outcomes()
        drawing = outcomes.of(make(), threads)
        outcome = outcomes.only(drawing)
        assert outcome.sample is None
        assert outcome.charged == drawn
        assert "MemoryError" in outcome.problem
        assert ("charged" in outcome.problem) == drawn
