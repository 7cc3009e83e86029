"""A program run as its script would be, in this process."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from pages.reports.code.cells import Program
from pages.reports.code.script import notebook, script


def ran(program: Program, folder: Path) -> tuple[dict[str, Any], str]:
    """The names that the script leaves, and what it prints; its figures stand in the folder."""
    if program.beside is not None:
        (folder / program.beside[0]).write_text(program.beside[1](), encoding="utf-8")
    return ran_text(script(program), folder)


def ran_text(code: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The same of a script's text."""
    names: dict[str, Any] = {"__file__": str(folder / "script.py"), "__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "script.py", "exec"), names)
    return names, said.getvalue()


def cells_of(program: Program) -> list[tuple[str, str]]:
    """Each cell of its notebook: its kind and its text."""
    return [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(notebook(program))["cells"]]


def figures_in(folder: Path) -> list[str]:
    """The pages with a figure that a script wrote."""
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("figure_*.html"))]
