"""What each part that follows a hand needs, of a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.old.charts import Described, live
from pages.old.charts.named import Room, named
from pages.old.charts.sampler import furthest
from pages.old.experiment.live import tables as worked_out
from pages.old.shared import figures
from pages.old.shared.answer import SAME
from pages.old.shared.live import counted_odds, words
from pages.old.state.view import Shown, View


def grids(view: View) -> dict[str, Any]:
    """Of what all else is looked up in, what no trial changes."""
    by_gamma, units = worked_out.by_gamma(view.scenario), worked_out.units(view.scenario)
    if not isinstance(view, Shown):
        return live.grids(by_gamma, units)
    edge = worked_out.accuracies(view.scenario, view.leading, view.headline.exact.value.size)
    said = words.rules(view) | counted_odds.rules()
    in_words = words.of_the_grids(view, by_gamma.gammas.tolist(), units[0].tolist())
    return live.grids(by_gamma, units, edge=edge) | in_words | {"said": {slot: one.rule for slot, one in said.items()}}


def found(view: View) -> dict[str, Any]:
    """Of these, what hangs on the trials."""
    by_gamma = worked_out.by_gamma(view.scenario)
    if view.trials is None:
        return live.found(by_gamma)
    there = worked_out.sensitivities(view.trials.sample, by_gamma)
    made = live.found(by_gamma, drawn=there) | {"furthest": furthest(view.trials.sample.distances)}
    if not isinstance(view, Shown) or (worst := view.worst_case) is None:
        return made
    leads = np.array([view.leads_over(value) for value in there.values.tolist()])
    no_less = worst.value <= there.values * (1 + SAME)
    return made | live.proved(worst.value, leads.astype(int) + (leads & no_less))


def unchanged(view: Shown, *, icons: bool) -> dict[str, Any]:
    """What parts look up beside the tables, which no trial changes: the sentences, and how often a guesser is right."""
    return words.sentences(view) | (counted_odds.of_the_grids(view) if icons else {})


_STEPS = 240  # of the staircase: each is sent
LEAST = Room(325, 262, 12)  # of a chart anywhere


def sensitivity(view: View, room: Room = LEAST) -> dict[str, Any]:
    """How far the answer moves."""
    return _named(figures.sensitivity_followed(view, most=_STEPS), room)


def trials(view: View, room: Room = LEAST) -> dict[str, Any]:
    """What trials cost."""
    return _named(figures.operating_points_followed(view), room)


def _named(described: Described, room: Room) -> dict[str, Any]:
    """With names beside the lines that no hand moves."""
    figure, alt = described
    return live.followed(named(figure, room, follows=True)[0], alt)
