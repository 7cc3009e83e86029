"""The module that a browser loads: small, and without a way for a text to become markup or a program."""

from __future__ import annotations

import re

from dpcore.plots.live.bundle import module

_MOST = 40_000  # bytes


def test_it_is_small() -> None:
    assert len(module().encode()) <= _MOST


def test_no_text_becomes_markup_or_a_program() -> None:
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(|\bon\w+=", module())


def test_it_imports_nothing_and_exports_its_mount_alone() -> None:
    assert not re.findall(r"^import|^export (?!\{ mount \})", module(), re.MULTILINE)
