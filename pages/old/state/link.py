"""The link: a scenario in the query of the address, checked when it is opened. It holds the seed, never data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any

from dpcore.base.facts import facts
from dpcore.base.plain import read_json, refuse_broken
from dpcore.base.quoted import quoted
from dpcore.base.types import Target, person_of, takes_fields
from dpcore.errors import DpcoreError, GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.words import counted_in
from dpcore.registry.fit import fits, usable
from pages import state
from pages.experiment.choices import (
    columns_for,
    first_kind,
    first_mechanism,
    kind_called,
    kind_of,
    target_for,
    target_kinds,
    title,
)
from pages.experiment.descriptions import setting_words
from pages.experiment.error_sentences import plain
from pages.experiment.names import name_words, small, spoken
from pages.experiment.oracle_origin import first_oracle
from pages.experiment.question import asked, draws_for, kinds_like
from pages.experiment.scenario import VERSION, Scenario, parse
from pages.files.tables import Column, Table

VERSION_KEY, OTHERWISE = "v", Adjacency.REPLACE_ONE_RECORD.name
PLAIN = ("table", "norm", "bound", "adjacency")
_RELEASED = ("target", "mechanism", "norm", "delta")
_OF_NO_QUESTION = ("bound", "confidence", "m", "gamma", "epsilon", "seed")
LONGEST, _NAMED = 2**18, 5  # characters of one value; strange settings that a sentence lists
# What a member may answer to values that it was never made for: as much a refusal as its own
REFUSED = (DpcoreError, ValueError, TypeError, ArithmeticError, MemoryError, RecursionError)


def to_query(scenario: Scenario) -> dict[str, str]:
    """Every field as text: names as they are, the rest as compact JSON."""
    data = scenario.to_json()
    query = {VERSION_KEY: str(data.pop("version"))}
    for name, value in data.items():
        if value != OTHERWISE:  # of the adjacency
            query[name] = value if name in PLAIN else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return query


def from_query(query: Mapping[str, str], tables: Mapping[str, Table], example: Scenario) -> tuple[Scenario, list[str]]:
    """The scenario that a link describes, and a sentence for each value that it cannot have; those stay the example's."""
    version = query.get(VERSION_KEY)
    if version is None:
        return example, []
    if version != str(VERSION):
        return example, [
            f"This link is of version {quoted(version[:20])}, and this app reads version {VERSION}: it shows its example "
            "instead. Ask for a new link."
        ]
    table_name = query.get("table", example.table)
    if table_name not in tables:
        return example, [
            f"The link speaks of the table {quoted(table_name)}, which is not here: a link holds no data. "
            "Upload that table on the page Your data; the example is shown meanwhile."
        ]
    said: list[str] = []
    values: dict[str, Any] = {}
    for field in fields(Scenario):
        name, text = field.name, query.get(field.name)
        if text is None or name == "version":
            continue
        try:
            values[name] = field_of(name, text)
        except DpcoreError as error:
            said.append(f"{_in_the_link(error)} The example's is shown instead.")
        except REFUSED:
            where = f"In the link, the {name_words(name)} (“{name}=” in the address)"
            said.append(f"{where} is {quoted(text)}, which cannot be read. The example's is shown instead.")
    said += _strange(query)
    table = tables[table_name]
    if person_of(values.get("target")) is not None and table.persons is None:
        said.append(_nobody(table))
        values = {field: values[field] for field in _OF_NO_QUESTION if field in values}
    unread = "target" in query and "target" not in values  # then its mechanism need not fit what is shown instead
    return _assembled(values, table, example, said, unread=unread), said


def _nobody(table: Table) -> str:
    """The link asks about people, and the table has none."""
    return (
        f"The link asks about people, and each row of {quoted(table.title or table.name)} stands by itself. Its "
        "question was left out. If one person can have several rows, say so on the page Your data, and which column names the "
        "person."
    )


def _strange(query: Mapping[str, str]) -> list[str]:
    """A sentence on what this app knows nothing of, however much it is."""
    known = {field.name for field in fields(Scenario)} | {VERSION_KEY}
    strange = [quoted(key) for key in query if key not in known]
    if len(strange) < 2:
        return [f"The link's {key} is no setting of this app, and was left out." for key in strange]
    more = len(strange) - _NAMED
    listed = f"{', '.join(strange[:_NAMED])} and {more:,} more" if more > 0 else f"{', '.join(strange[:-1])} and {strange[-1]}"
    return [f"The link's {listed} are no settings of this app, and were left out."]


