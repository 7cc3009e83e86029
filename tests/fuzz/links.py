"""Mutated links, read and redrawn whole: ``python -m tests.fuzz.links --seed N --count M``.

Each is read as the app reads it, and all of Explore is made of it: the view, the three figures, the popovers' tables and
figures, the sentences. Draws that take long end at their job, as they do for a visitor. A child process does it, whose
address space is limited, and that is killed where a link takes too long. No traceback may come out.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import resource
import signal
import sys
import time
import traceback
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from dpcore.errors import TooSlowError
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from tests.fuzz.mutations import link

MOST_SECONDS, MOST_BYTES = 2.0, 200 * 2**20  # of processor time, and above what a warm process holds
_PATIENCE = 60.0  # seconds until the child is killed
_ROOM = 3 * 2**30  # bytes of address space above a warm process's


@dataclass
class Found:
    """What came of many links: how many, which broke, and the dearest."""

    count: int = 0
    broken: list[tuple[int, str]] = field(default_factory=list)
    slow: list[tuple[int, float]] = field(default_factory=list)
    large: list[tuple[int, int]] = field(default_factory=list)
    slowest: float = 0.0
    largest: int = 0

    def add(self, case: int, seconds: float, size: int, broke: str) -> None:
        """One link's cost and traceback."""
        self.count += 1
        self.slowest, self.largest = max(self.slowest, seconds), max(self.largest, size)
        if broke:
            self.broken.append((case, broke))
        if seconds > MOST_SECONDS:
            self.slow.append((case, seconds))
        if size > MOST_BYTES:
            self.large.append((case, size))


def query(seed: int, case: int) -> dict[str, str]:
    """The link of one case, whatever came before it."""
    return link(random.Random(f"{seed}-{case}"))


def run(seed: int, cases: range) -> Found:
    """All cases in a child; one that dies or hangs is broken, and a new child goes on after it."""
    found, waiting = Found(), list(cases)
    while waiting:
        here, there = get_context("spawn").Pipe()
        child = get_context("spawn").Process(target=_child, args=(there, seed, waiting), daemon=True)
        with _no_main():
            child.start()
        there.close()
        if not here.poll(_PATIENCE) or here.recv() is not None:
            raise RuntimeError("the child did not start")
        while waiting:
            try:
                if not here.poll(_PATIENCE):
                    raise EOFError
                answer = here.recv()
            except EOFError:
                found.add(waiting.pop(0), _PATIENCE, 0, "the process died, or did not answer in a minute")
                break
            found.add(waiting.pop(0), *answer)
        child.kill()
        child.join()
    return found


def _no_main() -> AbstractContextManager[Any]:
    """A child runs the file of ``__main__`` first, and tests of pages leave the app there."""
    return nullcontext() if __name__ == "__main__" else patch.dict(sys.modules, {"__main__": ModuleType("__main__")})


def _child(connection: Connection, seed: int, cases: list[int]) -> None:
    logging.disable(logging.CRITICAL)
    alone()
    for case in range(20):  # warm: everything imported, every cache of a kind filled
        redrawn(query(-1, case))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + _ROOM, used + _ROOM))
    connection.send(None)
    for case in cases:
        connection.send(measured(query(seed, case)))


def alone() -> None:
    """Without a server: what a session keeps is not kept, and where a job would begin, its sentence stands."""
    from pages.old.state import draws

    for name in ("_reference", "_exact", "_change"):
        setattr(draws, name, getattr(draws, name).__wrapped__)

    def begun(*_: object, **__: object) -> None:
        raise TooSlowError(1.0, 1.0, 1)

    draws.Exploration._begun = begun


def measured(said: dict[str, str]) -> tuple[float, int, str]:
    """Seconds of processor time, bytes of memory at its peak above those before, and a traceback or nothing."""
    before, began, broke = _peak(reset=True), time.process_time(), ""
    try:
        redrawn(said)
    except Exception:
        broke = traceback.format_exc()
    return time.process_time() - began, _peak() - before, broke


