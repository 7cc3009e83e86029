"""What could somebody learn about you: sentences and icons that count what the closed form says, and trials by their records."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from pages.old.explore.learned import EDGE, LEFT_OUT, TYPICAL
from streamlit.testing.v1 import AppTest

from dpcore.mechanisms.gaussian import analytic_scale
from dpcore.sampling.sampler import drawn_again
from pages.old.charts.drawn import BLUE, VERMILION
from tests.pages.visit import confidential, everything, link, pick, slide, sound, text, visit

_ROW = re.compile(
    r"[Ii]f this row is in, (\d+) of 100 possible answers lie on this row's side; if another row stands in its place, (\d+)\."
)
_COVERED = re.compile(r"\*\*(\d+) of 100\*\* if this row is in\]\n:small\[\*\*(\d+) of 100\*\* if another row")
_CANARIES = [7654.3211, 1234.5677]
_LEFT_OUT = "Nothing is promised here: a change further out can be told more often."


def _section(app: AppTest) -> str:
    return text(app).partition("## What could somebody learn about ")[2].partition("?")[2]


def _icons(app: AppTest) -> list[tuple[int, int, str]]:
    """Filled icons, rings that are left of 100 and the colour of what is filled, of each array."""
    images = re.findall(r"base64,([^\"]+)\"[^>]+alt=\"Icons", "".join(element.proto.body for element in app.get("html")))
    return [_seen(b64decode(image).decode()) for image in images]


def _seen(picture: str) -> tuple[int, int, str]:
    rings, *filled = re.findall(r'<path d="([^"]*)"([^/]*)/>', picture)
    assert 'fill="none"' in rings[1]
    many = sum(d.count("M") for d, _ in filled)
    return (
        many,
        rings[0].count("M") - many,
        "".join(re.findall(r'fill="(?:var\(--\w+, )?(#\w+)', "".join(look for _, look in filled))),
    )


def _trial(app: AppTest, which: str) -> str:
    return _section(sound(app.button_group(key="trial").set_value(which).run()))


def _laplace(distance: float, epsilon: float, sensitivity: float) -> float:
    return 1 - 0.5 * math.exp(-distance * epsilon / (2 * sensitivity))


@pytest.mark.parametrize(("epsilon", "yours", "theirs"), [(0.5, 61, 39), (1.0, 70, 30), (2.0, 82, 18)])
def test_the_sentence_and_the_icons_of_a_covered_change_count_the_closed_form(epsilon: float, yours: int, theirs: int) -> None:
    assert (yours, theirs) == (round(100 * _laplace(1, epsilon, 1)), round(100 - 100 * _laplace(1, epsilon, 1)))
    app = link(epsilon=epsilon)
    assert _COVERED.findall(_section(app))[0] == (str(yours), str(theirs))
    assert f"The best guesser is right {yours} times in 100" in _section(app)
    assert _icons(app)[:2] == [(yours, 100 - yours, BLUE), (theirs, 100 - theirs, BLUE)]


def test_the_furthest_trial_that_is_left_out_stands_beside_it() -> None:
    app = visit()
    distances = next(iter(app.session_state["explored"].values())).distances
    value, furthest = np.sort(distances)[189], distances.max()
    right = _laplace(furthest, 1.0, value)
    assert _ROW.findall(_section(app))[0] == (str(round(100 * right)), str(round(100 - 100 * right)))
    assert [count for count, _, _ in _icons(app)[2:]] == [round(100 * right), round(100 - 100 * right)]
    assert {colour for *_, colour in _icons(app)[2:]} == {VERMILION}


@pytest.mark.parametrize("which", [TYPICAL, EDGE, LEFT_OUT])
def test_a_trial_names_its_records_its_distance_and_how_often_a_guesser_is_right(which: str) -> None:
    app = visit()
    said = _trial(app, which)
    sample = next(iter(app.session_state["explored"].values()))
    order = np.argsort(sample.distances, kind="stable")
    pair = int(order[{TYPICAL: 99, EDGE: 189, LEFT_OUT: 198}[which]])
    made: Any = drawn_again(sample, pair, most=10**6)
    before, after = (float(f"{float(record):.3g}") for record in (made.before, made.after))
    assert f"The row **{before:g} years** was replaced by the row **{after:g} years**, both made up by the oracle." in said
    distance = float(sample.distances[pair])
    assert f"The answer moved by {float(f'{distance:.3g}'):g} years." in said
    right = round(100 * _laplace(distance, 1.0, sample.distances[order[189]]))
    assert f"The best guesser is right {right} times in 100 (a coin: 50)." in said
    assert abs(before - after) / 500 == pytest.approx(distance, rel=0.02)


def test_where_no_trial_is_beyond_a_sentence_says_so() -> None:
    app = slide(visit(), "m", 19)
    assert "None of the 19 trials is beyond Δ̂." in _section(app)
    assert len(_icons(app)) == 2
    assert "None of the trials is left out." in _trial(app, LEFT_OUT)


def test_of_a_confidential_table_no_record_is_shown() -> None:
    content = ("income\n" + "\n".join(f"{_CANARIES[i % 2] + i // 2:.4f}" for i in range(60))).encode()
    app = confidential(content, 0, 10_000)
    for which in (TYPICAL, EDGE, LEFT_OUT):
        assert "both made up by the oracle" in (said := _trial(app, which)) or "None of the trials" in said
        for canary in _CANARIES:
            assert f"{canary:.2f}" not in everything(app)


def test_gaussian_noise_is_counted_by_its_own_formula() -> None:
    app = link(mechanism={"kind": "Gaussian", "calibration": "analytic"}, norm="L2", delta=1e-6)
    right = 0.5 * math.erfc(-0.5 / analytic_scale(1.0, 1e-6) / math.sqrt(2))
    assert _COVERED.findall(_section(app))[0] == (str(round(100 * right)), str(round(100 - 100 * right)))
    assert "“at most 74 times in 100”" in _section(app)


def test_a_choice_has_a_bound_and_no_icons() -> None:
    app = pick(visit(), "table", "scientists")
    said = _section(app)
    assert _icons(app) == []
    assert "Whoever guesses is right at most 74 times in 100" in said
    assert "Each number here is a bound" in said


def test_random_dp_promises_of_protected_changes_alone_and_nothing_of_those_left_out() -> None:
    said = _section(visit())
    assert "The guarantee here is random DP, ε = 1, γ = 0.05. Somebody may know all other rows" in said
    assert "can be less than “at most 74 times in 100”, which random DP promises of protected changes alone." in said
    assert _LEFT_OUT in said.partition("### Left out")[2]


def test_dp_proper_promises_of_every_change_and_leaves_nobody_out() -> None:
    said = _section(pick(visit(), "target", "Proportion"))
    assert "The guarantee here is pure DP, ε = 1. " in said
    assert "“at most 74 times in 100”, which is promised of every change." in said
    assert "No change is left out: the noise is sized to the worst case over all tables." in said
    assert _LEFT_OUT not in said


def test_at_a_large_epsilon_no_count_says_that_somebody_is_sure() -> None:
    app = link(epsilon=20.0)
    assert "The best guesser is right over 99 times in 100" in _section(app)
    body = "".join(element.proto.body for element in app.get("html"))
    assert 'alt="Icons for over 99 of 100: if this row is in."' in body
    assert 'alt="Icons for under 1 of 100: if another row stands in its place."' in body
