"""What if the oracle is wrong? The control below the panels: τ in words, γ′ in a sentence, pairs of another oracle."""

from __future__ import annotations

import re
from unittest.mock import patch

import numpy as np
import pytest
from pages.old.experiment.other_world import in_world, missed_in, missed_on_average
from streamlit.testing.v1 import AppTest

from dpcore.base.condition import Condition
from dpcore.guarantees.wrong_oracle import gamma_elsewhere
from dpcore.oracles import Normal
from dpcore.targets import KnownMean
from pages import state
from pages.experiment.question import asked
from pages.old.experiment import other_world
from pages.old.experiment.preview import exploration
from tests.pages.visit import charts, link, notices, opened, pick, scenario, settled, sound, text, upload, use, visit
from tests.pages.visit import declare as declared

pytestmark = pytest.mark.slow

KEY = "wrong_oracle"
MEAN = {"kind": "Mean", "bounds": [0, 1]}


def _open(app: AppTest | None = None) -> AppTest:
    return opened(settled(visit() if app is None else app), KEY)


def _at(app: AppTest, tau: float) -> AppTest:
    return sound(app.number_input(key="exact_tau").set_value(tau).run())


def _shares(app: AppTest) -> list[float]:
    """The shares that were missed: in the other world, and of the oracle itself."""
    said = text(app)
    there = re.search(r"other world. \*\*([\d.]+) %", said)
    here = re.search(r"oracle itself it is ([\d.]+) %", said)
    assert there, said
    assert here, said
    return [float(found[1]) / 100 for found in (there, here)]


def test_tau_is_said_in_words_and_the_share_is_rounded_up() -> None:
    app = _at(_open(), 0.001)
    gamma, expected = scenario(app).gamma, gamma_elsewhere(scenario(app).gamma, 0.002)
    said = re.search(r"\*\*Then up to ([\d.]+) % of random changes", text(app))
    assert said
    assert expected <= float(said[1]) / 100 < expected * 1.01
    assert "0.0447 standard deviations off" in text(app)
    assert "fewer than 1,758 rows" in text(app)
    assert "the two that are exchanged alone count" in text(app)
    lines = {trace["name"]: trace for trace in charts(app)["wrong_oracle_chart"]["data"]}
    assert lines["not protected, at most"]["y"][0] >= gamma
    assert all(a <= b for a, b in zip(lines["not protected, at most"]["y"], lines["Proposition 8"]["y"], strict=True))
    assert len(lines) == 4


@pytest.mark.slow
def test_far_off_no_promise_is_left() -> None:
    app = _at(_open(), 1.0)
    assert "**Then up to" in text(app)
    app = settled(pick(visit(), "target", "Quantile"))
    app = _at(_open(app), 0.1)
    assert f"hang on all {scenario(app).n + 1:,} rows" in text(app)
    assert "**No promise is left.**" in text(app)


@pytest.mark.parametrize(("oracle", "costs_nothing"), [({"kind": "Bernoulli", "p": 0.5}, True), (None, False)])
def test_where_the_worst_case_leads_a_wrong_oracle_costs_nothing(oracle: dict[str, object] | None, costs_nothing: bool) -> None:
    app = link(table="loan_defaults", target=MEAN, oracle=oracle) if oracle else visit()
    assert ("a wrong one costs nothing" in text(_open(app))) == costs_nothing
    assert ("is differential privacy itself" in text(app)) == costs_nothing


def test_of_narrow_and_wide_worlds_it_is_said_whether_the_promise_would_hold() -> None:
    app = sound(_open().selectbox(key="pick_world").set_value("Uniform").run())
    app = sound(app.number_input(key="opt_world_high").set_value(1.0).run())
    assert "In that world it would hold." in text(app)
    assert _shares(app)[0] == 0
    app = sound(app.number_input(key="opt_world_high").set_value(40.0).run())
    assert "In that world the promise would not hold." in text(app)
    assert _shares(app)[0] > 0.8


AVERAGE = "That average is over Δ̂: each release draws a new one."
TWO = {"table": "two_classes", "columns": ["x1", "x2", "label"], "oracle": {"kind": "TwoClasses"}, "m": 19, "gamma": 0.05}
UNIT = [[0, 1], [0, 1]]


def _of_itself(kind: str, **changes: object) -> str:
    """What is said where the world is the oracle itself, of a Δ̂ that leaves out three times what is promised on average."""
    app = _open(link(**(TWO | {"seed": 4, "target": {"kind": kind, "x_bounds": UNIT}} | changes)))
    return text(sound(app.selectbox(key="pick_world").set_value("TwoClasses").run()))


def test_a_promise_on_average_is_judged_by_many_sensitivities() -> None:
    said = _of_itself("MeanDirection")
    assert "**15.7 % of them moved the answer further" in said
    assert f"{AVERAGE} We drew 4,000 of them and tried each on one such change: " in said
    assert "In that world the promise would not hold." not in said
    assert "In that world these changes leave open whether it would hold." in said


def test_where_many_take_long_it_is_said_what_one_in_twenty_leaves_out() -> None:
    with patch.object(other_world, "_FEWEST_ANEW", 10**9):
        said = _of_itself("MeanDirection", m=20)
    assert re.search(
        f"{AVERAGE} This Δ̂ leaves out [\\d.]+ %; of the oracle itself, at most 1 Δ̂ in 20 leaves out more than 13.9 %.", said
    )
    assert "would hold" not in said
    assert "would not hold" not in said


