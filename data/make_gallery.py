"""Compute the stored results of the gallery: ``python -m data.make_gallery [--check] [name …]``, all of them without a name.

Each exhibit has a seed, so another run gives the same numbers; only the seconds differ, and with other versions of the
libraries the last of the six digits. With ``--check`` nothing is written: the results are compared with the
stored ones, and the exit code is 1 if any of them differ.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

from data.exhibits import diffpriv, operating_points, tutorial, worst_cases
from data.exhibits.exhibit import FOLDER, Check, Made, to_text
from dpcore.base.installation import VERSION

# The function that computes each exhibit, and the seed that it takes; None if nothing is random.
EXHIBITS: dict[str, tuple[Callable[..., dict[str, Any]], int | None]] = {
    "figure_1": (operating_points.figure_1, 1),
    "table_1": (operating_points.table_1, None),
    "figure_2": (operating_points.figure_2, None),
    "figure_3": (operating_points.figure_3, None),
    "figure_4": (operating_points.figure_4, 4),
    "figure_5": (worst_cases.figure_5, 5),
    "figure_6": (worst_cases.figure_6, 6),
    "figure_7": (worst_cases.figure_7, 7),
    "figure_8": (operating_points.figure_8, None),
    "figure_9": (worst_cases.figure_9, 9),
    "diffpriv_mean": (diffpriv.diffpriv_mean, 100),
    "diffpriv_letters": (diffpriv.diffpriv_letters, 26),
    "diffpriv_regression": (diffpriv.diffpriv_regression, 250),
    "tutorial": (tutorial.tutorial, None),
}
_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def make(name: str) -> dict[str, Any]:
    """Compute the results of an exhibit."""
    compute, seed = EXHIBITS[name]
    start = time.process_time()
    parts = compute() if seed is None else compute(seed)
    seconds = time.process_time() - start
    versions = {"Python": platform.python_version(), "dpcore": VERSION}
    versions |= {library: importlib.metadata.version(library) for library in _LIBRARIES}
    return parts | {"made": Made(seed, seconds, versions)}


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
