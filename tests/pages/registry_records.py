"""Records of releases of every kind for the public registry, checked against its schema.

``python -m tests.pages.registry_records deployments-schema.yaml`` checks them with the registry's own file (which needs PyYAML);
without a file they are checked with the names and choices that ``tests/reference/registry_fields.json`` holds.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dpcore import registry
from dpcore.answers.numbers import Numbers
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.lines import Drawn, Event, Line
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import Sampling
from pages.experiment.oracle_origin import OracleOrigin
from pages.release.deployment import deployment
from pages.state.release_entry import About, Entry

FIELDS = Path(__file__).parents[1] / "reference" / "registry_fields.json"

POINT: dict[str, str | int | float | None] = {
    "norm": "L1",
    "sensitivity": 0.125,
    "sample_id": "1f",
    "bound": "RANK",
    "m": 199,
    "k": 190,
    "gamma": 0.05,
    "confidence": None,
    "seed": 7,
}
PROOF: dict[str, str | int | float | None] = {"norm": "L1", "sensitivity": 0.125, "proof": "(high - low) / n: section 6.1"}
GUARANTEES = (PureDP(1.0), ApproxDP(1.0, 1e-6), RandomDP(1.0, 0.0, 0.05), RandomDP(1.0, 1e-6, 0.05, 0.95))
COLUMNS: tuple[tuple[dict[str, Any], ...], ...] = (
    ({"name": "age", "label": "Age", "unit": "years", "bounds": (18.0, 90.0), "categories": (), "read_as": None},),
    (
        {"name": "ward", "label": "Ward", "unit": "", "bounds": None, "categories": ("A", "B"), "read_as": "words"},
        {"name": "cost", "label": "Cost", "unit": "£", "bounds": None, "categories": (), "read_as": None},
    ),
)


@cache
def _checker(schema: Path) -> Any:
    import jsonschema

    if schema.suffix == ".json":
        return jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
    import yaml

    return jsonschema.Draft202012Validator(yaml.safe_load(schema.read_text(encoding="utf-8")))


def misfits(record: dict[str, Any], schema: Path = FIELDS) -> list[str]:
    """What the registry's schema would refuse: where, and why."""
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in _checker(schema).iter_errors(record)]


def _line(guarantee: Guarantee, adjacency: Adjacency) -> Line:
    epsilon, delta = guarantee.epsilon, getattr(guarantee, "delta", 0.0)
    common: dict[str, Any] = {"event": Event.RELEASE, "target": "Mean", "target_id": "t", "n": 400, "adjacency": adjacency}
    if not isinstance(guarantee, RandomDP):
        return Line(**common, epsilon=epsilon, delta=delta)
    drawn = Drawn(
        oracle="Normal",
        oracle_id="o",
        point_id="p",
        sample_id="1f",
        gamma=guarantee.gamma,
        joint_gamma=guarantee.gamma,
        confidence=guarantee.confidence,
    )
    return Line(**common, epsilon=epsilon, delta=delta, drawn=drawn)


def _about(columns: tuple[dict[str, Any], ...], *, several: bool, origin: OracleOrigin) -> About:
    return About(
        question="Mean of Age and 2 more" if several else "Mean of Age",
        target="the mean",
        oracle="a normal distribution",
        table="a table",
        public=False,
        records=400,
        columns=columns,
        answer=Numbers(("Age",), "years"),
        afterwards="",
        protected=Unit("patient", several=False),
        missing="A missing value counts as 18.",
        read_as="",
        settings=None,
        origin=origin,
        questions=("Mean of Age", "Mean of Cost") if several else (),
    )


def records() -> Iterator[dict[str, Any]]:
    """Every mechanism × guarantee × who is protected × one question or several × begun here or loaded."""
    asked = itertools.product(registry.catalog.members("mechanisms"), GUARANTEES, Adjacency, (False, True), (False, True))
    for place, (mechanism, guarantee, adjacency, several, loaded) in enumerate(asked):
        line = _line(guarantee, adjacency)
        yield json.loads(
            deployment(
                Entry(
                    ticket=f"{place:x}",
                    digest="",
                    problem="",
                    line=line,
                    about=_about(COLUMNS[place % 2], several=several, origin=list(OracleOrigin)[place % len(OracleOrigin)]),
                    release=Release(
                        response=31.5,
                        guarantee=line.guarantee,
                        adjacency=adjacency,
                        mechanism=mechanism,
                        scale=0.125,
                        provenance=POINT if isinstance(guarantee, RandomDP) else PROOF,
                        sampling=Sampling(),
                        sized_to=guarantee,
                    ),
                    caveats=("The answer was looked at first.",) * loaded,
                    incomplete="The ledger came from a file that may not be all." * loaded,
                )
            )
        )


def main() -> None:
    """Check all of them, and say how many errors there are."""
    schema = Path(sys.argv[1]) if len(sys.argv) > 1 else FIELDS
    found = [misfits(record, schema) for record in records()]
    print(f"{sum(map(len, found)):,} errors in {len(found):,} rows")
    for wrong in sorted({error for one in found for error in one}):
        print(wrong)
    sys.exit(any(found))


if __name__ == "__main__":
    main()
