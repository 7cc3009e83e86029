"""What every oracle keeps to, a function each: AssertionError where it does not. Tests run them on right and on wrong ones.

Laws are compared by two-sample Kolmogorov–Smirnov distances on ranks' scale, so that heavy tails and atoms are as good as any.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle, chances, difference_cdf
from dpcore.oracles import Mixture, WithMissing
from tests.contracts.global_state import global_state, set_global_state

NUMBER = 30_000  # databases: a standard deviation 15 % off is .034 away, where two samples of so many are refused from .027 on
SIZE = 1e-9  # of each comparison
LONG = 5  # records of a long database
ERRORS = 6.0  # standard errors, beyond which two in 1e9 lie
SHARES = np.arange(1, 256) / 256


def generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def numbers(drawn: Database) -> FloatArray:
    """(databases, records, ...) -> (databases, records, columns): the values, or of texts their lengths; −999 of missing ones."""
    if drawn.dtype.names is not None:
        return np.concatenate([numbers(drawn[name]) for name in drawn.dtype.names], axis=2)
    values: FloatArray = np.strings.str_len(drawn).astype(float) if drawn.dtype.kind == "U" else drawn
    return np.where(np.isnan(values), -999.0, values).reshape(*drawn.shape[:2], -1)


def same(drawn: Database, other: Database) -> bool:
    """To the bit, so that missing values are alike."""
    return drawn.shape == other.shape and drawn.dtype == other.dtype and drawn.tobytes() == other.tobytes()


def may_draw_missing(oracle: Any) -> bool:
    """Whether values may be missing: some are left out on purpose, or a public table lacks them."""
    made_of_a_table = hasattr(oracle, "records")
    return (
        isinstance(oracle, WithMissing)
        or made_of_a_table
        or any(map(may_draw_missing, oracle.parts if isinstance(oracle, Mixture) else oracle.columns))
    )


def draws_databases_of_records(oracle: Oracle) -> None:
    assert isinstance(oracle, Oracle)
    kinds = set()
    for databases, records in ((1, 1), (1, 7), (5, 1), (3, 4)):
        drawn = oracle.draw(databases, records, rng=generator(12))
        assert drawn.shape[:2] == (databases, records)
        assert drawn.dtype == np.float64 or drawn.dtype.names or (drawn.dtype.kind == "U" and drawn.ndim == 2)
        assert np.isfinite(numbers(drawn)).all()
        assert may_draw_missing(oracle) or not (numbers(drawn) == -999.0).any()
        kinds.add((drawn.shape[2:], drawn.dtype))
    assert len(kinds) == 1


def depends_on_its_generator_alone(oracle: Oracle) -> None:
    """The same generator gives the same, another another; the process's own ones are neither read nor moved."""
    set_global_state(1)
    before, rng = global_state(), generator(1)
    first = oracle.draw(20, 20, rng=rng)
    assert global_state() == before
    assert rng.bit_generator.state != generator(1).bit_generator.state
    set_global_state(2)
    assert same(first, oracle.draw(20, 20, rng=generator(1)))
    assert not same(first, oracle.draw(20, 20, rng=generator(2)))
    if oracle.draws_in_order is True:
        assert same(first, oracle.draw(25, 20, rng=generator(1))[:20])


def gives_its_draws_away(oracle: Oracle) -> None:
    """What was drawn belongs to the caller, and a pickled oracle draws the same."""
    drawn = oracle.draw(2, 3, rng=generator(12))
    before = drawn.copy()
    drawn[...] = np.zeros((), dtype=drawn.dtype)
    assert same(oracle.draw(2, 3, rng=generator(12)), before)
    again = pickle.loads(pickle.dumps(oracle))
    assert same(again.draw(2, 3, rng=generator(12)), before)


def shorter_databases_have_the_law_of_the_first_records(oracle: Oracle) -> None:
    """draw(b, 1) and draw(b, 2) against the first of draw(b, 5): each number, and how the two records stand to one another."""
    long = numbers(oracle.draw(NUMBER, LONG, rng=generator(2)))
    for records in (1, 2):
        short = numbers(oracle.draw(NUMBER, records, rng=generator(records + 2)))
        for a, b in zip(_looks(short), _looks(long[:, :records]), strict=True):
            assert not apart(a, b), f"the law of {records} records is another where {LONG} are drawn"


