"""What can be said of a ± before a press: from made-up tables, or a public one; never from a confidential one."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.errors import DpcoreError
from dpcore.mechanisms.base import Calibrated
from dpcore.workbench import preview
from dpcore.workbench.headlines.base import SHARE_WITHIN, MeasuredHeadline
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.experiment.as_large import as_large
from pages.state import draws


def foretold(scenario: Scenario, table: Table, noise: Calibrated[Any]) -> str:
    """How far answers lie from the one without noise where that hangs on the table, and whether that is as far as they are large;
    empty where nothing is to be said."""
    try:
        exact = draws.exact(scenario, table, real=table.public)
        shown = preview.headline(scenario, table.taken(scenario.columns, scenario.target), exact, noise)
        if not isinstance(shown, MeasuredHeadline):
            return ""
        reach = f"{shown.reach(noise)}." if shown.of_this_answer and (table.public or shown.rests_on) else ""
        large = as_large(shown, float(np.max(shown.reaches(noise, SHARE_WITHIN))))
    except DpcoreError:
        return ""
    return " ".join(part for part in (reach[:1].upper() + reach[1:], shown.rests_on, large) if part)
