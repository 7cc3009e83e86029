"""What a question asks of people, as predictions take it: its kind, and the rows that count."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import Database, Target
from dpcore.targets.people_rows import AskedOfPeople, placed
from dpcore.workbench.contributions.asked import COUNT, MEAN, SHARE, SUM, Asked
from dpcore.workbench.contributions.counted_rows import CountedRows, counted_rows

_KNOWN = {"count": COUNT, "sum": SUM, "mean": MEAN, "share": SHARE}  # by what a target says of itself


def asked_of(target: Target) -> Asked | None:
    """The prediction that a target names as ``predicted_as``: "count", "sum", "mean" or "share"; None where it names none."""
    return _KNOWN.get(getattr(target, "predicted_as", ""))


def rows_of(about: AskedOfPeople, database: Database) -> CountedRows:
    """The rows that a question about people counts in a database of them, each with what it brings: 1 of a count, 0 or 1 of a
    share, else its value.

    InvalidValueError where no row counts, and for values beyond what ``counted_rows`` takes.
    """
    (values, places), target = placed(about.question, database), about.target
    asked = asked_of(target)
    if asked is COUNT:
        brought = None
    elif asked is SHARE:
        brought = np.where(target.contribution(values, 1)[:, 0] > 0, 1.0, 0.0)
    else:
        brought = values
    groups = max(1, len(about.question.groups))
    return counted_rows(database[about.person], brought, where=places >= 0, group=places, groups=groups)