def field_of(name: str, text: str) -> Any:
    """A scenario's field as an address has it; one of ``REFUSED`` where it is none."""
    value = text if name in PLAIN else read_json(text, LONGEST)
    refuse_broken(value)
    return parse(name, value)


def _assembled(values: dict[str, Any], table: Table, example: Scenario, said: list[str], *, unread: bool) -> Scenario:
    """The example with the link's values, one at a time, so that one bad value costs only itself."""
    base = _based(values, table, example, said)
    said += _other_neighbours(values.get("adjacency"), base)
    base = _of_records(base, values.pop("n", base.n), table, said)
    given = {name: values[name] for name in _RELEASED if name in values}
    base = _released(base, given, said if "target" in given or not unread else [])
    for names in (("oracle",), ("bound", "confidence", "m", "gamma"), ("epsilon",), ("seed",)):
        base = _with(base, {name: values[name] for name in names if name in values}, said)
    return _fitting(base, table, said)


def _other_neighbours(linked: Any, base: Scenario) -> list[str]:
    """What a link says of neighbours is its table's to say; a sentence where rows are another thing there."""
    own = base.adjacency
    if not isinstance(linked, Adjacency) or linked is own or not (linked.of_records and own.of_records):
        return []
    how = {True: "one row added or removed", False: "one row replaced"}
    return [f"In the link, neighbours differ in {how[linked.removes]}. In your table it is {how[own.removes]}, which holds here."]


def _of_records(base: Scenario, n: Any, table: Table, said: list[str]) -> Scenario:
    """As many as the table has: of a confidential one, whose link may be to a made-up table of another size, the link's."""
    stated, things = spoken(n) or "something else", counted_in(base.adjacency)
    if n == base.n:
        return base
    if not table.public and isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= state.MOST_MADE_UP:
        yours = f"you state about {base.n:,}" if base.adjacency.removes else f"yours has {base.n:,}"
        said.append(f"In the link, the made-up table has {stated} {things}; {yours}, and a release is of those.")
        return base.with_(n=n)
    said.append(f"In the link, the number of rows is {stated}, but the table has {base.n:,}: that is shown.")
    return base


def _based(values: dict[str, Any], table: Table, example: Scenario, said: list[str]) -> Scenario:
    """The example on the link's columns: with its question, else with the first target that takes them."""
    columns, target = _columns(values.pop("columns", None), table, example, said), values.get("target")
    if takes_fields(target):
        try:
            return _question(example, table, columns, values["target"])
        except REFUSED as error:
            said.append(f"{_in_the_link(error)} The question was left out.")
            del values["target"]
            values.pop("mechanism", None)
    if (table.name, columns) == (example.table, example.columns):
        return example
    if not _takers(table, columns):
        columns = columns_for(first_kind(table), table)
        said.append(f"No target takes the link's columns together. Shown instead: {', '.join(map(quoted, columns))}.")
    return _on(example, table, columns, _fallback(table, columns))


def _question(example: Scenario, table: Table, columns: tuple[str, ...], target: Target) -> Scenario:
    """The example with the link's question; InvalidValueError where it is none of these columns, or not offered for the table."""
    if not fits(target, tuple(table.column(name) for name in columns)) or kind_of(target) not in kinds_like(table, target):
        raise InvalidValueError("question", "one of the link's columns, as the table declares them", None)
    return _on(example, table, columns, target)


def _on(example: Scenario, table: Table, columns: tuple[str, ...], target: Target) -> Scenario:
    """The example with this target; one of rows becomes one about people where the table's records are people."""
    of_people = person_of(target) is not None
    found = example.with_(
        table=table.name,
        columns=columns,
        n=table.size(columns, target),
        target=target,
        oracle=first_oracle(table, target, columns),
        **_released_by(target),
        adjacency=table.adjacency if of_people else table.adjacency_of_rows,
    )
    return found if of_people or table.persons is None else found.with_(**asked(found, table))


