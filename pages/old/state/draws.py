"""Draws for looking, kept for the session: ε and γ only rescale and re-index them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar, cast, final

import streamlit as st

from dpcore.audits.wrong_oracle import Missed
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError
from dpcore.sampling.blocks import Change
from dpcore.sampling.draws import Draws
from dpcore.sampling.sampler import SensitivitySample
from pages import state
from pages.experiment import cost
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment import changes, other_world, preview
from pages.old.experiment.changes import Trial
from pages.old.experiment.headlines.base import NonPrivate
from pages.old.state import tab
from pages.server.jobs import Job, keeper
from pages.server.pool import lane

LONG_SECONDS = 900.0  # of work that one view may ask the server for
PAIR_SECONDS = 20.0  # of one pair, and so of twice the answer itself, which this page waits for
APART = "pinned_views"  # where a session keeps what was made of its pins, which holds tables and draws
APART_SECONDS = 0.25  # of draws that are made for one pin, of up to four in a link
_KEPT = 16  # samples a session
_AT_ONCE = 0.3  # seconds that a page waits for a job before it shows how far it is
_ENDS_IN = 0.5  # seconds that an old job has to hand over what it measured


@final
@dataclass(frozen=True, eq=False)
class Exploration:
    """A scenario on its table, and what this session draws of it. Nothing is worked out before it is asked for, nor twice."""

    scenario: Scenario
    table: Table

    @cached_property
    def oracle(self) -> Oracle:
        """What is drawn from. InvalidValueError for records of the table that is confidential."""
        return self.scenario.resolved_oracle(self.table)

    @cached_property
    def a_draw(self) -> float:
        """About how many seconds one draw takes."""
        return cost.a_draw(self.scenario, self.oracle)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return self.scenario.to_json()

    def key(self, *more: str) -> str:
        """All that its draws depend on, in a text, and these fields of the scenario too."""
        fields = self._fields
        return json.dumps([fields[name] for name in ("table", "columns", "target", "oracle", "norm", "n", "adjacency", *more)])

    def draws(self) -> SensitivitySample[Norm] | Job:
        """All m draws, or the job that is at them. Raises what the sampler refuses.

        Draws that are quick are made at once; others beside the server's own threads, and the session's last job ends.
        """
        key, found = self.key("m", "seed"), self._found()
        if found is None:
            drawn = self._drawn(key)
            if isinstance(drawn, Job):
                return drawn
            found = drawn
            self._keep(found)
        current: _Run | None = st.session_state.get("run")
        if current is not None and current.key != key:
            stop()
        return found

    def at_hand(self) -> SensitivitySample[Norm] | None:
        """The draws where they are there or quickly made; no job is begun or ended for them."""
        found = self._found()
        if found is not None:
            return found
        try:
            drawn = self.draws() if self._takes <= cost.QUICK else None
        except DpcoreError:
            return None
        return None if isinstance(drawn, Job) else drawn

    def apart(self) -> SensitivitySample[Norm] | None:
        """The draws of a scenario beside the one shown, where they are there or quickly made; the session's job is left alone."""
        found = self._found()
        if found is not None:
            return found
        return preview.exploration(self.scenario, self.oracle) if self._takes <= APART_SECONDS else None

    def put_back(self, sample: SensitivitySample[Norm]) -> None:
        """These draws of it need not be made again."""
        _explored().setdefault(self.key("m", "seed"), sample)

    def reference(self) -> preview.Reference | None:
        """The true CDF or a large reference sample, cached."""
        return _reference(self.key(), self)

    def exact(self) -> NonPrivate:
        """The target's value on the public table, or on one drawn from the oracle in place of a confidential table; cached."""
        if self.table.public:
            return _exact(self.key(), self)
        return replace(_exact(self.key("seed"), self), guesses=self.table.guesses)

    def go_on(self) -> None:
        """Take up the session's job where it was stopped or lost: nothing is drawn twice."""
        current: _Run | None = st.session_state.get("run")
        if current is not None and not current.job.running and current.key == self.key("m", "seed"):
            st.session_state["run"] = replace(current, job=self._begun(resume=current.job.draws))

    @property
    def _takes(self) -> float:
        return self.scenario.m * self.a_draw

    def _found(self) -> SensitivitySample[Norm] | None:
        return _explored().get(self.key("m", "seed"))

    def _keep(self, sample: SensitivitySample[Norm]) -> None:
        kept = _explored()
        kept[self.key("m", "seed")] = sample
        for oldest in list(kept)[:-_KEPT]:
            del kept[oldest]

    def _drawn(self, key: str) -> SensitivitySample[Norm] | Job:
        if self._takes <= cost.QUICK:
            stop()
            return preview.exploration(self.scenario, self.oracle)
        cost.refuse_slow(self.scenario.m, self.a_draw, LONG_SECONDS)
        cost.refuse_slow(1, self.a_draw, PAIR_SECONDS)
        current = _found_again(key, self.scenario)
        if current is None or current.key != key:
            same = self.key("seed")
            arrived = None if current is None or current.same != same else current.arrived()
            stop()
            st.session_state["run"] = current = _Run(key, same, self._begun(resume=arrived))
        _of_tab()["run"] = current
        current.job.wait(_AT_ONCE)
        return current.job if current.job.sample is None else current.job.sample

    def _begun(self, *, resume: Draws | None) -> Job:
        sampling = partial(preview.exploration, self.scenario, self.oracle, executor=lane())
        job = Job(sampling, self.scenario.m, resume=resume, renew=lane().renew)
        keeper().hold(job)
        return job


