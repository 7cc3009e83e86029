"""Reads the reference files."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def lines(name: str) -> list[dict[str, str]]:
    """The lines of a file of this folder; an absent field is the empty string."""
    with (Path(__file__).parent / name).open(newline="") as file:
        return [{key: "" if value == "NA" else value for key, value in line.items()} for line in csv.DictReader(file)]


def numbers(name: str) -> NDArray[np.float64]:
    """A file of numbers as a matrix, without its header."""
    return np.array([[float(value) for value in line.values()] for line in lines(name)])
