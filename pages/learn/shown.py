"""What the end of a lesson shows under the hand: its scenario on a table that is public, the same for everybody."""

from __future__ import annotations

from dpcore.workbench import preview
from dpcore.workbench.lessons import tables
from dpcore.workbench.scenario import Scenario, TableRecords
from pages.experiment.no_cost import costs_no_accuracy
from pages.state.view import Shown, Trials


def shown(scenario: Scenario) -> Shown:
    """All of it, made anew. DpcoreError where there is no answer."""
    table = tables.table(scenario.table)
    assert table.public, "a lesson speaks of a table that everybody may see"
    oracle, columns = scenario.resolved_oracle(table), table.taken(scenario.columns, scenario.target)
    sample = preview.exploration(scenario, oracle).at(scenario.point)
    worst = preview.calibrated_worst_case(scenario)
    fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
    headline = preview.headline(
        scenario, columns, preview.answer(scenario, table), preview.calibrated(scenario, sample), worst=worst, fresh=fresh
    )
    reference = preview.reference(scenario.target, oracle, scenario.norm, scenario.n, scenario.adjacency)
    return Shown(
        scenario=scenario,
        table=table,
        columns=columns,
        worst_case=preview.worst_case(scenario),
        made=Trials(sample, reference),
        headline=headline,
        free=costs_no_accuracy(headline),
    )
