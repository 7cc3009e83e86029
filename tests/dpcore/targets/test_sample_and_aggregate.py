"""Sample and aggregate: one replaced place changes one block, and no place that is chosen tells more than ε of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import L2, LINF, RANGE, Filter, Ledger, PureDP, per_user, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.base.users import CODE, KEY
from dpcore.errors import InvalidValueError, NoAnswerError, ReleaseFailedError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import SampleAndAggregate
from dpcore.targets.sample_and_aggregate import median_scores, places_of_blocks, rows_of_blocks
from tests.dpcore.targets.blocks import EPSILON, calibrated, one_place_replaced, worst_loss

UNIT = (0.0, 1.0)
OURS: dict[str, tuple[Any, int, Any]] = {  # a target, its columns, and the bounds of its answer
    "mean": (targets.Mean(UNIT), 1, UNIT),
    "mean without bounds": (targets.Mean(), 1, UNIT),
    "median": (targets.Quantile(0.5, UNIT), 1, UNIT),
    "variance, which fails on one record": (targets.Variance(UNIT, ddof=1), 1, (0.0, 0.5)),
    "sum": (targets.Sum(UNIT), 1, (0.0, 12.0)),
    "count": (targets.Count(interval=(0.25, 0.75)), 1, (0.0, 12.0)),
    "share": (targets.Proportion(category=0.5), 1, UNIT),
    "correlation": (targets.Correlation((UNIT, UNIT)), 2, (-1.0, 1.0)),
}
N, K = 12, 5


def _answers(blocks: SampleAndAggregate, pairs: Any) -> list[tuple[FloatArray, FloatArray]]:
    return [(blocks.answers(one), blocks.answers(other)) for one, other in pairs]


def _loss(blocks: SampleAndAggregate, answers: Any, *, n: int, adjacency: Adjacency | None = None) -> float:
    """The most that any place tells of pairs of blocks' answers."""
    law = calibrated(blocks, n, adjacency).law
    return worst_loss(law, [(blocks.scores_of(one), blocks.scores_of(other)) for one, other in answers])


def _changed(answers: Any) -> list[int]:
    """How many blocks' answers differ in each pair."""
    same = [np.isclose(one, other, rtol=0, atol=0, equal_nan=True) for one, other in answers]
    return [int((~one).sum()) for one in same]


@pytest.mark.parametrize("name", OURS)
def test_replaced_record_tells_at_most_epsilon(name: str) -> None:
    """Exact: the largest ratio of the chances of any place, over pairs with hostile records on blocks of two and three."""
    target, columns, bounds = OURS[name]
    blocks = SampleAndAggregate(target, K, bounds, points=11)
    answers = _answers(blocks, one_place_replaced(columns, n=N, pairs=40, seed=3))
    assert max(_changed(answers)) == 1
    assert 0.2 * EPSILON < _loss(blocks, answers, n=N) <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize("missing", [False, True])
def test_one_answer_of_any_list_tells_at_most_epsilon(missing: bool) -> None:
    """All lists of four answers out of three places, and perhaps a missing one, with any one of them replaced by any other."""
    blocks = SampleAndAggregate(targets.Mean(), 4, UNIT, points=3)
    values = [0.0, 0.5, 1.0, *([np.nan] if missing else [])]
    lists = [np.array(rest) for rest in combinations_with_replacement(values, 3)]
    pairs = [(np.append(rest, one), np.append(rest, other)) for rest in lists for one, other in combinations(values, 2)]
    moved = [blocks.scores_of(one) - blocks.scores_of(other) for one, other in pairs]
    assert max(float(np.abs(one).max()) for one in moved) == 1.0
    assert max(float(RANGE(one)) for one in moved) == 2.0
    assert _loss(blocks, pairs, n=4) <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize("k", [4, 12])
