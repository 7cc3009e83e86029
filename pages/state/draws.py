"""Draws for looking, kept for the session: ε and γ only rescale and re-index them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import streamlit as st

from dpcore.audits.wrong_oracle import Missed
from dpcore.base.norms import Norm
from dpcore.errors import DpcoreError
from dpcore.sampling.blocks import Change
from dpcore.sampling.draws import Draws
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import another_oracle, changes, cost, preview
from pages.experiment import oracle_check as oracle_checks
from pages.experiment.changes import Trial
from pages.experiment.headlines.base import NonPrivate
from pages.experiment.oracle_check import OracleCheck
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.server.jobs import Job, keeper
from pages.server.pool import lane
from pages.state import state, tab

LONG_SECONDS = 900.0  # of work that one view may ask the server for
PAIR_SECONDS = 20.0  # of one pair, and so of twice the answer itself, which this page waits for
APART = "pinned_views"  # where a session keeps what was made of its pins, which holds tables and draws
APART_SECONDS = 0.25  # of draws that are made for one pin, of up to four in a link
_KEPT = 16  # samples a session
_AT_ONCE = 0.3  # seconds that a page waits for a job before it shows how far it is
_ENDS_IN = 0.5  # seconds that an old job has to hand over what it measured


def exploration(scenario: Scenario, table: Table) -> SensitivitySample[Norm] | Job:
    """The m draws of the scenario, or the job that is at them. Raises what the sampler refuses.

    Draws that are quick are made at once; others beside the server's own threads, and the session's last job ends.
    """
    key = _key(scenario, "m", "seed")
    kept: dict[str, SensitivitySample[Norm]] = st.session_state.setdefault("explored", {})
    if key not in kept:
        drawn = _drawn(key, scenario, table)
        if isinstance(drawn, Job):
            return drawn
        kept[key] = drawn
        for oldest in list(kept)[:-_KEPT]:
            del kept[oldest]
    current: _Run | None = st.session_state.get("run")
    if current is not None and current.key != key:
        stop()
    return kept[key]


def at_hand(scenario: Scenario, table: Table) -> SensitivitySample[Norm] | None:
    """The draws of the scenario where they are there or quickly made; no job is begun or ended for them."""
    kept: dict[str, SensitivitySample[Norm]] = st.session_state.get("explored", {})
    found = kept.get(_key(scenario, "m", "seed"))
    if found is not None:
        return found
    try:
        if not _quick(scenario, table):
            return None
        drawn = exploration(scenario, table)
    except DpcoreError:
        return None
    return None if isinstance(drawn, Job) else drawn


def apart(scenario: Scenario, table: Table) -> SensitivitySample[Norm] | None:
    """The draws of a scenario beside the one shown, where they are there or quickly made; the session's job is left alone."""
    kept: dict[str, SensitivitySample[Norm]] = st.session_state.get("explored", {})
    found = kept.get(_key(scenario, "m", "seed"))
    if found is not None:
        return found
    oracle = scenario.resolved_oracle(table)
    if cost.seconds(scenario.target, scenario.n, scenario.m, oracle, scenario.adjacency) > APART_SECONDS:
        return None
    return preview.exploration(scenario, oracle)


def put_back(scenario: Scenario, sample: SensitivitySample[Norm]) -> None:
    """Draws of a scenario that is shown again, which need not be made again."""
    st.session_state.setdefault("explored", {}).setdefault(_key(scenario, "m", "seed"), sample)


def _quick(scenario: Scenario, table: Table) -> bool:
    return cost.quick(scenario.target, scenario.n, scenario.m, scenario.resolved_oracle(table), scenario.adjacency)


def _drawn(key: str, scenario: Scenario, table: Table) -> SensitivitySample[Norm] | Job:
    oracle = scenario.resolved_oracle(table)
    if cost.quick(scenario.target, scenario.n, scenario.m, oracle, scenario.adjacency):
        stop()
        return preview.exploration(scenario, oracle)
    cost.refuse_slow(scenario.target, scenario.n, scenario.m, LONG_SECONDS, oracle, scenario.adjacency)
    cost.refuse_slow(scenario.target, scenario.n, 1, PAIR_SECONDS, oracle, scenario.adjacency)
    current = _found_again(key, scenario)
    if current is None or current.key != key:
        same = _key(scenario, "seed")
        arrived = None if current is None or current.same != same else current.arrived()
        stop()
        st.session_state["run"] = current = _Run(key, same, _started(scenario, table, resume=arrived))
    _of_tab()["run"] = current
    current.job.wait(_AT_ONCE)
    return current.job if current.job.sample is None else current.job.sample


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


@st.cache_resource(max_entries=1_000, show_spinner=False)
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


