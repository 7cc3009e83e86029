"""What each part that follows a hand needs, of a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import moved_in
from pages.charts import live
from pages.experiment.live import tables as worked_out
from pages.experiment.scenario import MOST_M
from pages.shared import figures
from pages.shared.live import counted_odds, words
from pages.state.view import Shown, View


def tables(view: View) -> dict[str, Any]:
    """What all else is looked up in."""
    return grids(view) | found(view)


def grids(view: View) -> dict[str, Any]:
    """Of these, what no trial changes."""
    by_gamma, units = worked_out.by_gamma(view.scenario), worked_out.units(view.scenario)
    if not isinstance(view, Shown):
        return live.grids(by_gamma, units)
    edge = worked_out.accuracies(view.scenario, view.leading, view.headline.exact.value.size)
    return live.grids(by_gamma, units, edge=edge) | words.of_the_grids(view, by_gamma.gammas, units[0])


def found(view: View) -> dict[str, Any]:
    """Of these, what hangs on the trials."""
    by_gamma = worked_out.by_gamma(view.scenario)
    if view.trials is None:
        return live.found(by_gamma)
    there = worked_out.sensitivities(view.trials.sample, by_gamma)
    if not isinstance(view, Shown) or view.worst_case is None:
        return live.found(by_gamma, drawn=there)
    proved = np.array([view.leads_over(value) for value in there.values.tolist()], dtype=np.float64)
    return live.found(by_gamma, drawn=there, worst=view.worst_case.value, proved=proved)


def unchanged(view: Shown, *, icons: bool) -> dict[str, Any]:
    """What parts look up beside the tables, which no trial changes: the sentences, and how often a guesser is right."""
    return {"sentences": words.variants(view)} | (counted_odds.of_the_grids(view) if icons else {})


def sensitivity(view: View) -> dict[str, Any]:
    """How far the answer moves."""
    assert view.trials is not None
    reference = view.trials.reference
    return live.sensitivity(
        view.trials.sample,
        true=reference.cdf if reference else None,
        true_name=reference.name if reference else "",
        worst=view.worst_case.value if view.worst_case else None,
        unit=moved_in(view.answer),
        alt=f"{figures.sensitivity_alt(view)}.",
        guesser=view.guesser if isinstance(view, Shown) else None,
        scale=view.leading.law.scale if isinstance(view, Shown) else 0.0,
    )


def trials(view: View) -> dict[str, Any]:
    """What trials cost."""
    scenario = view.scenario
    return live.trials(scenario.bound, scenario.confidence, most_m=MOST_M, alt=figures.OPERATING_POINTS)
