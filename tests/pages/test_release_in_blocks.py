"""A release by sample and aggregate: pure DP without an oracle, what it says before the press, and what it leaves behind."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore import Bound, ExponentialMechanism, LaplaceMechanism, oracles, targets
from dpcore.base.fingerprint import to_json
from dpcore.guarantees.privacy import Adjacency
from dpcore.oracles.columns import of_fields
from dpcore.targets import SampleAndAggregate
from pages.experiment.blocks import foretold_of, in_blocks
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.files.tables import Table
from pages.widgets import share
from tests.pages.exports.run import ran
from tests.pages.visit import ask, book, details, go, link, offered_noise, press, released, sampled, sized, sound, text

MEAN = {"kind": "Mean", "bounds": [0, 8]}


def _chosen(**query: Any) -> Any:
    app = link("release", **query)
    return sized(app, Noise.BLOCKS)


def _released(app: Any) -> Any:
    press(app, "release")
    return book(app).entries[-1]


def test_it_is_pure_dp_in_words_in_the_ledger_in_json_and_in_code_that_runs() -> None:
    app = details(_chosen(target=MEAN))
    said = text(app)
    assert "dealt to 80 blocks by their positions" in said
    assert "Another row in one position changes one block, and every such change is protected." in said
    assert "That median was about 0.0574 years from the answer of the whole table" in said
    assert "**Pure DP, ε = 1**" in said
    assert "trials size the noise" not in said
    assert "of the exact one" not in said, "a ± is of the blocks' median"
    entry = _released(app)
    assert "Together: pure DP, ε = 1" in text(app)
    assert text(app).count("95% of answers were within 0.0844 years of the blocks’ median") == 2, "at the receipt and the answer"
    assert "**Mean of Time to default, median of 80 blocks" in text(app)
    written = json.loads(entry.as_json())
    assert (written["guarantee"], written["parameters"]) == ("PureDP", {"epsilon": 1.0})
    assert "of the blocks’ median" in written["foretold"]
    assert written["provenance"]["target"].startswith("SampleAndAggregate(target=Mean(bounds=(0, 8)), k=80")
    names, printed = ran(str(share.script_of_entry(entry)))
    assert "PureDP(epsilon=1.0)" in printed
    assert any(isinstance(one, SampleAndAggregate) and one.k == 80 for one in names.values())
    press(app, "another")
    press(app, "release")
    assert "Together: pure DP, ε = 2" in text(app)


def test_after_a_sampled_answer_blocks_are_still_offered() -> None:
    app = released(sampled(link("release", target={"kind": "Quantile", "q": 0.5, "bounds": [0, 20]})))
    press(app, "another")
    assert Noise.SAMPLED not in offered_noise(app)
    _released(app)
    assert "Together: random DP, ε = 2, γ = 0.05" in text(app)


def test_a_link_to_a_question_of_blocks_is_released_by_what_is_proved_of_it() -> None:
    blocks = SampleAndAggregate(targets.Mean((0.0, 8.0)), 80, (0.0, 8.0))
    chosen: Any = ExponentialMechanism.suited(blocks)
    app = link("release", target=to_json(blocks), mechanism=to_json(chosen))
    assert not offered_noise(app)
    assert "dealt to 80 blocks by their positions" in text(details(app))
    _released(app)
    assert "Together: pure DP, ε = 1" in text(app)


def test_without_public_bounds_there_is_none() -> None:
    app = link("release")
    assert not offered_noise(app)
    helped = [one.proto.help for one in app.markdown if "No worst case is proved" in one.value]
    assert helped == [
        "With public bounds of the column, set under Options on Explore, sample and aggregate would give differential privacy."
    ]
    assert Noise.BLOCKS in offered_noise(link("release", target=MEAN))


def _scenario(target: Any) -> tuple[Scenario, Table]:
    return _of("loan_defaults", {"years_to_default": oracles.Exponential(1.0)}, target, 1.0)


def _of(name: str, laws: dict[str, Any], target: Any, epsilon: float) -> tuple[Scenario, Table]:
    """A question of a table's columns, each of which the oracle draws by itself."""
    table = ours()[name]
    choices = {"bound": Bound.RANK, "confidence": None, "m": 199, "gamma": 0.05, "epsilon": epsilon, "delta": None, "seed": 1}
    oracle = oracles.IndependentColumns(tuple(laws.values())) if len(laws) > 1 else next(iter(laws.values()))
    asked = {"table": table.name, "columns": tuple(laws), "target": target, "oracle": oracle}
    return Scenario(**asked, n=len(table), mechanism=LaplaceMechanism(), **choices), table


