"""Scenarios by a few values, for links."""

from __future__ import annotations

from typing import Any

from pages.experiment.choices import columns_for, first_kind, first_mechanism, target_for, target_kinds, usual_oracle
from pages.experiment.examples import NAME, example
from pages.experiment.question import asked, oracle_of_questions
from pages.experiment.scenario import Scenario, parse
from pages.experiment.tables import ours

_SETTINGS = ("n", "bound", "confidence", "m", "gamma", "epsilon", "seed", "noise")


def scenario_of(*, table: str = NAME, **given: Any) -> Scenario:
    """The scenario with these values as JSON; everything else is as the app first shows it."""
    base, on = example(ours()[NAME]), ours()[table]
    values = {name: parse(name, value) for name, value in given.items()}
    target = values.get("target")
    if target is not None and target.accepts_structured:
        columns = tuple(target.fields)
    elif "columns" in values:
        columns = values["columns"]
    else:
        columns = columns_for(first_kind(on), on)
    if target is None:
        kinds = (first_kind(on), *target_kinds(on))
        kind = next(one for one in kinds if columns_for(one, on, columns) == columns)
        target = target_for(kind, tuple(on.column(name) for name in columns))
    people = target.person is not None
    plain = None if target.accepts_structured else usual_oracle(on, on.taken(columns, target))
    mechanism = values.get("mechanism") or first_mechanism(target)
    made = base.with_(
        table=table,
        columns=columns,
        target=target,
        n=on.size(columns, target),
        oracle=oracle_of_questions(on, (target,), {}) if plain is None else plain,
        mechanism=mechanism,
        delta=values.get("delta"),
        adjacency=on.adjacency if people else on.adjacency_of_rows,
    )
    if on.persons is not None and not people:
        made = made.with_(**asked(made, on))
    return made.with_(**{name: values[name] for name in ("oracle", *_SETTINGS) if name in values})
