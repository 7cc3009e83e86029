"""Every target of the catalogue that can be asked of blocks: one replaced record moves one block, and tells at most ε."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpcore.targets import Mean, Quantile, SampleAndAggregate, Variance
from tests.contracts.members import few, members
from tests.contracts.suited import drawn, oracle_for
from tests.contracts.target_contract import STRANGE
from tests.dpcore.targets.blocks import EPSILON, calibrated, worst_loss

N, K, PAIRS = 11, 4, 12
FEW = [target for target in few(members("targets"), 2) if target.from_a_part and not oracle_for(target).draws_people]
ASKED = [target for target in FEW if target(drawn(oracle_for(target), n=N, seed=0)).size == 1]


def _neighbours(target: Any) -> list[tuple[Any, Any]]:
    """Drawn tables of which one place holds a record of another table, or of a column of numbers a strange one."""
    rng, found = np.random.default_rng(12), []
    tables = [drawn(oracle_for(target), n=N, seed=seed) for seed in range(PAIRS + 1)]
    for table, donor in pairwise(tables):
        other, place = table.copy(), rng.integers(N)
        strange = table.dtype.kind == "f" and rng.random() < 0.5
        other[place] = rng.choice(STRANGE, table.shape[1:]) if strange else donor[rng.integers(N)]
        other.flags.writeable = False
        found.append((table, other))
    return found


def test_most_targets_can_be_asked_of_blocks() -> None:
    assert len({type(target) for target in ASKED}) > 5


@pytest.mark.parametrize("target", ASKED, ids=repr)
def test_replaced_record_changes_one_block(target: Any) -> None:
    pairs = _neighbours(target)
    usual = np.array([target(table) for table, _ in pairs])
    blocks = SampleAndAggregate(target, K, (float(usual.min()) - 0.5, float(usual.max()) + 0.5), points=21)
    law, scores = calibrated(blocks, N).law, []
    for table, other in pairs:
        one, changed = blocks.answers(table), blocks.answers(other)
        assert (one == blocks.answers(table)).all() or np.isnan(one).any()
        assert np.isclose(one, changed, rtol=0, atol=0, equal_nan=True).sum() >= K - 1
        scores.append((blocks.scores_of(one), blocks.scores_of(changed)))
    assert worst_loss(law, scores) <= EPSILON * (1 + 1e-9)


_ENDS = (0.25, 1.25)
_STATED = [Mean(_ENDS), Quantile(0.3, _ENDS), Variance(_ENDS), Variance(_ENDS, ddof=1)]
BOUNDED = [one for one in (*ASKED, *_STATED) if one.answer_bounds is not None and one.answer_bounds(N) is not None]


def test_several_kinds_state_bounds_of_their_answers() -> None:
    assert len({type(target) for target in BOUNDED}) >= 5


@pytest.mark.parametrize("target", BOUNDED, ids=repr)
def test_no_answer_leaves_the_bounds_that_are_stated(target: Any) -> None:
    low, high = target.answer_bounds(N)
    tables = [other if table.dtype.kind == "f" else table for table, other in _neighbours(target)]
    if tables[0].dtype.kind == "f":  # and as far out as values can be, together or half and half
        half = np.full_like(tables[0], -1e9)
        half[::2] = 1e9
        ends = (-1e9, 1e9, np.nan) if target.accepts_missing is True else (-1e9, 1e9)
        tables += [half, *(np.full_like(half, end) for end in ends)]
    for table in tables:
        answer = target(table)
        assert (low - 1e-9 <= answer).all(), answer
        assert (answer <= high + 1e-9).all(), answer
