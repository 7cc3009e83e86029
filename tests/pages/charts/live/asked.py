"""A question with its trials, whose γ and ε move: as a browser gets it, and as Python answers it at each point anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from pages.old.experiment.live import tables
from pages.old.state.view import Shown, Trials

from dpcore import L1, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.guarantees.operating_points import Bound
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.charts import live
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import Headline, NonPrivate


@dataclass(frozen=True, eq=False)
class Asked:
    """A scenario with its trials, under an oracle, on what columns."""

    scenario: Scenario
    oracle: Any
    columns: tuple[Column, ...]

    @cached_property
    def sample(self) -> SensitivitySample[Norm]:
        """The trials."""
        return preview.exploration(self.scenario, self.oracle)

    @cached_property
    def exact(self) -> NonPrivate:
        """The answer without noise, of a made-up table."""
        return preview.simulated_answer(self.scenario, self.oracle)

    @cached_property
    def tables(self) -> dict[str, Any]:
        """What a browser looks everything up in."""
        by_gamma, worst = tables.by_gamma(self.scenario), preview.worst_case(self.scenario)
        drawn = tables.sensitivities(self.sample, by_gamma)
        noise = self.at(self.scenario.gamma, self.scenario.epsilon).noise
        edge = tables.accuracies(self.scenario, noise, self.exact.value.size)
        made = live.grids(by_gamma, tables.units(self.scenario), edge=edge) | live.found(by_gamma, drawn=drawn)
        if worst is None:
            return made
        leads = [int(preview.nearly_free(worst, float(value))) for value in drawn.values]
        return made | live.proved(worst.value, leads)

    def at(self, gamma: float, epsilon: float) -> Headline:
        """The answer beside its private versions there."""
        scenario = self.scenario.with_(gamma=gamma, epsilon=epsilon)
        noise, worst = preview.calibrated(scenario, self.sample), preview.calibrated_worst_case(scenario)
        return preview.headline(scenario, self.columns, self.exact, noise, worst=worst)

    def leading(self, shown: Headline) -> Any:
        """Whose noise is shown first."""
        free = shown.worst is not None and preview.nearly_free(preview.worst_case(shown.scenario), shown.noise.sensitivity.value)
        return shown.worst if free else shown.noise

    def points(self, size: int, seed: int = 3) -> list[list[float]]:
        """Places of both grids, within the reach of m."""
        rng, by_gamma = np.random.default_rng(seed), tables.by_gamma(self.scenario)
        gammas, (epsilons, _) = by_gamma.gammas[by_gamma.orders > 0], tables.units(self.scenario)
        return np.column_stack([rng.choice(gammas, size), rng.choice(epsilons, size)]).tolist()


def asked(mechanism: Any = None, norm: Any = L1, *, declared: tuple[Column, ...] = (), **changes: Any) -> Asked:
    """A mean of waiting times, within bounds that few of them reach, or with these changes; of columns ``declared`` so."""
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": targets.Mean((0.0, 8.0)),
        "oracle": oracles.Uniform(0.0, 5.0),
        "norm": norm,
        "n": 30,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 299,
        "gamma": 0.05,
        "epsilon": 0.5,
        "delta": None,
        "mechanism": mechanism or Laplace(),
        "seed": 8,
    }
    scenario = Scenario(**(fields | changes))
    return Asked(scenario, scenario.oracle, declared or (Column("a", label="Waiting", unit="minutes", bounds=(0.0, 8.0)),))


def view_of(question: Asked, gamma: float, epsilon: float) -> Shown:
    """As Explore shows it there, of a public table that is as the made-up one."""
    headline = question.at(gamma, epsilon)
    return Shown(
        scenario=headline.scenario,
        table=Table("t", question.columns, {"a": np.linspace(0, 8, 30)}, public=True),
        columns=question.columns,
        worst_case=preview.worst_case(headline.scenario),
        made=Trials(question.sample.at(headline.scenario.point), None),
        headline=headline,
    )
