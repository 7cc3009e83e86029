"""What each part that follows a hand needs, of a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import moved_in
from dpcore.plots import live
from dpcore.workbench.live import tables as worked_out
from dpcore.workbench.scenario import MOST_M
from pages.components import drawn
from pages.components.live import counted_odds, words
from pages.session.view import Shown, View


def tables(view: View) -> dict[str, Any]:
    """What all else is looked up in."""
    by_gamma = worked_out.by_gamma(view.scenario)
    made: dict[str, Any] = {"by_gamma": by_gamma, "units": worked_out.units(view.scenario)}
    if view.trials is not None:
        made["drawn"] = found = worked_out.sensitivities(view.trials.sample, by_gamma)
        if isinstance(view, Shown):
            made["edge"] = worked_out.accuracies(view.scenario, view.leading, view.headline.exact.value.size)
        if isinstance(view, Shown) and view.worst_case is not None:
            made["worst"] = view.worst_case.value
            made["proved"] = np.array([view.leads_over(value) for value in found.values.tolist()], dtype=np.float64)
    return live.tables(**made)


def sentences(view: Shown, *, alone: bool = False) -> dict[str, Any]:
    """The answer, in words. ``alone``: in a file or a lesson, where nobody makes more trials."""
    by_gamma = worked_out.by_gamma(view.scenario)
    epsilons, _ = worked_out.units(view.scenario)
    return words.sentences(view, by_gamma.gammas, epsilons, *_looked_up(view), alone=alone)


def titles(view: Shown, panel: str) -> dict[str, Any]:
    """What a wide chart of a panel says of itself."""
    return words.titles(view, panel, *_looked_up(view))


def odds(view: Shown) -> dict[str, Any]:
    """The odds of a guesser, as icons."""
    by_gamma = worked_out.by_gamma(view.scenario)
    epsilons, _ = worked_out.units(view.scenario)
    return counted_odds.odds(view, by_gamma.gammas, epsilons, _looked_up(view)[0])


def _looked_up(view: Shown) -> tuple[Any, ...]:
    drawn_for = worked_out.sensitivities(view.trials.sample, worked_out.by_gamma(view.scenario))
    return drawn_for, live.said(view.headline)


def sensitivity(view: View) -> dict[str, Any]:
    """How far the answer moves."""
    assert view.trials is not None
    reference = view.trials.reference
    return live.sensitivity(
        view.trials.sample, true=reference.cdf if reference else None, true_name=reference.name if reference else "",
        worst=view.worst_case.value if view.worst_case else None, unit=moved_in(view.answer),
        alt=f"{drawn.sensitivity_alt(view)}.", guesser=view.guesser if isinstance(view, Shown) else None,
        scale=view.leading.law.scale if isinstance(view, Shown) else 0.0,
    )  # fmt: skip


def trials(view: View) -> dict[str, Any]:
    """What trials cost."""
    scenario = view.scenario
    return live.trials(scenario.bound, scenario.confidence, most_m=MOST_M, alt=drawn.OPERATING_POINTS)
