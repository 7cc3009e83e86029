"""A report or lessons as one HTML file: it asks no host for anything and prints on A4. Where it moves, by one program that its
policy names; else it runs none."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, final

from pages.charts.bundle import sources, standing
from pages.charts.svg import ON_DARK
from pages.reports.document import Live, Module, Picture, Report
from pages.wording.from_outside import seen

# Lessons as data, for a file that is read without the app.


@final
@dataclass(frozen=True, slots=True)
class Run:
    """Words of one weight."""

    said: str
    bold: bool = False


Paragraphs = tuple[tuple[Run, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A guess that is a number from ``least`` to ``most``."""

    label: str
    least: float
    most: float
    by: float


@final
@dataclass(frozen=True, slots=True)
class Options:
    """A guess that is one of several."""

    options: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class WrittenStep:
    """``asked`` stands beside the question; behind the guess what is ``so``, with its ``figure``,
    why, and the sentence to ``keep``."""

    name: str
    title: str
    question: Paragraphs
    asked: Picture
    guess: Number | Options
    so: str
    why: Paragraphs
    figure: Picture
    keep: Paragraphs


@final
@dataclass(frozen=True, slots=True)
class WrittenLesson:
    """``to_try``: what to do in the app, on its page ``opens``; ``desk``: what moves here, where anything does."""

    name: str
    title: str
    about: str
    steps: tuple[WrittenStep, ...]
    opens: str
    to_try: Paragraphs
    desk: Live | None = None


@final
@dataclass(frozen=True, slots=True)
class Lessons:
    """One or more, each with its ``number`` of all. ``made``: by which version, below all else."""

    title: str
    about: str
    lessons: tuple[tuple[int, WrittenLesson], ...]
    made: str
    module: Module | None = None


# The module inside a file that is opened from a disk, without a server.


_STYLE = re.compile(r"const style = `([^`\\$]*)`;")  # a template that nothing is put into


@lru_cache(maxsize=1)
def module() -> Module:
    """It, and the style that it adds to a page: a policy names both."""
    found = _STYLE.search(sources())
    assert found is not None, "expected the style as one text in style.js, without escapes and without ${…}"
    return Module(standing(), found[1])


_ROOM = "pages.reports"


def html(report: Report) -> str:
    """The file's text. All of it is text but for the pictures, which the library drew itself: no name can bring markup in."""
    return _filled("page.html.jinja", _page_style(), report.module, report=report)


def lessons_html(lessons: Lessons) -> str:
    """The same of lessons, in their order."""
    return _filled("lessons.html.jinja", _page_style() + _style("lessons"), lessons.module, lessons=lessons)


def _filled(template: str, style: str, module: Module | None, **given: Any) -> str:
    whole_style = style + (_style("live") if module else "")
    return str(_templates().get_template(template).render(style=whole_style, module=module, policy=policy, **given))


def policy(style: str, module: Module | None) -> str:
    """What the file may do: show itself in this style, and run its module where it has one."""
    styles, scripts = [style], []
    if module is not None:
        styles.append(module.style)
        scripts.append(module.script)
    said = ["default-src 'none'"] + [f"script-src {_hashes(scripts)}"] * bool(scripts) + [f"style-src {_hashes(styles)}"]
    return "; ".join(said)


def _hashes(texts: list[str]) -> str:
    """By which a policy allows these texts and no other."""
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'" for text in texts)


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    there = Environment(
        loader=PackageLoader("pages", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    there.filters["embedded"] = _embedded
    return there


def _seen(said: Any) -> Any:
    """A text without controls, and without marks that turn what follows around."""
    return seen(said) if type(said) is str else said


def _embedded(data: str) -> Any:
    """JSON within an element of the file, which none of its texts can end."""
    from markupsafe import Markup

    return Markup(seen(data).replace("<", "\\u003c").replace(">", "\\u003e"))


def _page_style() -> str:
    return f"{_style('page')}@media screen and (prefers-color-scheme: dark) {{ :root {{ {ON_DARK}; }} }}\n"


@lru_cache(maxsize=4)
def _style(name: str) -> str:
    return resources.files(_ROOM).joinpath(f"{name}.css").read_text(encoding="utf-8")