def test_a_promise_of_this_sensitivity_is_judged_by_it_and_names_its_confidence() -> None:
    said = _of_itself("MeanDirection", bound="TOLERANCE", confidence=0.5, gamma=0.05)
    assert "Promised was up to 1 in 20, with 50 % confidence over the draws. In that world the promise would not hold." in said
    assert AVERAGE not in said


def test_the_oracle_itself_is_hardly_ever_found_to_break_its_promise() -> None:
    """Twelve scenarios with m = 19: by 4,000 new Δ̂ each, at most one seems to break its promise, and one to keep it with room."""
    app = link(**(TWO | {"target": {"kind": "MeanDirection", "x_bounds": UNIT}}))
    own, table = scenario(app), state.catalog()["two_classes"]
    found = [missed_on_average(one, one, table) for one in (own.with_(seed=100 * seed) for seed in range(12))]
    assert sum(one is None or one.low > own.gamma for one in found) <= 1
    assert sum(one is not None and one.high <= own.gamma for one in found) <= 1


def test_a_confidential_table_is_never_drawn_from() -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 90) for i in range(200)) + b"\n"
    app = use(declared(upload(visit(), "mine.csv", content), "income", 0, 100))
    app = _open(app)
    assert "TableRecords" not in app.selectbox(key="pick_world").options
    assert "Rows of this table" not in app.selectbox(key="pick_world").options
    _shares(app)


def test_conditions_and_groups_stay_around_the_question_in_the_other_world() -> None:
    table, plainly = state.catalog()[state.example().table], state.example()
    where = (Condition(plainly.columns[0], interval=(0.0, 0.5)),)
    plainly = plainly.with_(target=KnownMean((0.0, 3.0)))
    questioned = plainly.with_(**asked(plainly, table, where))
    world = in_world(questioned, table, Normal(1.0, 3.0))
    assert (world.target, world.n, world.columns) == (questioned.target, questioned.n, questioned.columns)
    assert world.oracle != questioned.oracle
    assert Normal(1.0, 3.0) in getattr(world.oracle, "columns", ())


def test_no_pair_of_the_world_is_one_that_sized_the_noise() -> None:
    """Under the trials' own seed the first of 4,000 pairs would be the 199 trials, and the furthest of them no further."""
    table, own = state.catalog()[state.example().table], state.example().with_(m=4_000)
    distances = exploration(own, own.resolved_oracle(table)).distances
    middle = float(np.median(distances))
    found = missed_in(own, table, middle)
    assert found.pairs == 4_000
    assert found.missed != np.count_nonzero(distances > middle)
    assert abs(found.missed - 2_000) < 200


def _again(app: AppTest) -> AppTest:
    """A new session at the address that this one wrote."""
    return settled(visit(**{name: str(value) for name, value in sound(app.run()).query_params.items()}))


@pytest.mark.slow
def test_a_link_brings_back_what_is_open_with_its_tau_and_its_world() -> None:
    app = _at(_open(), 0.02)
    app = sound(app.selectbox(key="pick_world").set_value("Normal").run())
    app = sound(app.number_input(key="opt_world_sd").set_value(2.5).run())
    before = text(app)
    again = _again(app)
    assert text(again) == before
    assert again.number_input(key="exact_tau").value == 0.02
    assert again.number_input(key="opt_world_sd").value == 2.5
    assert "If the world" not in text(settled(visit()))  # an old link has nothing open


BAD_WORLDS = ["{", "1", '{"kind":"Normal","mean":NaN,"sd":1}', "[" * 3_000, '{"kind":"Normal"' + " " * 9_000]


@pytest.mark.parametrize("world", [*BAD_WORLDS, '{"kind":"TwoClasses","dims":100000000}'])
def test_a_world_that_cannot_be_read_is_a_sentence_and_another_is_shown(world: str) -> None:
    app = settled(visit(v="1", doubts=KEY, world=world, epsilon="3.0"))
    assert [warning.value for warning in app.warning] == [
        "In the link, the oracle of the other world (“world=” in the address) cannot be read. Another one is shown."
    ]
    assert scenario(app).epsilon == 3.0
    assert "We made" in text(app)


@pytest.mark.parametrize("tau", ["nan", "0", "x"])
def test_a_tau_that_cannot_be_is_a_sentence(tau: str) -> None:
    app = settled(visit(v="1", doubts=f"{KEY},strange", tau=tau))
    assert f"τ (“tau=” in the address), is “{tau}”: expected a number from 1e-07 to 1. 0.001 is shown." in notices(app)
    assert app.number_input(key="exact_tau").value == 0.001


@pytest.mark.parametrize(
    "world", ['{"kind":"TwoClasses","dims":1999}', '{"kind":"TableRecords"}', '{"kind":"Names","names":"given"}']
)
def test_a_world_that_is_none_of_these_columns_is_not_drawn_from(world: str) -> None:
    app = settled(visit(v="1", doubts=KEY, world=world, table="diabetes", columns='["bmi"]'))
    assert scenario(app).table == "diabetes"
    assert "We made" in text(app)
