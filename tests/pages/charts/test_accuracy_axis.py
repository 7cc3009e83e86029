"""The second axis of the sensitivity CDF: each tick stands where a guesser is right so often, and it follows ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.guarantees.guesser import Guesser, LaplaceNoise, LossBound, NormalNoise, PromiseBound
from pages.old.charts import sensitivity_cdf
from pages.old.charts.accuracy_axis import TITLE, with_accuracies
from pages.old.charts.moving import settled

SAMPLE = sample_sensitivity(
    targets.Mean(), oracles.Exponential(1.0), norm=L1, n=500, at=OperatingPoint.for_both(199, 0.05), seed=1
)
VALUE = SAMPLE.order_statistic


def _axis(guesser: Guesser, right: float = 2.0, covered: float = 1.0) -> Any:
    _, layout = with_accuracies(guesser, right, covered)
    (title,) = layout["annotations"]
    return settled(layout["xaxis2"])[0] | {"title": title["text"]}


@pytest.mark.parametrize(
    "guesser", [LaplaceNoise(0.2, exact=True), NormalNoise(0.3), LossBound(0.2)], ids=["Laplace", "Normal", "loss"]
)
def test_each_tick_stands_where_he_is_right_so_often(guesser: Guesser) -> None:
    axis = _axis(guesser)
    assert axis["tickvals"][0] == 0
    assert len(axis["tickvals"]) >= 4
    for at, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        assert float(guesser.right(at)) == pytest.approx(float(text) / 100)
    assert axis["title"] == (TITLE if guesser.exact else f"{TITLE}, at most")


def test_what_a_guarantee_alone_says_has_no_tick_beyond_it() -> None:
    axis = _axis(PromiseBound(1.0, 0.0, 1.0))
    assert axis["tickvals"] == [0, 1.0]
    assert axis["ticktext"] == ["50", "73.1"]


def test_the_chart_has_it_at_the_top_and_it_follows_epsilon() -> None:
    seen = []
    for epsilon in (0.5, 1.0, 4.0):
        guesser = Laplace().calibrate(SAMPLE.sensitivity(), PureDP(epsilon)).guesser(1)
        figure = sensitivity_cdf(SAMPLE, guesser=guesser, covered=VALUE)
        assert figure.layout.xaxis2.side == "top"
        assert list(figure.layout.xaxis2.range) == list(figure.layout.xaxis.range)
        assert any(trace.xaxis == "x2" for trace in figure.data), "an axis of nothing is not drawn"
        seen.append(dict(zip(figure.layout.xaxis2.ticktext, figure.layout.xaxis2.tickvals, strict=True)))
    at_one = VALUE * (1 + 1e-9)
    assert seen[1]["75"] == pytest.approx(2 * at_one * np.log(2))
    assert seen[2]["75"] == pytest.approx(seen[1]["75"] / 4)
    assert "75" not in seen[0], "beyond the right edge"


def test_what_lies_beyond_is_shaded_and_named_where_there_is_room() -> None:
    guesser = LaplaceNoise(VALUE, exact=True)
    figure = sensitivity_cdf(SAMPLE, guesser=guesser, covered=VALUE)
    (shade,) = figure.layout.shapes
    assert (shade.x0, shade.x1) == (VALUE, figure.layout.xaxis.range[1])
    assert [words.text for words in figure.layout.annotations] == [TITLE, "not protected"]
    narrow = sensitivity_cdf(SAMPLE, guesser=guesser, covered=float(SAMPLE.distances.max()))
    assert len(narrow.layout.shapes) == 1
    assert [words.text for words in narrow.layout.annotations] == [TITLE, ""]
    none = sensitivity_cdf(SAMPLE, guesser=guesser)
    (nothing,) = none.layout.shapes
    assert nothing.x0 == nothing.x1
