"""Choices and curves on Explore: tables, options, links, the error against ε, and what a confidential table gives away."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.base.norms import L1, RANGE
from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.laplace import Laplace
from dpcore.targets import LetterCounts, OnLattice
from pages import state
from pages.old.state.link import from_query
from tests.pages.prose import refuse_code
from tests.pages.visit import (
    CHARTS,
    charts,
    declare,
    everything,
    go,
    link,
    notices,
    opened,
    pick,
    scenario,
    slide,
    sound,
    text,
    upload,
    use,
    visit,
    within,
)

pytestmark = pytest.mark.slow

_DATA = Path(__file__).parents[2] / "data"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CURVE = {"kind": "PriestleyChao", "bandwidth": 0.1, "x_bounds": [0.0, 1.0], "y_bounds": [-1.5, 1.5]}
_SINE: dict[str, Any] = {"table": "sine", "columns": ["x", "y"], "n": 250}
_NAMES: dict[str, Any] = {"table": "scientists", "columns": ["name"], "n": 10}


def _lattice(degree: int = 25, **changes: Any) -> dict[str, Any]:
    return {"kind": "OnLattice", "curve": _CURVE | changes, "degree": degree, "dims": 1}


def _bernstein(**changes: Any) -> dict[str, Any]:
    return {"kind": "Bernstein", "order": 6, "norm": "L1", "clip": None} | changes


def _exponential(*candidates: str) -> dict[str, Any]:
    return {"kind": "Exponential", "candidates": list(candidates), "norm": "RANGE", "selection": "gumbel"}


def _letters(**changes: Any) -> dict[str, Any]:
    return {"kind": "LetterCounts", "alphabet": "abc", "ignore_case": True, "longest": None} | changes


def _ridge(**changes: Any) -> dict[str, Any]:
    return {"kind": "Ridge", "x_bounds": [[10, 70]], "y_bounds": [0, 400]} | changes


_LINE: dict[str, Any] = {"table": "diabetes", "columns": ["bmi", "progression"], "target": _ridge()}
_MATRIX: dict[str, Any] = {
    "table": "diabetes",
    "columns": ["bmi", "ldl"],
    "target": {"kind": "CovarianceMatrix", "bounds": [[10, 70], [0, 400]]},
}
_CLASSES: dict[str, Any] = {
    "table": "two_classes",
    "columns": ["x1", "x2", "label"],
    "target": {"kind": "LinearSVM", "x_bounds": [[0, 1], [0, 1]]},
}


def _table(name: str) -> Any:
    return pick(visit(), "table", name)


def _errors(app: Any) -> Any:
    """The third panel switched to the error against ε."""
    return sound(within(app, "readers").button_group(key="readers").set_value("Error").run())


def _trace(app: Any, start: str, chart: str = "responses") -> dict[str, Any]:
    found = [trace for trace in charts(app)[chart]["data"] if trace["name"].startswith(start)]
    assert len(found) == 1, [trace["name"] for trace in charts(app)[chart]["data"]]
    return found[0]


def _names(app: Any, chart: str = "responses") -> list[str]:
    return [trace["name"] for trace in charts(app)[chart]["data"]]


def _counted() -> np.ndarray[Any, Any]:
    found = Counter((_DATA / "scientists.csv").read_text().split("\n", 1)[1].lower())
    return np.array([found[letter] for letter in _LETTERS], dtype=float)


def _chances(scores: np.ndarray[Any, Any], epsilon: float, span: float) -> np.ndarray[Any, Any]:
    weights = np.exp(epsilon * (scores - scores.max()) / span)
    return weights / weights.sum()


def _option(app: Any, kind: str, key: str, value: Any) -> Any:
    opened(app, "options")
    return sound(getattr(app, kind)(key=key).set_value(value).run())


# --- the three tables ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "target", "mechanism", "norm", "words", "moved"),
    [
        (
            "scientists",
            LetterCounts,
            Exponential,
            RANGE,
            "Letter counts of Name: one of the winners “e, n” is picked with chance",
            "the scores moved against one another",
        ),
        (
            "sine",
            OnLattice,
            Bernstein,
            L1,
            "Kernel regression of x, y: the private curve is typically",
            "the points of the curve together moved",
        ),
        (
            "two_bumps",
            OnLattice,
            Bernstein,
            L1,
            "Kernel density of x: the private curve is typically",
            "Under the weaker random DP, the private curve is typically",
        ),
    ],
)
def test_a_table_of_ours_shows_its_own_target_mechanism_and_sentence(
    table: str, target: type, mechanism: type, norm: object, words: str, moved: str
) -> None:
    app = _table(table)
    assert charts(app).keys() >= CHARTS
    shown = scenario(app)
    assert (type(shown.target), type(shown.mechanism), shown.norm, shown.delta) == (target, mechanism, norm, None)
    assert f"# {words}" in text(app)
    assert moved in text(app)
    assert (", is weaker." in text(app)) == (table != "two_bumps")


@pytest.mark.parametrize("norm", ["RANGE", "LINF"])
def test_the_chances_of_letters_are_those_of_the_counted_names(norm: str) -> None:
    app = _option(_table("scientists"), "selectbox", "opt_norm", norm)
    span = {"RANGE": 5, "LINF": 2 * 3}[norm]  # Δ̂, and twice it
    moved = {
        "RANGE": "the scores moved against one another by at most Δ̂ = 5,",
        "LINF": "none of the scores moved by more than Δ̂ = 3,",
    }
    assert moved[norm] in text(app)
    trace = _trace(app, "chance, sampled")
    assert "".join(trace["x"]) == _LETTERS
    np.testing.assert_allclose(trace["y"], _chances(_counted(), 1.0, span), rtol=1e-9)
    np.testing.assert_array_equal(_trace(app, "score, without noise (winner: e, n)")["y"], _counted())
    assert "no proved worst case" in _names(app)


def test_the_density_is_the_records_own() -> None:
    trace = _trace(_table("two_bumps"), "without noise")
    records = np.loadtxt(_DATA / "two_bumps.csv", skiprows=1)
    for i in (0, 30, 75):
        expected = np.mean(np.exp(-(((trace["x"][i] - records) / 0.1) ** 2) / 2)) / (0.1 * np.sqrt(2 * np.pi))
        assert trace["y"][i] == pytest.approx(expected, rel=1e-9)


# --- options ---


_CHANGED: dict[str, list[tuple[str, str, Any, Any]]] = {
    "sine": [
        ("number_input", "opt_bandwidth", 0.2, lambda s: s.target.curve.bandwidth),
        ("number_input", "opt_degree", 7, lambda s: s.target.degree),
        ("number_input", "opt_order", 1, lambda s: s.mechanism.order),
        ("number_input", "opt_oracle_noise", 0.5, lambda s: s.oracle.noise),
    ],
    "two_bumps": [
        ("number_input", "opt_bandwidth", 0.05, lambda s: s.target.curve.bandwidth),
        ("number_input", "opt_degree", 200, lambda s: s.target.degree),
    ],
    "scientists": [
        ("number_input", "opt_longest", 12, lambda s: s.target.longest),
        ("selectbox", "opt_selection", "permute-and-flip", lambda s: s.mechanism.selection),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("table", _CHANGED)
def test_an_option_changes_the_scenario_and_the_chart(table: str) -> None:
    app = _table(table)
    for kind, key, value, read in _CHANGED[table]:
        before = charts(app)["responses"]["data"]
        _option(app, kind, key, value)
        assert read(scenario(app)) == value
        assert charts(app)["responses"]["data"] != before, key
        assert not notices(app)


@pytest.mark.slow
def test_a_public_range_clips_every_private_curve_and_taking_it_away_does_not() -> None:
    app = _option(_table("sine"), "text_input", "opt_clip", "-0.1, 0.25")
    assert scenario(app).mechanism == Bernstein(order=6, clip=(-0.1, 0.25))
    private = _trace(app, "private")["y"]
    assert (min(private), max(private)) == (-0.1, 0.25)
    _option(app, "text_input", "opt_clip", "")
    assert scenario(app).mechanism == Bernstein(order=6)
    assert max(_trace(app, "private")["y"]) > 0.25


def test_letters_that_count_give_a_worst_case_and_take_it_away() -> None:
    app = _option(_table("scientists"), "number_input", "opt_longest", 4)
    assert "worst case over all tables is 8" in text(app)  # a record out, another in: four letters each
    least = _trace(app, "chance, worst case")
    np.testing.assert_allclose(least["y"], _chances(np.array(_trace(app, "score")["y"]), 1.0, 8), rtol=1e-9)
    _option(app, "number_input", "opt_longest", None)
    assert scenario(app).target == LetterCounts()
    assert "no proved worst case" in _names(app)


def test_a_bad_option_is_a_sentence_and_changes_nothing() -> None:
    app = _table("sine")
    before = scenario(app)
    bad: list[tuple[str, str, Any, str]] = [
        ("number_input", "opt_bandwidth", 0.0, "bandwidth must be"),
        ("text_input", "opt_clip", "3, 1", "the lower first"),
        ("text_input", "opt_clip", "a", "two numbers"),
        ("text_input", "opt_clip", "0, inf", "two numbers"),
        ("number_input", "opt_order", None, "A number is needed"),
        ("number_input", "opt_degree", None, "A number is needed"),
    ]
    for kind, key, value, words in bad:
        _option(app, kind, key, value)
        assert words in notices(app)
        refuse_code(notices(app))
        assert scenario(app) == before
        assert charts(app).keys() >= CHARTS


# --- tables and targets, back and forth ---


def test_letters_are_released_as_a_choice_whatever_released_the_table_before() -> None:
    app = pick(_option(_table("diabetes"), "selectbox", "opt_mechanism", "Gaussian"), "table", "scientists")
    assert (type(scenario(app).mechanism), scenario(app).norm, scenario(app).delta) == (Exponential, RANGE, None)


@pytest.mark.slow
def test_the_candidates_follow_the_bins_and_a_mean_takes_the_exponential_away() -> None:
    app = _option(pick(_table("diabetes"), "target", "Histogram"), "selectbox", "opt_mechanism", "Exponential")
    _option(app, "number_input", "opt_edges", 3)
    assert scenario(app).mechanism == Exponential(("0–40", "40–80", "80–120"))
    assert _trace(app, "chance, sampled")["x"] == ["0–40", "40–80", "80–120"]
    pick(app, "target", "Mean")
    assert scenario(app).mechanism == Laplace()


# --- links ---

_FULL: dict[str, dict[str, Any]] = {
    "letters": _NAMES
    | {
        "target": _letters(alphabet="aeiou", longest=9),
        "oracle": {"kind": "TableRecords"},
        "norm": "LINF",
        "bound": "TOLERANCE",
        "confidence": 0.9,
        "m": 333,
        "gamma": 0.1,
        "epsilon": 2.5,
        "seed": 77,
        "mechanism": _exponential(*"aeiou") | {"norm": "LINF", "selection": "permute-and-flip"},
    },
    "regression": _SINE
    | {
        "target": _lattice(9, bandwidth=0.25),
        "oracle": {"kind": "RegressionPrior", "noise": 0.3},
        "norm": "LINF",
        "bound": "DKW",
        "confidence": None,
        "m": 2000,
        "gamma": 0.2,
        "epsilon": 0.5,
        "seed": 5,
        "mechanism": _bernstein(order=3, norm="LINF", clip=[-1.0, 0.75]),
    },
    "a bin": {
        "table": "diabetes",
        "columns": ["bmi"],
        "n": 442,
        "target": {"kind": "Histogram", "edges": [10, 30, 70]},
        "oracle": {"kind": "Uniform", "low": 12.0, "high": 60.0},
        "norm": "RANGE",
        "bound": "RANK",
        "confidence": None,
        "m": 99,
        "gamma": 0.04,
        "epsilon": 7.0,
        "seed": 3,
        "mechanism": _exponential("10–30", "30–70"),
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _FULL)
def test_every_field_of_a_link_is_taken_and_written_again(name: str) -> None:
    given = _FULL[name]
    app = link(**given)
    assert not notices(app)
    data = scenario(app).to_json()
    for field, value in given.items():
        shown = {item: data[field][item] for item in value} if isinstance(value, dict) else data[field]
        assert shown == value, field
    again = visit(**dict(app.query_params))
    assert scenario(again) == scenario(app)
    assert charts(again)["responses"]["data"] == charts(app)["responses"]["data"]
    assert text(again) == text(app)


_BAD: dict[str, tuple[dict[str, Any], str]] = {
    "candidates: too few": (_NAMES | {"target": _letters(), "mechanism": _exponential("a", "b"), "norm": "RANGE"}, "candidates"),
    "candidates: another order": (_NAMES | {"target": _letters(), "mechanism": _exponential(*"cba"), "norm": "RANGE"}, "order"),
    "candidates: twice one": (_NAMES | {"target": _letters(), "mechanism": _exponential(*"aab"), "norm": "RANGE"}, "different"),
    "selection": (_NAMES | {"mechanism": _exponential(*_LETTERS) | {"selection": "best"}}, "permute-and-flip"),
    "alphabet": (_NAMES | {"target": _letters(alphabet="a")}, "at least two letters"),
    "longest": (_NAMES | {"target": _letters(longest=0)}, "number of letters that count"),
    "degree 0": (_SINE | {"target": _lattice(0), "mechanism": _bernstein()}, "degree"),
    "a lattice too large": (_SINE | {"target": _lattice(10**9), "mechanism": _bernstein()}, "1,000,000 lattice points"),
    "degree too large for the order": (
        _SINE | {"target": _lattice(5000), "mechanism": _bernstein()},
        "order of the polynomial must be 1",
    ),
    "dims": (_SINE | {"target": _lattice() | {"dims": 3}, "mechanism": _bernstein()}, "number of dimensions"),
    "order 0": (_SINE | {"target": _lattice(), "mechanism": _bernstein(order=0)}, "order"),
    "order 10^9": (_SINE | {"target": _lattice(), "mechanism": _bernstein(order=10**9)}, "at most 1,000"),
    "clip": (_SINE | {"target": _lattice(), "mechanism": _bernstein(clip=[2, 1])}, "public range of the curve"),
    "norm": (_SINE | {"target": _lattice(), "mechanism": _bernstein(norm="LINF"), "norm": "L1"}, "norm"),
    "a curve with Laplace": (_SINE | {"target": _lattice(), "mechanism": {"kind": "Laplace"}, "norm": "L1"}, "for a curve"),
    "a mean with Bernstein": ({"mechanism": _bernstein(), "norm": "L1"}, "for a curve"),
    "a curve of one column": (
        {"table": "two_bumps", "columns": ["x"], "n": 5000, "target": _lattice(), "mechanism": _bernstein(), "norm": "L1"},
        "does not fit the columns “x”",
    ),
    "a curve of names": (_NAMES | {"target": _lattice(), "mechanism": _bernstein(), "norm": "L1"}, "not fit the columns “name”"),
    "letters of numbers": ({"target": _letters(), "mechanism": _exponential(*"abc"), "norm": "RANGE"}, "not fit the columns"),
    "names for numbers": ({"oracle": {"kind": "Names"}}, "oracle does not fit"),
    "numbers for names": (_NAMES | {"oracle": {"kind": "Uniform", "low": 0, "high": 1}}, "oracle does not fit"),
    "an Exponential for a mean": ({"mechanism": _exponential("a", "b"), "norm": "RANGE"}, "In the link"),
    "candidates that are no letters": (_NAMES | {"target": _letters(), "mechanism": _exponential(*"xyz"), "norm": "RANGE"}, "In"),
    "a regression with an oracle of other columns": (
        _LINE | {"oracle": {"kind": "Exponential", "rate": 1.0}},
        "oracle does not fit",
    ),
    "a regression with bounds of other columns": (_LINE | {"target": _ridge(x_bounds=[[10, 70], [0, 1]])}, "target does not fit"),
    "a regression without a label": (_LINE | {"columns": ["bmi"]}, "target does not fit the columns"),
    "a regression without a penalty": (_LINE | {"target": _ridge(penalty=0)}, "the penalty must be a number above 0"),
    "a regression without features": (_LINE | {"target": _ridge(x_bounds=[])}, "must be one interval a feature"),
    "a matrix of one column": (_MATRIX | {"columns": ["bmi"]}, "target does not fit the columns"),
    "a matrix with an oracle of other columns": (
        _MATRIX | {"oracle": {"kind": "Exponential", "rate": 1.0}},
        "oracle does not fit",
    ),
    "a classifier with bounds of one feature": (
        _CLASSES | {"target": {"kind": "LinearSVM", "x_bounds": [[0, 1]]}},
        "does not fit",
    ),
    "a classifier without a label": (_CLASSES | {"columns": ["x1", "x2"]}, "does not fit"),
    "a classifier with an oracle of five features": (_CLASSES | {"oracle": {"kind": "TwoClasses", "dims": 5}}, "does not fit"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _BAD)
def test_a_bad_link_is_a_sentence_and_the_rest_is_kept(name: str) -> None:
    given, words = _BAD[name]
    text = {field: value if isinstance(value, str) else json.dumps(value) for field, value in given.items()}
    read, said = from_query({"v": "1", "epsilon": "3.0"} | text, state.catalog(), state.example())
    assert words in " ".join(said)
    refuse_code(" ".join(said))
    assert (read.epsilon, read.table) == (3.0, given.get("table", "loan_defaults"))


# --- the error against ε ---

_KINDS = [
    ("loan_defaults", "Mean", "", False),
    ("diabetes", "Histogram", "", True),
    ("diabetes", "Histogram", "Exponential", True),
    ("diabetes", "Mean", "Gaussian", True),
    ("scientists", "LetterCounts", "", False),
    ("sine", "PriestleyChao", "", True),
    ("two_bumps", "KernelDensity", "", True),
]


@pytest.mark.parametrize(("table", "target", "mechanism", "bounded"), _KINDS)
def test_the_error_view_has_each_curve_and_the_chosen_epsilon_on_the_first(
    table: str, target: str, mechanism: str, bounded: bool
) -> None:
    app = pick(_table(table), "target", target)
    if mechanism:
        _option(app, "selectbox", "opt_mechanism", mechanism)
    slide(_errors(app), "epsilon", 0.1)
    sampled, least, chosen = _trace(app, "sampled"), _trace(app, "no privacy"), _trace(app, "ε = 0.1: ")
    assert len(_names(app)) == 4
    assert ("worst case" in _names(app), "no proved worst case" in _names(app)) == (bounded, not bounded)
    assert chosen["x"] == [0.1]
    between = np.interp(np.log(0.1), np.log(sampled["x"]), np.log(np.maximum(sampled["y"], 1e-300)))
    assert chosen["y"][0] == pytest.approx(np.exp(between), rel=0.1)
    assert all(np.diff(sampled["y"]) <= 1e-12)
    shown = 10 ** np.array(charts(app)["responses"]["layout"]["yaxis"]["range"])
    assert max(least["y"]) <= max(min(sampled["y"]), shown[0]) * 1.001
    if bounded:
        assert all(np.array(_trace(app, "worst case")["y"]) >= np.array(sampled["y"]) * 0.999)


def test_the_error_of_laplace_noise_is_its_scale() -> None:
    app = slide(_errors(link(target={"kind": "Mean", "bounds": [0, 20]})), "epsilon", 20.0)
    sampled, worst = _trace(app, "sampled"), _trace(app, "worst case")
    ends = np.array(worst["x"])
    np.testing.assert_allclose(worst["y"], 20 / 500 / ends, rtol=1e-6)
    exact = np.array(sampled["y"]) * ends
    np.testing.assert_allclose(exact, exact[0], rtol=1e-6)
    assert _trace(app, "ε = 20")["y"][0] == pytest.approx(exact[0] / 20, rel=1e-6)
    assert f"Δ̂ = {exact[0]:.3g}" in text(app)


def test_the_error_of_a_choice_is_how_far_its_score_falls_short() -> None:
    app = slide(_errors(_table("scientists")), "epsilon", 2.5)
    counts = _counted()
    for epsilon, error in zip(*(_trace(app, "sampled")[axis] for axis in "xy"), strict=True):
        assert error == pytest.approx(_chances(counts, epsilon, 5) @ (counts.max() - counts), rel=1e-6)
    assert _trace(app, "ε = 2.5")["y"][0] == pytest.approx(_chances(counts, 2.5, 5) @ (counts.max() - counts), rel=1e-6)


# --- P(loss > tε) ---


def test_the_losses_are_the_share_of_draws_beyond_t_times_the_sampled_sensitivity() -> None:
    app = opened(_table("sine"), "proof")
    drawn, promised = _trace(app, "199 trials", "losses"), _trace(app, "γ = 0.05", "losses")
    t, share = np.array(drawn["x"]), np.array(drawn["y"])
    assert share[t < 1].min() >= 11 / 200 - 1e-12  # k = 190: Δ̂'s own pair, nine beyond it, and a fresh one, of 200
    assert share[t >= 1].max() <= 10 / 200 + 1e-12
    assert set(promised["y"]) == {0.05}
    assert "loses at most ε·G/Δ̂" in text(app)


# --- confidential tables ---

_RECORD = "Zqzzyqz Zqwzkzz"
_PEOPLE = ("name\n" + f"{_RECORD}\n" * 61).encode()  # eight z in each: 488 in all, and no draw of Names comes near
_PAIRS = ("across,up\n" + "".join(f"{0.41371 + i / 997:.5f},{0.73913 - i / 991:.5f}\n" for i in range(80))).encode()


def _people() -> Any:
    return use(declare(upload(visit(), "people.csv", _PEOPLE), "name", type="text"))


def _pairs(target: str) -> Any:
    app = upload(visit(), "pairs.csv", _PAIRS)
    for column in ("across", "up"):
        declare(app, column, 0, 1, missing=CONSTANT)
    return pick(use(app), "target", target)


def _everywhere(app: Any) -> str:
    """Both views of the third panel, every popover open, and the page Release."""
    seen = [everything(opened(app, "options", "numbers", "proof")), text(app)]
    seen += [everything(opened(_errors(app), "options", "numbers", "proof")), text(app)]
    sound(within(app, "readers").button_group(key="readers").set_value("Answers").run())
    go(app, "release")
    seen += [everything(app), text(app)]
    go(app, "")
    return "\n".join(seen)


_SECRET_LETTERS = (_RECORD, "Zqzz", "488.0", "“z”", "(winner: z)")
_SECRET_PAIRS = ("0.41371", "0.73913")


@pytest.mark.slow
def test_names_are_nowhere_before_the_comparison() -> None:
    app = _people()
    sent = _everywhere(app)
    assert all(secret not in sent for secret in _SECRET_LETTERS)
    assert charts(app).keys() >= CHARTS
    assert "simulated table" in text(app)
    assert "simulated" in next(element.value for element in app.markdown if element.value.startswith("# "))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["PriestleyChao", "KernelDensity"])
def test_nothing_of_a_curve_is_the_tables(target: str) -> None:
    app = _pairs(target)
    sent = _everywhere(app)
    assert all(secret not in sent for secret in _SECRET_PAIRS)
    assert "simulated table" in _names(app)
    assert "without noise" not in _names(app)


# --- What once brought the app down ---


@pytest.mark.parametrize(
    "given",
    [
        {
            "mechanism": {"kind": "Gaussian", "calibration": "classical"},
            "norm": "L2",
            "delta": 1e-6,
            "epsilon": 3.0,
            "target": {"kind": "Mean", "bounds": [0, 9]},
        },
        {
            "mechanism": {"kind": "Gaussian", "calibration": "classical"},
            "norm": "L2",
            "delta": 1e-6,
            "epsilon": 0.5,
            "target": {"kind": "Mean", "bounds": [0, 9]},
        },
        {"table": "scientists", "columns": ["name"], "target": {"kind": "LetterCounts", "longest": 10**400}},
        {"table": "scientists", "columns": ["name"], "target": {"kind": "LetterCounts", "alphabet": "a\ud800"}},
        {"target": {"kind": "Histogram", "categories": ["a", "\ud800"]}},
        {"mechanism": {"kind": "Exponential", "candidates": [1, 10**400]}, "norm": "RANGE"},
        {"table": "diabetes", "columns": ["bmi", "sex"], "target": {"kind": "LinearSVM", "x_bounds": [[10, 70]], "C": 1e9}},
    ],
    ids=str,
)
def test_a_strange_link_never_brings_the_app_down(given: dict[str, Any]) -> None:
    app = link(**given)
    opened(app, "options", "numbers", "proof", "shown_as")
    for switch in app.button_group:  # there is none where there is no answer
        if switch.key == "readers":
            sound(switch.set_value("Error").run())
    assert "Ledger" in text(go(app, "release"))  # what stands beside the receipt is there, whatever that says