def _peak(*, reset: bool = False) -> int:
    """The process's largest memory since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def redrawn(said: dict[str, str]) -> None:
    """All that Explore and People make of a link."""
    import streamlit as st
    from pages.old.explore import learned
    from pages.old.state.view import Shown, view

    from pages import state
    from pages.old import charts
    from pages.old.shared import answer, figures, how_far_off, proof
    from pages.old.state.link import from_query, to_query
    from pages.old.wording.question_words import oracle_words, target_words

    own = {name: value for name, value in said.items() if name not in ("pins", "list")}
    scenario, sentences = from_query(own, state.catalog(), state.example())
    assert all(0 < len(sentence) < 1_500 for sentence in sentences), sentences
    assert len(sentences) < 20, sentences
    again, none = from_query(to_query(scenario), state.catalog(), state.example())
    assert (to_query(again), none) == (to_query(scenario), []), (to_query(scenario), none)
    pinned = _pinned(said, scenario)
    listed(said, scenario)
    state.adopt(scenario)
    table = state.catalog()[scenario.table]
    st.session_state["readers"] = "Error"
    shown = view(scenario, table)
    made: list[Any] = [
        target_words(scenario.target, shown.columns),
        answer.sentences(shown),
        *(proof.rows(scenario, fixed) for fixed in proof.WAYS),
    ]
    made.append(oracle_words(scenario.resolved_oracle(table)))
    made += [charts.operating_points(scenario.point, most_m=100_000), charts.miss(scenario.point), charts.orders(scenario.point)]
    if shown.trials is not None:
        sample, reference = shown.trials.sample, shown.trials.reference
        made.append(
            charts.sensitivity_cdf(
                sample,
                true=reference.cdf if reference else None,
                true_name=reference.name if reference else "",
                unit=shown.answer.unit,
                global_sensitivity=shown.worst_case.value if shown.worst_case else None,
                guesser=shown.guesser if isinstance(shown, Shown) else None,
                covered=sample.order_statistic,
            )
        )
        if scenario.delta is None:
            made.append(charts.losses(sample, true=reference.cdf if reference else None))
    if isinstance(shown, Shown):
        headline = shown.headline
        made += [*figures.errors(shown), *charts.answer(headline), headline.rows(), headline.together(shown.noise)]
        made += how_far_off.dots(shown) or ()
        how_far_off.show_box(shown)
    for st.session_state["trial_shown"] in (learned.TYPICAL, learned.EDGE, learned.LEFT_OUT):
        learned.protected(shown)
        if isinstance(shown, Shown):
            learned.beyond(shown)
        if isinstance(shown, Shown):
            learned.a_few(shown)
    for figure in made:
        if hasattr(figure, "to_json"):
            figure.to_json()
    _side_by_side(pinned, shown)
    _of_list(said, scenario, table)
    _of_people(scenario, table)


def _pinned(said: dict[str, str], opened: Scenario) -> dict[str, Scenario]:
    """The link's pins, which come back as they were sent."""
    from pages import state
    from pages.old.state import pinned_link
    from pages.old.state.link import to_query

    found, sentences = pinned_link.read(said, opened, state.catalog(), state.example())
    assert all(0 < len(sentence) < 1_500 for sentence in sentences), sentences
    assert len(found) <= 4, found
    assert len(sentences) <= 5, sentences
    for shown in found.values():
        part = pinned_link.written(found, shown)
        again, none = pinned_link.read(to_query(shown) | part, shown, state.catalog(), state.example())
        if len(part["pins"]) <= pinned_link.MOST_BYTES:
            assert (pinned_link.written(again, shown), none) == (part, []), (part, none)
    return found


def listed(said: dict[str, str], opened: Scenario) -> list[str]:
    """The link's list of questions comes back as it was sent; what was said of it."""
    from pages import state
    from pages.old.state.listed import link as listed_link

    made, sentences = listed_link.read(said, opened, state.catalog())
    assert all(0 < len(sentence) < 1_500 for sentence in sentences), sentences
    if made is None:
        return sentences
    table = state.catalog()[opened.table]
    again, none = listed_link.checked(listed_link.to_plain(made), table, "The")
    assert again is not None
    assert (listed_link.to_plain(again), none) == (listed_link.to_plain(made), [])
    return sentences


def _of_list(said: dict[str, str], opened: Scenario, table: Table) -> None:
    """How close the answer of each question of the link's list is."""
    from pages import state
    from pages.old.release.listed import questions
    from pages.old.state.listed import link as listed_link

    made, _ = listed_link.read(said, opened, state.catalog())
    for line in () if made is None else made.lines(table):
        questions._said(line, table, proved=made.is_proved(line))


def _side_by_side(pinned: dict[str, Scenario], shown: Any) -> None:
    """All that stands under the panels: without a server nothing of it is sent."""
    import streamlit as st
    from pages.old.shared.pins import side_by_side

    from pages.old.state import draws, pins

    pins.adopt(pinned)
    side_by_side.show(shown)
    st.session_state.pop(draws.APART, None)


def _of_people(scenario: Scenario, table: Table) -> None:
    """All that the page People makes of it: without a server nothing of it is sent."""
    from pages.old.people import cost, details, questions
    from pages.old.state.contributions import analysis

    found = analysis(scenario, table)
    if not isinstance(found, str):
        cost.show(found)
        questions.show(found)
        for part in details.PARTS.values():
            if part.there(found):
                part.show(found)


def main() -> None:
    """Run, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    began = time.monotonic()
    found = run(given.seed, range(given.first, given.first + given.count))
    for case, broke in found.broken[:20]:
        print(f"case {case}: {json.dumps(query(given.seed, case))[:3_000]}\n{broke}\n")
    said = {name: value for name, value in asdict(found).items() if name != "broken"}
    print(json.dumps(said | {"broken": [case for case, _ in found.broken], "wall": round(time.monotonic() - began, 1)}))
    sys.exit(bool(found.broken))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
