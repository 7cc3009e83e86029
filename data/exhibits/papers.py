"""The words of an exhibit, from the TOML file of its name: settings, what the paper states, what agrees and what does not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pages.old.learn.exhibits.exhibit import Deviation, Difference, Stated

_PAPERS = {
    "sampler": "Rubinstein & Aldà, Pain-Free Random Differential Privacy with Sensitivity Sampling, Proceedings of the 34th "
    "International Conference on Machine Learning (ICML), 2017",
    "diffpriv": "Rubinstein & Aldà, diffpriv: An R Package for Easy Differential Privacy, 2017",
    "tutorial": "Gastaud, Leverage Harvard's OpenDP to run analytics with user-level differential privacy (Sarus)",
}


def words(name: str) -> dict[str, Any]:
    """The parts of the exhibit of this name that are words."""
    said = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
    paper, where = said.pop("work"), said.pop("where")
    lists = {part: tuple(said.get(part, ())) for part in ("paper", "ours", "agrees")}
    parts = {
        "deviations": tuple(Deviation(**one) for one in said.get("deviations", ())),
        "stated": tuple(Stated(**one) for one in said.get("stated", ())),
        "differs": tuple(Difference(**one) for one in said.get("differs", ())),
    }
    return said | lists | parts | {"source": f"{_PAPERS[paper]}, {where}"}
