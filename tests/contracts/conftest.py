"""A file of a member that is not in the tree, found by the catalogue as if it were."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcore.registry import catalog

Put = Callable[[str, str, str], None]
Plant = Callable[[str, str, str], type[Any]]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """put(folder, file, source): one more file beside those of ``dpcore.folder``; no other file is touched.

    The folder's package is made to look into one more directory.
    """
    modules = []

    def added(folder: str, file: str, source: str) -> None:
        beside = tmp_path / folder
        beside.mkdir(exist_ok=True)
        (beside / f"{file}.py").write_text(source)
        package = importlib.import_module(f"dpcore.{folder}")
        monkeypatch.setattr(package, "__path__", [*dict.fromkeys([*package.__path__, str(beside)])])
        importlib.invalidate_caches()
        catalog.members.cache_clear()
        modules.append(f"dpcore.{folder}.{file}")

    yield added
    for module in modules:
        sys.modules.pop(module, None)
    catalog.members.cache_clear()


@pytest.fixture
def plant(put: Put) -> Plant:
    """plant(folder, name, source): the catalogue's member of that name, from a file beside those of ``dpcore.folder``."""

    def planted(folder: str, name: str, source: str) -> type[Any]:
        file = "".join("_" * (i > 0 and letter.isupper()) + letter.lower() for i, letter in enumerate(name))
        put(folder, file, source)
        found: type[Any] = catalog.members(folder)[name]
        return found

    return planted
