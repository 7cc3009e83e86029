"""A record of one release for a public registry of deployments: what was protected, how, and how strongly; no answer is in it.

Its fields and choices are those of the OpenDP project's registry (registry.opendp.org, schema of its deployments), and no others.
What that has no field for (γ, the bound, m, k, the oracle) stands in plain sentences in its fields for details, and as values
in a page of our own beside it. Whoever sends the record in replaces each "To be filled in", which no program knows.
"""

from __future__ import annotations

import json
from typing import Any

from dpcore.answers.answer import is_a_model
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.version import VERSION
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.unit import ROW
from dpcore.ledger.accounting import Line
from dpcore.mechanisms.base import Release
from pages.shared.reports.noise import CAME
from pages.state.release_entry import About, Entry

_TO_FILL_IN = "To be filled in: "
_VARIANT: dict[type[Any], str] = {PureDP: "Pure DP", ApproxDP: "Approximate DP"}
_NEIGHBOURS = {
    Adjacency.REPLACE_ONE_RECORD: "two tables of the same number of rows that differ in one row",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "two tables of which one has one row more",
    Adjacency.REPLACE_ONE_USER: "two tables of the same number of people that differ in one person, with all rows of that person",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "two tables of which one has one person more, with all rows of that person",
}


def deployment(entry: Entry) -> str:
    """The record of a release as JSON, as the registry's schema has it."""
    release, line, about = entry.release, entry.line, entry.about
    assert release is not None
    assert line is not None
    holds = line.guarantee  # random DP is "Custom" among the registry's
    variant = {"variant_name": _VARIANT.get(type(holds), "Custom")}
    parameters = {"epsilon": holds.epsilon, "delta": facts(holds).delta}
    said: dict[str, Any] = {
        "basic": _basic(about, release, entry.made),
        "dp_variant": {
            **variant,
            "data_domain": " ".join(map(_column, about.columns)),  # as declared: never read off a confidential table
            "unprotected_quantities": _unprotected(about, release),
        },
        "privacy_loss": {
            "privacy_unit": _unit(about, release),
            "privacy_unit_details": f"Neighbours are {_NEIGHBOURS[line.adjacency]}.",
            "privacy_parameters": {name: value for name, value in parameters.items() if value},  # a δ of 0 is left out
            "privacy_parameters_details": entry.promise,
        },
        "deployment_model": {
            "model_name": "Central",
            "release_type": "One release",
            "data_source_type": "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {
            "composition": "The parameters are those of this release alone. Its standing among the releases of its table: "
            f"{_standing(line)}. {_TO_FILL_IN}what other releases of the table add to it.",
            "post_processing": about.afterwards or "answers are shown in their own units, within what is possible",
        },
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": " ".join(filter(None, [about.missing, about.read_as, _tuning(line)])),
            "mechanisms": (
                f"The mechanism is {release.mechanism}, with scale {release.scale:.6g}. The noise is {release.sampling.words}. "
                f"The library is dpcore {VERSION}."
            ),
            "justification": _sized_to(about, release, line),
        },
        "administrative": {
            "registry_authors": [f"{_TO_FILL_IN}who wrote this entry"],
            "notes": " ".join(["The field data_product_sector is still to be chosen.", *_warnings(entry)]),
        },
    }
    record = {"url_slug": f"release-{entry.ticket}", "status": "Draft", "tier": 3, "deployment": said}
    return json.dumps(record, indent=2, ensure_ascii=False)