def no_place_is_special(oracle: Oracle) -> None:
    """The first two of five records against the last two, and against the first and the last."""
    one, other = (numbers(oracle.draw(NUMBER, LONG, rng=generator(seed))) for seed in (5, 6))
    for places in ([LONG - 1, LONG - 2], [0, LONG - 1]):
        for a, b in zip(_looks(one[:, :2]), _looks(other[:, places]), strict=True):
            assert not apart(a, b), f"records {places} have another law than the first two"


def databases_are_independent(oracle: Oracle) -> None:
    """Neighbouring ones of one call, and two calls: each number, its size, and whether two are equal."""
    drawn = numbers(oracle.draw(NUMBER, 2, rng=generator(4)))
    assert_unrelated(drawn[:-1, 0], drawn[1:, 0], "neighbouring databases")
    for a, b in zip(_looks(drawn), _looks(numbers(oracle.draw(NUMBER, 2, rng=generator(9)))), strict=True):
        assert not apart(a, b), "two calls draw from different laws"


def records_are_independent_where_it_says_so(oracle: Oracle) -> None:
    """Two records of one database beside each other, and the ends of five."""
    if not oracle.independent_records:
        return
    assert_unrelated(*np.moveaxis(numbers(oracle.draw(NUMBER, 2, rng=generator(7))), 1, 0), "the two records")
    drawn = numbers(oracle.draw(NUMBER, LONG, rng=generator(8)))
    assert_unrelated(drawn[:, 0], drawn[:, -1], "the first and the last record")
    assert_unrelated(drawn[:, 0], drawn[:, 1:].mean(axis=1), "a record and the mean of the rest")


def keeps_its_bounds(oracle: Any) -> None:
    """Records beyond them lie on them, and no other record is changed."""
    if getattr(oracle, "bounds", None) is None:
        return
    low, high = oracle.bounds
    drawn = oracle.draw(500, 5, rng=generator(12))
    free = dataclasses.replace(oracle, bounds=None).draw(500, 5, rng=generator(12))
    assert (drawn == np.clip(free, low, high)).all()
    assert (drawn != free).any()
    assert len(np.unique(drawn)) > 2, "the bounds leave two values: nothing is tried"


def its_inverse_has_the_law_of_its_draws(oracle: Any) -> None:
    """F⁻¹(u) = inf{x: F(x) >= u}: F_m(x−) <= u <= F_m(x) at x = F⁻¹(u) up to what 30,000 records can be off, .019 at 1e-9."""
    inverse = oracle.inverse
    if not callable(inverse):
        return
    assert oracle.independent_records, "an inverse of records that are not independent"
    edges = np.asarray(inverse(SHARES))
    assert edges.shape == SHARES.shape
    assert np.isfinite(inverse(np.array([[1e-12, 0.5], [0.5, 1 - 1e-12]]))).all()
    assert (np.diff(edges) >= 0).all()
    ordered = np.sort(oracle.draw(NUMBER, 1, rng=generator(10)), axis=None)
    below, upto = (np.searchsorted(ordered, edges, side=side) / NUMBER for side in ("left", "right"))
    off = max(float((below - SHARES).max()), float((SHARES - upto).max()))
    assert off < np.sqrt(np.log(2 / SIZE) / (2 * NUMBER)), f"{off:.1%} of the records are on the other side of the inverse"


def its_difference_has_the_law_of_its_draws(oracle: Any) -> None:
    """P(|x − x'| <= d) against 30,000 pairs of records, just below and at each distance: off by .019 at most, at 1e-9."""
    known = difference_cdf(oracle)
    if known is None:
        assert not callable(oracle.difference_cdf), "a difference of records that are not independent"
        return
    drawn = oracle.draw(NUMBER, 2, rng=generator(11))
    assert drawn.shape == (NUMBER, 2), "a difference of records that are not single numbers"
    distances = np.sort(np.abs(drawn[:, 0] - drawn[:, 1]))
    places = np.unique(distances.round(12))
    width = 1e-9 * (places[-1] or 1.0)
    for at in (places - width, places + width):
        off = np.abs(np.searchsorted(distances, at, side="right") / NUMBER - known(at)).max()
        assert off < np.sqrt(np.log(2 / SIZE) / (2 * NUMBER)), f"the law of the difference is off by {off:.1%}"
    assert (known(np.array([[-1e-300, -1.0]])) == 0).all()
    assert known(np.array(1e300)) == 1


