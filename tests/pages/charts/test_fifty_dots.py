"""Fifty dots: as many lie beyond the lines as the closed form says, rounded, and they are where the law has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import NoiseLaw
from pages.old.charts import moving
from pages.old.charts.fifty_dots import DOTS, LEVELS, beyond, fifty_dots, of_places
from pages.old.charts.noise_rules import even

LAWS: dict[str, tuple[NoiseLaw, Any]] = {
    "Laplace": (LaplaceLaw(0.7), stats.laplace(scale=0.7)),
    "Gaussian": (GaussianLaw(2.5), stats.norm(scale=2.5)),
}


def _of_noise(law: NoiseLaw) -> Any:
    return moving.value_of(even(law, LEVELS, moving.named("scale", law.scale)))


@pytest.mark.parametrize("name", LAWS)
def test_as_many_lie_beyond_as_the_closed_form_says_rounded(name: str) -> None:
    law, known = LAWS[name]
    offsets, found = _of_noise(law), set()
    for off in np.linspace(0, 6 * known.std(), 997)[1:]:
        closed = 50 * 2 * known.sf(off)
        if abs(closed % 1 - 0.5) > 1e-9:
            assert beyond(offsets, off) == round(closed)
        found.add(beyond(offsets, off))
    assert found == set(range(DOTS + 1)), "3 of 50 can be shown as well as 2 or 4"


def test_a_tenth_more_noise_has_other_dots() -> None:
    off = 0.7 * np.log(10)  # one answer in ten lies beyond
    assert beyond(_of_noise(LaplaceLaw(0.7)), off) == 5
    assert beyond(_of_noise(LaplaceLaw(0.77)), off) == 6
    assert beyond(_of_noise(LaplaceLaw(0.63)), off) == 4


def test_of_a_choice_among_places_as_many_lie_beyond_as_its_chances_say() -> None:
    rng = np.random.default_rng(3)
    places = np.sort(rng.normal(size=400))
    chances = rng.dirichlet(np.ones(400))
    offsets = of_places(places - 0.1, chances)
    for off in np.linspace(0, 3, 200):
        closed = 50 * chances[np.abs(places - 0.1) > off].sum()
        assert beyond(offsets, off) == int(np.floor(closed + 0.5 - 1e-12))
    assert set((offsets + 0.1).round(12)) <= set(places.round(12))


@pytest.mark.slow
def test_each_dot_is_on_the_side_of_the_line_that_its_colour_says() -> None:
    for off in np.linspace(0.001, 0.03, 300):
        inside, wrong, *_ = fifty_dots(0.0, _of_noise(LaplaceLaw(0.00652)), off=off).data
        assert not (np.abs(inside.x) > off).any()
        assert not (np.abs(wrong.x) < off).any()
        dots = [*zip(inside.x, inside.y, strict=True), *zip(wrong.x, wrong.y, strict=True)]
        assert len({dot for dot in dots if np.isfinite(dot[0])}) == DOTS


def test_the_figure_counts_them_in_words_and_draws_a_line_on_either_side() -> None:
    law = LaplaceLaw(0.7)
    figure = fifty_dots(10.0, _of_noise(law), off=2.0, unit="€")
    inside, wrong, raw, lines = figure.data
    assert inside.name == "50 equally likely answers"
    many = int(np.isfinite(wrong.x).sum())
    assert wrong.name == f"wrong beyond ± 2: {many} of 50"
    assert many == beyond(_of_noise(law), 2.0) == round(50 * np.exp(-2 / 0.7))
    assert np.isfinite(inside.x).sum() + many == DOTS
    assert inside.marker.symbol != wrong.marker.symbol
    assert [x for x in lines.x if x == x] == [8.0, 8.0, 12.0, 12.0]
    assert raw.x[0] == 10.0
    assert "€" in figure.layout.xaxis.title.text
