"""A figure or table of a paper beside ours, as data, with its JSON file and its link to Explore (``pages/exports/link.py``)."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, final

import numpy as np

from dpcore import Bound, LaplaceMechanism, oracles, targets
from dpcore.base.arrays import FloatArray
from dpcore.base.fingerprint import to_json
from dpcore.base.serialization import from_plain, to_plain
from dpcore.guarantees.privacy import Adjacency

FOLDER = Path(__file__).parents[1] / "gallery"
ROLES = (  # each role of a series has one colour in all charts
    "formula",  # stated as a formula by the paper
    "dkw",  # at the paper's operating points
    "rank",
    "tolerance",
    "worst case",  # proved by this project
    "paper's worst case",
    "no privacy",
    "true",  # a distribution that is known exactly
    "diffpriv",  # as the code of diffpriv has it
    "permute-and-flip",
    "rows",  # of a table
    "first",  # of several with one meaning and different settings
    "second",
    "third",
    "other",
)
PAPERS = {
    "sampler": "Rubinstein & Aldà, Pain-Free Random Differential Privacy with Sensitivity Sampling, Proceedings of the 34th "
    "International Conference on Machine Learning (ICML), 2017",
    "diffpriv": "Rubinstein & Aldà, diffpriv: An R Package for Easy Differential Privacy, 2017",
    "tutorial": "Gastaud, Leverage Harvard's OpenDP to run analytics with user-level differential privacy (Sarus)",
}
_DIGITS = 6
Cell = str | float


@final
@dataclass(frozen=True)
class Axis:
    """An axis: its label and unit, whether it is logarithmic, and names for the values 1, 2, …, if any."""

    label: str
    unit: str = ""
    log: bool = False
    names: tuple[str, ...] = ()


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Series:
    """One line, or one set of points.

    Args:
        name: Its name, at most once in a facet.
        role: One of ``ROLES``.
        x: Horizontal positions, shape (p,), finite.
        y: Vertical positions, shape (p,), finite.
        low: Lower ends of a measured spread, shape (p,), or None.
        high: Upper ends of the spread, shape (p,), or None.
        drawn: "line", "steps" or "points".
        facets: Facets that show it; none means all.
    """

    name: str
    role: str
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    drawn: str = "line"
    facets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("x", "y", "low", "high"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))


@final
@dataclass(frozen=True, kw_only=True)
class Chart:
    """Series over two axes, in facets with shared axes.

    Args:
        title: Title of the chart.
        x: Horizontal axis.
        y: Vertical axis.
        series: Series of all facets.
        spread: Meaning of the bands around lines, if there are any.
        guarantee: Promise of the private answers behind the chart, if there are any.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    spread: str = ""
    guarantee: str = ""

    @property
    def facets(self) -> tuple[str, ...]:
        """Names of the facets in their order; one nameless facet if the series name none."""
        return tuple(dict.fromkeys(facet for one in self.series for facet in one.facets)) or ("",)

    def in_facet(self, facet: str) -> list[Series]:
        """Return the series that a facet shows."""
        return [one for one in self.series if not one.facets or facet in one.facets]

    def called(self, name: str, facet: str = "") -> Series:
        """Return a series by its name, and by its facet if several have that name."""
        return next(one for one in self.series if one.name == name and (not facet or facet in one.facets))


@final
@dataclass(frozen=True, kw_only=True)
class StoredTable:
    """A table with rows of texts and numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@final
@dataclass(frozen=True)
class Stated:
    """A statement of the paper's text, and its section; never a value read off a figure."""

    says: str
    place: str


@final
@dataclass(frozen=True)
class Deviation:
    """A setting that differs from the paper's, or that the paper does not state."""

    setting: str
    paper: str
    ours: str
    why: str


@final
@dataclass(frozen=True)
class Difference:
    """A result that differs from the paper, and why."""

    says: str
    why: str