@pytest.mark.parametrize("target", [targets.Mean((0.0, 8.0)), targets.Quantile(0.5, (0.0, 8.0)), targets.Variance((0.0, 8.0))])
def test_what_is_foretold_is_found_on_other_tables(target: Any) -> None:
    """4,000 choices on 100 fresh tables: 95 in 100 lie within what was said, by 3 in 100 more or fewer."""
    scenario, table = _scenario(target)
    asked = in_blocks(scenario)
    assert asked is not None
    found = foretold_of(asked, table)
    assert found is not None
    blocks: Any = asked.target
    law = asked.mechanism.calibrate(blocks.proved(asked.n), asked.privacy).law
    rng, places, inside, apart = np.random.default_rng(5), np.array(blocks.candidates), [], []
    for _ in range(100):
        database = oracles.Exponential(1.0).draw(1, asked.n, rng=rng)[0]
        answers = blocks.answers(database)
        drawn = rng.choice(places, 40, p=law.probabilities(blocks.scores_of(answers)))
        inside.append(np.mean(np.abs(drawn - np.median(answers)) <= found.within))
        apart.append(np.median(answers) - target(database)[0])
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)
    assert np.sqrt(np.mean(np.square(apart))) == pytest.approx(found.apart, rel=0.25, abs=1e-12)


@pytest.mark.parametrize(
    "changed",
    [
        {"target": targets.Mean()},  # without bounds
        {  # a part of the rows does not stand for all
            "target": targets.Query(targets.Mean((0.0, 8.0)), ("years_to_default",)),
            "oracle": of_fields({"years_to_default": oracles.Exponential(1.0)}),
        },
        {"target": targets.Histogram(edges=(0.0, 2.0, 4.0, 8.0))},  # several numbers
        {"target": targets.LetterCounts()},  # a choice
        {"target": targets.MeanDirection(((0.0, 8.0),))},  # in two steps
        {"target": targets.QuantileScores(0.5, (0.0, 8.0))},  # proved already
        {"target": SampleAndAggregate(targets.Mean((0.0, 8.0)), 80, (0.0, 8.0))},  # already
        {"adjacency": Adjacency.ADD_OR_REMOVE_ONE_RECORD},  # who goes shifts places
    ],
    ids=repr,
)
def test_what_cannot_be_asked_of_blocks_is_not(changed: dict[str, Any]) -> None:
    scenario, _ = _scenario(targets.Mean((0.0, 8.0)))
    assert in_blocks(scenario) is not None
    for name, value in changed.items():
        object.__setattr__(scenario, name, value)
    assert in_blocks(scenario) is None


def test_a_list_takes_the_question_as_it_would_be_released_and_sizes_its_noise_to_what_is_proved() -> None:
    app = _chosen(target=MEAN)
    assert "1. Mean of Time to default, median of 80 blocks" in text(app)
    assert "*In simulated tables, 95% of answers were within 0.0844 years of the blocks’ median." in text(app)
    assert "list_add_shown" not in [one.key for one in app.button], "what is shown stands in the list"
    press(app, "release")
    (entry,) = book(app).entries
    assert json.loads(entry.as_json())["guarantee"] == "PureDP"
    assert "Together: pure DP, ε = 1" in text(app)


def test_a_question_of_blocks_is_proved_beside_sampled_ones() -> None:
    """It comes from Explore into a list whose noise is sampled."""
    app = sampled(ask(link("release", target=MEAN), "Share"))
    app.session_state["scenario"] = app.session_state["scenario"].with_(target=targets.Variance((0.0, 8.0)), noise=Noise.BLOCKS)
    press(go(sound(app.run()), ""), "to_release")
    press(go(app, "release"), "release")
    assert [json.loads(entry.as_json())["guarantee"] for entry in book(app).entries] == ["RandomDP", "RandomDP", "PureDP"]