def values(entry: Entry) -> str:
    """The page of our own beside the record, as JSON: the values that the registry has no field for."""
    assert entry.release is not None
    assert entry.line is not None
    of, about, holds = entry.release.provenance, entry.about, entry.line.guarantee
    said: dict[str, Any] = {
        "beside": f"release-{entry.ticket}",
        "guarantee": words.name(holds),
        "parameters": {name: getattr(holds, name) for name in holds.__dataclass_fields__},
        "standing": _standing(entry.line),
        "mechanism": entry.release.mechanism,
        "scale": entry.release.scale,
        "noise": entry.release.sampling.words,
        "library": f"dpcore {VERSION}",
        "norm": of["norm"],
        "sensitivity": of["sensitivity"],
        "columns": [dict(column) for column in about.columns],
        "caveats": _warnings(entry),
    }
    if "sample_id" not in of:
        said |= {"sensitivity_is": "proved for all tables", "proof": of["proof"]}
    else:
        said |= {
            "sensitivity_is": "sampled: an order statistic of distances between made-up tables",
            "bound": of["bound"],
            "m": of["m"],
            "k": of["k"],
            "gamma_as_certified": of["gamma"],
            "confidence": of["confidence"],
            "seed": of["seed"],
            "oracle": about.oracle,
            "oracle_came": about.origin.value,
            "fixed_before_the_first_response": True,
        }
    return json.dumps(said, indent=2, ensure_ascii=False)


def _basic(about: About, release: Release[Any], made: str) -> dict[str, Any]:
    return {
        "name": about.question,
        "data_curators": [f"{_TO_FILL_IN}who publishes the answer"],
        "description": f"{about.target}, over {about.records:,} {words.counted_in(release.adjacency)} of {about.table}",
        "intended_use": f"{_TO_FILL_IN}what the answer is for",
        "data_product_type": "Machine learning model" if is_a_model(about.answer) else "Summary statistics",
        "data_product_region": f"{_TO_FILL_IN}what region the table describes",
        "publication_date": made[:10],
    }


def _unit(about: About, release: Release[Any]) -> str:
    if not release.adjacency.of_records:
        return "person"
    unit = about.protected
    return ROW if unit.name == ROW else f"{unit.name} (one row)"


def _column(column: dict[str, Any]) -> str:
    name = f'The column "{column["name"]}" holds'
    if column["categories"]:
        return f"{name} one of these: {', '.join(str(one) for one in column['categories'])}."
    unit = f" in {column['unit']}" * bool(column["unit"])
    if not column["bounds"]:
        return f"{name} values{unit} without declared bounds."
    low, high = column["bounds"]
    return f"{name} numbers from {low:.15g} to {high:.15g}{unit}."


def _unprotected(about: About, release: Release[Any]) -> str:
    things = words.counted_in(release.adjacency)
    if release.adjacency.removes:
        return f"none; about {counted(about.records, f' {things}')}, as their holder stated beforehand"
    return f"the number of {things}, {about.records:,}"


def _standing(line: Line) -> str:
    return "proved for all tables" if line.drawn is None else "fixed before the first answer"


def _warnings(entry: Entry) -> list[str]:
    return [*entry.caveats, *filter(None, [entry.incomplete])]


def _tuning(line: Line) -> str:
    if line.drawn is None:
        return "The guarantee holds whatever was chosen or asked before."
    return "What the guarantee rests on was fixed before the first answer about the table."


def _sized_to(about: About, release: Release[Any], line: Line) -> str:
    """What the noise was sized to, with γ, the bound, m, k and the oracle where it was sampled."""
    of = release.provenance
    sensitivity = f"a sensitivity of {of['sensitivity']:.6g} in the norm {of['norm']}"
    if "sample_id" not in of:
        return f"The noise is sized to {sensitivity}, which is proved for all tables: {of['proof']}"
    confidence = f", with confidence {of['confidence']}" if of["confidence"] else ""
    return (
        f"The noise is sized to {sensitivity}, which was sampled: of "
        f"{counted(format(of['m'], ','), ' distances')} between made-up tables that differ in "
        f"one {_unit(about, release)}, it is number {of['k']:,} in rising order. That certifies "
        f"γ = {of['gamma']:.6g} by the bound {of['bound']}{confidence}. The made-up tables come from this oracle: "
        f"{about.oracle}. {CAME[about.origin]}"
    )
