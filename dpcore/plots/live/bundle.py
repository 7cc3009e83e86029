"""The one module of JavaScript that draws under the hand: all files of its folder, and of each kind of answer, in one text."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

_IMPORT = re.compile(
    r'^import \{ [^}]+ \} from "\./(\w+)\.js";\n|^import \{ [^}]+ \} from "\.\./module/(\w+)\.js";\n', re.MULTILINE
)
_COMMENT = re.compile(r"^\s*//.*\n|(?<=[;{}\[(,]) // .*$", re.MULTILINE)
_FIRST, _ALONE = "mount", "start"
EXPORTED = ("mount",)


def module(exported: tuple[str, ...] = EXPORTED) -> str:
    """Its text: every name stands in one scope, and these are exported."""
    return f"{inner()}export {{ {', '.join(exported)} }};\n"


def standing() -> str:
    """The same for a file that stands alone: it begins by itself."""
    start = resources.files("dpcore.plots.live") / "module" / f"{_ALONE}.js"
    return inner() + _plain(start.read_text(encoding="utf-8"))


def style() -> str:
    """The style that it adds to a page, to the letter."""
    text = _plain((resources.files("dpcore.plots.live") / "module" / "style.js").read_text(encoding="utf-8"))
    return text[text.index("`") + 1 : text.rindex("`")]


@lru_cache(maxsize=1)
def inner() -> str:
    """The same without the export, as it stands inside a page."""
    here = resources.files("dpcore.plots.live")
    written: dict[str, str] = {}
    _with_what_it_needs(here / "module", _FIRST, written)
    kinds = sorted((file for file in (here / "kinds").iterdir() if file.name.endswith(".js")), key=lambda file: file.name)
    for kind in kinds:
        text = kind.read_text(encoding="utf-8")
        for needed in _needed(text):
            _with_what_it_needs(here / "module", needed, written)
        written[f"kinds/{kind.name}"] = _plain(text)
    return "".join(written.values())


def _with_what_it_needs(folder: Traversable, name: str, written: dict[str, str]) -> None:
    """Add a file after those that it imports from."""
    if name in written:
        return
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for needed in _needed(text):
        _with_what_it_needs(folder, needed, written)
    written[name] = _plain(text)


def _needed(text: str) -> list[str]:
    return [one or other for one, other in _IMPORT.findall(text)]


def _plain(text: str) -> str:
    """Without imports, exports, comments and the blanks at the beginning of lines."""
    bare = _COMMENT.sub("", _IMPORT.sub("", text)).replace("\nexport ", "\n").removeprefix("export ")
    return re.sub(r"\n\s*", "\n", bare).lstrip("\n")
