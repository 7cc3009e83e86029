"""Write a scenario as a short script of dpcore that gives the same k, Δ̂ and scale of the noise, and as a notebook of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

import dpcore
from dpcore.base.fingerprint import fingerprint, to_json
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.registry import FOLDERS, members
from pages.experiment.scenario import Noise, Scenario, TableRecords
from pages.experiment.view import View
from pages.exports import ExportError
from pages.files.tables import Table
from pages.ledger.entry import Entry

MOST_VALUES = 20_000  # values of the rows that an oracle draws from

_HEAD = '"""Made by What privacy costs. It needs Python 3.11 and dpcore."""\n\n'
_MEMBERS = """target = {target}
oracle = {oracle}
mechanism = {mechanism}
privacy = {privacy!r}
n, adjacency = {n}, {adjacency!r}

"""
_DRAWS = """# The app's own draws, from its seed. They were seen, so the library refuses to release with them.
point = {point}
sample = sample_sensitivity(target, oracle, norm=mechanism.norm, n=n, at=point, seed={seed}, adjacency=adjacency)
sensitivity = replace(sample, explored=True).sensitivity()
noise = mechanism.calibrate(sensitivity, privacy)
print("k =", point.k, "of m =", point.m)
print("sampled sensitivity =", sensitivity.value, "and scale of the noise =", noise.law.scale)

"""
_WORST_CASE = """# The worst case over all tables is proved. Noise of that size gives differential privacy, if OpenDP samples it.
worst = target.global_sensitivity({given})
noise = mechanism.calibrate(worst, privacy)
print("worst case =", worst.value, "and scale of the noise =", noise.law.scale)

"""
_TABLE = """# A simulated table, because no confidential row is in this script. Put a table of the same type in its place.
database = oracle.draw(1, n, rng=np.random.default_rng())[0]

"""
_FRESH = """# A release draws afresh. If OpenDP samples its noise, it has random DP, which is weaker than differential privacy.
fresh = sample_sensitivity(
    target, oracle, norm=mechanism.norm, n=n, at=point, seed=secrets.randbits(64), adjacency=adjacency
)
noise = mechanism.calibrate(fresh.sensitivity(), privacy)

