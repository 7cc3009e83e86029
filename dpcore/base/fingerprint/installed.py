"""Which code is the user's own, and which was installed: that is told apart by its version and is not looked into."""

from __future__ import annotations

import hashlib
import platform
import site
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from dpcore.base.version import VERSION

# Where the parts of an object go, one after the other.


class UnknownContentsError(Exception):
    """What the object does hangs on something that cannot be seen here."""


class Sink(Protocol):
    """Takes parts; what is put in another order, or is cut at another place, makes another hash."""

    def put(self, tag: str, *parts: str | bytes | int) -> None:
        """Words, bytes and numbers as they are."""

    def add(self, value: Any, /) -> None:
        """An object, with all that it refers to."""

    def add_unordered(self, values: Iterable[Any], /) -> None:
        """Objects in an order of their own contents: a set's order differs from process to process."""


_PYTHON = f"{sys.implementation.name} {platform.python_version()}"


def installed(module: object) -> str | None:
    """Name and version of what was installed with this module (or the module of this name); None if it is the user's own.

    Python's own modules, dpcore, and the files in a site-packages folder that a distribution owns. The hash of the
    distribution's list of files (RECORD, with a hash of each) tells two builds of one version apart.
    """
    name = module.__name__ if isinstance(module, ModuleType) else str(module)
    loaded = sys.modules.get(name)
    if loaded is None or name == "__main__" or (isinstance(module, ModuleType) and module is not loaded):
        return None
    top = name.partition(".")[0]
    if top == "dpcore":
        return f"dpcore {VERSION}"
    origin = getattr(getattr(loaded, "__spec__", None), "origin", None)
    return _owner(top, origin) if isinstance(origin, str) else None


def found(value: object, module: object, path: object) -> bool:
    """Whether this very object stands in an installed module under this dotted name."""
    if not isinstance(path, str) or installed(module) is None:
        return False
    there: Any = sys.modules[str(module)]
    for name in path.split("."):
        there = getattr(there, name, None)
    return there is value


@cache
def _owner(top: str, origin: str) -> str | None:
    if origin in ("built-in", "frozen"):
        return _PYTHON
    file = Path(origin).resolve()
    if any(folder in file.parents for folder in _packages()):
        return " ".join(map(_distribution, _names(top))) or None
    return _PYTHON if any(folder in file.parents for folder in _standard()) else None


@cache
def _names(top: str) -> list[str]:
    """The distributions that own this module: to ask all of them takes 0.1 s, and most are named like it."""
    with suppress(metadata.PackageNotFoundError):
        if f"\n{top}/__init__.py," in "\n" + (metadata.distribution(top).read_text("RECORD") or ""):
            return [top]
    return sorted(set(_all_names().get(top, ())))


_all_names = cache(metadata.packages_distributions)


@cache
def _distribution(name: str) -> str:
    files = metadata.distribution(name).read_text("RECORD") or ""
    return f"{name} {metadata.version(name)} {hashlib.sha256(files.encode()).hexdigest()}"


@cache
def _packages() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    folders = (paths["purelib"], paths["platlib"], *site.getsitepackages(), site.getusersitepackages())
    return tuple(Path(folder).resolve() for folder in folders)


@cache
def _standard() -> tuple[Path, ...]:
    return tuple(Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "platstdlib"))
