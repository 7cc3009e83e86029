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
_AROUND = re.compile(r" ?([=*/<>&|?:,;{}()\[\]!%]+) ?")  # not + and −, of which two are another sign
_INSIDE = re.compile(r"(?<=[;{,(\[])\n+ +")  # of a block, so that each name of the module's own begins a line
_QUOTE = re.compile(r'["`]')
_FIRST = "mount"
EXPORTED = ("mount",)


def module(exported: tuple[str, ...] = EXPORTED) -> str:
    """Its text: every name stands in one scope, and these are exported."""
    return f"{inner()}export {{ {', '.join(exported)} }};\n"


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
    """Without imports, exports, comments, and blanks that say nothing."""
    bare = _COMMENT.sub("", _IMPORT.sub("", text)).replace("\nexport ", "\n").removeprefix("export ")
    return _tight(re.sub(r"\n\s*", "\n", _INSIDE.sub("", bare)).lstrip("\n"))


def _tight(text: str) -> str:
    """Without blanks around signs, but for those within quotes: a sign there is text."""
    made, at = [], 0
    while (found := _QUOTE.search(text, at)) is not None:
        end = _closed(text, found.end(), found[0])
        made += [_AROUND.sub(r"\1", text[at : found.start()]), text[found.start() : end]]
        at = end
    return "".join([*made, _AROUND.sub(r"\1", text[at:])])


def _closed(text: str, at: int, close: str) -> int:
    """Where a quote ends, or what stands in a template's braces, in which there can be quotes again."""
    while text[at] != close:
        if text[at] == "\\":
            at += 2
        elif close == "`" and text.startswith("${", at):
            at = _closed(text, at + 2, "}")
        elif close == "}" and text[at] in '"`{':
            at = _closed(text, at + 1, "}" if text[at] == "{" else text[at])
        else:
            at += 1
    return at + 1
