"""A program as a Jupyter notebook."""

from __future__ import annotations

from typing import Any

from pages.reports.code.as_it_is import in_markdown
from pages.reports.code.cells import Cell, Figure, Program, Words
from pages.reports.code.needed import first_words
from pages.reports.code.python import called, imports
from pages.reports.code.script import described

_HERE = "HERE = Path()"


def notebook(program: Program) -> str:
    """Its words are Markdown, and each figure is what its cell shows."""
    import nbformat

    whole: Any = nbformat
    made = whole.v4
    needs_here = any("HERE" in cell.code for cell in program.cells if not isinstance(cell, Words))
    head = imports(program.cells, _HERE if needs_here else "", program.imports)
    opening = made.new_markdown_cell(_markdown(first_words(program, 0)))
    first = made.new_code_cell(f"{head}\n\n{_HERE}" if needs_here else head)
    cells = [opening, first, *(_cell(cell, made) for cell in program.cells)]
    for place, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{place}"  # and no random one: the same view gives the same file
    told = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
    }
    book = made.new_notebook(cells=cells, metadata=told)
    whole.validate(book)
    return str(whole.writes(book))


def _cell(cell: Cell, made: Any) -> Any:
    if isinstance(cell, Words):
        return made.new_markdown_cell(_markdown(cell))
    if isinstance(cell, Figure):
        return made.new_code_cell(f"{cell.code}\n{called('chart.described', described(cell))}")
    return made.new_code_cell(cell.code)


def _markdown(cell: Words) -> str:
    return cell.filled(tuple(in_markdown(text) for text in cell.outside))