@final
@dataclass(frozen=True)
class Check:
    """A measured number and its limits, of which one can be absent."""

    says: str
    measured: float
    least: float | None = None
    most: float | None = None

    @property
    def holds(self) -> bool:
        """True if the number is within its limits."""
        above = self.least is None or self.measured >= self.least
        return above and (self.most is None or self.measured <= self.most)


@final
@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A figure or table of a paper beside ours: words from a TOML file, and results from the JSON file of the same name.

    Args:
        name: Name of its files.
        place: Position in the gallery.
        title: Subject in a few words.
        work: Key of the paper in ``PAPERS``.
        where: Part of the paper.
        paper: Settings of the paper, a sentence each.
        ours: Our settings, a sentence each.
        deviations: Settings that differ.
        stated: Statements of the paper.
        no_curve: Why no curve of the paper is shown; empty if one is.
        agrees: Results that agree, a sentence each.
        differs: Results that differ, and why.
        live_note: How the version on Explore is smaller.
        charts: Our charts.
        tables: Our tables.
        checks: Numbers that were asked for.
        live: A smaller version, as the content of a link to Explore.
    """

    name: str
    place: int
    title: str
    work: str
    where: str
    paper: tuple[str, ...]
    ours: tuple[str, ...]
    deviations: tuple[Deviation, ...]
    stated: tuple[Stated, ...]
    no_curve: str
    agrees: tuple[str, ...]
    differs: tuple[Difference, ...]
    live_note: str
    charts: tuple[Chart, ...]
    tables: tuple[StoredTable, ...]
    checks: tuple[Check, ...]
    live: dict[str, Any]

    def chart(self, title: str) -> Chart:
        """Return a chart by its title."""
        return next(one for one in self.charts if one.title == title)


@lru_cache(maxsize=1)
def gallery() -> dict[str, Exhibit]:
    """Return the stored exhibits by name, in the order of their places."""
    found = [stored(file.stem) for file in FOLDER.glob("*.json")]
    return {one.name: one for one in sorted(found, key=lambda one: one.place)}


def stored(name: str) -> Exhibit:
    """Return the exhibit with this name."""
    words, results = (FOLDER.joinpath(f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("toml", "json"))
    empty: dict[str, Any] = {"deviations": []}
    exhibit: Exhibit = from_plain(Exhibit, {"name": name} | empty | tomllib.loads(words) | json.loads(results))
    return exhibit


def to_text(results: dict[str, Any]) -> str:
    """Return the text of a JSON file: one part a line, numbers with six significant digits."""
    return (
        "{\n"
        + ",\n".join(
            [f"  {json.dumps(key)}: {json.dumps(to_plain(part, _short), ensure_ascii=False)}" for key, part in results.items()]
        )
        + "\n}\n"
    )


def _short(value: float) -> float | int:
    rounded = float(f"{value:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


TABLE_ROWS = {"kind": "TableRecords"}  # an oracle that resamples the public table itself


def live(
    table: str,
    columns: tuple[str, ...],
    target: Any,
    oracle: Any,
    *,
    n: int,
    m: int,
    gamma: float,
    seed: int,
    bound: Bound = Bound.RANK,
    epsilon: float = 1.0,
    mechanism: Any = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
) -> dict[str, Any]:
    """Return the content of a link to an experiment under pure DP, with Laplace noise unless a mechanism is given."""
    return {
        "t": table,
        "c": list(columns),
        "f": to_json(target),
        "o": oracle if isinstance(oracle, dict) else to_json(oracle),
        "n": n,
        "k": to_json(mechanism or LaplaceMechanism()),
        "e": epsilon,
        "g": gamma,
        "m": m,
        "b": bound.name,
        "a": adjacency.name,
        "s": seed,
    }


def loans(*, m: int, gamma: float, bound: Bound, seed: int) -> dict[str, Any]:
    """Return the link to the mean of the loan defaults, Example 6 of the sampler's paper."""
    mean, law = targets.Mean(), oracles.Exponential(1.0)
    return live("loan_defaults", ("years_to_default",), mean, law, n=500, m=m, gamma=gamma, bound=bound, seed=seed)
