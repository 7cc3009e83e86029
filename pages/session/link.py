"""The link: a scenario in the query of the address, checked when it is opened. It holds the seed, never data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpcore.errors import DpcoreError, GammaOutOfReachError
from dpcore.scenario import VERSION, Scenario, parse
from dpcore.tables import Table
from pages.session import state

_VERSION_KEY = "v"
_PLAIN = ("table", "norm", "bound")


def to_query(scenario: Scenario) -> dict[str, str]:
    """Every field as text: names as they are, the rest as compact JSON."""
    data = scenario.to_json()
    query = {_VERSION_KEY: str(data.pop("version"))}
    for name, value in data.items():
        query[name] = value if name in _PLAIN else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return query


def from_query(query: Mapping[str, str], tables: Mapping[str, Table], example: Scenario) -> tuple[Scenario, list[str]]:
    """The scenario that a link describes, and a sentence for each value that it cannot have; those stay the example's."""
    version = query.get(_VERSION_KEY)
    if version is None:
        return example, []
    if version != str(VERSION):
        return example, [
            f"This link is of version {version[:20]!r}, and this app reads version {VERSION}: it shows its example instead. "
            "Ask for a new link."
        ]
    name = query.get("table", example.table)
    if name not in tables:
        return example, [
            f"The link speaks of the table {name[:80]!r}, which is not here: a link holds no data. "
            "Upload that table on the page Your data; the example is shown meanwhile."
        ]
    said: list[str] = []
    values: dict[str, Any] = {}
    for field in fields(Scenario):
        if field.name in query and field.name != "version":
            value = _parsed(field.name, query[field.name], said)
            if value is not None:
                values[field.name] = value[0]
    known = {field.name for field in fields(Scenario)} | {_VERSION_KEY}
    said += [f"The link's {key[:40]!r} is no setting of this app, and was left out." for key in query if key not in known]
    return _assembled(values, tables[name], example, said), said


def adopt() -> None:
    """Once a session: the address becomes the scenario, and what could not be read becomes sentences."""
    if st.session_state.get("adopted"):
        return
    st.session_state["adopted"] = True
    scenario, said = from_query(st.query_params.to_dict(), state.tables(), state.example())
    state.adopt(scenario)
    for sentence in said:
        state.say(sentence)


def publish() -> None:
    """Write the scenario into the address, so that copying it or reloading restores the view."""
    query = to_query(state.scenario())
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def address(scenario: Scenario) -> str:
    """The whole link to a scenario, at the address that this app was opened at."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(to_query(scenario))}"


def _parsed(name: str, text: str, said: list[str]) -> tuple[Any] | None:
    """The field's value in a tuple, or None with a sentence."""
    try:
        value = text if name in _PLAIN else json.loads(text, parse_constant=_refuse_constant)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError
        return (parse(name, value),)
    except DpcoreError as error:
        said.append(f"In the link, {error}")
    except (ValueError, RecursionError):
        said.append(f"In the link, {name} is {text[:40]!r}, which cannot be read; the example's is shown instead.")
    return None


def _refuse_constant(text: str) -> float:
    raise ValueError(text)


def _assembled(values: dict[str, Any], table: Table, example: Scenario, said: list[str]) -> Scenario:
    """The example with the link's values, one at a time, so that one bad value costs only itself."""
    base = example
    groups = [
        ("table", "columns", "target", "oracle", "n"),
        ("mechanism", "norm", "delta"),
        ("bound", "confidence", "m", "gamma"),
        ("epsilon",),
        ("seed",),
    ]
    for names in groups:
        given = {name: values[name] for name in names if name in values}
        if "table" in names:
            columns = given.get("columns", (table.columns[0].name,))
            try:
                n = table.size(columns)
            except (DpcoreError, TypeError) as error:
                said.append(f"In the link, {error} The example is shown instead.")
                return base
            if given.get("n", n) != n:
                said.append(f"In the link, n is {given['n']!r}, but the table has {n:,} records: that is shown.")
            given["n"] = n
        base = _with(base, given, said)
    return base


def _with(base: Scenario, given: dict[str, Any], said: list[str]) -> Scenario:
    if not given:
        return base
    try:
        return base.with_(**given)
    except GammaOutOfReachError as error:
        said.append(f"In the link, {error} m was raised to that.")
        return _with(base, given | {"m": error.least_m}, said) if given.get("m") != error.least_m else base
    except (DpcoreError, TypeError) as error:
        kept = ", ".join(f"{name} = {_short(getattr(base, name))}" for name in given)
        said.append(f"In the link, {error} Shown instead: {kept}.")
    if len(given) == 1:
        return base
    for name in given:  # keep what is good of the group
        try:
            base = base.with_(**{name: given[name]})
        except (DpcoreError, TypeError):
            continue
    return base


def _short(value: object) -> str:
    return str(getattr(value, "name", value))
