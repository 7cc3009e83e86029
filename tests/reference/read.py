"""Reads the reference files."""

from __future__ import annotations

import csv
from pathlib import Path


def lines(name: str) -> list[dict[str, str]]:
    """The lines of a file of this folder; an absent field is the empty string."""
    with (Path(__file__).parent / name).open(newline="") as file:
        return [{key: "" if value == "NA" else value for key, value in line.items()} for line in csv.DictReader(file)]
