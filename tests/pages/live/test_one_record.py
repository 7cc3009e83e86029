"""Under a hand on a record, γ and ε the words are Python's, and a guesser is right as often as Laplace's law says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages.charts.record_strip import MOST_DOTS, dots, record_strip
from pages.experiment.dragged import Dragged

from dpcore import L2, RANGE, Exponential, Gaussian, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.privacy import Adjacency
from pages.charts.moving import named
from pages.experiment import dragged
from pages.explore import one_record, record_words
from pages.shared import counted_odds
from pages.shared.escape import unmarked
from pages.state.view import Shown
from tests.pages.charts.live.asked import Asked, asked, view_of
from tests.pages.charts.live.node import Node
from tests.pages.live.test_counted_odds import laid

_PARTS = targets.Histogram(edges=(0.0, 2.0, 3.0, 5.0))
FREE = Column("a", label="Waiting", unit="minutes")
CASES = {
    "sampled, and a worst case": asked(m=199),
    "no worst case": asked(m=199, target=targets.Mean(), declared=(FREE,), oracle=oracles.Exponential(1.0)),
    "normal": asked(Gaussian(), L2, m=199, delta=1e-6),
    "worst case leads": asked(m=199, oracle=oracles.Uniform(0.0, 8.0)),
    "whole numbers": asked(m=199, target=targets.Count(interval=(2.0, 4.0))),
    "a bound": asked(Exponential(_PARTS.candidates), RANGE, m=199, target=_PARTS),
    "counted or left out": asked(m=199, target=targets.Sum((0.0, 8.0)), adjacency=Adjacency.ADD_OR_REMOVE_ONE_RECORD),
    "a median": asked(m=199, target=targets.Quantile(0.5, bounds=(0.0, 8.0))),
}
_BESIDE = {"sampled": "under random DP", "proved": "under a proved worst case"}
_RUN = """
  const part = new live.Record(document.createElement("div"), { stir() {} });
  part.receive(data);
  const said = (block) => block.children.map((one) => one.nodeValue ?? said(one)).join("");
  return at.map(([place, gamma, epsilon]) => {
    part.move(place);
    part.follow(live.looked(tables, gamma, epsilon));
    const { input, box, words, figure } = part;
    const [sentences, ...arrays] = words.parts;
    const seen = arrays.filter(({ data, root }) => data.figure && !root.hidden);
    return {
      said: sentences.box.children.map(said), value: input.attributes["aria-valuetext"], verdict: box.dataset.verdict,
      track: figure.data.figure.data[2].x, icons: seen.map(({ data }) => data.figure.data[1].x.length),
      captions: seen.map((one) => said(arrays[arrays.indexOf(one) + 1].box)),
    };
  });
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    started = Node(tmp_path_factory.mktemp("live"))
    yield started
    started.close()


def _found(question: Asked, **changes: Any) -> Dragged:
    scenario = question.scenario.with_(**changes)
    found = dragged.dragged(scenario, question.exact.database, question.columns, question.columns[0], lambda: 0.0)
    assert isinstance(found, Dragged)
    return found


def _standing(view: Shown, found: Dragged, at: int) -> list[str]:
    heading, _, body = record_words.standing(view, found, at).partition("\n")
    return [unmarked(heading.removeprefix("### ")), unmarked(body)]


@pytest.mark.parametrize("name", CASES)
def test_words_verdict_and_track_are_python_s_at_each_place(node: Node, name: str) -> None:
    question = CASES[name]
    found, view = _found(question), view_of(question, 0.05, 0.5)
    rng = np.random.default_rng(3)
    at = [[int(rng.integers(len(found.places))), *point] for point in question.points(24)]
    at += [[place, 0.05, 0.5] for place in (0, found.home, len(found.places) - 1)]
    seen = node.run(_RUN, data=record_words.part(view, found), tables=laid(view), at=at)
    for (place, *point), one in zip(at, seen, strict=True):
        there = view_of(question, *point)
        assert one["said"] == _standing(there, found, place), (place, point)
        verdict = record_words.verdict(there, found, place).value
        assert (one["verdict"], one["value"]) == (verdict, f"{found.words[place]}: {verdict}")
        covered = math.inf if there.proved else there.noise.sensitivity.value + there.trials.sample.resolution
        wanted = np.where(found.distances > covered, found.places, np.nan)
        assert np.array_equal(np.array(one["track"], dtype=float), wanted, equal_nan=True)
        guessers = [noise.guesser(there.headline.exact.value.size) for noise in (there.noise, there.worst_noise) if noise]
        counts = [counted_odds.counts(guesser, float(guesser.right(found.distances[place])))[0] for guesser in guessers]
        assert one["icons"] == counts, (place, point)
        ends = [caption.split(" of 100 ")[1] for caption in one["captions"]]
        right, beside = ("proved", "sampled") if there.proved else ("sampled", "proved")
        assert (
            ends == [{right: "guesses are right", beside: _BESIDE[beside]}[which] for which in ("sampled", "proved")][: len(ends)]
        )
    if name in list(CASES)[:3]:
        assert {one["verdict"] for one in seen} == {"protected", "not protected"}


