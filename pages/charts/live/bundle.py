"""The one module of JavaScript that draws under the hand: all files of its folder, and of each kind of answer, in one text.

Browsers get ``built.js``, the same without blanks and with short names. ``make module`` writes it after a change, by
``python -m pages.charts.live.bundle``.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "(?:\./|\.\./module/)(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n|(?<=[;{}\[(,]) // .*$", re.MULTILINE)
_FIRST, _ALONE = "mount", "start"
_ROOM = "pages.charts.live"
BUILT = "built.js"  # beside this file: what ``built`` made of all files


def module(exported: tuple[str, ...] = ("mount",)) -> str:
    """Its text, which exports these names."""
    text, names = _whole()
    taken = "".join(f"const {{ {name} }} = {names[name]};\n" for name in exported)
    return f"{text}{taken}export {{ {', '.join(exported)} }};\n"


def standing() -> str:
    """The same for a file that stands alone: it begins by itself."""
    text, names = _whole()
    written: dict[str, str] = dict.fromkeys(set(names.values()), "")
    _write(resources.files(_ROOM) / "module", _ALONE, written, dict(names))
    return text + written[f"${_ALONE}"]


def sources() -> tuple[str, dict[str, str]]:
    """All files as they are written, each in a scope of its own; and in which scope each exported name is."""
    here = resources.files(_ROOM)
    written: dict[str, str] = {}
    names: dict[str, str] = {}
    _write(here / "module", _FIRST, written, names)
    for kind in sorted(file.name for file in (here / "kinds").iterdir() if file.name.endswith(".js")):
        _write(here / "kinds", kind.removesuffix(".js"), written, names, modules=here / "module")
    return "".join(written.values()), names


def mark(text: str) -> str:
    """The first line of what was built of this text."""
    return f"// {hashlib.sha256(text.encode()).hexdigest()}\n"


@lru_cache(maxsize=1)
def _whole() -> tuple[str, dict[str, str]]:
    """As it was built; as it is written, where something was changed since."""
    text, names = sources()
    built = resources.files(_ROOM) / BUILT
    short = built.read_text(encoding="utf-8") if built.is_file() else ""
    return (short.removeprefix(mark(text)) if short.startswith(mark(text)) else text), names


def _write(
    folder: Traversable, name: str, written: dict[str, str], names: dict[str, str], *, modules: Traversable | None = None
) -> None:
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


def built() -> str:
    """What ``built.js`` has to hold. It needs tdewolff-minify, which is among the pins of the tests and not among those of the
    app."""
    import minify

    text, _ = sources()
    short: str = minify.string("application/javascript", text)
    return f"{mark(text)}{short}\n"


if __name__ == "__main__":
    Path(__file__).with_name(BUILT).write_text(built(), encoding="utf-8")
