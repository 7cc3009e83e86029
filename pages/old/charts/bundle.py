"""The one module of JavaScript that draws figures: all files of ``drawing/`` in one text.

The server gets ``built.js``, the same without blanks and with short names. ``make module`` writes it after a change,
by ``python -m pages.old.charts.bundle``.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from functools import lru_cache
from importlib import resources
from pathlib import Path

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "(\.[\w./]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n|(?<=[;{}\[(,]) // .*$", re.MULTILINE)
_FILES = ("drawing/svg",)  # and all that it imports from
_ROOM = "pages.old.charts"
BUILT = "built.js"  # beside this file: what ``built`` made of all files


def script(*wanted: str) -> str:
    """Its text as a script, for an engine that has no modules: these names stand in it."""
    return f"{_whole()}const {{ {', '.join(wanted)} }} = charts;\n"


def sources() -> str:
    """All files as they are written, each in a scope of its own; ``charts`` has every name that one of them exports."""
    written: dict[str, str] = {}
    for file in _FILES:
        _write(file, written)
    return f"{''.join(written.values())}const charts = {{ {', '.join(f'...{scope}' for scope in written)} }};\n"


def mark(text: str) -> str:
    """The first line of what was built of this text."""
    return f"// {hashlib.sha256(text.encode()).hexdigest()}\n"


@lru_cache(maxsize=1)
def _whole() -> str:
    """As it was built; as it is written, where something was changed since."""
    text = sources()
    built = resources.files(_ROOM) / BUILT
    short = built.read_text(encoding="utf-8") if built.is_file() else ""
    return short.removeprefix(mark(text)) if short.startswith(mark(text)) else text


def _scope(file: str) -> str:
    return "$" + file.replace("/", "_")


def _write(file: str, written: dict[str, str]) -> None:
    """Add a file, which is named as from here, by its scope, after those that it imports from."""
    if _scope(file) in written:
        return
    text = (resources.files(_ROOM) / f"{file}.js").read_text(encoding="utf-8")

    def there(path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(file), path))

    for _, needed in _IMPORT.findall(text):
        _write(there(needed), written)
    own = _EXPORT.findall(text)
    text = _IMPORT.sub(lambda found: f"const {{ {found[1]} }} = {_scope(there(found[2]))};\n", text)
    bare = re.sub(r"\n\s*", "\n", _COMMENT.sub("", _EXPORT.sub("", text))).strip()
    written[_scope(file)] = f"const {_scope(file)} = (() => {{\n{bare}\nreturn {{ {', '.join(own)} }};\n}})();\n"


def built() -> str:
    """What ``built.js`` has to hold. It needs tdewolff-minify, which is among the pins of the tests and not among those of the
    app."""
    import minify

    text = sources()
    short: str = minify.string("application/javascript", text)
    return f"{mark(text)}{short}\n"


if __name__ == "__main__":
    Path(__file__).with_name(BUILT).write_text(built(), encoding="utf-8")
