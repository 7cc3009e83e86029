"""One figure or table of a paper beside ours: what it states, what we found, and where the two differ."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import final

from dpcore.base.checks import finite, named, whole
from dpcore.base.plain import from_plain, json_or_none, to_plain
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from pages.experiment.scenario import Scenario
from pages.old.learn.exhibits.charts import Chart, StoredTable


class _Words:
    """A dataclass whose fields are all words."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            named(name, value)


@final
@dataclass(frozen=True)
class Stated(_Words):
    """What a paper's text says, in its own words, and in which section; never what was read off a figure."""

    says: str
    place: str


@final
@dataclass(frozen=True)
class Deviation(_Words):
    """A setting of ours that is not the paper's, or that the paper leaves open, and why."""

    setting: str
    paper: str
    ours: str
    why: str


@final
@dataclass(frozen=True)
class Difference(_Words):
    """What does not agree, in a sentence, and why, in another."""

    says: str
    why: str


@final
@dataclass(frozen=True, slots=True)
class Check:
    """A number that was asked for: what it is, what was measured, and between which limits it was to lie (None: no limit)."""

    says: str
    measured: float
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        named("says", self.says)
        finite("measured", self.measured)
        limits = [finite("limit", limit) for limit in (self.least, self.most) if limit is not None]
        if not limits or limits != sorted(limits):
            raise InvalidValueError("least and most", "a limit at least, and the lower one first", (self.least, self.most))

    @property
    def holds(self) -> bool:
        """Whether the measured number lies between the limits."""
        above = self.least is None or self.measured >= self.least
        return above and (self.most is None or self.measured <= self.most)


@final
@dataclass(frozen=True, slots=True)
class Made:
    """How the results came about: with which seed (None: nothing is drawn), in how many seconds of processor time, with what."""

    seed: int | None
    seconds: float
    versions: dict[str, str]

    def __post_init__(self) -> None:
        if self.seed is not None:
            whole("seed", self.seed, least=0)
        if finite("seconds", self.seconds) < 0:
            raise InvalidValueError("seconds", "at least 0", self.seconds)
        if not isinstance(self.versions, dict) or not self.versions:
            raise InvalidValueError("versions", "a version of each library", self.versions)
        for library, version in self.versions.items():
            named("library", library)
            named(f"version of {library}", version)


@final
@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A figure or table of a paper beside ours.

    ``place`` orders the gallery. ``paper`` and ``ours`` are the settings, a sentence each. ``no_curve`` says why no curve of
    the paper stands beside ours, and is empty where one does. ``live`` is a smaller version for Explore, and ``live_note`` says
    in what it is smaller, or why there is none.
    """

    name: str
    place: int
    title: str
    source: str
    paper: tuple[str, ...]
    ours: tuple[str, ...]
    deviations: tuple[Deviation, ...]
    stated: tuple[Stated, ...]
    no_curve: str
    charts: tuple[Chart, ...]
    tables: tuple[StoredTable, ...]
    agrees: tuple[str, ...]
    differs: tuple[Difference, ...]
    checks: tuple[Check, ...]
    live: Scenario | None
    live_note: str
    made: Made

    def __post_init__(self) -> None:
        whole("place", self.place)
        for name in ("name", "title", "source", "live_note"):
            named(name, getattr(self, name))
        for name in ("paper", "ours", "agrees"):
            for sentence in getattr(self, name):
                named(name, sentence)
        if not isinstance(self.no_curve, str):
            raise InvalidValueError("no_curve", "a text", self.no_curve)
        if not self.paper or not self.ours or not (self.charts or self.tables) or not self.checks:
            raise InvalidValueError("exhibit", "settings of both, a chart or a table, and a check", self.name)

    def chart(self, title: str) -> Chart:
        """The chart of this title; InvalidValueError where there is none."""
        found = [one for one in self.charts if one.title == title]
        if not found:
            raise InvalidValueError("title", f"one of {', '.join(one.title for one in self.charts)}", title)
        return found[0]


# Exhibits as files: JSON of one version, written with six digits, and read back with every part checked.


VERSION = 1
MOST_BYTES = 2**21
_KIND = "exhibit of the gallery"
_DIGITS = 6


@final
@dataclass(frozen=True)
class Gallery:
    """The exhibits of a folder in their order, and a sentence on each file that is none."""

    exhibits: tuple[Exhibit, ...]
    left_out: tuple[str, ...] = ()


def read_gallery(folder: Path) -> Gallery:
    """Every ``*.json`` of the folder. One that is broken or of another version is left out, with a sentence; never an error."""
    exhibits, left_out = [], []
    for file in sorted(folder.glob("*.json")):
        try:
            exhibits.append(read_exhibit(file.read_bytes(), file.stem))
        except (TableError, OSError) as error:
            left_out.append(str(error) if isinstance(error, TableError) else f"The file “{file.name}” could not be read.")
    return Gallery(tuple(sorted(exhibits, key=lambda one: (one.place, one.name))), tuple(left_out))


def read_exhibit(content: bytes, name: str) -> Exhibit:
    """What ``written`` gave for the exhibit of this name; TableError, in plain words, for anything else."""
    again = "Make it again with “python -m data.make_gallery”."
    said = json_or_none(content, MOST_BYTES)
    if not isinstance(said, dict) or said.get("stored") != _KIND:
        raise TableError(f"“{name}” is no stored result of the gallery.", again)
    if said.get("version") != VERSION:
        version = str(said.get("version"))[:20]
        raise TableError(f"“{name}” is of version {version}, and this app reads version {VERSION}.", again)
    try:
        exhibit: Exhibit = from_plain(Exhibit, {key: value for key, value in said.items() if key not in ("stored", "version")})
        if exhibit.name != name:
            raise InvalidValueError("name", f"that of its file, {name}", exhibit.name)
    except DpcoreError as error:
        raise TableError(f"“{name}” was changed, and cannot be read: {str(error).rstrip('.')}.", again) from None
    return exhibit


def written(exhibit: Exhibit) -> str:
    """JSON that ``read_exhibit`` reads back, a part a line; numbers with six significant digits."""
    parts = {"stored": _KIND, "version": VERSION} | to_plain(exhibit, _short)
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _short(value: float) -> float | int:
    rounded = float(f"{value:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded
