"""A vote of blocks: one replaced place changes one vote, and no candidate that is chosen tells more than ε of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, RANGE, Exponential, PureDP, per_user, targets
from dpcore.answers.choice import Choice
from dpcore.answers.place import Place
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets import VoteOfBlocks
from dpcore.targets.dealt import places_of_blocks, rows_of_blocks
from tests.dpcore.targets.blocks import EPSILON, STRANGE, calibrated, worst_loss

UNIT = (0.0, 1.0)
LETTERS = targets.LetterCounts("abn")
N, K = 12, 5


def _numbers(rng: np.random.Generator, columns: int) -> Database:
    shape = (N, columns) if columns > 1 else (N,)
    return np.where(rng.random(shape) < 0.5, rng.random(shape).round(1), rng.choice(STRANGE, shape))


def _names(rng: np.random.Generator, columns: int) -> Database:
    return rng.choice(np.array(["anna", "", "bob", "bbb", "nan", "xyz", "aab"]), N)


OURS: dict[str, tuple[VoteOfBlocks, Any, int]] = {  # a vote, what makes its records, and of how many columns
    "letters": (VoteOfBlocks(LETTERS, K), _names, 1),
    "median": (VoteOfBlocks(targets.QuantileScores(0.5, UNIT, 11), K), _numbers, 1),
    "thresholds": (VoteOfBlocks(targets.ThresholdScores((UNIT,), (1.0,)), K), _numbers, 2),
    "share, of some stated": (VoteOfBlocks(targets.Proportion(category=0.5), K, (0.0, 0.5, 1.0)), _numbers, 1),
    "minimum, of some stated": (VoteOfBlocks(targets.Quantile(0.0, UNIT), K, (1.0, 0.5, 0.0)), _numbers, 1),
}


def _loss(vote: VoteOfBlocks, pairs: Any, *, n: int, adjacency: Adjacency | None = None) -> float:
    """The most that any candidate tells of pairs of counts of votes."""
    return worst_loss(calibrated(vote, n, adjacency).law, pairs)


@pytest.mark.parametrize("name", OURS)
def test_no_candidate_tells_more_than_epsilon_of_a_replaced_record(name: str) -> None:
    """Exact, over pairs with hostile records on blocks of two and three; and the search comes near."""
    vote, made, columns = OURS[name]
    rng, pairs, changed = np.random.default_rng(3), [], []
    for _ in range(60):
        table, other = made(rng, columns), made(rng, columns)
        other[:-1] = table[:-1]
        pairs.append((vote(table), vote(other)))
        changed.append(int((~np.isclose(vote.answers(table), vote.answers(other), equal_nan=True)).sum()))
    assert max(changed) == 1
    assert 0.2 * EPSILON < _loss(vote, pairs, n=N) <= EPSILON * (1 + 1e-9)


def test_no_list_of_votes_tells_more_than_epsilon_of_one_of_them() -> None:
    """All lists of four votes for three candidates, or for none, with any one of them replaced by any other."""
    vote = VoteOfBlocks(LETTERS, 4)
    cast = [0.0, 1.0, 2.0, np.nan]
    lists = [np.array(rest)[:, None] for rest in combinations_with_replacement(cast, 3)]
    pairs = [
        (vote.counted(np.vstack([rest, [[one]]])), vote.counted(np.vstack([rest, [[other]]])))
        for rest in lists
        for one, other in permutations(cast, 2)
    ]
    assert max(float(LINF(one - other)) for one, other in pairs) == 1.0
    assert {float(RANGE(one - other)) for one, other in pairs} == {1.0, 2.0}  # 1 where a vote is lost or found
    assert vote.proved(4).value == pytest.approx(2.0)
    assert 0.95 * EPSILON < _loss(vote, pairs, n=4) <= EPSILON * (1 + 1e-9)


def test_all_of_epsilon_is_needed() -> None:
    """All twelve blocks vote for one candidate, and then one of them for another: with half the noise it would tell 2ε."""
    vote = VoteOfBlocks(LETTERS, 12)
    pair = [(np.array([12.0, 0.0, 0.0]), np.array([11.0, 1.0, 0.0]))]
    assert 0.99 * EPSILON < _loss(vote, pair, n=12) <= EPSILON * (1 + 1e-9)


def test_a_block_votes_for_its_own_best_letter() -> None:
    """Counted another way: of each block's letters the most frequent."""
    database = np.random.default_rng(5).choice(np.array(["anna", "bob", "bbb", "nnn", "aab"]), 200)
    votes = dict.fromkeys("abn", 0)
    for places in places_of_blocks(200, 40, 0):
        text = "".join(database[places])
        counts = [text.count(letter) for letter in "abn"]
        best = [letter for letter, count in zip("abn", counts, strict=True) if count == max(counts)]
        if len(best) < 3:
            votes[best[0]] += 1  # of two the earlier
    assert list(VoteOfBlocks(LETTERS, 40)(database)) == list(votes.values())
    assert sum(votes.values()) > 30


@pytest.mark.parametrize(
    ("records", "place"),
    [
        ([0.2, 0.5], 3.0),  # places 2, 3 and 4 have one record below or at them: the middle one
        ([0.2, 0.6], 3.0),  # and of 2 to 5 the earlier one of the two in the middle
        ([np.nan, np.nan], np.nan),  # where nothing is known all places are as good
    ],
)
def test_of_several_best_candidates_it_votes_for_the_middle_one_and_for_none_where_all_are(records: Any, place: float) -> None:
    vote = VoteOfBlocks(targets.QuantileScores(0.5, UNIT, 11), 2)
    database = np.full(4, np.nan)
    database[places_of_blocks(4, 2, 0)[0]] = records
    database[places_of_blocks(4, 2, 0)[1]] = [0.1, 0.9]
    assert vote.answers(database)[0] == pytest.approx(place, nan_ok=True)
    assert vote(database).sum() == 2 - np.isnan(place)


@dataclass(frozen=True)
class Answering:
    """Answers with what it is told, on a block whose first record is negative; else with the first of the scores or numbers."""

    said: Any
    usual: Any

    def __call__(self, database: Database, /) -> Any:
        if database[0] >= 0:
            return self.usual
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


def _by_another_target(vote: VoteOfBlocks, target: Any) -> VoteOfBlocks:
    """Past its constructor, which refuses such a target."""
    changed = replace(vote)
    object.__setattr__(changed, "target", target)
    return changed


FAILING = [ValueError(), MemoryError(), np.nan, np.inf, [0.5, 0.5], [], [[0.5]], None, "many"]


@pytest.mark.parametrize("said", [*FAILING, 0.25, 0.5 + 1e-12], ids=repr)
def test_an_answer_that_is_no_candidate_is_no_vote(said: Any) -> None:
    vote = _by_another_target(VoteOfBlocks(targets.Mean(), 3, (0.0, 0.5)), Answering(said, 0.5))
    database = np.zeros(3)
    database[places_of_blocks(3, 3, 0)[1]] = -1.0
    assert list(vote(database)) == [0.0, 2.0]


@dataclass(frozen=True)
class Scoring:
    """Scores for the letters a, b and n, which may be wrong ones."""

    of: Answering
    candidates = ("a", "b", "n")

    def __call__(self, database: Database, /) -> Any:
        return self.of(database)


@pytest.mark.parametrize("said", [*FAILING, [1.0, 2.0], [1.0, 2.0, np.nan], [np.inf, 0.0, 0.0], [[0.0, 1.0, 2.0]]], ids=repr)
def test_scores_of_another_shape_are_no_vote(said: Any) -> None:
    vote = _by_another_target(VoteOfBlocks(LETTERS, 3), Scoring(Answering(said, [0.0, 1.0, 0.0])))
    database = np.zeros(3)
    database[places_of_blocks(3, 3, 0)[1]] = -1.0
    assert list(vote(database)) == [0.0, 2.0, 0.0]


def test_without_any_vote_every_candidate_is_as_likely() -> None:
    vote = VoteOfBlocks(LETTERS, 3)
    assert calibrated(vote, 6).law.probabilities(vote(np.full(6, "xyz"))) == pytest.approx(np.full(3, 1 / 3))


@dataclass(frozen=True)
class Remembering:
    """Answers 1 as soon as it has seen a record above 1: state that one block leaves to the next."""

    seen: list[float]

    def __call__(self, database: Database, /) -> FloatArray:
        self.seen.extend(database[database > 1].tolist())
        return np.array([1.0 if self.seen else 0.0])


def test_a_target_that_remembers_would_tell_far_more_than_epsilon() -> None:
    vote = VoteOfBlocks(targets.Mean(), 20, UNIT)
    calm, loud = np.full(30, 0.5), np.full(30, 0.5)
    loud[places_of_blocks(30, 20, 0)[0][0]] = 2.0
    counts = [_by_another_target(vote, Remembering([]))(database) for database in (calm, loud)]
    assert _loss(vote, [counts], n=30) > 4 * EPSILON


# People.

OF_PEOPLE = VoteOfBlocks(targets.On(LETTERS, ("t",)), 4, person="person")


def _people(ids: Any, names: Any) -> Database:
    return per_user(np.array([(name,) for name in names], dtype=[("t", "U4")]), np.array(ids))


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER])
def test_no_candidate_tells_more_than_epsilon_of_a_person(adjacency: Adjacency) -> None:
    changed, rng, pairs, votes = (1 if adjacency.removes else 2), np.random.default_rng(8), [], []
    assert OF_PEOPLE.proved(14, adjacency).value == pytest.approx(2.0 * changed)
    for _ in range(60):
        ids = np.repeat(rng.choice(10_000, 9, replace=False), rng.integers(1, 4, 9))
        names, stay = rng.choice(["a", "aab", "xyz", "nn", ""], len(ids)), ids != ids[0]
        names[~stay] = "bbbb"
        came = 0 if adjacency.removes else 3
        other = _people([*ids[stay], *[20_000 + rng.integers(99)] * came], [*names[stay], *["nnnn"] * came])
        both = [_people(ids, names), other]
        pairs.append([OF_PEOPLE(one) for one in both])
        votes.append(int((~np.isclose(*(OF_PEOPLE.answers(one) for one in both), equal_nan=True)).sum()))
    assert max(votes) == changed
    assert 0.3 * EPSILON < _loss(OF_PEOPLE, pairs, n=14, adjacency=adjacency) <= EPSILON * (1 + 1e-9)


def test_a_replaced_person_counted_as_one_block_would_tell_more_than_epsilon() -> None:
    """Two votes go from one candidate to another: a range of 4. And adding a person may change a vote, not only cast one."""
    pair = [(np.array([4.0, 0.0, 0.0]), np.array([2.0, 2.0, 0.0]))]
    assert _loss(OF_PEOPLE, pair, n=14, adjacency=Adjacency.REPLACE_ONE_USER) <= EPSILON * (1 + 1e-9)
    assert _loss(OF_PEOPLE, pair, n=14, adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER) > 1.7 * EPSILON


def test_the_rows_of_a_person_vote_together() -> None:
    database = _people([1, 2, 3, 1, 4, 5], ["a", "b", "n", "a", "b", "n"])
    blocks = rows_of_blocks(database, "person", 4, 0)
    told = [{"".join(block["t"]).count(letter) for letter in "abn"} for block in blocks if len(block)]
    assert OF_PEOPLE(database).sum() == sum(len(counts) > 1 for counts in told)


# What a user meets.


def test_a_release_is_pure_dp_and_says_who_its_neighbours_are() -> None:
    vote = VoteOfBlocks(LETTERS, 80, seed=7)
    chosen = Exponential.suited(vote)
    assert chosen is not None
    release = chosen.calibrate(vote.proved(200), PureDP(EPSILON)).release(np.array(["bbb"] * 200))
    assert release.guarantee == PureDP(EPSILON)
    assert release.response == "b"
    assert "one place is replaced" in str(release.provenance["proof"])
    assert "a changed vote leaves the count of one candidate" in str(release.provenance["proof"])
    assert "k=80" in str(release.provenance["target"])


def test_its_answer_is_a_candidate_and_one_on_a_scale_is_a_place() -> None:
    columns = (Column("name"),)
    assert VoteOfBlocks(LETTERS, 4).answer(columns) == Choice(("a", "b", "n"))
    assert VoteOfBlocks(targets.Mean(), 4, (0.0, 2.5)).answer(columns) == Choice(("0", "2.5"))
    place = VoteOfBlocks(targets.QuantileScores(0.5, UNIT), 4).answer(columns)
    assert isinstance(place, Place)
    assert place.ranked is False
    assert VoteOfBlocks(targets.Mean(), 4, (0.0, 2.5)).said_around("mean").endswith("; each has a vote among 0, 2.5")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: VoteOfBlocks(LETTERS, 1), "k must be a whole number of at least 2; got 1."),
        (lambda: VoteOfBlocks(LETTERS, 6).proved(5), "k must be at most 5, as many blocks as there are rows or people"),
        (lambda: VoteOfBlocks(LETTERS, 6)(np.full(5, "a")), "k must be at most 5, as many blocks as there are rows or people"),
        (lambda: VoteOfBlocks(Remembering([]), 6, UNIT), "one that keeps state from block to block would carry a row into"),
        (lambda: VoteOfBlocks(3, 6), "target must be a function of a table; got 3."),  # type: ignore[arg-type]
        (lambda: VoteOfBlocks(targets.Mean(), 6), "among must be at least two public candidates, of which the function answers"),
        (lambda: VoteOfBlocks(targets.Mean(), 6, ()), "among must be a list of at least one number"),
        (lambda: VoteOfBlocks(targets.Mean(), 6, (0.5,)), "from 2 to 100,001 numbers that differ from one another"),
        (lambda: VoteOfBlocks(targets.Mean(), 6, (0.5, 0.5)), "from 2 to 100,001 numbers that differ from one another"),
        (lambda: VoteOfBlocks(targets.Mean(), 6, (0.0, -0.0)), "from 2 to 100,001 numbers that differ from one another"),
        (lambda: VoteOfBlocks(targets.Mean(), 6, ("a", "b")), "among must be a number; got"),  # type: ignore[arg-type]
        (lambda: VoteOfBlocks(LETTERS, 6, UNIT), "among must be none, for the target has candidates of its own"),
        (lambda: VoteOfBlocks(targets.Sum(UNIT), 6, UNIT), "one whose answer is alike for a part of the rows and for all of"),
        (
            lambda: VoteOfBlocks(targets.On(targets.QuantileScores(0.5, UNIT), ("a",), by=Groups("b", (0.0, 1.0))), 6),
            "target must be one that does not answer by group",
        ),
        (
            lambda: VoteOfBlocks(targets.CapScores(targets.On(targets.Sum(UNIT), ("a",)), "who", 1.0), 6, person="who"),
            "that of a cap or a limit, which looks for a stated number of rows or people beyond it, is not",
        ),
        (lambda: VoteOfBlocks(LETTERS, 6, person="who"), "a question about columns with names"),
        (lambda: VoteOfBlocks(LETTERS, 6, seed=2**64), "seed must be a whole number below 2⁶⁴"),
        (
            lambda: VoteOfBlocks(LETTERS, 6).proved(50, Adjacency.ADD_OR_REMOVE_ONE_RECORD),
            "adjacency must be that of a replaced row, or where a field says whose a row is",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(made: Any, said: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        made()
    assert said in str(refused.value)


def test_what_is_not_proved_has_no_worst_case() -> None:
    vote = VoteOfBlocks(LETTERS, K)
    assert vote.global_sensitivity(RANGE, 4) is None  # fewer records than blocks
    assert vote.global_sensitivity(RANGE, 9, Adjacency.REPLACE_ONE_USER) is None
    assert vote.global_sensitivity(L1, 9) is None
