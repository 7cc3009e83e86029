"""The examples in docstrings run and give what they say."""

from __future__ import annotations

import doctest

from dpcore.ledger import accounting


def test_the_ledgers_example() -> None:
    found = doctest.testmod(accounting, raise_on_error=False)
    assert found.attempted >= 5
    assert found.failed == 0
