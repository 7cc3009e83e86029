"""A file of a member that is not in the tree, found by the catalogue as if it were."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcore.registry import catalog

Plant = Callable[[str, str, str], type[Any]]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """plant(folder, name, source): the catalogue's member of that name, from a file beside those of ``dpcore.folder``.

    No other file is touched: the folder's package is made to look into one more directory.
    """
    modules = []

    def planted(folder: str, name: str, source: str) -> type[Any]:
        beside = tmp_path / folder
        beside.mkdir(exist_ok=True)
        file = "".join("_" * (i > 0 and letter.isupper()) + letter.lower() for i, letter in enumerate(name))
        (beside / f"{file}.py").write_text(source)
        package = importlib.import_module(f"dpcore.{folder}")
        monkeypatch.setattr(package, "__path__", [*dict.fromkeys([*package.__path__, str(beside)])])
        importlib.invalidate_caches()
        catalog.members.cache_clear()
        modules.append(f"dpcore.{folder}.{file}")
        found: type[Any] = catalog.members(folder)[name]
        return found

    yield planted
    for module in modules:
        sys.modules.pop(module, None)
    catalog.members.cache_clear()
