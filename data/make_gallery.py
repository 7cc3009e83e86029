"""Writes the stored results of ``gallery``: ``python -m data.make_gallery [name …]``, all of them without a name.

With ``--words`` first, only the words of the exhibits are put into the files anew, and nothing is drawn.

Seeds are stated in each file of ``exhibits``, so that another run gives the same numbers; only the seconds differ, and with other
versions of the libraries the last of the six digits. ``make`` gives an exhibit without writing it.
"""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from data.exhibits import (
    diffpriv_letters,
    diffpriv_mean,
    diffpriv_regression,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    table_1,
    tutorial,
)
from data.exhibits.papers import words
from dpcore.base.version import VERSION
from pages.old.learn.exhibits.exhibit import Exhibit, Made, read_exhibit, written

GALLERY = Path(__file__).parent / "gallery"
_MODULES = (
    figure_1,
    table_1,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    diffpriv_mean,
    diffpriv_letters,
    diffpriv_regression,
    tutorial,
)
EXHIBITS: dict[str, ModuleType] = {module.__name__.rsplit(".", 1)[1]: module for module in _MODULES}
_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def make(name: str) -> Exhibit:
    """The exhibit of this name, made again."""
    module = EXHIBITS[name]
    start = time.process_time()
    parts = module.parts()
    seconds = time.process_time() - start
    versions = {"Python": platform.python_version(), "dpcore": VERSION}
    versions |= {library: importlib.metadata.version(library) for library in _LIBRARIES}
    return Exhibit(name=name, made=Made(module.SEED, seconds, versions), **parts)


def reworded(name: str) -> Exhibit:
    """The stored exhibit of this name with the words that its TOML file has now."""
    return replace(read_exhibit((GALLERY / f"{name}.json").read_bytes(), name), **words(name))


def main(arguments: list[str]) -> None:
    """Write the exhibits that are named, and say of each what was measured."""
    only_words = arguments[:1] == ["--words"]
    for name in arguments[only_words:] or EXHIBITS:
        exhibit = reworded(name) if only_words else make(name)
        GALLERY.mkdir(exist_ok=True)
        (GALLERY / f"{name}.json").write_text(written(exhibit), encoding="utf-8")
        print(f"{name}: {exhibit.made.seconds:.1f} s")
        for check in exhibit.checks:
            print(f"  {'holds' if check.holds else 'FAILS'}  {check.measured:.6g}  [{check.least}, {check.most}]  {check.says}")


if __name__ == "__main__":
    main(sys.argv[1:])
