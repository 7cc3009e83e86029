"""The house stays easy to see: short files, short functions, and few names at the top."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FILES = [*ROOT.glob("dpcore/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
MOST_LINES, MOST_OF_NINE_IN_TEN = 300, 20


def test_no_file_is_longer_than_three_hundred_lines() -> None:
    assert len(FILES) > 150
    sizes = {str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


@pytest.mark.slow
def test_nine_functions_in_ten_have_at_most_twenty_lines() -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    sizes = [
        (node.end_lineno or 0) - node.lineno + 1
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, functions)
    ]
    assert len(sizes) > 1_000
    assert np.quantile(sizes, 0.9) <= MOST_OF_NINE_IN_TEN


def test_the_library_has_three_files_above_its_rooms() -> None:
    assert {file.name for file in ROOT.glob("dpcore/*.py")} == {"__init__.py", "errors.py", "local_pool.py"}
