"""A program as a Python script."""

from __future__ import annotations

import re
import textwrap

from pages.reports.code.as_it_is import one_line
from pages.reports.code.cells import Figure, Lines, Program, Words
from pages.reports.code.needed import first_words
from pages.reports.code.python import called, imports, literal

_WIDTH = 100
_HERE = "HERE = Path(__file__).parent"


def script(program: Program) -> str:
    """Its words are comments, and each figure is written to a file beside it, ``figure_1.svg`` and so on."""
    cells, figures = list[Words | Lines](), 0
    for cell in program.cells:
        if isinstance(cell, Figure):
            figures += 1
            cells.append(Lines(f"{cell.code}\n{_written(cell, figures)}"))
        else:
            cells.append(cell)
    needs_here = any("HERE" in cell.code for cell in cells if isinstance(cell, Lines))
    head = imports(cells, _HERE if needs_here else "", program.imports)
    parts = [cell.code if isinstance(cell, Lines) else _comment(cell) for cell in cells]
    said = _comment(first_words(program, figures))
    return "\n\n".join([said, head, *([_HERE] if needs_here else []), *parts]) + "\n"


def _written(cell: Figure, number: int) -> str:
    drawn = called("svg", "chart", alt=described(cell), before="picture = ")
    return f'{drawn}\n(HERE / "figure_{number}.svg").write_text(picture, encoding="utf-8")'


def described(cell: Figure) -> str:
    """What a figure shows, as Python."""
    return literal(one_line(cell.alt)) if cell.alt else "described"


def _comment(cell: Words) -> str:
    """Each paragraph on lines of its own; a heading as a line that editors take for the start of a cell."""
    text = cell.filled(tuple(one_line(text) for text in cell.outside))
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        heading = re.match(r"#+ ", paragraph)
        if heading:
            lines += [f"# %% {one_line(paragraph[heading.end() :])}"]
        elif paragraph.startswith("- "):
            for item in paragraph.split("\n"):
                lines += textwrap.wrap(item, _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_long_words=False)
        else:
            lines += textwrap.wrap(paragraph, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
        lines.append("#")
    return "\n".join(lines[:-1])