def test_nearly_all_of_epsilon_is_needed(k: int) -> None:
    """One answer goes from below all others to above them: 900 places fall by 1, and those beyond the others rise by 1."""
    blocks = SampleAndAggregate(targets.Mean(), k, UNIT)
    before = np.repeat([0.0, 0.9], k // 2)
    after = np.append(1.0, before[1:])
    assert 0.9 * EPSILON < _loss(blocks, [(before, after)], n=k) <= EPSILON * (1 + 1e-9)


def test_score_counts_answers_that_would_have_to_change() -> None:
    """By another route: the least number of answers that are dropped on one side and found on the other, halved."""
    places = np.linspace(0, 1, 5)
    answers = np.array([0.0, 0.25, 0.25, 0.27, 0.74, 1.0, np.nan])
    snapped = np.array([0.0, 0.25, 0.25, 0.25, 0.75, 1.0])
    sides = [(int((snapped < place).sum()), int((snapped > place).sum())) for place in places]
    assert list(median_scores(answers, places)) == [-max(0.0, low - 3.0, high - 3.0) for low, high in sides]
    assert list(median_scores(np.full(6, 0.26), places)) == [-3.0, 0.0, -3.0, -3.0, -3.0]


# Functions of your own.


@dataclass(frozen=True)
class Remembering(Target):
    """Answers whether it has seen a record above 1: state that one block leaves to the next."""

    seen: list[float]
    from_a_part: ClassVar[str] = "alike"

    def __call__(self, database: Database, /) -> FloatArray:
        self.seen.extend(database[database > 1].tolist())
        return np.array([1.0 if self.seen else 0.0])


@pytest.mark.parametrize("function", [Remembering([]), lambda _: np.random.default_rng().random()], ids=["remembers", "random"])
def test_function_that_answers_differently_is_refused_without_detail(function: Any) -> None:
    blocks, loud = SampleAndAggregate(function, 20, UNIT, points=11), np.full(30, 0.5)
    loud[places_of_blocks(30, 20, 0)[7][0]] = 2.0
    with pytest.raises(NoAnswerError, match=r"^the function's answers depend on more than its block$"):
        blocks.answers(loud)


def test_release_of_a_random_function_fails() -> None:
    blocks = SampleAndAggregate(lambda _: np.random.default_rng().random(), 20, UNIT)
    with pytest.raises(ReleaseFailedError):
        calibrated(blocks, 30).release(np.full(30, 0.5))


def test_release_of_a_function_states_its_condition() -> None:
    table = np.linspace(0, 1, 400)
    release = calibrated(SampleAndAggregate(lambda block: block.max(), 80, UNIT), 400).release(table)
    assert release.guarantee == PureDP(EPSILON)
    assert "guarantee: PureDP(epsilon=1.0), if the function depends on its block only" in str(release)
    assert "condition" not in calibrated(SampleAndAggregate(targets.Mean(UNIT), 80, UNIT), 400).release(table).provenance


def test_dealing_known_records_only_would_change_many_blocks() -> None:
    """A record that gets lost shifts all behind it: dealt so, one record would change many blocks."""
    blocks = SampleAndAggregate(targets.Quantile(0.0, UNIT), 20, UNIT, points=11)
    database = np.zeros(40)
    database[np.concatenate(places_of_blocks(40, 20, 0)[:11])] = 1.0
    lost = database.copy()
    lost[0] = np.nan
    shifted = [(blocks.answers(database), blocks.answers(lost[1:]))]
    assert _changed(shifted)[0] > 5
    assert _loss(blocks, shifted, n=40) > 1.2 * EPSILON
    assert _loss(blocks, _answers(blocks, [(database, lost)]), n=40) <= EPSILON


# How places and people are dealt.


@pytest.mark.parametrize(("n", "k"), [(2, 2), (7, 3), (500, 48), (1_001, 1_000)])
def test_each_place_is_in_one_block_and_blocks_are_of_one_size(n: int, k: int) -> None:
    blocks = places_of_blocks(n, k, 0)
    assert sorted(np.concatenate(blocks)) == list(range(n))
    assert {len(block) for block in blocks} <= {n // k, -(-n // k)}
    assert len(blocks) == k
    assert all((np.diff(block) > 0).all() for block in blocks)
    assert any(
        (one != other).any() for one, other in zip(blocks, places_of_blocks(n, k, 1), strict=True) if len(one) == len(other)
    )


def test_no_stretch_of_a_table_lies_in_few_blocks() -> None:
    """100 places in a row of 10,000, dealt to 100 blocks, are in 63 of them: as many as random ones, give or take 5 sd."""
    of = np.empty(10_000, dtype=int)
    for block, places in enumerate(places_of_blocks(10_000, 100, 0)):
        of[places] = block
    assert np.mean([len(set(of[start : start + 100])) for start in range(0, 10_000, 100)]) == pytest.approx(63.6, abs=2)


ROWS = np.array(
    [(0.1, 1), (0.9, 2), (0.3, 3), (0.7, 1), (0.2, 4), (0.8, 5), (0.6, 6), (0.4, 3)], dtype=[("a", float), ("id", int)]
)


def _people(rows: Database) -> Database:
    return per_user(rows[["a"]].astype([("a", float)]), rows["id"])


def test_rows_of_a_person_are_in_one_block() -> None:
    everybody = rows_of_blocks(_people(ROWS), "person", 3, 0)
    without = rows_of_blocks(_people(ROWS[ROWS["id"] != 3]), "person", 3, 0)
    assert sum(map(len, everybody)) == len(ROWS)
    changed = [one.tobytes() != other.tobytes() for one, other in zip(everybody, without, strict=True)]
    assert sum(changed) == 1
    for block in everybody:
        keys, codes = block["person"][KEY], block["person"][CODE]
        assert (np.diff(keys.astype(object)) >= 0).all()
        assert list(codes) == [sorted(set(keys)).index(key) for key in keys]


SUM_OF_PEOPLE = targets.Query(targets.Sum(UNIT), ("a",))


def _people_pairs(adjacency: Adjacency, pairs: int) -> list[tuple[Database, Database]]:
    """People with one to four rows, of whom one is removed, or replaced by somebody with another id."""
    rng, found = np.random.default_rng(8), []
    for _ in range(pairs):
        ids = np.repeat(rng.choice(10_000, 14, replace=False), rng.integers(1, 5, 14))
        rows = np.array(list(zip(rng.choice([0.0, 1.0, np.nan], len(ids)), ids, strict=True)), dtype=ROWS.dtype)
        stayed = rows[rows["id"] != ids[0]]
        came = np.array([(1.0, 20_000 + rng.integers(99))] * 3, dtype=ROWS.dtype)
        other = stayed if adjacency.removes else np.concatenate([stayed, came])
        found.append((_people(rows), _people(other)))
    return found


OF_PEOPLE = SampleAndAggregate(SUM_OF_PEOPLE, 4, (0.0, 60.0), person="person", points=11)


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER])
def test_no_place_tells_more_than_epsilon_of_a_person(adjacency: Adjacency) -> None:
    changed = 1 if adjacency.removes else 2
    assert OF_PEOPLE.proved(14, adjacency).value == pytest.approx(2.0 * changed)
    answers = _answers(OF_PEOPLE, _people_pairs(adjacency, 40))
    assert max(_changed(answers)) == changed
    assert _loss(OF_PEOPLE, answers, n=14, adjacency=adjacency) <= EPSILON * (1 + 1e-9)


