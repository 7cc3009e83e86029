"""One choice in each group: its law, what all of them together give away, and whom it suits."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from dpcore import RANGE, Exponential, Laplace, PureDP, targets
from dpcore.base.norms import ranges
from dpcore.errors import InvalidValueError, NoiseSwallowedError, NormMismatchError, ReleaseFailedError
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.mechanisms.exponential_by_group import ExponentialByGroup, LawByGroup
from dpcore.mechanisms.noise import Selection
from dpcore.registry.catalog import from_json, members, to_json
from dpcore.registry.fit import releasing
from tests.dpcore.grouped import ByGroup, records

MEDIANS = ByGroup(targets.QuantileScores(0.5, (0.0, 10.0), points=101))
BOTH: list[Selection] = ["gumbel", "permute-and-flip"]
SCORES = np.array([0.0, 1.0, 4.0, 2.0, 2.0, -5.0])  # of three groups


def law(selection: Selection, scale: float = 1.5, groups: int = 3) -> LawByGroup:
    return LawByGroup(groups, SelectionLaw(scale, ("x", "y"), selection))


def calibrated(groups: int = 3, epsilon: float = 1.0, target: Any = MEDIANS) -> Any:
    proof = target.global_sensitivity(ranges(groups), 90)
    return ExponentialByGroup(groups).calibrate(proof, PureDP(epsilon))


@pytest.mark.parametrize("selection", BOTH)
def test_each_group_chooses_by_the_scale_of_all_of_them(selection: Selection) -> None:
    made: Any = ExponentialByGroup(3, selection=selection).law(MEDIANS, 3.0, PureDP(2.0))
    assert made.scale == pytest.approx(1.5, rel=1e-12)
    assert made.each == SelectionLaw(made.scale, MEDIANS.candidates, selection)


@pytest.mark.parametrize("selection", BOTH)
def test_simulated_choices_follow_each_groups_chances_and_are_independent(selection: Selection) -> None:
    """100,000 tuples: each share within 0.008 (5 standard errors), and no two groups correlate beyond 0.016."""
    drawn = law(selection).simulate(SCORES, size=100_000, rng=np.random.default_rng(4))
    assert drawn.shape == (100_000, 3)
    for group, scores in enumerate(SCORES.reshape(3, 2)):
        expected = law(selection).each.probabilities(scores)[1]
        assert drawn[:, group].mean() == pytest.approx(expected, abs=0.008)
        wrong = SelectionLaw(1.5 * 0.8, ("x", "y"), selection).probabilities(scores)[1]
        assert scores[0] == scores[1] or abs(drawn[:, group].mean() - wrong) > 0.008 or wrong > 0.99 or wrong < 0.02
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.016


@pytest.mark.parametrize("selection", BOTH)
def test_the_loss_of_a_tuple_is_the_sum_of_its_groups(selection: Selection) -> None:
    other = SCORES + np.array([1.0, 0.0, -0.5, 0.5, 0.0, 0.0])
    made, every = law(selection), np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    apart = [
        np.log(made.each.probabilities(a)) - np.log(made.each.probabilities(b))
        for a, b in zip(SCORES.reshape(3, 2), other.reshape(3, 2), strict=True)
    ]
    expected = [apart[0][i] + apart[1][j] + apart[2][k] for i, j, k in every]
    assert made.log_ratio(SCORES, other, every) == pytest.approx(np.array(expected), abs=1e-12)
    assert made.loss(SCORES, other) == pytest.approx(max(expected), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("selection", BOTH)
def test_no_pair_within_the_sensitivity_loses_more_than_epsilon_and_one_nearly_does(selection: Selection) -> None:
    """200 random pairs of four groups of five scores at G = Δ, exactly; with the scale of a single group some lose more."""
    rng, norm, epsilon = np.random.default_rng(8), ranges(4), 1.3
    made: Any = LawByGroup(4, SelectionLaw(1 / epsilon, tuple(range(5)), selection))
    loud: Any = LawByGroup(4, SelectionLaw(0.5 / epsilon, tuple(range(5)), selection))
    found, wrong = [], []
    for _ in range(200):
        raw = rng.choice([0.0, 0.5, 2.0, 5.0], 20) * rng.choice([1, 4])
        move = rng.choice([-1.0, 0.0, 1.0], 20) * np.repeat(rng.permutation([1.0, 1.0, 0.0, 0.0]), 5)
        size = float(norm(move))
        if size:
            found.append(made.loss(raw, raw + move / size))
            wrong.append(loud.loss(raw, raw + move / size))
    assert max(found) <= epsilon * (1 + 1e-12)
    assert max(found) > 0.9 * epsilon
    assert max(wrong) > 1.5 * epsilon


def test_a_release_is_one_candidate_a_group_of_the_grid_in_their_order() -> None:
    data = records((40, 30, 20))
    data[:40, 0] /= 10  # the first group's numbers are all small
    released = [calibrated(epsilon=20.0).release(data) for _ in range(5)]
    for each in released:
        assert len(each.response) == 3
        assert set(each.response) <= set(MEDIANS.candidates)
        assert each.response[0] < 1.5 < 2 < each.response[1]
    assert released[0].mechanism == "ExponentialByGroup"
    assert released[0].provenance["norm"] == "RANGE_3"
    row = calibrated().law.row(released[0].response)
    assert [MEDIANS.candidates[i] for i in row] == list(released[0].response)


def test_a_group_without_records_is_answered() -> None:
    response = calibrated().release(records((40, 0, 50))).response
    assert len(response) == 3


def test_a_zero_sensitivity_gives_the_best_of_each_group() -> None:
    still = law("gumbel", 0.0)
    assert still.draw(SCORES) == ("y", "x", "x")
    assert still.simulate(SCORES, size=2, rng=np.random.default_rng(1)).tolist() == [[1, 0, 0]] * 2


def test_scores_of_another_length_are_refused_and_scores_beyond_the_noise_too() -> None:
    made = law("gumbel")
    for wrong in (SCORES[:5], np.zeros(8), np.zeros(2)):
        with pytest.raises(ReleaseFailedError, match="3 groups of 2 candidates"):
            made.draw(wrong)
        with pytest.raises(ReleaseFailedError):
            made.simulate(wrong, size=1, rng=np.random.default_rng(1))
    with pytest.raises(NoiseSwallowedError):
        made.draw(SCORES + 1e17)


def test_it_suits_what_scores_candidates_in_groups_and_leads_there_alone() -> None:
    kinds = members("mechanisms").values()
    assert releasing(kinds, MEDIANS) == (ExponentialByGroup,)
    assert ExponentialByGroup.suited(MEDIANS) == ExponentialByGroup(3)
    assert ExponentialByGroup.leads(MEDIANS)
    for other in (MEDIANS.of, targets.LetterCounts(), targets.Mean(), len, ByGroup(targets.Mean())):
        assert ExponentialByGroup.suited(other) is None
        assert not ExponentialByGroup.leads(other)
    assert Exponential.suited(MEDIANS) is None
    assert Laplace.suited(ByGroup(targets.Mean())) == Laplace()


def test_it_is_fitted_to_the_groups_of_another_target_and_keeps_its_way_of_choosing() -> None:
    two = ByGroup(MEDIANS.of, ("A", "B"))
    made = ExponentialByGroup(3, selection="gumbel")
    assert made.fitted(two) == ExponentialByGroup(2, selection="gumbel")
    assert made.fitted(two).norm is ranges(2)
    assert made.chosen_by == "the exponential mechanism, in each of 3 groups"
    assert ExponentialByGroup(1).norm is RANGE


def test_another_number_of_groups_is_refused() -> None:
    for groups in (1, 2, 4):
        with pytest.raises(InvalidValueError, match="groups") as caught:
            ExponentialByGroup(groups).check(MEDIANS)
        assert caught.value.got == groups
    with pytest.raises(InvalidValueError, match="candidates"):
        ExponentialByGroup(3).check(ByGroup(targets.Mean()))
    with pytest.raises(InvalidValueError, match="group"):
        Exponential(None).check(MEDIANS)
    in_range: Any = MEDIANS.global_sensitivity(RANGE, 9)
    with pytest.raises(NormMismatchError):
        ExponentialByGroup(3).calibrate(in_range, PureDP(1.0))


@pytest.mark.parametrize("groups", [0, 257, 2.5, True, None, "3"], ids=repr)
def test_a_number_of_groups_that_there_cannot_be_is_refused(groups: Any) -> None:
    with pytest.raises(InvalidValueError, match="groups"):
        ExponentialByGroup(groups)


def test_an_unknown_way_of_choosing_is_refused() -> None:
    wrong: Any = "largest"
    with pytest.raises(InvalidValueError, match="selection"):
        ExponentialByGroup(2, selection=wrong)


def test_it_is_json_and_back() -> None:
    made = ExponentialByGroup(4, selection="gumbel")
    assert to_json(made) == {"kind": "ExponentialByGroup", "groups": 4, "selection": "gumbel"}
    assert from_json(to_json(made), "mechanisms") == pickle.loads(pickle.dumps(made)) == made
