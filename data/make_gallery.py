"""Compute the stored results of the gallery: ``python -m data.make_gallery [--check] [name …]``, all of them without a name.

Seeds are fixed, so another run gives the same numbers. With other versions of the libraries the last of the six digits can
differ. With ``--check`` nothing is written: the results are compared with the stored ones, and the exit code is 1 if any of them
differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from data.exhibits import diffpriv, operating_points, tutorial, worst_cases
from data.exhibits.exhibit import FOLDER, to_text

EXHIBITS: dict[str, Callable[[], dict[str, Any]]] = {
    "figure_1": operating_points.figure_1,
    "table_1": operating_points.table_1,
    "figure_2": operating_points.figure_2,
    "figure_3": operating_points.figure_3,
    "figure_4": operating_points.figure_4,
    "figure_5": worst_cases.figure_5,
    "figure_6": worst_cases.figure_6,
    "figure_7": worst_cases.figure_7,
    "figure_8": operating_points.figure_8,
    "figure_9": worst_cases.figure_9,
    "diffpriv_mean": diffpriv.diffpriv_mean,
    "diffpriv_letters": diffpriv.diffpriv_letters,
    "diffpriv_regression": diffpriv.diffpriv_regression,
    "tutorial": tutorial.tutorial,
}


def is_stored(name: str, results: dict[str, Any]) -> bool:
    """Return whether the results of an exhibit are the stored ones."""
    stored: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return stored == json.loads(to_text(results))


def main(arguments: list[str]) -> int:
    """Compute the named exhibits, print their checks, and write the results or compare them with the stored ones."""
    only_check = "--check" in arguments
    same = True
    for name in [one for one in arguments if one != "--check"] or EXHIBITS:
        results = EXHIBITS[name]()
        print(name)
        for check in results["checks"]:
            print(f"  {'holds' if check.holds else 'FAILS'}  {check.measured:.6g}  [{check.least}, {check.most}]  {check.says}")
        if not only_check:
            (FOLDER / f"{name}.json").write_text(to_text(results), encoding="utf-8")
        elif not is_stored(name, results):
            same = False
            print("  DIFFERS from the stored results")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