def _released(base: Scenario, given: dict[str, Any], said: list[str]) -> Scenario:
    """Target and mechanism fit one another: together if they can, else each on its own."""
    try:
        return base.with_(**given)
    except REFUSED:
        if "target" in given:
            base = _with(base, {"target": given["target"]} | _released_by(given["target"]), said)
        return _with(base, {name: value for name, value in given.items() if name != "target"}, said)


def _columns(given: object, table: Table, example: Scenario, said: list[str]) -> tuple[str, ...]:
    """The link's columns, if the table has them; else the example's or the table's first."""
    names = [column.name for column in (*table.columns, *table.persons_column)]
    if isinstance(given, tuple) and given and len(set(map(str, given))) == len(given) and all(name in names for name in given):
        return given
    fallback = example.columns if example.table == table.name else columns_for(first_kind(table), table)
    if given is not None:
        said.append(
            f"In the link, the columns must be different ones of {', '.join(map(quoted, names[:8]))}"
            f"{f', but {came} was given' if (came := spoken(given)) else ''}. Shown instead: {', '.join(map(quoted, fallback))}."
        )
    return fallback


def _fitting(scenario: Scenario, table: Table, said: list[str]) -> Scenario:
    """The scenario, with a target and an oracle for its columns where the link's cannot work with them."""
    columns = table.taken(scenario.columns, scenario.target)
    names = ", ".join(map(quoted, scenario.columns))
    if not oracle_fits(scenario, table, columns):
        oracle = first_oracle(table, scenario.target, scenario.columns)
        said.append(f"The link's oracle does not fit the columns {names}; {title(kind_of(oracle))} is shown instead.")
        scenario = scenario.with_(oracle=oracle)
    # one that is in the catalogue and not offered on a page is refused too: how long it takes is not known here
    target, known = scenario.target, kind_of(scenario.target) in kinds_like(table, scenario.target)
    if not known or not fits(target, columns) or usable(target, columns) != columns:
        target = _fallback(table, scenario.columns)
        said.append(f"The link's target does not fit the columns {names}; {title(kind_of(target))} is shown instead.")
        scenario = scenario.with_(target=target, **_released_by(target))
    return scenario


def oracle_fits(scenario: Scenario, table: Table, columns: tuple[Column, ...]) -> bool:
    """Whether the scenario's oracle draws what its target takes of these columns; no records of a confidential table do."""
    try:
        return draws_for(scenario.resolved_oracle(table), scenario.target, columns)
    except DpcoreError:  # the records of a confidential table
        return False


def _takers(table: Table, names: tuple[str, ...]) -> list[str]:
    """The kinds of targets that take exactly these columns, the table's own first; none that somebody has to write, unless
    the table has no other."""
    kinds = (first_kind(table), *target_kinds(table))
    picked = [kind for kind in kinds if not facts(kind_called(kind)).written]
    return [kind for kind in picked or kinds if columns_for(kind, table, names) == names]


def _fallback(table: Table, names: tuple[str, ...]) -> Target:
    """The first target that takes exactly these columns."""
    return target_for(_takers(table, names)[0], tuple(table.column(name) for name in names))


def _released_by(target: Target) -> dict[str, Any]:
    mechanism = first_mechanism(target)
    return {"mechanism": mechanism, "norm": mechanism.norm, "delta": None}


def _with(base: Scenario, given: dict[str, Any], said: list[str]) -> Scenario:
    if not given:
        return base
    try:
        return base.with_(**given)
    except GammaOutOfReachError as error:
        try:
            raised = base.with_(**(given | {"m": error.least_m}))
        except DpcoreError:
            said.append(f"{_in_the_link(error)} That is more than this page draws, so m, γ and the bound are the example's.")
            return base
        said.append(f"{_in_the_link(error)} So m was raised to that.")
        return raised
    except REFUSED as error:
        columns = tuple(map(Column, base.columns))
        kept = ", ".join(setting_words(name, getattr(base, name), columns) for name in given)
        said.append(f"{_in_the_link(error)} Shown instead: {kept}.")
    if len(given) == 1:
        return base
    for name in given:  # keep what is good of the group
        with suppress(*REFUSED):
            base = base.with_(**{name: given[name]})
    return base


def _in_the_link(error: Exception) -> str:
    """The error as the end of a sentence that says where it is."""
    said = plain(error) if isinstance(error, DpcoreError) else "A value is of a kind that does not fit."
    return f"In the link, {small(said)}"
