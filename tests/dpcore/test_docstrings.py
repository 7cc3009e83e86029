"""The examples in docstrings run and give what they say."""

from __future__ import annotations

import doctest

from dpcore.ledger import accounting
from dpcore.mechanisms import base
from dpcore.sampling import sampler


def test_the_ledgers_example() -> None:
    found = doctest.testmod(accounting, raise_on_error=False)
    assert found.attempted >= 5
    assert found.failed == 0


def test_the_samplers_example() -> None:
    found = doctest.testmod(sampler, raise_on_error=False)
    assert found.attempted >= 4
    assert found.failed == 0


def test_the_guessers_example() -> None:
    found = doctest.testmod(base, raise_on_error=False)
    assert found.attempted >= 4
    assert found.failed == 0
