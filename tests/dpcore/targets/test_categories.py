"""Categories of text, blanks that are in none of them, and shares of the known values."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, GroupBy, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.columns import Column
from dpcore.base.norms import Norm
from dpcore.base.types import inverse_of
from dpcore.errors import InvalidValueError
from dpcore.oracles.columns import laws_of, of_fields
from dpcore.registry import suited, takers
from dpcore.sampling.sampler import true_cdf
from pages.files.tables import read_csv

SEX = Column("sex", "Sex", role="text", categories=("F", "M"))
NOTE, AGE = Column("note", role="text"), Column("age", bounds=(0.0, 120.0))
TEXTS = np.array(["F", "M", "", "F", "x", "F"])
OF_TEXT = (targets.Count, targets.Histogram, targets.Proportion)


def test_a_blank_is_in_no_category_and_its_record_one_of_all() -> None:
    assert targets.Count("F")(TEXTS).tolist() == [3]
    assert targets.Proportion("F")(TEXTS).tolist() == [0.5]
    assert targets.Histogram(categories=("F", "M"))(TEXTS).tolist() == [0.5, 1 / 6]
    assert targets.Histogram(categories=("F", "M"), counts=True)(TEXTS).tolist() == [3, 1]
    share: Any = targets.Proportion("F").of_known_values()
    assert share(TEXTS).tolist() == [3 - 2, 5]
    assert float(share.answer((SEX,)).value(share(TEXTS))) == pytest.approx(3 / 5)


def test_a_missing_number_is_no_longer_the_middle_of_its_bounds() -> None:
    table = read_csv(b"age\n60\n\n10\n\n", "t", public=False).declared(AGE)
    for target, wanted in (
        (targets.Proportion(interval=(50, 70)), [0.25]),
        (targets.Histogram(edges=(0, 50, 120)), [0.25, 0.25]),
        (targets.Histogram(edges=(0, 50, 120), counts=True), [1, 1]),
        (targets.Proportion(interval=(50, 70)).of_known_values(), [0, 2]),
    ):
        prepared = table.prepare(("age",), target)
        assert target(prepared).tolist() == wanted
    texts = read_csv(b"sex\nF\n\nM\n", "t", public=False).declared(Column("sex", role="text", categories=("F", "M")))
    for target in (targets.Count("F"), targets.LetterCounts()):
        assert texts.prepare(("sex",), target).tolist() == ["F", "", "M"]


@pytest.mark.parametrize("kind", OF_TEXT)
def test_categories_of_text_are_found_and_text_without_them_is_not(kind: Any) -> None:
    assert kind in takers(OF_TEXT, (SEX,))
    assert suited(kind, (NOTE,)) is None
    made = suited(kind, (SEX,))
    assert len(made(TEXTS)) == len(suited(kind, (Column("yes", categories=(0.0, 1.0)),))(np.array([0.0, 1.0, np.nan])))
    with pytest.raises(InvalidValueError, match="texts"):
        made(np.array([1.0, 2.0]))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE])
@pytest.mark.parametrize(
    ("target", "worst", "lost"),
    [
        (targets.Histogram(categories=("F", "M"), counts=True), (2, 2**0.5, 1, 2), (1, 1, 1, 1)),
        (targets.Proportion("F").of_known_values(), (2, 2, 2, 2), (2, 2**0.5, 1, 2)),
    ],
    ids=["counts", "share"],
)
def test_worst_cases_are_reached_and_never_exceeded(
    target: Any, worst: tuple[float, ...], lost: tuple[float, ...], norm: Norm, n: int
) -> None:
    place = [L1, L2, LINF, RANGE].index(norm)
    extended = np.array(list(product(("F", "M", "x", ""), repeat=n + 1)))
    found = max(float(norm(target(records[:n]) - target(np.delete(records, n - 1)))) for records in extended)
    proof = target.global_sensitivity(norm, n)
    assert proof is not None
    assert found <= proof.value <= worst[place] * (1 + 1e-12)
    assert found == pytest.approx(worst[place], rel=1e-9)
    gone = max(float(norm(target(np.array([text])) - target(np.array([""])))) for text in ("F", "M", "x"))
    assert gone <= target.lost(norm, 1) <= lost[place] * (1 + 1e-12)
    assert gone == pytest.approx(lost[place], rel=1e-9)


def test_an_oracle_of_texts_has_their_chances_and_so_true_distances_but_no_order() -> None:
    oracle = oracles.Categorical((0.2, 0.8), ("F", "M"))
    assert oracles.Categorical.suited((SEX,)) == oracles.Categorical((0.5, 0.5), ("F", "M"))
    assert oracles.Categorical.suited((Column("c", categories=(0.0, 1.0)),)) == oracles.Categorical((0.5, 0.5))
    assert inverse_of(oracle) is None
    assert oracle.support is None
    drawn = oracle.draw(200, 100, rng=np.random.default_rng(1))
    assert drawn.dtype == np.dtype("U1")
    assert (drawn == "F").mean() == pytest.approx(0.2, abs=0.02)
    for target in (targets.Proportion("F"), targets.Histogram(categories=("F", "M"))):
        cdf = true_cdf(target, oracle, L1, 10)
        assert cdf is not None
        sample = sample_sensitivity(target, oracle, norm=L1, n=10, at=OperatingPoint.for_sample_size(20_000), seed=1)
        assert float(cdf(np.array(0.0))) == pytest.approx((sample.distances == 0).mean(), abs=0.02)
    with pytest.raises(InvalidValueError, match="different texts"):
        oracles.Categorical((0.2, 0.8), ("F",))


def test_a_share_of_the_records_is_missing_and_so_values_get_lost() -> None:
    oracle = oracles.WithMissing(oracles.Uniform(0, 1), 0.25)
    drawn = oracle.draw(100, 200, rng=np.random.default_rng(1))
    assert np.isnan(drawn).mean() == pytest.approx(0.25, abs=0.02)
    texts = oracles.WithMissing(oracles.Categorical((0.5, 0.5), ("F", "M")), 0.25).draw(100, 200, rng=np.random.default_rng(1))
    assert (texts == "").mean() == pytest.approx(0.25, abs=0.02)
    asked = targets.Mean((0.0, 1.0)).of_known_values()
    sample = sample_sensitivity(asked, oracle, norm=LINF, n=10, at=OperatingPoint.for_sample_size(2_000), seed=1)
    assert (sample.distances >= 1).mean() > 0.35  # of pairs 3 in 8 lose or find a value, and then their number moves by 1
    for wrong in (0.0, 1.0, -0.1, np.nan):
        with pytest.raises(InvalidValueError, match="share"):
            oracles.WithMissing(oracles.Uniform(0, 1), wrong)
    with pytest.raises(InvalidValueError, match="single column"):
        oracles.WithMissing(oracles.TwoClasses(2), 0.1).draw(1, 1, rng=np.random.default_rng(1))


def test_named_columns_are_drawn_under_their_names_and_found_by_them() -> None:
    laws = {"age": oracles.Uniform(0, 9), "sex": oracles.Categorical((0.5, 0.5), ("F", "Mx"))}
    oracle = of_fields(laws)
    drawn = oracle.draw(3, 4, rng=np.random.default_rng(1))
    assert drawn.shape == (3, 4)
    assert [(name, drawn.dtype[name].str) for name in drawn.dtype.names or ()] == [("age", "<f8"), ("sex", "<U2")]
    assert laws_of(oracle, ()) == laws
    assert laws_of(laws["age"], ("a",)) == {"a": laws["age"]}
    assert laws_of(oracles.RegressionPrior(), ("a", "b")) == {}
    pair = tuple(laws.values())
    for names in (("a",), ("a", "a"), ("a", ""), "ab", ("a", 1)):
        wrong: Any = names
        with pytest.raises(InvalidValueError, match="names"):
            oracles.IndependentColumns(pair, wrong)
    with pytest.raises(InvalidValueError, match="columns with names"):
        oracles.IndependentColumns(pair).draw(1, 1, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    "made",
    [
        lambda: targets.Histogram(categories=("F", "F\0")),
        lambda: targets.Count("\0"),
        lambda: targets.Proportion("F\0"),
        lambda: targets.Proportion("\0"),
        lambda: Filter("sex", "\0"),
        lambda: GroupBy("sex", ("F", "F\0")),
        lambda: oracles.Categorical((0.5, 0.5), ("F", "F\0")),
        lambda: Column("sex", role="text", categories=("F", "\0")),
    ],
    ids=["histogram", "count", "share", "known share", "condition", "groups", "oracle", "column"],
)
def test_no_two_categories_are_one_in_an_array_and_none_is_a_missing_value(made: Any) -> None:
    """Arrays of texts drop the character 0 from the end: one record would be in two categories, beyond the proved worst case."""
    with pytest.raises(InvalidValueError, match="without the character 0"):
        made()
