"""A scenario that takes long, on the pages: progress and Cancel, going on, taking what there is, and other choices meanwhile.

The pool's workers are threads that wait at a gate, so that a test decides how far the draws come.
"""

from __future__ import annotations

import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import oracles, targets
from pages import jobs, state
from pages.experiment.scenario import Scenario
from pages.experiment.view import Question, question_key
from pages.server import pool as pools
from pages.server.jobs import Job
from tests.pages.visit import CHARTS, book, charts, go, press, sampled, scenario, settled, slide, sound, text, visit

PATIENCE = 20.0  # seconds, on a busy machine
SLOW, LEAST = 40_000, 3_000  # pairs: 8 s of work, and just too much for a page to wait


def _sampling() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "sampling"}


class Gate(Executor):
    """Two threads; each task of the sampler waits for leave."""

    def __init__(self) -> None:
        self._threads, self._leave = ThreadPoolExecutor(2), threading.Semaphore(0)
        self._open, self.broken = False, False
        self._counting, self._turn = threading.Lock(), threading.Condition()
        self.measured = self._started = self._let_in = 0
        self._of_others = _sampling()
        self._tasks = list[Future[Any]]()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if fn is pkgutil.resolve_name:  # is dpcore there?
            return self._threads.submit(fn, *args, **kwargs)

        def waits() -> Any:
            with self._counting:
                place, self._started = self._started, self._started + 1
            with self._turn:  # one after another, in their order: a lock alone may pass over who waits for it
                self._turn.wait_for(lambda: self._let_in == place)
                try:
                    assert self._open or self._leave.acquire(timeout=3 * PATIENCE)
                finally:
                    self._let_in += 1
                    self._turn.notify_all()
            if self.broken:
                raise BrokenProcessPool("a worker died")
            with self._counting:
                self.measured += args[4] - args[3]  # to pair, from pair
            return fn(*args, **kwargs)

        self._tasks.append(self._threads.submit(waits))
        return self._tasks[-1]

    @property
    def busy(self) -> bool:
        """Whether the workers hold a task."""
        return not all(task.done() for task in self._tasks)

    def let(self, tasks: int) -> None:
        """So many tasks may run."""
        self._leave.release(tasks)

    def open(self) -> None:
        """All may, from now on."""
        self._open = True
        self._leave.release(1_000)

    def shut(self) -> None:
        """From now on each waits for leave again."""
        self._open, self._leave = False, threading.Semaphore(0)

    def end(self) -> None:
        """End every job: as lost, for a pool that is broken twice is."""
        self.broken = True
        self.open()
        _until(lambda: _sampling() <= self._of_others)
        self._threads.shutdown()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, new_server: Callable[[], None]) -> Iterator[Gate]:
    """In the place of this machine's processes, for a server that has just started."""
    gate = Gate()
    monkeypatch.setattr(pools, "local_pool", lambda: gate)
    monkeypatch.setattr(jobs, "_AT_ONCE", 0.02)  # no draw is done in that time here
    new_server()
    yield gate
    gate.end()


def _scenario(m: int = SLOW, **changes: Any) -> Scenario:
    target = changes.pop("target", targets.Variance((0.0, 1.0)))
    return state.example().with_(
        table="two_bumps", columns=("x",), target=target, oracle=oracles.Uniform(0, 1), n=5_000, m=m, **changes
    )


def _opened(m: int = SLOW, **changes: Any) -> AppTest:
    app = visit()
    app.session_state["scenario"] = _scenario(m, **changes)
    return sound(app.run())


def _alone(m: int) -> Any:
    """The distances without a pool."""
    return Question(_scenario(m), state.catalog()["two_bumps"]).sample(m).distances


def _kept(app: AppTest, m: int) -> Any:
    """The draws of the scenario that the session keeps."""
    key = question_key(_scenario(m), state.catalog()["two_bumps"])
    return app.session_state["samples"][key]


def _job(app: AppTest) -> Job:
    job: Job = app.session_state["explore_run"].job
    return job


def _until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def _some(app: AppTest, gate: Gate, tasks: int = 6) -> AppTest:
    """The page after so many tasks."""
    gate.let(tasks)
    _until(lambda: len(_job(app).distances) > 0 and gate.busy and not gate._leave._value)
    _until(lambda: _job(app).distances.size == gate.measured)
    return sound(app.run())


def _keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key}


