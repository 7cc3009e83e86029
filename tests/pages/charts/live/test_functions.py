"""The functions of rules: in JavaScript they give what Python's give, whatever they are asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.mechanisms.exponential import SelectionLaw
from pages.old.charts import moving
from pages.old.charts.encoded import exactly
from pages.old.charts.moving import Moving
from tests.pages.charts.live.node import Node

_RUN = "return rules.map((rule) => live.workedOut(rule, look));"


def _both(node: Node, *of: Moving, **look: float) -> None:
    found = node.run(_RUN, rules=[one.rule for one in of], look=look)
    for one, value in zip(of, found, strict=True):
        wanted = one.value.tolist() if isinstance(one.value, np.ndarray) else one.value
        assert value == (wanted if isinstance(wanted, (str, bool)) else pytest.approx(wanted, rel=1e-15, nan_ok=True)), one.rule


def test_arithmetic_texts_and_choices(node: Node) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        a, b = (float(x) for x in rng.normal(size=2) * 10 ** rng.uniform(-4, 4, 2))
        x, y, many = moving.named("x", a), moving.named("y", b), rng.normal(size=7)
        _both(
            node,
            x + y,
            x - 2,
            3 - x,
            many * x,
            x / y,
            1 / y,
            many / x,
            many + x * y - many,
            moving.joined(0, x, many * y, math.nan),
            moving.least(x, many, y),
            moving.most(many * x, 1),
            moving.at_most(x, y),
            moving.where(moving.at_most(x, y), x, many),
            moving.round_up(x),
            moving.round_up(y * y),
            moving.figure(x),
            moving.general(y),
            moving.whole(1_000 * abs(b) * moving.named("one", 1.0)),
            moving.counted(x, " rows"),
            *(
                moving.distance(x, after)
                for after in (" years", " days", " seconds", " weeks", " metres", " grams", " votes", "")
            ),
            moving.words_of("a ", moving.figure(x), " b <&>", moving.general(y)),
            x=a,
            y=b,
            one=1.0,
        )


def test_a_name_that_nobody_knows_is_an_error(node: Node) -> None:
    body = "try { live.workedOut(['no such', 1], {}); } catch (error) { return error.message; }"
    assert node.run(body) == "no rule is named no such"


@pytest.mark.parametrize("selection", ["gumbel", "permute-and-flip"])
def test_chances_sum_to_one_and_are_the_law_s_for_scores_of_any_size(node: Node, selection: Any) -> None:
    rng = np.random.default_rng(7)
    for size in (2, 3, 17, 100):
        scores = np.round(rng.normal(size=size) * 10 ** rng.uniform(-1, 2), 1)
        levels, times = np.unique(scores, return_counts=True)
        flips = selection == "permute-and-flip"
        nodes, weights = np.polynomial.legendre.leggauss(24) if flips else (np.empty(0), np.empty(0))
        scales = 10 ** rng.uniform(-2, 3, 60)
        given = [exactly(one) for one in (levels - levels[-1], times.astype(float), nodes, weights)]
        found = node.run(
            "return Array.from(scales, (scale) => live.chances(...given, scale));", given=given, scales=exactly(scales)
        )
        for scale, chances in zip(scales, found, strict=True):
            law = SelectionLaw(float(scale), tuple(range(size)), selection)
            _, first = np.unique(scores, return_index=True)
            assert chances == pytest.approx(law.probabilities(scores)[first], rel=1e-12, abs=1e-300)
            assert np.array(chances) @ times == pytest.approx(1, rel=1e-12)