def its_chances_are_those_of_its_draws(oracle: Any) -> None:
    """They sum to 1, and each is as often drawn as it says, to six standard errors of 30,000 records."""
    known = chances(oracle)
    if known is None:
        assert oracle.chances is None, "chances of records that are not independent"
        return
    assert abs(sum(known.values()) - 1) < 1e-9
    drawn = oracle.draw(NUMBER, 1, rng=generator(13))
    assert set(np.unique(drawn)) <= set(known), "values that it does not list"
    for value, chance in known.items():
        error = np.sqrt(chance * (1 - chance) / NUMBER) + 1 / NUMBER
        assert abs((drawn == value).mean() - chance) < ERRORS * error, f"{value} is not drawn with chance {chance}"


def stays_in_its_support(oracle: Any) -> None:
    """No record of 60,000 lies outside."""
    inside = oracle.support
    if inside is None:
        return
    drawn = oracle.draw(NUMBER, 2, rng=generator(14))
    low, high = inside
    assert low < high
    assert low <= drawn.min()
    assert drawn.max() <= high


CHECKS: tuple[Callable[[Any], None], ...] = (
    draws_databases_of_records,
    depends_on_its_generator_alone,
    gives_its_draws_away,
    shorter_databases_have_the_law_of_the_first_records,
    no_place_is_special,
    databases_are_independent,
    records_are_independent_where_it_says_so,
    keeps_its_bounds,
    its_inverse_has_the_law_of_its_draws,
    its_difference_has_the_law_of_its_draws,
    its_chances_are_those_of_its_draws,
    stays_in_its_support,
)


def apart(a: FloatArray, b: FloatArray) -> bool:
    """Two-sample Kolmogorov–Smirnov by its limit 2·exp(−n d²), which atoms make smaller still: wrong with ``SIZE`` at most."""
    a, b = np.sort(a), np.sort(b)
    places = np.concatenate([a, b])
    cdfs = [np.searchsorted(values, places, side="right") / len(values) for values in (a, b)]
    limit = np.sqrt(np.log(2 / SIZE) / len(a))
    return bool(np.abs(cdfs[0] - cdfs[1]).max() > limit)


def _looks(drawn: FloatArray) -> Iterator[FloatArray]:
    """(databases, one or two records, columns): each number, and of two records their difference and their larger."""
    for column in np.moveaxis(drawn, -1, 0):
        yield column[:, 0]
        if column.shape[1] == 2:
            yield np.abs(column[:, 0] - column[:, 1])
            yield column.max(axis=1)


def assert_unrelated(first: FloatArray, second: FloatArray, what: str) -> None:
    """(size, columns) each: no two features correlate beyond 6 standard errors; as often equal as where nothing is shared."""
    one, other = _features(first), _features(second)
    table = one.T @ other / len(one)
    assert np.abs(table).max() * np.sqrt(len(one)) < ERRORS, f"{what} are not independent"
    equal = (first == second).all(axis=1), (first[:-1] == second[1:]).all(axis=1)
    rates = [float(same.mean()) for same in equal]
    error = np.sqrt(sum(rate * (1 - rate) for rate in rates) / len(first)) + 1 / len(first)
    assert abs(rates[0] - rates[1]) < ERRORS * error, f"{what} are equal too often, or too rarely"


def _features(values: FloatArray) -> FloatArray:
    """(size, columns) -> (size, features), each of mean 0 and variance 1: ranks, how far from the middle, products of columns."""
    ranks = np.stack([_ranks(column) for column in values.T], axis=1)
    high = ranks > 0
    parts = [ranks, np.abs(ranks), *(ranks * high[:, [j]] for j in range(ranks.shape[1]) if ranks.shape[1] > 1)]
    found = np.concatenate(parts, axis=1)
    found = found - found.mean(axis=0)
    spread = found.std(axis=0)
    return np.asarray(found[:, spread > 1e-6] / spread[spread > 1e-6])


def _ranks(values: FloatArray) -> FloatArray:
    """Mean ranks, ties alike, from −1/2 to 1/2."""
    order = np.argsort(values)
    ordered = values[order]  # numpy looks up what is in order several times sooner
    ranks = np.empty(len(values))
    ranks[order] = np.searchsorted(ordered, ordered, side="left") + np.searchsorted(ordered, ordered, side="right")
    return ranks / (2 * len(values)) - 0.5
