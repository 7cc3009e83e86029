"""A file of a member that is not in the tree, listed by the catalogue as if it were."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcore.registry import FOLDERS

Plant = Callable[[str, str, str], type[Any]]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """plant(folder, name, source): a class from one more file beside those of ``dpcore.folder``, which the package lists."""
    modules = []

    def planted(folder: str, name: str, source: str) -> type[Any]:
        file = "".join("_" * (i > 0 and letter.isupper()) + letter.lower() for i, letter in enumerate(name))
        beside = tmp_path / folder
        beside.mkdir(exist_ok=True)
        (beside / f"{file}.py").write_text(source)
        package = FOLDERS[folder]
        monkeypatch.setattr(package, "__path__", [*dict.fromkeys([*package.__path__, str(beside)])])
        importlib.invalidate_caches()
        module = importlib.import_module(f"dpcore.{folder}.{file}")
        modules.append(module.__name__)
        kind: type[Any] = vars(module)[name]
        monkeypatch.setattr(package, name, kind, raising=False)
        monkeypatch.setattr(package, "__all__", [*package.__all__, name])
        return kind

    yield planted
    for module in modules:
        sys.modules.pop(module, None)
