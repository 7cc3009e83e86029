"""Predicted errors about people: the target's own answers and noise, the parts of plain loops, and simulated releases."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import GaussianMechanism, LaplaceMechanism, targets
from dpcore.base.filters import Filter, GroupBy
from dpcore.errors import InvalidValueError, TableError
from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.result_types.numbers import Ratio
from dpcore.targets.user_limits import clipped_at
from pages.experiment.choices import first_mechanism
from pages.experiment.examples import example_named
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.people import (
    HIGH,
    LEFT_OUT,
    LOW,
    NOISE,
    SHIFT,
    Contributions,
    CountedRows,
    bounds_of,
    contributions,
    least,
    moments,
    narrowed,
)
from pages.experiment.question import asked
from pages.experiment.tables import ours
from tests.pages.experiment.people import made
from tests.pages.experiment.people.made import ADD, REPLACE

TABLES = ours()
BY, LONG = GroupBy("clinic", ("Harbour", "Mill Road", "Old Town")), Filter("minutes", interval=(20.0, 240.0))
ASKED = [
    targets.Count(),
    targets.Count(interval=(0.0, 30.0)),
    targets.Sum((0.0, 100.0)),
    targets.Mean((10.0, 90.0)),
    targets.Proportion(interval=(0.0, 30.0)),
]
RELEASES = 40_000


def _visits(inner: Any, where: tuple[Filter, ...] = (), by: GroupBy | None = None, **limit: Any) -> Contributions:
    """Predictions of a question about the people of the table of visits."""
    start = example_named("People", TABLES)
    question = targets.Query(inner, ("minutes",), where, by)
    kind = targets.ClippedTotals if "totals" in limit else targets.ContributionBounded
    target = kind(question, "person", **limit)
    scenario = start.with_(**asked(start, TABLES["visits"], where, by) | {"target": target, "columns": target.fields})
    return contributions(scenario, TABLES["visits"], TABLES["visits"].prepare(scenario.columns, target))


@pytest.mark.parametrize("where", [(), (LONG,)], ids=["all", "long"])
@pytest.mark.parametrize("limit", [{"rows": 4}, {"rows": 4, "groups_each": 2}], ids=str)
@pytest.mark.parametrize("inner", ASKED, ids=lambda inner: type(inner).__name__)
def test_answer_and_scale_are_those_of_the_target(inner: Any, limit: dict[str, Any], where: tuple[Filter, ...]) -> None:
    found = _visits(inner, where, BY if "groups_each" in limit else None, **limit)
    scenario = found.scenario
    raw = scenario.target(TABLES["visits"].prepare(scenario.columns, scenario.target))
    chosen = found.predict(found.target, 4)
    calibrated = calibrate_worst_case(scenario)
    assert calibrated is not None
    assert chosen.scale == calibrated.law.scale
    if len(raw) == found.rows.groups:
        assert chosen.answer == pytest.approx(raw, rel=1e-9)
    else:
        mean = Ratio(("mean",), "", bounds_of(found.target) or (0.0, 1.0))
        assert chosen.answer == pytest.approx(mean.value(raw.reshape(-1, 2)), rel=1e-9)


@pytest.mark.parametrize("limit", [(3, None), (2, 1), (100, 4), (1, 2)], ids=str)
@pytest.mark.parametrize("kind", [targets.Sum, targets.Mean])
@pytest.mark.parametrize("bounds", [(-5.0, 12.0), (2.0, 9.0), (-9.0, -1.0)], ids=str)
def test_parts_are_those_of_plain_loops(kind: Any, bounds: tuple[float, float], limit: tuple[int, int | None]) -> None:
    """Of four groups, with every limit; clipping comes first, then the limit, then noise."""
    table, (s, g) = made.rows(np.random.default_rng(5), 40, 9, 4), limit
    found = made.predicted(table, made.about(kind(bounds), 4, rows=s, groups_each=g))
    truth, clipped, kept = (
        made.sums(table, *how, 4) for how in ((1_000, None, (-99.0, 99.0)), (1_000, None, bounds), (s, g, bounds))
    )
    if kind is targets.Sum:
        truth, clipped, kept = (each[:, 0] for each in (truth, clipped, kept))
    else:
        truth, clipped, kept = (each[:, 0] / each[:, 1] for each in (truth, clipped, kept))
    assert found.truth == pytest.approx(truth)
    assert found.answer == pytest.approx(kept)
    assert found.causes[LEFT_OUT] == pytest.approx(kept - clipped, abs=1e-9)
    assert found.causes[LOW] + found.causes[HIGH] == pytest.approx(clipped - truth, abs=1e-9)
    assert (found.causes[LOW] >= 0).all()
    assert (found.causes[HIGH] <= 0).all()
    bias = found.answer - found.truth + found.causes[SHIFT]
    assert found.total == pytest.approx(math.sqrt((bias**2 + found.causes[NOISE] ** 2).mean()))


@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("totals", [(0.0, 40.0), (-15.0, 25.0), (-7.0, 0.0), (-1e9, 1e9)], ids=str)
def test_a_limited_total_is_that_of_the_target(totals: tuple[float, float], groups: int) -> None:
    """Nothing is left out: what a limit takes is clipped, above or below."""
    table = made.rows(np.random.default_rng(6), 60, 9, groups)
    target = made.about(targets.Sum((-20.0, 40.0)), groups, totals=totals)
    found = made.predicted(table, target)
    assert found.answer == pytest.approx(target(made.database(table)))
    assert found.causes[LOW] + found.causes[HIGH] == pytest.approx(found.answer - found.truth, abs=1e-9)
    assert found.causes[LEFT_OUT].tolist() == found.causes[SHIFT].tolist() == [0.0] * groups
    assert (found.causes[LOW] >= 0).all()
    assert (found.causes[HIGH] <= 0).all()


def test_upper_limit_clips_high_and_lower_limit_low() -> None:
    table = [(0, 9.0, 0), (0, 4.0, 0), (1, -6.0, 0), (2, 1.0, 0)]
    found = made.predicted(table, made.about(targets.Sum((-10.0, 10.0)), totals=(-5.0, 10.0)))
    assert [*found.causes[LOW], *found.causes[HIGH]] == pytest.approx([1.0, -3.0])


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", [LaplaceMechanism(), GaussianMechanism()], ids=["Laplace", "Gaussian"])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE], ids=["add", "replace"])
@pytest.mark.parametrize(
    ("inner", "s"), [(targets.Count(), 1), (targets.Count(), 3), (targets.Sum((0.0, 20.0)), 2), (ASKED[3], 2)], ids=str
)
def test_errors_are_those_of_simulated_releases(inner: Any, s: int, adjacency: Any, mechanism: Any) -> None:
    """Root mean square of 40,000 releases: its standard error is 0.7%, and noise that is 10% wrong is refused."""
    table = made.rows(np.random.default_rng(31), 80, 8)
    found = made.contributions(table, made.about(inner, rows=s), mechanism=mechanism, adjacency=adjacency, epsilon=2.0)
    one = found.predict(found.target, s)
    calibrated = calibrate_worst_case(found.scenario)
    assert calibrated is not None
    raw = found.target(made.database(table))
    noisy = calibrated.simulate(raw, size=RELEASES, rng=np.random.default_rng(7))
    responses = noisy[:, 0] if len(raw) == 1 else Ratio(("mean",), "", bounds_of(found.target)).value(noisy)
    measured, within = math.sqrt(float(((responses - one.truth[0]) ** 2).mean())), 0.03
    assert one.total == pytest.approx(measured, rel=within)
    assert float(one.causes[NOISE][0]) == pytest.approx(responses.std(), rel=within)
    assert abs(1.1 * float(one.causes[NOISE][0]) / responses.std() - 1) > within


@pytest.mark.parametrize(("law", "known"), [(LaplaceLaw, stats.laplace), (GaussianLaw, stats.norm)], ids=["Laplace", "Gaussian"])
@pytest.mark.parametrize(
    ("total", "number", "scale"),
    [(40, 100, 2), (-99, 100, 30), (3, 9, 4), (0, 5, 200), (0.4, 0.5, 1), (0, 0, 3), (7, 7, 1)],
    ids=["little noise", "at a bound", "as much noise", "far more", "less than a row", "no row", "all at a bound"],
)
def test_moments_of_a_mean_match_a_grid(law: Any, known: Any, total: float, number: float, scale: float) -> None:
    """500 quantiles of each noise: 250,000 pairs. A scale that is 10% too large is further off."""
    mean, place = Ratio(("mean",), "", (-1.0, 1.0)), scale * known.ppf((np.arange(500) + 0.5) / 500)
    raw = np.array([total, number], dtype=np.float64)
    away = mean.value(np.stack(np.meshgrid(total + place, number + place), axis=-1)) - mean.value(raw)
    right = math.sqrt(float((away**2).mean()))
    assert math.hypot(*moments(mean, raw, law(scale))) == pytest.approx(right, rel=0.012)
    assert moments(mean, raw, law(scale))[0] == pytest.approx(float(away.mean()), abs=0.012 * right)
    if right < 0.6:  # noise that is clipped nearly always is as far off at every scale
        assert math.hypot(*moments(mean, raw, law(1.1 * scale))) != pytest.approx(right, rel=0.012)


# What PipelineDP's sums miss by on the table of visits, at its best limit of a person's total; and a limit of rows, at its best.
RIVAL = {0.1: (64_000, 136_000), 0.3: (33_000, 80_500), 1.0: (13_200, 38_800), 3.0: (5_000, 17_500)}


@pytest.mark.parametrize("epsilon", RIVAL)
def test_sum_of_visits_is_as_close_as_pipelinedp(epsilon: float) -> None:
    """Published numbers have two or three digits. Errors are of adding or removing a person."""
    found = made.with_epsilon(_visits(targets.Sum((0.0, 240.0)), rows=10), epsilon)
    found = replace(found, scenario=found.scenario.with_(adjacency=ADD))
    theirs, capped = RIVAL[epsilon]
    of_totals = replace(found, scenario=found.scenario.with_(target=clipped_at(found.target.question, "person", 1_000.0)))
    assert least(of_totals.by_limit).total <= 1.01 * theirs
    assert least(found.by_limit).total == pytest.approx(capped, rel=0.04)


def test_chosen_limit_and_bounds_are_among_those_shown() -> None:
    found = _visits(targets.Sum((0.0, 77.0)), rows=13)
    assert found.chosen.target == found.target
    assert (found.by_limit[0].size, found.by_limit[-1].size) == (1, found.rows.rows_a_person.max())
    shown = [bounds_of(one.target) for one in found.by_bounds]
    assert (0.0, 77.0) in shown
    assert shown[-1] == (0.0, 240.0)
    of_totals = _visits(targets.Sum((0.0, 77.0)), totals=(0.0, 1_234.5))
    assert of_totals.chosen.target == of_totals.target
    assert of_totals.by_bounds == []


def test_narrowed_bounds_never_reach_beyond_the_declared_ones() -> None:
    for widest in ((0.0, 239.96), (-239.96, 0.0), (-1.2349, 1.2349)):
        for share in np.linspace(0.01, 1, 60):
            low, high = narrowed(widest, float(share))
            assert widest[0] <= low < high <= widest[1]


def test_empty_group_of_a_mean_has_no_error() -> None:
    found = made.predicted([(0, 3.0, 0), (1, 5.0, 0)], made.about(targets.Mean((0.0, 10.0)), 2, rows=1))
    assert np.isnan(found.truth[1])
    assert found.total == pytest.approx(
        math.hypot(float(found.causes[LEFT_OUT][0] + found.causes[SHIFT][0]), float(found.causes[NOISE][0]))
    )


def test_counted_rows_have_values_and_meet_conditions() -> None:
    database = made.database([(0, 5.0, 0), (0, 9.0, 1), (1, math.nan, 0), (1, 2.0, 0)])
    question = targets.Query(targets.Sum((0.0, 10.0)), ("x",), (Filter("ward", "a"),))
    counted = CountedRows.of(targets.ContributionBounded(question, "who"), database)
    assert sorted(counted.values.tolist()) == [2.0, 5.0]
    with pytest.raises(TableError, match="No row meets the conditions"):
        CountedRows.of(targets.ContributionBounded(replace(question, where=(Filter("ward", "d"),)), "who"), database)
    for value in (math.inf, -1e200):
        with pytest.raises(InvalidValueError, match="values"):
            CountedRows.of(made.about(targets.Sum((0.0, 10.0))), made.database([(0, value, 0)]))


def test_other_questions_are_refused_in_a_sentence() -> None:
    found = _visits(targets.Sum((0.0, 100.0)), rows=2)
    median = targets.QuantileScores.suited((TABLES["visits"].column("minutes"),))
    target = replace(found.target, question=replace(found.target.question, target=median))
    chosen = first_mechanism(target)
    scenario = found.scenario.with_(target=target, mechanism=chosen)
    for one in (scenario, example_named("Mean", TABLES)):
        with pytest.raises(TableError, match="Ask for a count, a sum, a mean or a share"):
            contributions(one, TABLES[one.table], np.zeros(0))
