"""What the benchmarks measure is still there under its name: they are run by hand, and would fail late."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.table import SECTIONS

ROOT = Path(__file__).parents[1]


def test_every_section_is_there() -> None:
    for name in SECTIONS:
        section = importlib.import_module(f"tests.benchmarks.{name}")
        assert section.TITLE
        assert callable(section.rows)


def test_every_part_of_an_answer_gets_its_clock(tmp_path: Path) -> None:
    code = "import sys, pathlib; from tests.benchmarks.spent import Clocks, install; install(Clocks(), pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "seconds")], cwd=ROOT, check=True)
