"""An oracle that is made of a noisy histogram of each column: what is asked for, what comes of it, and how its line stands."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, Groups, Laplace, Ledger, OperatingPoint, PureDP, RandomDP, oracles, sample_sensitivity, targets
from dpcore.base.declared import TEXT, Column
from dpcore.base.types import Oracle, Target, from_an_answer
from dpcore.errors import InvalidValueError, SampledLaterError
from dpcore.ledger.accounting import Planned
from dpcore.mechanisms.base import Release
from dpcore.registry.catalog import from_json, to_json
from pages.experiment import preview
from pages.experiment.oracle_origin import asking, laws, moved, usual_bins, with_fit
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

N = 400
COST, SEX = Column("cost", bounds=(0.0, 100.0)), Column("sex", role=TEXT, categories=("F", "M", "other"))
_RNG = np.random.default_rng(5)
TABLE = Table(
    "mine",
    (COST, SEX, Column("bare")),
    public=False,
    values={"cost": _RNG.uniform(0, 40, N), "sex": _RNG.choice(["F", "M"], N, p=[0.8, 0.2]), "bare": _RNG.random(N)},
)
BY_SEX = targets.On(targets.Sum((0.0, 100.0)), ("cost",), by=Groups("sex", ("F", "M")))
MEAN = targets.Mean((0.0, 100.0))
MEDIAN = targets.Quantile(0.5, (0.0, 100.0))
POINT = OperatingPoint.for_gamma(0.05)


def _asked(target: Target, *columns: str) -> Scenario:
    return Scenario(
        table="mine",
        columns=columns,
        target=target,
        oracle=oracles.Uniform(0, 100),
        norm=L1,
        n=N,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=Laplace(),
        seed=1,
    )


def _fitted(scenario: Scenario) -> Release[Any]:
    proved = preview.calibrated_worst_case(scenario)
    assert proved is not None
    return proved.release(TABLE.prepare(scenario.columns, scenario.target).database)


def test_a_fit_asks_for_the_columns_of_a_question_at_an_epsilon_of_its_own() -> None:
    fit = asking(_asked(BY_SEX, "cost", "sex"), TABLE, 0.5, 8)
    assert fit.target == targets.ColumnCounts(((0.0, 100.0), (-0.5, 2.5)), (8, 3))
    assert (fit.epsilon, fit.columns, fit.n) == (0.5, ("cost", "sex"), N)
    release = _fitted(fit)
    assert release.guarantee == PureDP(0.5)
    assert release.scale == pytest.approx(2 * 2 / 0.5)
    oracle: Any = fit.oracle
    assert oracle.draw(1, 3, rng=np.random.default_rng(1)).shape == (1, 3, 2)


@pytest.mark.parametrize(("n", "columns", "epsilon", "bins"), [(1_000, 1, 1.0, 20), (1_000, 2, 0.1, 5), (50, 2, 0.01, 2)])
def test_bins_are_as_many_as_n_and_epsilon_allow(n: int, columns: int, epsilon: float, bins: int) -> None:
    assert usual_bins(n, columns, epsilon) == bins


def test_noise_moves_about_as_many_records_between_bins_as_is_said() -> None:
    """Mean total variation of 2,000 noisy histograms before they are cut off, at 8 bins of 400 records: .16."""
    fit = asking(_asked(MEAN, "cost"), TABLE, 0.5, 8)
    noise = np.random.default_rng(1).laplace(scale=4.0, size=(2_000, 8))
    assert moved(fit.target, N, 4.0) == pytest.approx(np.abs(noise).sum(axis=1).mean() / (2 * N), rel=0.03)
    assert moved(fit.target, 10, 4.0) == 1.0


def test_the_oracle_is_like_the_noisy_histogram_and_its_link_is_short() -> None:
    fit = asking(_asked(BY_SEX, "cost", "sex"), TABLE, 1.0, 8)
    response = _fitted(fit).response
    question = with_fit(_asked(BY_SEX, "cost", "sex"), TABLE, fit, response)
    oracle: Any = question.oracle
    target: Any = fit.target
    for law, own in zip(oracle.columns, target.split(np.maximum(response, 0)), strict=True):
        assert np.abs(np.array(law.weights) / sum(law.weights) - own / own.sum()).max() < 1e-4
    drawn = oracle.draw(1, 5, rng=np.random.default_rng(1))
    assert drawn.dtype.names == ("cost", "sex")
    assert len(json.dumps(to_json(oracle), separators=(",", ":"))) < 300
    assert from_json(to_json(oracle), "oracles") == oracle
    assert from_an_answer(oracle)
    assert not from_an_answer(oracles.Product((oracles.Uniform(0, 1), oracles.Normal(0, 1))))


def test_a_column_of_which_nothing_is_left_is_even() -> None:
    fit = asking(_asked(MEAN, "cost"), TABLE, 1.0, 4)
    assert laws(fit.target, np.array([-3.0, -1.0, -9.0, 0.0]), (COST,)) == {"cost": oracles.Binned((2500,) * 4, (0.0, 100.0))}


@pytest.mark.parametrize(("epsilon", "bins"), [(0.0, 8), (0.5, 0), (0.5, 257)])
def test_a_fit_that_is_none_is_refused(epsilon: float, bins: int) -> None:
    with pytest.raises(InvalidValueError):
        asking(_asked(MEAN, "cost"), TABLE, epsilon, bins)


def test_columns_that_were_not_fitted_or_cannot_be_are_named() -> None:
    with pytest.raises(InvalidValueError, match="bare"):
        asking(_asked(targets.Mean(), "bare"), TABLE, 1.0)
    fit = asking(_asked(MEAN, "cost"), TABLE, 1.0, 4)
    with pytest.raises(InvalidValueError, match="sex"):
        with_fit(_asked(BY_SEX, "cost", "sex"), TABLE, fit, np.ones(4))


def _sampled(target: Target, oracle: Oracle, seed: int = 3) -> Release[RandomDP]:
    sample = sample_sensitivity(target, oracle, norm=L1, n=N, at=POINT, seed=seed)
    return Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release(TABLE.values["cost"])


@pytest.mark.parametrize("target", [MEAN, MEDIAN], ids=["sum", "no sum"])
def test_what_is_sampled_from_a_fit_is_refused_after_it(target: Target) -> None:
    fit = asking(_asked(MEAN, "cost"), TABLE, 1.0, 8)
    release = _fitted(fit)
    after = Ledger().add(release)
    fitted: Any = with_fit(_asked(MEAN, "cost"), TABLE, fit, release.response).oracle
    for oracle in (fitted, oracles.Uniform(0, 100)):
        with pytest.raises(SampledLaterError):
            after.foresee(Planned(target, oracle, L1, N, POINT))
        with pytest.raises(SampledLaterError):
            after.add(_sampled(target, oracle))


def test_what_is_proved_keeps_its_guarantee_after_a_fit() -> None:
    fit = asking(_asked(MEAN, "cost"), TABLE, 1.0, 8)
    proved = MEAN.global_sensitivity(L1, N)
    assert proved is not None
    both = Ledger().add(_fitted(fit)).add(Laplace().calibrate(proved, PureDP(0.5)).release(TABLE.values["cost"]))
    assert both.total() == PureDP(1.5)
