"""The one module of JavaScript that draws under the hand: all files of its folder, and of each kind of answer, in one text."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "(?:\./|\.\./module/)(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n|(?<=[;{}\[(,]) // .*$", re.MULTILINE)
_STYLE = re.compile(r"const style = `([^`\\$]*)`;")
_FIRST, _ALONE = "mount", "start"


def module(exported: tuple[str, ...] = ("mount",)) -> str:
    """Its text, which exports these names."""
    text, names = _bundled(_FIRST)
    taken = "".join(f"const {{ {name} }} = {names[name]};\n" for name in exported)
    return f"{text}{taken}export {{ {', '.join(exported)} }};\n"


def standing() -> str:
    """The same for a file that stands alone: it begins by itself."""
    return _bundled(_ALONE)[0]


def style() -> str:
    """The style that it adds to a page, to the letter."""
    found = _STYLE.search(standing())
    assert found is not None, "expected the style as one text in style.js, without escapes and without ${…}"
    return found[1]


@lru_cache(maxsize=2)
def _bundled(last: str) -> tuple[str, dict[str, str]]:
    """All files up to the last, each in a scope of its own; and in which scope each exported name is."""
    here = resources.files("dpcore.plots.live")
    written: dict[str, str] = {}
    names: dict[str, str] = {}
    _write(here / "module", _FIRST, written, names)
    for kind in sorted(file.name for file in (here / "kinds").iterdir() if file.name.endswith(".js")):
        _write(here / "kinds", kind.removesuffix(".js"), written, names, modules=here / "module")
    _write(here / "module", last, written, names)
    return "".join(written.values()), names


def _write(
    folder: Traversable, name: str, written: dict[str, str], names: dict[str, str], *, modules: Traversable | None = None
) -> None:  # fmt: skip
    """Add a file after those that it imports from."""
    scope = f"${name}" if modules is None else f"${name}_kind"
    if scope in written:
        return
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, needed in _IMPORT.findall(text):
        _write(modules or folder, needed, written, names)
    own = _EXPORT.findall(text)
    names |= dict.fromkeys(own, scope)
    body = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub(r"const { \1 } = $\2;\n", text)))
    bare = re.sub(r"\n\s*", "\n", body).strip()
    written[scope] = f"const {scope} = (() => {{\n{bare}\nreturn {{ {', '.join(own)} }};\n}})();\n"
