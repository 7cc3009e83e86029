"""The scenario that a table is shown with first."""

from __future__ import annotations

from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP
from dpcore.workbench.defaults import columns_for, first_kind, first_mechanism, oracle_for, oracle_kinds, target_for
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table

NAME = "loan_defaults"
DELTA = 1e-6  # where a mechanism of approximate DP is chosen


def example(of: Table) -> Scenario:
    """Of the table of that name it is Example 6 of Rubinstein & Aldà (2017): the mean of 500 times to default, Exponential(1)."""
    kind = first_kind(of)
    names = columns_for(kind, of)
    columns = tuple(of.column(name) for name in names)
    target = target_for(kind, columns)
    mechanism = first_mechanism(target)
    return Scenario(
        table=of.name,
        columns=names,
        target=target,
        oracle=oracle_for(oracle_kinds(of, columns)[0], of, columns),
        norm=mechanism.norm,
        n=of.size(names),
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=DELTA if mechanism.privacy is ApproxDP else None,
        mechanism=mechanism,
        seed=1,
    )
