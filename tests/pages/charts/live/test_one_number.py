"""One number under the hand: its dots, its densities and its ± are those of Python at each γ and ε."""

from __future__ import annotations

from base64 import b64decode

import numpy as np
import pytest

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.charts import live
from pages.charts.live.encoded import exactly
from pages.charts.responses import DOTS, beyond, of_noise, stacked
from tests.pages.charts.live.node import Node
from tests.pages.charts.live.test_look import CASES

_FOLLOWED = "return followed(live.Answers, data, tables, at);"
_OFF = 0.031


@pytest.mark.parametrize("name", ["Laplace", "Gaussian", "worst case leads"])
def test_dots_lie_where_python_stacks_them_and_as_many_beyond(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(340)
    raw = float(question.exact.value[0])
    data = live.answers(question.at(*at[0]), "dots", _OFF)
    found = node.run(_FOLLOWED, data=data, tables=question.tables, at=at)
    many = set()
    for point, (chart,) in zip(at, found, strict=True):
        shown = question.at(*point)
        noise = np.sort(of_noise(question.leading(shown).law))
        x, y = stacked(noise, float(np.abs(noise).max()), _OFF)
        wrong = np.abs(noise) > _OFF
        right_mark, wrong_mark = chart["marks"][:2]
        assert np.array(right_mark["xs"]) - raw == pytest.approx(x[~wrong], abs=1e-12 * max(1, np.abs(x).max()))
        assert np.array(wrong_mark["xs"]) - raw == pytest.approx(x[wrong], abs=1e-12 * max(1, np.abs(x).max()))
        assert (right_mark["ys"], wrong_mark["ys"]) == (y[~wrong].tolist(), y[wrong].tolist())
        many.add(beyond(noise, _OFF))
        assert wrong_mark["label"] == f"wrong beyond ± {figure(_OFF)}: {beyond(noise, _OFF)} of {DOTS}"
        assert f"At ε = {point[1]:g}, {beyond(noise, _OFF)} of {DOTS}" in chart["said"]
    assert len(many) > 15


def test_a_stack_is_python_s_wherever_the_lines_are(node: Node) -> None:
    rng = np.random.default_rng(4)
    noise = np.sort(rng.standard_cauchy((1_000, 20)), axis=1)
    offs = np.concatenate([[0.0], 10 ** rng.uniform(-3, 2, 999)])
    reaches = np.abs(noise).max(axis=1)
    found = node.run(
        "return Array.from(offs, (off, i) => live.stacked(noise.slice(20 * i, 20 * i + 20), reaches[i], off));",
        noise=exactly(noise),
        reaches=exactly(reaches),
        offs=exactly(offs),
    )
    for (xs, ys), each, reach, off in zip(found, noise, reaches, offs, strict=True):
        x, y = stacked(each, float(reach), float(off))
        assert xs == x.tolist()
        assert ys == y.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Laplace", "Gaussian", "no worst case"])
def test_densities_are_the_laws(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(120)
    raw = float(question.exact.value[0])
    data = live.answers(question.at(*at[0]), "density", _OFF)
    places = np.frombuffer(b64decode(data["at"]["f8"]))
    assert places[[0, -1]] == pytest.approx([-30, 30])
    found = node.run(_FOLLOWED, data=data, tables=question.tables, at=at)
    for point, (chart,) in zip(at, found, strict=True):
        shown = question.at(*point)
        sampled, worst = chart["marks"][:2]
        for mark, noise in ((sampled, shown.noise), (worst, shown.worst)):
            if noise is None:
                assert mark["xs"] == []
                continue
            offsets = places * noise.law.scale
            assert np.array(mark["xs"]) == pytest.approx(raw + offsets, rel=1e-12)
            assert np.array(mark["ys"]) == pytest.approx(noise.law.density(offsets), rel=1e-12)


@pytest.mark.parametrize("name", ["Laplace", "Gaussian", "worst case leads"])
def test_the_reach_reads_as_the_headline_says_it(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(340, seed=6)
    said = live.said(question.at(*at[0]))
    found = node.run(
        "return at.map(([gamma, epsilon]) => live.saidOf(said.kind, live.looked(tables, gamma, epsilon), said));",
        said=said,
        tables=question.tables,
        at=at,
    )
    for point, slots in zip(at, found, strict=True):
        shown = question.at(*point)
        half = question.leading(shown).law.half_width(SHARE_WITHIN)
        assert slots["reach"] == counted(f"± {figure(half)}", " minutes") == shown.short_reach(question.leading(shown))
        assert slots["weaker"] == shown.short_reach(shown.noise)