"""
_RELEASE = """# Each release spends the guarantee again.
release = noise.release(database)
print(release.response, release.guarantee)
"""


def expression(value: Any) -> str:
    """Return Python that makes a member of the catalogue: its ``repr``, with every row of an array.

    Raises:
        TypeError: If the value, or a value in it, is from outside dpcore, or is an array of very many values.
    """
    to_json(value, array=_refuse_large)
    with np.printoptions(threshold=MOST_VALUES, floatmode="unique"):
        return repr(value)


def _refuse_large(array: np.ndarray[Any, Any]) -> None:
    if array.size > MOST_VALUES:
        raise TypeError("this array is too large for a script")


def script(scenario: Scenario, oracle: Oracle, *, point: OperatingPoint | None, seed: int = 0, proved: bool = False) -> str:
    """Return a script that calibrates the noise of a scenario and releases the answer of a simulated table.

    Args:
        scenario: The scenario.
        oracle: Its oracle, without a placeholder.
        point: The operating point of the sampled sensitivity; None without one.
        seed: Seed of the draws at that point.
        proved: Whether the noise is calibrated to the proved worst case.

    Raises:
        ExportError: If the target, the oracle or the mechanism cannot be written as code.
    """
    try:
        target, of, mechanism = map(expression, (scenario.target, oracle, scenario.mechanism))
    except TypeError:
        values = f"{MOST_VALUES:,} values"
        problem = f"The target, the oracle or the mechanism is not one of dpcore's own, or the oracle has over {values}."
        raise ExportError(problem, "Choose another one to get a script.") from None
    made = {"target": target, "oracle": of, "mechanism": mechanism}
    parts = [_MEMBERS.format(privacy=scenario.privacy, n=scenario.n, adjacency=scenario.adjacency, **made)]
    if point is not None:
        sure = "" if point.confidence is None else f", confidence={point.confidence!r}"
        at = f"OperatingPoint.for_both({point.m}, {point.gamma!r}, bound={point.bound!r}{sure})"
        parts.append(_DRAWS.format(point=at, seed=seed))
    if proved:
        usual = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
        parts.append(_WORST_CASE.format(given="mechanism.norm, n" + ", adjacency" * (not usual)))
    parts += [_TABLE, _RELEASE if proved else _FRESH + _RELEASE]
    code = "".join(parts)
    of_python = "import secrets\n" * (not proved) + "from dataclasses import replace\n\n" * (point is not None)
    return f"{_HEAD}{of_python}import numpy as np\n{_imports(code)}\n{code}"


def _imports(code: str) -> str:
    """Return the lines that import the names in a script."""
    words = set(re.findall(r"(?<![.\w])[A-Za-z]\w*", code))
    sources = {"numpy": ("array", "inf", "nan"), "dpcore": tuple(dpcore.__all__)}
    sources |= {f"dpcore.{folder}": tuple(set(members(folder)) - set(dpcore.__all__)) for folder in FOLDERS}
    used = {module: ", ".join(sorted(words.intersection(names))) for module, names in sources.items()}
    return "".join(f"from {module} import {names}\n" for module, names in used.items() if names)


def script_of(view: View) -> str:
    """Return the script of a view of Explore.

    Raises:
        ExportError: If it cannot be written.
    """
    scenario = view.scenario
    if view.noise is None:
        raise ExportError("These settings give no private answer to write a script for.", "Change the settings first.")
    if scenario.noise is Noise.BLOCKS:
        raise ExportError("A script cannot size the noise by blocks.", "Choose sampled or worst-case noise.")
    point = None
    with suppress(DpcoreError):  # draws that give no sensitivity: worst-case noise works without
        point = scenario.point if view.sampled is not None and view.sampled.sensitivity() else None
    return script(scenario, view.question.oracle, point=point, seed=scenario.seed, proved=scenario.noise is Noise.WORST_CASE)


def script_of_release(entry: Entry, table: Table | None, others: Sequence[Entry] = ()) -> str:
    """Return the script that sizes the noise of a released answer again.

    Args:
        entry: The answer.
        table: The table, if the oracle was made from its rows; None if it is gone.
        others: Other answers. Those of the same list share an oracle over all their columns.

    Raises:
        ExportError: If it cannot be written.
    """
    if entry.about.settings is None:
        raise ExportError("The target is not one of dpcore's own.", "Choose another one to get a script.")
    assert entry.release is not None
    of: Any = entry.release.provenance
    scenario = Scenario.from_json(entry.about.settings)
    sampled = "sample_id" in of
    oracle = _oracle_of_release(entry, scenario, table, others)
    if oracle is None or (sampled and fingerprint(oracle) != of["oracle_id"]):
        raise ExportError(
            "The oracle was made from a table's own rows, and that table is not here as it was.",
            "Open that table again to get a script.",
        )
    point = None
    if sampled:
        point = OperatingPoint.for_both(of["m"], of["gamma"], bound=Bound[of["bound"]], confidence=of["confidence"])
    return script(scenario, oracle, point=point, seed=of.get("seed", 0), proved=not sampled)


def _oracle_of_release(entry: Entry, scenario: Scenario, table: Table | None, others: Sequence[Entry]) -> Oracle | None:
    """Return the oracle, or None if it was made from rows of a table that is gone or is not public any more."""
    if not isinstance(scenario.oracle, TableRecords):
        return scenario.oracle
    if table is None or not table.public:
        return None
    settings = [one.about.settings for one in others if one.ticket == entry.ticket]
    shared = [one for one in map(Scenario.from_json, filter(None, settings)) if one.oracle == scenario.oracle]
    columns = dict.fromkeys(name for one in (shared or [scenario]) for name in one.columns)
    records = table.prepare(tuple(columns), scenario.target)
    return scenario.oracle.of(records, scenario.target.person)


def notebook(code: str) -> str:
    """Return a Jupyter notebook with the same lines: a cell for each part that a comment begins."""
    empty: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    parts = re.split(r"\n\n(?=# )", code)
    cells = [empty | {"id": f"cell-{place}", "source": part.strip()} for place, part in enumerate(parts, 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
