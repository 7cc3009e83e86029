"""A program as a Python script."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any

from dpcore.base.facts import facts
from pages.reports.code.cells import Cell, Figure, Lines, Program, Words, imports

# What a program needs: said in its first lines.


_VERSIONS = ("numpy", "scipy")


def extras(*values: Any) -> tuple[str, ...]:
    """The names of dpcore's extras that these members need, each once, in order."""
    return tuple(sorted(set(_extras(values))))


def _extras(value: Any) -> Iterator[str]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _extras(item)
    elif is_dataclass(value) and not isinstance(value, type):
        own = facts(type(value)).extra
        if own:
            yield own
        for field in fields(value):
            yield from _extras(getattr(value, field.name))


def first_words(program: Program, figures: int) -> Words:
    """The title, what is to be installed, which versions it was made with, and what is written beside it."""
    needs = sorted({*program.needs, *(["plots"] if any(isinstance(cell, Figure) for cell in program.cells) else [])})
    wanted = f'"{".[" + ",".join(needs) + "]"}"' if needs else "."
    parts = [
        "# {}",
        "It needs Python 3.11 or newer and the library dpcore. In the folder of dpcore, run:",
        f"`pip install {wanted}`",
        f"It was made with {' and '.join(f'{name} {version(name)}' for name in _VERSIONS)}. Other versions can differ in the "
        "last digit of a number. A line that begins with “assert” then stops it, and says so.",
    ]
    if program.beside is not None:
        parts.append(f"The table is large, so its rows are in a file of their own. Keep {program.beside[0]} beside this one.")
    if figures:
        first, last = "figure_1.html", f"figure_{figures}.html"
        parts.append(f"It writes its figures beside itself: {first}{f' to {last}' if figures > 1 else ''}.")
    return Words("\n\n".join(parts), (program.title,))


# Texts from outside, shown as they are: on one line of a comment, or in the Markdown of a notebook.


_ODD = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # controls, marks that turn the text around, ends of lines
_MARK = re.compile(r"[!-/:-@\[-`{-~]")  # all of ASCII that is no letter, number or blank
_PLAIN = re.compile(r"(?<=\w)['’](?=\w)|(?<=\w)-(?=\w)|[,%](?=[ ]|$)|(?<=\d)[.](?=\d)")  # a few of these that are no marks here


def one_line(text: str) -> str:
    """The text on one line: a blank in place of each character that ends a line, that cannot be seen, or that turns it around."""
    return " ".join("".join(" " if unicodedata.category(one) in _ODD else one for one in text).split())


def in_markdown(text: str) -> str:
    """The same as Markdown that shows it as it is: each mark as the number of its character, which no reader takes for a mark.

    A dollar gets an element of its own, for notebooks look for formulas in what is shown, too.
    """
    line = one_line(text)
    plain = {found.start() for found in _PLAIN.finditer(line)}
    return _MARK.sub(lambda found: found[0] if found.start() in plain else _numbered(found[0]), line)


def _numbered(mark: str) -> str:
    return f"<span>&#{ord(mark)};</span>" if mark == "$" else f"&#{ord(mark)};"


_WIDTH = 100
_HERE = "HERE = Path(__file__).parent"


def script(program: Program) -> str:
    """Its words are comments, and each figure is written to a file beside it, ``figure_1.html`` and so on."""
    cells, figures = list[Words | Lines](), 0
    for cell in program.cells:
        if isinstance(cell, Figure):
            figures += 1
            written = f'chart.write_html(HERE / "figure_{figures}.html", include_plotlyjs="directory")'
            cells += [_shows(cell), Lines(f"{cell.code}\n{written}")]
        else:
            cells.append(cell)
    needs_here = any("HERE" in cell.code for cell in cells if isinstance(cell, Lines))
    head = imports(cells, _HERE if needs_here else "", program.imports)
    parts = [cell.code if isinstance(cell, Lines) else _comment(cell) for cell in cells]
    said = _comment(first_words(program, figures))
    return "\n\n".join([said, head, *([_HERE] if needs_here else []), *parts]) + "\n"


def _shows(cell: Figure) -> Words:
    return Words("The figure: {}", (cell.alt,))


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


# A program as a Jupyter notebook.


_NOTEBOOK_HERE = "HERE = Path()"


def notebook(program: Program) -> str:
    """Its words are Markdown, and each figure is what its cell shows."""
    import nbformat

    whole: Any = nbformat
    made = whole.v4
    needs_here = any("HERE" in cell.code for cell in program.cells if not isinstance(cell, Words))
    head = imports(program.cells, _NOTEBOOK_HERE if needs_here else "", program.imports)
    opening = made.new_markdown_cell(_markdown(first_words(program, 0)))
    first = made.new_code_cell(f"{head}\n\n{_NOTEBOOK_HERE}" if needs_here else head)
    said = (part for cell in program.cells for part in ((_shows(cell), cell) if isinstance(cell, Figure) else (cell,)))
    cells = [opening, first, *(_cell(cell, made) for cell in said)]
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
        return made.new_code_cell(f"{cell.code}\nchart")
    return made.new_code_cell(cell.code)


def _markdown(cell: Words) -> str:
    return cell.filled(tuple(in_markdown(text) for text in cell.outside))
