"""Whether the proved worst case costs no accuracy at a question: errors that were found are kept while ε, γ and m are moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.workbench.headlines.base import Headline
from dpcore.workbench.tables import Table
from pages.experiment.no_cost import Known, costs_no_accuracy
from pages.state import draws

_KEPT, _MOST = "errors_known", 8  # questions: one on Explore, and some pinned beside it


def free(headline: Headline, table: Table) -> bool:
    """Seen on a public table itself; of a confidential one never, also where it is compared with, but on a made-up one."""
    if headline.nothing_lost is None or headline.worst is None:
        return False
    if not table.public and not headline.exact.simulated:
        try:
            headline = replace(headline, exact=draws.exact(headline.scenario, table, real=False))
        except DpcoreError:
            return False
    return costs_no_accuracy(headline, _known(headline, table))


def _known(headline: Headline, table: Table) -> Known:
    """The errors of this question that were found before."""
    scenario, exact = headline.scenario, headline.exact
    key: tuple[Any, ...] = (
        table.digest,
        draws.key_of(scenario),
        scenario.mechanism,
        scenario.delta,
        exact.simulated,
        exact.value.tobytes(),
    )
    kept: dict[tuple[Any, ...], Known] = st.session_state.setdefault(_KEPT, {})
    found = kept[key] = kept.pop(key, {})
    for oldest in list(kept)[:-_MOST]:
        del kept[oldest]
    return found
