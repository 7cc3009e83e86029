"""The pages that there are: a file ``pages/name.py``, or ``pages/name/page.py``; and a sentence for each file that is none."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parents[1] / "old"
_MEND = "Mend it, or take it out of the folder."


def pages() -> tuple[ModuleType, ...]:
    """The modules with ``TITLE``, ``ORDER`` and ``show()``, in their order; a file that is no page is left out."""
    return _read()[0]


def name_of(page: ModuleType) -> str:
    """The name of a page in its address: of its file, or of its folder."""
    return page.__name__.split(".")[2]


def link_to(name: str) -> Any:
    """The page of this name, as Streamlit leads to it."""
    every = pages()
    page = next(page for page in every if name_of(page) == name)
    return st.Page(page.show, title=page.TITLE, url_path=name, default=page is every[0])


def findings() -> tuple[str, ...]:
    """A sentence for each file that was left out: what was expected of it, what came, and what to do."""
    return _read()[1]


def _read() -> tuple[tuple[ModuleType, ...], tuple[str, ...]]:
    found_files = (*_FOLDER.glob("[!_]*.py"), *_FOLDER.glob("[!_]*/page.py"))
    read = {_module(file): _page(_module(file)) for file in sorted(found_files)}
    found = sorted((page for page in read.values() if not isinstance(page, str)), key=lambda page: float(page.ORDER))
    first = {page.TITLE: page for page in reversed(found)}
    said = [f"{_path(name)} {page}" for name, page in read.items() if isinstance(page, str)]
    said += [_taken(page, first[page.TITLE]) for page in found if page is not first[page.TITLE]]
    return tuple(page for page in found if page is first[page.TITLE]), tuple(said)


def _module(file: Path) -> str:
    """The name that a file of the folder is imported by."""
    return ".".join(("pages", "old", *file.relative_to(_FOLDER).with_suffix("").parts))


def _path(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


def _page(module: str) -> ModuleType | str:
    """The module of a page, or what is wrong with its file."""
    try:
        page = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever somebody's file does
        said = " ".join(str(error).split())
        return f"does not import: {type(error).__name__}{f', {said}' if said else ''}. {_MEND}"
    title, order = getattr(page, "TITLE", None), getattr(page, "ORDER", None)
    right = {
        "TITLE (a text)": isinstance(title, str) and bool(title.strip()),
        "ORDER (a number)": isinstance(order, (int, float)) and order == order,
        "show() (a function)": callable(getattr(page, "show", None)),
    }
    lacks = [name for name, is_there in right.items() if not is_there]
    if not lacks:
        return page
    expected = "expected TITLE, ORDER and show(), as each page has"
    return f"is no page: {expected}, but it has no {' and no '.join(lacks)}. {_MEND}"


def _taken(page: ModuleType, first: ModuleType) -> str:
    file, other = (_path(one.__name__) for one in (page, first))
    return f"{file} has the TITLE of {other}, “{page.TITLE}”: expected one of its own. Rename the page."
