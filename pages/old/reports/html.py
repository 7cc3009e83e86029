"""A report as one HTML file: it asks no host for anything and prints on A4. Where it moves, by one program that its policy names;
else it runs none."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from importlib import resources
from typing import Any

from pages.old.charts.bundle import sources, standing
from pages.old.charts.svg import ON_DARK
from pages.old.reports.document import Module, Report
from pages.old.wording.from_outside import seen

# The module inside a file that is opened from a disk, without a server.


_STYLE = re.compile(r"const style = `([^`\\$]*)`;")  # a template that nothing is put into


@lru_cache(maxsize=1)
def module() -> Module:
    """It, and the style that it adds to a page: a policy names both."""
    found = _STYLE.search(sources())
    assert found is not None, "expected the style as one text in style.js, without escapes and without ${…}"
    return Module(standing(), found[1])


_ROOM = "pages.old.reports"


def html(report: Report) -> str:
    """The file's text. All of it is text but for the pictures, which the library drew itself: no name can bring markup in."""
    return _filled("page.html.jinja", _page_style(), report.module, report=report)


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
        loader=PackageLoader("pages.old", "reports"),
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