def test_a_guesser_is_right_as_often_as_the_closed_form_of_laplace_noise_says() -> None:
    """1 − ½·exp(−d·ε/(2Δ)) at the distance |x − x_i|/n, for noise sized to Δ̂ and to the worst case, 8/30."""
    question = CASES["sampled, and a worst case"]
    found, view = _found(question), view_of(question, 0.05, 2.0)
    for at in range(0, len(found.places), 7):
        if at == found.home:
            continue
        moved = abs(min(max(found.places[at], 0.0), 8.0) - found.places[found.home]) / 30
        said = record_words.standing(view, found, at)
        times = [int(one) for one in re.findall(r"(?:is right|it is) (\d+)", said)]
        wanted = [1 - 0.5 * math.exp(-moved * 2.0 / (2 * delta)) for delta in (view.noise.sensitivity.value, 8 / 30)]
        assert times == [round(100 * one) for one in wanted]
        assert ("nothing is promised" in said) == (moved > view.noise.sensitivity.value)


def test_at_exactly_the_sensitivity_it_is_protected_and_an_ulp_beyond_not(node: Node) -> None:
    question = CASES["no worst case"]
    found, view = _found(question), view_of(question, 0.05, 0.5)
    delta = view.noise.sensitivity.value
    assert view.trials.sample.resolution == 0
    distances = found.distances.copy()
    distances[0], distances[1] = delta, math.nextafter(delta, math.inf)
    edge = replace(found, distances=distances)
    at = [[0, 0.05, 0.5], [1, 0.05, 0.5]]
    seen = node.run(_RUN, data=record_words.part(view, edge), tables=laid(view), at=at)
    assert [one["verdict"] for one in seen] == ["protected", "not protected"]
    assert [record_words.verdict(view, edge, at).value for at in (0, 1)] == ["protected", "not protected"]
    assert seen[0]["track"][0] is None or math.isnan(seen[0]["track"][0])
    assert seen[0]["track"][1] == edge.places[1]


def test_without_an_answer_at_a_place_or_at_all_it_says_so(node: Node) -> None:
    question = CASES["no worst case"]
    found, view = _found(question), view_of(question, 0.05, 0.5)
    distances = found.distances.copy()
    distances[0] = np.inf
    gone = replace(found, distances=distances)
    at = [[0, 0.05, 0.5], [0, 0.001, 0.5]]
    failed, out_of_reach = node.run(_RUN, data=record_words.part(view, gone), tables=laid(view), at=at)
    assert failed["said"] == _standing(view, gone, 0)
    assert failed["said"][0] == "No answer"
    assert (failed["value"], failed["verdict"], failed["icons"]) == (found.words[0], "", [])
    assert out_of_reach["icons"] == []
    assert out_of_reach["said"] == ["There is no private answer at this choice. So there is nothing to learn from."]


def test_nothing_is_called_protected_by_trials_whose_oracle_knows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shown, "after_an_answer", property(lambda _: True))
    proved, free = (view_of(CASES[name], 0.05, 0.5) for name in ("sampled, and a worst case", "no worst case"))
    found = _found(CASES["sampled, and a worst case"])
    made = record_words.part(proved, found)["words"]["parts"][0]
    assert len(made["icons"]) == 1
    for at in (0, len(found.places) - 1):
        said = record_words.standing(proved, found, at)
        assert said.startswith("### Protected, as every change is")
        assert "random DP" not in said
    assert one_record._why_not(proved, proved.columns) == ""
    assert one_record._why_not(free, free.columns) == one_record._FITTED


def test_sentences_are_short() -> None:
    """A heading and at most three, of at most 25 words each."""
    for name, question in CASES.items():
        found, view = _found(question), view_of(question, 0.05, 0.5)
        for at in (0, found.home, len(found.places) - 1):
            said = unmarked(record_words.standing(view, found, at).partition("\n")[2])
            sentences = re.split(r"(?<=[.!]) (?=[A-Z])", said)
            assert len(sentences) <= 3, (name, said)
            assert max(len(sentence.split()) for sentence in sentences) <= 25, (name, said)


def test_a_hundred_thousand_records_are_five_hundred_dots_in_the_order_of_the_records() -> None:
    found = _found(CASES["no worst case"])
    many = replace(found, others=np.sort(np.random.default_rng(2).exponential(size=100_000)))
    x, y = dots(many)
    assert len(x) == MOST_DOTS
    assert (np.diff(x) >= 0).all()
    assert 0 < y.min() < y.max() < 1
    wide = (many.places[-1] - many.places[0]) / 100
    thinned = many.others[np.linspace(0, 99_999, MOST_DOTS).astype(int)]
    assert np.abs(x - thinned).max() <= wide
    none = replace(found, others=np.empty(0))
    assert record_strip(none, named("beyond", 1.0))[0].ready()["data"][0]["x"].size == 0