def _progress(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return str(bar.proto.text)


def test_a_slow_scenario_shows_how_far_it_is(gate: Gate) -> None:
    app = _opened()
    assert "cancel" in _keys(app)
    assert _progress(app).startswith(f"0 of {SLOW:,} pairs sampled")
    assert not charts(app)
    _some(_some(app, gate), gate)  # the time left is told from the second look on
    done = gate.measured
    assert 0 < done < SLOW
    assert _progress(app).startswith(f"{done:,} of {SLOW:,} pairs sampled, about ")
    assert charts(app).keys() == {"growing"}


def test_pool_draws_the_same_bits(gate: Gate) -> None:
    app = _opened(LEAST)
    gate.open()
    settled(app)
    assert charts(app).keys() >= CHARTS
    assert "cancel" not in _keys(app)
    kept = _kept(app, LEAST)
    assert (kept.distances == _alone(LEAST)).all()
    assert kept.explored  # it was looked at: no release is made from it
    measured = gate.measured
    slide(app, "epsilon", 2.0)
    slide(app, "gamma", 0.1)
    assert gate.measured == measured == LEAST


def test_going_on_draws_only_the_rest(gate: Gate) -> None:
    app = _some(_opened(LEAST), gate)
    job = _job(app)
    press(app, "cancel")
    assert job.wait(PATIENCE)
    sound(app.run())
    done = len(job.distances)
    assert 0 < done < LEAST
    assert f"Stopped after **{done:,} of {LEAST:,} pairs**" in text(app)
    assert {"go_on", "take"} <= _keys(app)
    assert "cancel" not in _keys(app)
    assert "growing" in charts(app)
    gate.open()
    _until(lambda: not gate.busy)
    before = gate.measured
    press(app, "go_on")
    settled(app)
    assert gate.measured - before == LEAST - done
    assert (_kept(app, LEAST).distances == _alone(LEAST)).all()
    assert charts(app).keys() >= CHARTS


def test_cancelled_draws_can_be_used(gate: Gate) -> None:
    app = _opened()
    while gate.measured < 40:  # how many a task measures hangs on how fast the first were
        _some(app, gate)
    job = _job(app)
    press(app, "cancel")
    assert job.wait(PATIENCE)
    sound(app.run())
    assert job.draws is not None
    prefix = job.draws.prefix
    assert 19 < prefix < SLOW
    assert next(button.label for button in app.button if button.key == "take") == f"Use m = {prefix:,}"
    gate.open()
    press(app, "take")
    settled(app)
    assert scenario(app).m == prefix
    assert charts(app).keys() >= CHARTS
    assert (_kept(app, prefix).distances[:prefix] == _alone(prefix)).all()


@pytest.mark.parametrize("change", ["seed", "target"])
def test_other_inputs_end_the_old_job(gate: Gate, change: str) -> None:
    app = _some(_opened(), gate)
    old, keys = _job(app), app.session_state["keeper"]
    changes: dict[str, Any] = {"seed": 2} if change == "seed" else {"target": targets.Variance((0.0, 1.0), 1)}
    app.session_state["scenario"] = _scenario(**changes)
    sound(app.run())
    assert old.wait(PATIENCE)
    assert old.sample is None
    new = _job(app)
    assert new is not old
    assert new.running
    assert new in keys._jobs
    assert not len(new.distances)


def test_lost_workers_keep_the_draws(gate: Gate) -> None:
    app = _some(_opened(LEAST), gate)
    job, done = _job(app), gate.measured
    gate.broken = True
    gate.open()
    assert job.wait(PATIENCE)
    sound(app.run())
    assert "Sampling broke off" in text(app)
    assert f"Stopped after **{done:,} of {LEAST:,} pairs**" in text(app)
    gate.broken = False
    press(app, "go_on")
    settled(app)
    assert gate.measured == LEAST
    assert charts(app).keys() >= CHARTS


# On Release.


def _released(gate: Gate, asked: Scenario) -> tuple[AppTest, Any]:
    """A press with some draws, and its book."""
    app = visit()
    app.session_state["scenario"] = asked
    press(sampled(go(app, "release")), "release")
    held, before = book(app), gate.measured
    gate.let(12)
    _until(lambda: len(held.drawing.job.distances) > 0 and gate.measured > before and not gate._leave._value)
    return go(app, "release"), held


def test_long_release_shows_its_progress(gate: Gate) -> None:
    app, held = _released(gate, _scenario(LEAST))
    assert "Drawing for your release" in text(app)
    assert "release" not in _keys(app)
    assert {"cancel"} <= _keys(app)
    assert "Δ̂ =" not in text(app)
    assert not charts(app)  # how it grows is not shown: it would be looked at
    gate.open()
    _until(lambda: not held.drawing.open)
    go(app, "release")
    (entry,) = held.entries
    assert entry.release is not None
    assert entry.release.provenance["m"] == LEAST
    assert "Drawing for your release" not in text(app)
    assert app.button(key="release").disabled


def test_a_cancelled_release_costs_gamma_and_says_so(gate: Gate) -> None:
    app, held = _released(gate, _scenario())
    press(app, "cancel")
    _until(lambda: not held.drawing.open)
    go(app, "release")
    (entry,) = held.entries
    assert entry.release is None
    assert "No answer: the draws were ended" in text(app)
    assert "draws without an answer" in "\n".join(table.value.to_csv() for table in app.table)


def test_release_with_lost_workers_goes_on(gate: Gate) -> None:
    app, held = _released(gate, _scenario(LEAST))
    gate.broken = True
    gate.open()
    _until(lambda: held.drawing.job.lost and not held.drawing.job.running)
    go(app, "release")
    assert "Sampling broke off" in text(app)
    assert {"go_on", "cancel"} <= _keys(app)
    assert held.entries == []
    gate.broken = False
    press(app, "go_on")
    _until(lambda: not held.drawing.open)
    go(app, "release")
    (entry,) = held.entries
    assert entry.release is not None
