"""Some mutated links: none breaks a page, and none takes what a server cannot spare. ``links.py`` runs any number."""

from __future__ import annotations

import json

import pytest

from tests.fuzz import links

_SEED, _COUNT = 2026, 20


@pytest.mark.slow
def test_no_mutated_link_breaks_a_redraw_or_costs_more_than_a_link_may() -> None:
    found = links.run(_SEED, range(_COUNT))
    assert found.count == _COUNT
    assert not found.broken, [json.dumps(links.query(_SEED, case))[:500] + why for case, why in found.broken]
    assert not found.slow
    assert not found.large


def test_a_link_is_the_same_whatever_came_before_and_most_are_no_real_ones() -> None:
    first = [links.query(_SEED, case) for case in range(200)]
    assert first == [links.query(_SEED, case) for case in range(200)]
    assert len({json.dumps(said, sort_keys=True) for said in first}) > 150
    assert max(len(json.dumps(said)) for said in first) > 1_000
