"""Write a scenario as a short script of dpcore that gives the same k, Δ̂ and scale of the noise, and as a notebook of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

import dpcore
from dpcore.base.fingerprint import fingerprint
from dpcore.base.norms import Norm
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

MOST_VALUES = 20_000  # of the rows that an oracle draws from

_HEAD = '"""Made by What privacy costs. It needs Python 3.11 and dpcore."""\n\n'
_ASKED = """target = {target}
oracle = {oracle}
mechanism = {mechanism}
privacy = {privacy}
n, adjacency = {n}, {adjacency}

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
    """Return Python that makes a value: a catalogue member with the values in its fields.

    Raises:
        TypeError: If the value, or a value in it, is from outside dpcore, or is an array of very many values.
    """
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, np.generic):
        return expression(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        items = ", ".join(map(expression, value)) + "," * (isinstance(value, tuple) and len(value) == 1)
        return f"({items})" if isinstance(value, tuple) else f"[{items}]"
    if isinstance(value, np.ndarray) and value.size <= MOST_VALUES:
        kind = value.dtype.str if value.dtype.names is None else value.dtype.descr
        return f"np.array({expression(value.tolist())}, dtype={expression(kind)})"
    if isinstance(value, Norm) and value.name in dpcore.__all__:
        return value.name
    if is_dataclass(value) and not isinstance(value, type):
        return _call(value)
    raise TypeError(f"{type(value).__name__} cannot be written as code")


def _call(value: Any) -> str:
    """Return the call that makes a dataclass of dpcore, without the fields that have their usual value."""
    kind = type(value)
    room = kind.__module__.partition(".")[2].partition(".")[0]
    known, prefix = (members(room), f"{room}.") if room in FOLDERS else (vars(dpcore), "")
    if known.get(kind.__name__) is not kind:
        raise TypeError(f"{kind.__name__} cannot be written as code")
    given = [(field, getattr(value, field.name)) for field in fields(value) if field.init]
    changed = [(field.name, item) for field, item in given if field.default is MISSING or item != field.default]
    return f"{prefix}{kind.__name__}({', '.join(f'{name}={expression(item)}' for name, item in changed)})"


def script(scenario: Scenario, oracle: Oracle, *, point: OperatingPoint | None, seed: int = 0, proved: bool = False) -> str:
    """Return a script that calibrates the noise of a scenario and releases the answer of a simulated table.

    Args:
        scenario: The scenario.
        oracle: The scenario's oracle itself.
        point: The operating point of the sampled sensitivity; None without one.
        seed: Of the draws at that point.
        proved: Whether the noise is sized to the proved worst case.

    Raises:
        TypeError: If the target, the oracle or the mechanism cannot be written as code.
    """
    asked = {name: expression(getattr(scenario, name)) for name in ("target", "mechanism", "privacy", "n", "adjacency")}
    parts = [_ASKED.format(oracle=expression(oracle), **asked)]
    if point is not None:
        sure = "" if point.confidence is None else f", confidence={point.confidence!r}"
        at = f"OperatingPoint.for_both({point.m}, {point.gamma!r}, bound={expression(point.bound)}{sure})"
        parts.append(_DRAWS.format(point=at, seed=seed))
    if proved:
        usual = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
        parts.append(_WORST_CASE.format(given="mechanism.norm, n" + ", adjacency" * (not usual)))
    parts += [_TABLE, _RELEASE if proved else _FRESH + _RELEASE]
    code = "".join(parts)
    names = [name for name in dpcore.__all__ if re.search(rf"(?<![.\w]){name}\b", code)]
    ours = f"from dpcore import {', '.join(names)}\n\n"
    of_python = "import secrets\n" * (not proved) + "from dataclasses import replace\n\n" * (point is not None)
    return f"{_HEAD}{of_python}import numpy as np\n\n{ours}{code}"


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
    return _written(scenario, view.question.oracle, point, scenario.seed, proved=scenario.noise is Noise.WORST_CASE)


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
    return _written(scenario, oracle, point, of.get("seed", 0), proved=not sampled)


def _oracle_of_release(entry: Entry, scenario: Scenario, table: Table | None, others: Sequence[Entry]) -> Oracle | None:
    """Return the oracle, or None if it was made from rows of a table that is gone or is not public any more."""
    if not isinstance(scenario.oracle, TableRecords):
        return scenario.oracle
    if table is None or not table.public:
        return None
    settings = [one.about.settings for one in others if entry.of_list and one.of_list == entry.of_list]
    shared = [one for one in map(Scenario.from_json, filter(None, settings)) if one.oracle == scenario.oracle]
    columns = dict.fromkeys(name for one in (shared or [scenario]) for name in one.columns)
    records = table.prepare(tuple(columns), scenario.target)
    return scenario.oracle.of(records, scenario.target.person)


def _written(scenario: Scenario, oracle: Oracle, point: OperatingPoint | None, seed: int, *, proved: bool) -> str:
    """Return the script, or refuse what cannot be written as code."""
    try:
        return script(scenario, oracle, point=point, seed=seed, proved=proved)
    except TypeError:
        rows = f"{MOST_VALUES:,} rows"
        problem = f"The target, the oracle or the mechanism is not one of dpcore's own, or the oracle has over {rows}."
        raise ExportError(problem, "Choose another one to get a script.") from None


def notebook(code: str) -> str:
    """Return a Jupyter notebook with the same lines: a cell for each part that a comment begins."""
    empty: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    parts = re.split(r"\n\n(?=# )", code)
    cells = [empty | {"id": f"cell-{place}", "source": part.strip()} for place, part in enumerate(parts, 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
