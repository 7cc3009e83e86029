"""The settings of a scenario in words, and what differs between several scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.guarantees.descriptions import counted_in, unit_of
from pages.experiment.choices import title
from pages.experiment.descriptions import oracle_words, question, target_words
from pages.experiment.scenario import Scenario
from pages.experiment.words import BOUND_NAMES
from pages.files.tables import Table

IN_FULL = "target in full"
_ALONE = ("table", "target", IN_FULL, "oracle", "neighbours")  # settings that are said without their name
# Settings that usually follow from another target or table; they are said only if the others do not tell scenarios apart.
_FOLLOW = (IN_FULL, "oracle", "n", "mechanism", "neighbours", "δ", "table")


def settings(scenario: Scenario, table: Table) -> dict[str, str]:
    """Return the settings of a scenario by name.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    adjacency = scenario.adjacency
    change = "added or removed" if adjacency.removes else "replaced"
    said = {
        "table": table.title or table.name,
        "target": question(scenario, table),
        IN_FULL: target_words(scenario.target, tuple(table.column(name) for name in scenario.columns)),
        "oracle": oracle_words(scenario.oracle),
        "n": f"{scenario.n:,} {counted_in(adjacency)}",
        "neighbours": f"{unit_of(adjacency)} {change}",
        "mechanism": title(type(scenario.mechanism).__name__),
        "noise": scenario.noise.words,
        "ε": f"{scenario.epsilon:g}",
        "δ": "" if scenario.delta is None else f"{scenario.delta:g}",
        "γ": f"{scenario.gamma:g}",
        "m": f"{scenario.m:,}",
        "bound": BOUND_NAMES[scenario.bound],
        "confidence": "" if scenario.confidence is None else f"{scenario.confidence:g}",
        "seed": str(scenario.seed),
    }
    return {name: words for name, words in said.items() if words}


def differences(several: Sequence[dict[str, str]]) -> list[str]:
    """Return for each of several scenarios what it does not share with the others.

    Args:
        several: The settings of each.
    """
    names = list(dict.fromkeys(name for one in several for name in one))
    differ = [name for name in names if len({one.get(name) for one in several}) > 1]
    moved = "table" in differ or "target" in differ
    said = [name for name in differ if not moved or name not in _FOLLOW]
    if len(set(_phrases(several, said))) < len(set(_phrases(several, differ))):
        said = differ
    return _phrases(several, said)


def _phrases(several: Sequence[dict[str, str]], names: Sequence[str]) -> list[str]:
    return [", ".join(_phrase(name, one[name]) for name in names if name in one) for one in several]


def _phrase(name: str, words: str) -> str:
    if name in _ALONE:
        return words
    return f"{name} = {words}" if len(name) == 1 else f"{name}: {words}"
