"""A record of one release for a public registry of deployments: what was protected, how, and how strongly; no answer is in it.

Its fields have the names that the registry of the OpenDP project gives them (registry.opendp.org, schema of its deployments),
with γ and what certifies it beside them. Whoever sends it in fills in what no program knows.
"""

from __future__ import annotations

import json
from typing import Any

from dpcore.base.version import VERSION
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP
from dpcore.guarantees.unit import ROW
from dpcore.ledger.accounting import Standing
from pages.session.entry import Entry

_TO_FILL_IN = ("data_curator", "intended_use", "data_product_region", "data_product_sector")
_FLAVOR: dict[type[Any], str] = {PureDP: "Pure DP", ApproxDP: "Approximate DP"}
_NEIGHBOURS = {
    Adjacency.REPLACE_ONE_RECORD: "two tables of the same number of records that differ in one record",
    Adjacency.REPLACE_ONE_USER: "two tables of the same number of people that differ in one person, with all rows of that person",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "two tables of which one has one person more, with all rows of that person",
}


def deployment(entry: Entry) -> str:
    """The record of a release as JSON."""
    release, line, about = entry.release, entry.line, entry.about
    assert release is not None
    assert line is not None
    holds = line.guarantee
    said: dict[str, Any] = {
        "name": about.question,
        "description": f"{about.target}, over {about.records:,} {words.counted_in(release.adjacency)} of {about.table}",
        "publication_date": entry.made[:10],
        "dp_flavor": {
            "name": "none" if holds is None else _FLAVOR.get(type(holds), "other"),
            "description": entry.promise,
            "data_domain": _domain(entry),
            "unprotected_quantities": _unprotected(entry),
        },
        "privacy_loss": {
            "privacy_unit": _unit(entry),
            "privacy_unit_description": f"Neighbours are {_NEIGHBOURS[release.adjacency]}.",
            "privacy_parameters": _parameters(holds),
        },
        "model": {"model_name": "Central", "is_interactive": False},
        "accounting": {"composition": line.standing.value or "proved for all tables", "post_processing": _afterwards(entry)},
        "implementation": _implementation(entry),
        "caveats": [*entry.caveats, *filter(None, [entry.incomplete])],
    }
    record = {"record": "deployment of a privacy mechanism", "version": 1, "status": "Draft", "to_fill_in": _TO_FILL_IN}
    return json.dumps(record | {"deployment": said}, indent=2, ensure_ascii=False)


def _parameters(holds: Guarantee | None) -> dict[str, float | None] | None:
    return None if holds is None else {name: getattr(holds, name) for name in holds.__dataclass_fields__}


def _unit(entry: Entry) -> str:
    assert entry.release is not None
    if entry.release.adjacency is not Adjacency.REPLACE_ONE_RECORD:
        return "person"
    unit = entry.about.protected
    return ROW if unit.name == ROW else f"{unit.name} (one row)"


def _domain(entry: Entry) -> list[dict[str, Any]]:
    """What was declared of the columns: public, and never read off a confidential table."""
    names = ("name", "unit", "bounds", "categories")
    return [{name: column[name] for name in names if column[name]} for column in entry.about.columns]


def _unprotected(entry: Entry) -> str:
    assert entry.release is not None
    if entry.release.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
        return f"none; about {entry.about.records:,} people, as their holder stated beforehand"
    return f"the number of {words.counted_in(entry.release.adjacency)}, {entry.about.records:,}"


def _afterwards(entry: Entry) -> str:
    return entry.about.afterwards or "answers are shown in their own units, within what is possible"


def _implementation(entry: Entry) -> dict[str, Any]:
    """The mechanism, its scale, and what that was sized to."""
    assert entry.release is not None
    assert entry.line is not None
    of, about = entry.release.provenance, entry.about
    said: dict[str, Any] = {
        "mechanisms": entry.release.mechanism,
        "scale": entry.release.scale,
        "noise": entry.release.sampling.words,
        "library": f"dpcore {VERSION}",
        "norm": of["norm"],
        "sensitivity": of["sensitivity"],
        "missing_values": about.missing,
    }
    if "sample_id" not in of:
        return said | {"sensitivity_is": "proved for all tables", "proof": of["proof"]}
    fixed = entry.line.standing in (Standing.FIXED, Standing.PROVED)
    return said | {
        "sensitivity_is": "sampled: an order statistic of distances between made-up tables",
        "bound": of["bound"],
        "m": of["m"],
        "k": of["k"],
        "gamma_as_certified": of["gamma"],
        "confidence": of["confidence"],
        "seed": of["seed"],
        "oracle": about.oracle,
        "oracle_came": about.origin.value,
        "fixed_before_the_first_response": fixed,
    }