def _started(scenario: Scenario, table: Table, *, resume: Draws | None) -> Job:
    sampling = partial(preview.exploration, scenario, scenario.resolved_oracle(table), executor=lane())
    job = Job(sampling, scenario.m, resume=resume, renew=lane().renew)
    keeper().hold(job)
    return job


def go_on(scenario: Scenario, table: Table) -> None:
    """Take up the session's job where it was stopped or lost: nothing is drawn twice."""
    current: _Run | None = st.session_state.get("run")
    if current is not None and not current.job.running and current.key == _key(scenario, "m", "seed"):
        st.session_state["run"] = replace(current, job=_started(scenario, table, resume=current.job.draws))


def stop() -> None:
    """End the session's job, if it has one: its inputs changed."""
    current: _Run | None = st.session_state.pop("run", None)
    if current is not None:
        keeper().drop(current.job)


def reference(scenario: Scenario, table: Table) -> preview.Reference | None:
    """The true CDF or a large reference sample, cached."""
    return _reference(_key(scenario), scenario, table)


def exact(scenario: Scenario, table: Table, *, real: bool) -> NonPrivate:
    """The target's value on the table itself if ``real``, else on one drawn from the oracle; cached."""
    found = _exact(_key(scenario, *([] if real else ["seed"])), real, scenario, table)
    return found if table.public else replace(found, guesses=None if real else table.guesses)


def _key(scenario: Scenario, *more: str) -> str:
    data = scenario.to_json()
    return json.dumps([data[name] for name in ("table", "columns", "target", "oracle", "norm", "n", "adjacency", *more)])


# The underscored arguments are not hashed: the key holds all that matters of them. A table's name stands for its data,
# and an upload under a used name clears these caches.
@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _reference(key: str, _scenario: Scenario, _table: Table) -> preview.Reference | None:
    oracle = _scenario.resolved_oracle(_table)
    return preview.reference(_scenario.target, oracle, _scenario.norm, _scenario.n, _scenario.adjacency)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _exact(key: str, real: bool, _scenario: Scenario, _table: Table) -> NonPrivate:
    if real:
        return preview.answer(_scenario, _table)
    return preview.simulated_answer(_scenario, _scenario.resolved_oracle(_table))


def change(scenario: Scenario, sample: SensitivitySample[Norm], trial: Trial) -> Change | None:
    """What was replaced by what in one of the scenario's trials, cached; None where it would take long to draw it again."""
    return _change(_key(scenario, "seed"), trial.pair, sample, trial)


@st.cache_resource(max_entries=64, scope="session", show_spinner=False)
def _change(key: str, pair: int, _sample: SensitivitySample[Norm], _trial: Trial) -> Change | None:
    return changes.change(_sample, _trial)


def key_of(world: Scenario) -> str:
    """All that its draws depend on, in a text."""
    return _key(world, "seed")


def missed(world: Scenario, table: Table, sensitivity: float, apart: int = another_oracle.IN_THE_WORLD) -> Missed:
    """How many random pairs of this world a Δ̂ misses, cached; it raises what the sampler refuses, and what takes too long."""
    return _missed(_key(world, "seed"), sensitivity, apart, world, table)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _missed(key: str, sensitivity: float, apart: int, _world: Scenario, _table: Table) -> Missed:
    helped = another_oracle.seconds(_world, _table) > another_oracle.AT_ONCE
    return another_oracle.missed_in(_world, _table, sensitivity, apart=apart, executor=lane() if helped else None)


def missed_on_average(scenario: Scenario, world: Scenario, table: Table) -> Missed | None:
    """How often new Δ̂ of the scenario miss a pair of the world, cached; None where that takes longer than a moment."""
    point = (scenario.point.m, scenario.point.k)
    return _missed_on_average(_key(scenario, "seed"), key_of(world), point, scenario, world, table)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _missed_on_average(
    key: str, there: str, point: tuple[int, int], _scenario: Scenario, _world: Scenario, _table: Table
) -> Missed | None:
    return another_oracle.missed_on_average(_scenario, _world, _table)


def oracle_check(scenario: Scenario, table: Table) -> OracleCheck:
    """The public table beside a made-up one, cached."""
    return _oracle_check(_key(scenario, "seed"), scenario, table)


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _oracle_check(key: str, _scenario: Scenario, _table: Table) -> OracleCheck:
    return oracle_checks.oracle_check(_scenario, _table)


def forget() -> None:
    """Drop what was kept: a table's data or declarations changed."""
    stop()
    st.session_state.pop("explored", None)
    st.session_state.pop(APART, None)
    cached: list[Any] = [_reference, _exact, _change, _missed, _missed_on_average, _oracle_check]
    for function in cached:
        function.clear()
