"""Compute the stored results of the gallery: ``python -m data.make_gallery [--check] [name …]``, all of them without a name.

Each module of ``exhibits`` states its seed, so another run gives the same numbers; only the seconds differ, and with other
versions of the libraries the last of the six digits. With ``--check`` nothing is written: the results are compared with the
stored ones, and the exit code is 1 if any of them differ.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
import time
from types import ModuleType
from typing import Any

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
from data.exhibits.exhibit import FOLDER, Check, Made, to_text
from dpcore.base.version import VERSION

EXHIBITS: dict[str, ModuleType] = {
    "figure_1": figure_1,
    "table_1": table_1,
    "figure_2": figure_2,
    "figure_3": figure_3,
    "figure_4": figure_4,
    "figure_5": figure_5,
    "figure_6": figure_6,
    "figure_7": figure_7,
    "figure_8": figure_8,
    "figure_9": figure_9,
    "diffpriv_mean": diffpriv_mean,
    "diffpriv_letters": diffpriv_letters,
    "diffpriv_regression": diffpriv_regression,
    "tutorial": tutorial,
}
_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def make(name: str) -> dict[str, Any]:
    """Return the results of an exhibit, computed anew."""
    module = EXHIBITS[name]
    start = time.process_time()
    parts: dict[str, Any] = module.parts()
    seconds = time.process_time() - start
    versions = {"Python": platform.python_version(), "dpcore": VERSION}
    versions |= {library: importlib.metadata.version(library) for library in _LIBRARIES}
    return parts | {"made": Made(module.SEED, seconds, versions)}


def is_stored(name: str, results: dict[str, Any]) -> bool:
    """Return whether the results are the stored ones, apart from the time and the versions."""
    before = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return before | {"made": None} == json.loads(to_text(results | {"made": None}))


def main(arguments: list[str]) -> int:
    """Compute the named exhibits, print their checks, and write the results or compare them with the stored ones."""
    only_check = "--check" in arguments
    same = True
    for name in [one for one in arguments if one != "--check"] or EXHIBITS:
        results = make(name)
        print(f"{name}: {results['made'].seconds:.1f} s")
        checks: tuple[Check, ...] = results["checks"]
        for check in checks:
            print(f"  {'holds' if check.holds else 'FAILS'}  {check.measured:.6g}  [{check.least}, {check.most}]  {check.says}")
        if not only_check:
            (FOLDER / f"{name}.json").write_text(to_text(results), encoding="utf-8")
        elif not is_stored(name, results):
            same = False
            print("  DIFFERS from the stored results")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