def _explored() -> dict[str, SensitivitySample[Norm]]:
    kept: dict[str, SensitivitySample[Norm]] = st.session_state.setdefault("explored", {})
    return kept


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """The session's last job: ``same`` is shared by runs that differ in m alone, whose first draws are the same."""

    key: str
    same: str
    job: Job

    def arrived(self) -> Draws | None:
        """What it measured, once it was told to end."""
        self.job.stop()
        self.job.wait(_ENDS_IN)
        return self.job.draws if self.job.sample is None else self.job.sample.draws


@lru_cache(maxsize=1_000)  # not in Streamlit's cache: a browser can clear that, and a reload would begin the run again
def _by_tab(tab_name: str) -> dict[str, _Run]:
    return {}


def _of_tab() -> dict[str, _Run]:
    """The tab's last run, which a reload finds again; nothing while the browser has not said which tab this is."""
    name = tab.known()
    return {} if name is None else _by_tab(name)


def _found_again(key: str, scenario: Scenario) -> _Run | None:
    """The session's run; or after a reload the tab's, where it is the same and further on. An upload is gone by then."""
    current: _Run | None = st.session_state.get("run")
    older = _of_tab().get("run")
    if older is None or older is current or older.key != key or scenario.table not in state.catalog():
        return current
    if not older.job.running and older.job.sample is None:
        return current
    if current is not None and current.key == key and len(current.job.distances) >= len(older.job.distances):
        return current
    stop()
    keeper().hold(older.job)
    st.session_state["run"] = older
    return older


def stop() -> None:
    """End the session's job, if it has one: its inputs changed."""
    current: _Run | None = st.session_state.pop("run", None)
    if current is not None:
        keeper().drop(current.job)


_CACHES: list[Any] = []
_Function = TypeVar("_Function", bound=Callable[..., Any])


def kept(most: int) -> Callable[[_Function], _Function]:
    """So many results of a function are kept in this session until ``forget``. Underscored arguments are not hashed: the key
    holds all that matters of them. A table's name stands for its data there, and an upload under a used name drops them all."""

    def of(function: _Function) -> _Function:
        cached: Any = st.cache_resource(max_entries=most, scope="session", show_spinner=False)(function)
        _CACHES.append(cached)
        return cast(_Function, cached)

    return of


@kept(16)
def _reference(key: str, _of: Exploration) -> preview.Reference | None:
    return preview.reference(_of.scenario, _of.oracle, _of.a_draw)


@kept(16)
def _exact(key: str, _of: Exploration) -> NonPrivate:
    if _of.table.public:
        return preview.answer(_of.scenario, _of.table)
    return preview.simulated_answer(_of.scenario, _of.oracle)


def change(view: Exploration, sample: SensitivitySample[Norm], trial: Trial) -> Change | None:
    """What was replaced by what in one of the scenario's trials, cached; None where it would take long to draw it again."""
    return _change(view.key("seed"), trial.pair, sample, trial)


@kept(64)
def _change(key: str, pair: int, _sample: SensitivitySample[Norm], _trial: Trial) -> Change | None:
    return changes.change(_sample, _trial)


def missed(world: Exploration, sensitivity: float, apart: int = other_world.IN_THE_WORLD) -> Missed:
    """How many random pairs of this world a Δ̂ misses, cached; it raises what the sampler refuses, and what takes too long."""
    return _missed(world.key("seed"), sensitivity, apart, world)


@kept(16)
def _missed(key: str, sensitivity: float, apart: int, _world: Exploration) -> Missed:
    scenario, table = _world.scenario, _world.table
    helped = other_world.seconds(scenario, table) > other_world.AT_ONCE
    return other_world.missed_in(scenario, table, sensitivity, apart=apart, executor=lane() if helped else None)


def missed_on_average(of: Exploration, world: Exploration) -> Missed | None:
    """How often new Δ̂ of the scenario miss a pair of the world, cached; None where that takes longer than a moment."""
    point = (of.scenario.point.m, of.scenario.point.k)
    return _missed_on_average(of.key("seed"), world.key("seed"), point, of, world)


@kept(16)
def _missed_on_average(key: str, there: str, point: tuple[int, int], _of: Exploration, _world: Exploration) -> Missed | None:
    return other_world.missed_on_average(_of.scenario, _world.scenario, _world.table)


def forget() -> None:
    """Drop what was kept: a table's data or declarations changed."""
    stop()
    st.session_state.pop("explored", None)
    st.session_state.pop(APART, None)
    for function in _CACHES:
        function.clear()
