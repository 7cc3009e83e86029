"""Seeded draws, operating points, fingerprints and simulated noise are those that are stored, to the last bit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests import unchanged

STORED: dict[str, Any] = json.loads(unchanged.STORED.read_text())


def assert_same(found: list[str], stored: list[str]) -> None:
    """Compare hexadecimal numbers bit for bit; on other vector instructions or another numpy than they were stored with, to
    1e-9, because these round logarithms and matrix products differently."""
    if unchanged.machine() == STORED["machine"]:
        assert found == stored
    np.testing.assert_allclose(_values(found), _values(stored), rtol=1e-9, atol=1e-12)


def _values(numbers: list[str]) -> list[float]:
    return [float.fromhex(number) for number in numbers]


@pytest.mark.parametrize("name", unchanged.CASES)
def test_distances_unchanged(name: str) -> None:
    method, found = unchanged.distances(name)
    stored_method, stored = STORED["distances"][name]
    assert method == stored_method
    assert_same(found, stored)


def test_stored_cases_use_every_method() -> None:
    assert {method for method, _ in STORED["distances"].values()} == {"direct", "additive", "pair", "batch", "plain"}


def test_operating_points_unchanged() -> None:
    found = unchanged.points()
    assert found["every 97th"] == STORED["points"]["every 97th"]
    assert found == STORED["points"]


def test_fingerprints_unchanged() -> None:
    assert unchanged.fingerprints() == STORED["fingerprints"]


@pytest.mark.parametrize("name", STORED["noise"])
def test_simulated_noise_unchanged(name: str) -> None:
    assert_same(unchanged.noise()[name], STORED["noise"][name])
