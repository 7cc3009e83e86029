"""A stranger's function: it carries nothing from block to block, and however it ends tells no more than its answer may."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import PureDP, per_user, targets
from dpcore.errors import InvalidValueError
from dpcore.strangers import Stranger, escapes, stranger
from dpcore.targets import SampleAndAggregate
from dpcore.targets.dealt import places_of_blocks
from tests.dpcore.strangers import functions
from tests.dpcore.targets.blocks import EPSILON, calibrated, worst_loss

ROOT = Path(__file__).parents[3]
SECONDS = 15.0  # a process is started within, on a machine that does much else
OTHERS = (
    functions.counts_its_calls,
    functions.writes_it_down,
    functions.prints_its_state,
    functions.raises_on_a_record,
    functions.answers_in_another_shape,
    functions.never_ends_on_a_record,
    functions.takes_all_memory_on_a_record,
    functions.ends_its_process_on_a_record,
    functions.keeps_what_it_saw,
)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the end of a call's time: what is asked for there is its answer."""
    monkeypatch.setattr(stranger, "time", SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: None))


def _tables(k: int) -> tuple[Any, Any]:
    """Two neighbours: all records are 1/4, and the record in the first block that is asked is 2."""
    calm = np.full(k, 0.25)
    loud = calm.copy()
    loud[places_of_blocks(k, k, 0)[0]] = 2.0
    return calm, loud


def _audited(function: Any, k: int) -> tuple[int, float]:
    """In how many blocks' answers two neighbours differ, and the most that a place tells of them."""
    blocks = SampleAndAggregate(Stranger(function, "alike", SECONDS), k, (0.0, 1.0), points=101)
    one, other = (blocks.answers(table) for table in _tables(k))
    changed = int((~np.isclose(one, other, rtol=0, atol=0, equal_nan=True)).sum())
    return changed, worst_loss(calibrated(blocks, k).law, [(blocks.scores_of(one), blocks.scores_of(other))])


def test_walls_hold_and_without_them_every_way_out_is_open() -> None:
    assert stranger.walls_hold()
    code = "from dpcore.strangers.escapes import _WAYS, ways_out; print(len(_WAYS), ways_out(None)[0])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    ways, found = map(float, done.stdout.split())
    assert found == ways == len(escapes._WAYS) > 15


@pytest.mark.slow
def test_one_that_keeps_what_it_saw_begins_anew_each_time_and_each_call_takes_as_long() -> None:
    """So the next call begins when it would have anyway. In one process its second answer tells of the first record."""
    seconds = 5.0
    asked = Stranger(functions.keeps_what_it_saw, "alike", seconds)
    for ask, then, same in ((functions.keeps_what_it_saw, 1.0, False), (asked, 0.2, True)):
        functions.seen.clear()
        start = time.monotonic()
        answers = [float(ask(np.array([record]))[0]) for record in (2.0, 0.2)]
        assert answers == [1.0, then]
        assert (time.monotonic() - start >= 2 * seconds) == same


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("function", OTHERS, ids=lambda one: one.__name__)
def test_no_stranger_tells_more_than_epsilon(function: Any) -> None:
    changed, loss = _audited(function, 2)
    assert changed <= 1
    assert loss <= EPSILON * (1 + 1e-9)


def test_one_that_draws_at_random_tells_no_more_than_epsilon_on_average_over_its_coins() -> None:
    """It keeps nothing, so it is asked here: how often it answers near each place, and then all lists of three answers."""
    blocks = SampleAndAggregate(targets.Mean(), 3, (0.0, 1.0), points=5)
    law, places = calibrated(blocks, 3).law, np.array(blocks.candidates)
    of = {}
    for record in (0.25, 2.0):
        drawn = np.array([functions.draws_at_random(np.array([record]))[0] for _ in range(4_000)])
        of[record] = np.bincount(np.round(drawn * 4).astype(int), minlength=5) / len(drawn)
    lists = list(product(range(5), repeat=3))
    laws = np.array([law.probabilities(blocks.scores_of(places[list(one)][:, None])) for one in lists])
    chances = [
        np.array([np.prod([of[r][at] for r, at in zip(table, one, strict=True)]) for one in lists]) @ laws for table in _tables(3)
    ]
    assert 0.01 < np.abs(np.log(chances[0] / chances[1])).max() <= EPSILON


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_it_answers_as_the_function_does_and_a_release_of_it_is_pure_dp() -> None:
    asked = Stranger(functions.mean, "alike", SECONDS)
    assert asked(np.array([1.0, 2.0])) == pytest.approx([1.5])
    blocks = SampleAndAggregate(asked, 2, (0.0, 1.0), points=3)
    release = calibrated(blocks, 4).release(np.full(4, 0.5))
    assert release.guarantee == PureDP(EPSILON)
    assert release.response in (0.0, 0.5, 1.0)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_the_rows_of_people_reach_it_with_their_names() -> None:
    rows = per_user(np.array([(1.0,), (2.0,), (4.0,)], dtype=[("a", float)]), np.array([7, 8, 7]))
    asked = Stranger(functions.sum_of_a_column, "in proportion", SECONDS, takes_fields=True, fields=("a",))
    blocks = SampleAndAggregate(asked, 2, (0.0, 20.0), person="person", points=3)
    found = blocks.answers(rows)
    assert np.nansum(found) == 2 * 7.0  # times 2 blocks, whoever is in which
    assert calibrated(blocks, 2).release(rows).guarantee == PureDP(EPSILON)


def _of_this_file(database: Any) -> Any:
    return database


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Stranger(lambda database: database, "alike"), "a function at the top of a file of its own"),
        (lambda: Stranger(functions.np.mean, "alike"), "a function at the top of a file of its own"),
        (lambda: Stranger(_of_this_file, "alike"), "of a file that imports installed libraries alone"),
        (lambda: Stranger(functions.mean, "as a maximum"), "from_a_part must be “alike”, as a mean, or “in proportion”"),
        (lambda: Stranger(functions.mean, "alike", 0.0), "seconds_a_call must be a number above 0"),
        (
            lambda: Stranger(functions.mean, "alike", libraries=("no_such_library",)),
            "for they are loaded before the walls; got 'no_such_library'",
        ),
    ],
)
def test_what_cannot_be_walled_off_is_refused_in_a_sentence(made: Any, said: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        made()
    assert said in str(refused.value)


def test_where_no_walls_hold_there_is_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stranger, "walls_hold", lambda: False)
    with pytest.raises(
        InvalidValueError, match="asked on Linux on x86-64, where a filter of system calls can wall a process off"
    ):
        Stranger(functions.mean, "alike")
    monkeypatch.undo()
    monkeypatch.setattr(stranger.platform, "machine", lambda: "riscv64")
    stranger.walls_hold.cache_clear()
    assert not stranger.walls_hold()
    stranger.walls_hold.cache_clear()