def test_replaced_person_changes_two_blocks() -> None:
    """Two answers go from below all others to above them: a range of 4, which counting two blocks covers."""
    blocks = replace(OF_PEOPLE, points=1_001)
    before, after = (np.array([end, end, 54.0, 54.0]) for end in (0.0, 60.0))
    assert float(RANGE(blocks.scores_of(before) - blocks.scores_of(after))) == 4.0
    assert _loss(blocks, [(before, after)], n=14, adjacency=Adjacency.REPLACE_ONE_USER) <= EPSILON
    assert _loss(blocks, [(before, after)], n=14, adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER) > 1.7 * EPSILON


# What the target's answers become.


@dataclass(frozen=True)
class Answering(Target):
    """Answers with what it is told, on a block whose first record is negative; else with the mean."""

    said: Any
    from_a_part: ClassVar[str] = "alike"

    def __call__(self, database: Database, /) -> Any:
        if database[0] >= 0:
            return np.array([database.mean()])
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.mark.parametrize("said", [ValueError(), MemoryError(), np.nan, np.inf, [0.5, 0.5], [], [[0.5]], None, "many"], ids=repr)
def test_failed_block_is_not_counted(said: Any) -> None:
    blocks = SampleAndAggregate(Answering(said), 3, UNIT, points=41)
    database = np.array([0.1, 0.4, 0.8])
    failing = database.copy()
    failing[places_of_blocks(3, 3, 0)[1]] = -1.0
    assert np.isnan(blocks.answers(failing)).sum() == 1
    rest = np.delete(database, places_of_blocks(3, 3, 0)[1])
    assert (blocks(failing) == median_scores(rest, np.array(blocks.candidates))).all()


def test_all_failed_blocks_give_equal_probabilities() -> None:
    blocks = SampleAndAggregate(Answering(np.nan), 3, UNIT, points=41)
    assert calibrated(blocks, 9).law.probabilities(blocks(np.full(9, -1.0))) == pytest.approx(np.full(41, 1 / 41))


def test_an_answer_beyond_the_bounds_counts_as_the_nearest_bound() -> None:
    blocks = SampleAndAggregate(targets.Mean(), 3, UNIT, points=41)
    assert (blocks(np.array([-9.0, 0.5, 0.7])) == blocks(np.array([0.0, 0.5, 0.7]))).all()
    far = SampleAndAggregate(targets.Mean(), 3, (0.0, 1.7e308), points=3)  # where no difference of two answers is a float
    assert (far(np.array([-1.7e308, 1e308, 1.7e308])) == far(np.array([0.0, 1e308, 1.7e308]))).all()


def test_a_sum_is_scaled_to_all_records_and_a_mean_is_not() -> None:
    database = np.ones(10)
    assert SampleAndAggregate(targets.Sum(UNIT), 4, (0.0, 20.0)).answers(database) == pytest.approx(np.full(4, 10.0))
    assert SampleAndAggregate(targets.Mean(UNIT), 4, UNIT).answers(database) == pytest.approx(np.ones(4))


def test_an_answer_of_several_numbers_counts_nowhere() -> None:
    blocks = SampleAndAggregate(targets.Mean((UNIT, UNIT)), 3, UNIT, points=41)
    assert np.isnan(blocks.answers(np.full((6, 2), 0.5))).all()
    with pytest.raises(InvalidValueError, match="one that says how its answer goes"):
        SampleAndAggregate(targets.Histogram(edges=(0.0, 0.5, 1.0)), 3, UNIT)


# What a user meets.


def test_release_is_pure_dp_and_charged() -> None:
    blocks = SampleAndAggregate(targets.Mean(UNIT), 80, UNIT, seed=7)
    release = calibrated(blocks, 200).release(np.full(200, 0.25))
    assert release.guarantee == PureDP(EPSILON)
    assert release.response == pytest.approx(0.25, abs=0.05)
    assert "one place is replaced" in str(release.provenance["proof"])
    assert "k=80" in str(release.provenance["target"])
    ledger = Ledger(PureDP(3.0)).add(release).add(calibrated(blocks, 200).release(np.full(200, 0.5)))
    assert ledger.total() == PureDP(2.0)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: SampleAndAggregate(targets.Mean(), 1, UNIT), "k must be a whole number of at least 2; got 1."),
        (
            lambda: SampleAndAggregate(targets.Mean(), 6, UNIT).proved(5),
            "k must be at most 5, as many blocks as there are rows",
        ),
        (lambda: SampleAndAggregate(targets.Mean(), 6, UNIT)(np.zeros(5)), "k must be at most 5, as many blocks as there are"),
        (lambda: SampleAndAggregate(targets.Mean(), 6, (1.0, 1.0)), "bounds must be two numbers, the lower one first"),
        (lambda: SampleAndAggregate(targets.Mean(), 6, None), "bounds must be"),  # type: ignore[arg-type]
        (
            lambda: SampleAndAggregate(targets.Query(targets.Mean(UNIT), ("a",)), 6, UNIT),
            "a maximum or a number of different values goes neither way",
        ),
        (lambda: SampleAndAggregate(3, 6, UNIT), "target must be a function of a table; got 3."),  # type: ignore[arg-type]
        (lambda: SampleAndAggregate(targets.Mean(), 6, UNIT, person="who"), "a question about columns with names"),
        (lambda: SampleAndAggregate(targets.ContributionBounded(SUM_OF_PEOPLE, "who"), 6, UNIT), "person must be who"),
        (lambda: SampleAndAggregate(targets.Mean(), 6, (UNIT, UNIT)), "bounds must be"),  # type: ignore[arg-type]
        (lambda: SampleAndAggregate(targets.Mean(), 6, UNIT, seed=2**64), "seed, points must be below 2⁶⁴, and at most 100,001"),
        (
            lambda: SampleAndAggregate(targets.Mean(), 6, UNIT, points=10**6),
            "seed, points must be below 2⁶⁴, and at most 100,001",
        ),
        (
            lambda: SampleAndAggregate(targets.Mean(), 6, UNIT).proved(50, Adjacency.ADD_OR_REMOVE_ONE_RECORD),
            "adjacency must be that of a replaced row, or that of a replaced or removed person if a field says whose a row is",
        ),
    ],
)
def test_bad_argument_is_refused(made: Any, said: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        made()
    assert said in str(refused.value)


def test_what_is_not_proved_has_no_worst_case() -> None:
    one = SampleAndAggregate(targets.Mean(UNIT), K, UNIT)
    assert one.global_sensitivity(RANGE, 4) is None  # fewer records than blocks
    assert one.global_sensitivity(RANGE, 9, Adjacency.REPLACE_ONE_USER) is None
    assert one.global_sensitivity(LINF, 9) is None
    assert one.global_sensitivity(L2, 9) is None


def test_conditions_are_asked_within_each_block() -> None:
    rows = np.zeros(40, dtype=[("a", float), ("b", float)])
    rows["a"], rows["b"] = 1.0, np.arange(40) % 2
    asked = targets.Query(targets.Sum(UNIT), ("a",), (Filter("b", interval=(0.5, 1.5)),))
    answers = SampleAndAggregate(asked, 4, (0.0, 40.0)).answers(rows)
    assert answers.sum() / 4 == pytest.approx(20.0)
