"""An oracle that is fitted privately: asked for, released with a line of its own, taken up, and what then holds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dpcore import Groups, targets
from dpcore.base.types import from_an_answer
from dpcore.guarantees.privacy import PureDP
from dpcore.oracles import Binned
from pages.experiment.oracle_origin import fits_an_oracle
from pages.experiment.question import asked
from pages.state import ledger
from tests.pages.visit import (
    confidential,
    declare,
    edit,
    everything,
    go,
    link,
    notices,
    opened,
    pick,
    press,
    scenario,
    sound,
    text,
    upload,
    use,
    visit,
)

N = 400
CSV = ("cost,sex\n" + "\n".join(f"{i * 7 % 40},{'F' if i % 5 else 'M'}" for i in range(N))).encode()


def _table() -> Any:
    """The mean of cost of a confidential table of costs and sexes, with its options open."""
    app = declare(upload(visit(), "mine.csv", CSV), "cost", 0, 100)
    return opened(use(edit(app, "sex", used=True, categories="F; M")), "options")


def _given(app: Any, **numbers: Any) -> Any:
    for key, value in numbers.items():
        app.number_input(key=f"fit_{key}").set_value(value)
    return sound(app.run())


def _book(app: Any) -> Any:
    return ledger._book(app.session_state["tab"])


def _fitted(app: Any) -> Any:
    """The fit asked for, and released."""
    return press(press(_given(app, epsilon=0.5, bins=8), "fit_ask"), "release")


def _taken(app: Any) -> Any:
    return press(app, f"take_up_fit_{_book(app).entries[-1].ticket}")


def test_a_fit_says_what_it_costs_and_loses_and_is_a_line_of_its_own(downloads: list[str]) -> None:
    app = _given(_table(), epsilon=0.5, bins=8)
    said = text(app)
    assert "The fit has 8 counts. 95 times in 100 the noise on a count is within ± 12 rows. 50 would be in each" in said
    assert "how columns hang together is lost" in said
    assert "no guarantee for this table" in said
    press(app, "fit_ask")
    assert fits_an_oracle(scenario(app).target)
    assert "You ask for the histogram of each column: cost in 8 bins between 0 and 100." in text(app)
    assert "The proved worst case, 2 rows, sizes the noise" in text(app)
    assert any("The fit is an answer about this table" in box.value for box in app.info)
    press(app, "release")
    line = _book(app).entries[-1].line
    assert (line.guarantee, line.about) == (PureDP(0.5), "Histogram of each column: cost")
    told = json.loads(downloads[-1])
    assert set(told["response"]) >= {"cost: 0–12.5", "cost: 87.5–100"}
    assert "no guarantee for this table" in told["afterwards"]


@pytest.mark.slow
def test_nothing_is_sampled_from_the_fit_and_the_worst_case_is_released() -> None:
    app = _taken(_fitted(_table()))
    assert isinstance(scenario(app).oracle, Binned)
    assert scenario(app).epsilon == 1.0
    assert "drawn from the private fit" in notices(app)
    assert "Noise sized by trials is offered only in the first release" in text(app)
    press(app, "release")
    assert _book(app).entries[-1].line.guarantee == PureDP(1.0)


@pytest.mark.slow
def test_explore_draws_from_the_fit_and_says_whose_it_is() -> None:
    app = go(_taken(_fitted(_table())), "")
    assert "**The oracle is a private fit.**" in text(app)
    assert "**Pure DP, ε = 1**, is differential privacy itself" in text(app)  # the trials promise nothing for this table
    assert "the weaker random DP" not in text(app)
    assert app.selectbox(key="pick_oracle").value == "Binned"
    pick(app, "oracle", "Uniform")
    assert "private fit.**" not in text(app)


@pytest.mark.slow
def test_without_a_worst_case_it_is_said_first_that_the_trials_promise_nothing_for_the_fitted_table() -> None:
    app = go(_taken(_fitted(_table())), "")
    app.session_state["scenario"] = scenario(app).with_(target=targets.Mean())
    said = text(sound(app.run()))
    none = said.index("**No guarantee for the table that the oracle was fitted to**")
    assert none < said.index("**random DP, ε = 1, γ = 0.05**")
    assert "The guarantee here is random DP, ε = 1, γ = 0.05, but not for the table that the oracle was fitted to." in said
    pick(app, "oracle", "Uniform")
    assert "**No guarantee" not in text(app)


@pytest.mark.slow
def test_a_question_with_a_group_is_fitted_with_its_categories() -> None:
    app = _table()
    app.session_state["scenario"] = _grouped(app, targets.On(targets.Sum((0.0, 100.0)), ("cost",), by=Groups("sex", ("F", "M"))))
    app = _taken(_fitted(sound(app.run())))
    oracle: Any = scenario(app).oracle
    assert [type(law) for law in oracle.columns] == [Binned, Binned]
    assert oracle.columns[1].categories == ("F", "M", "other")
    assert from_an_answer(oracle)
    assert not go(app, "").error


def _grouped(app: Any, target: Any) -> Any:
    shown, table = scenario(app), app.session_state["uploads"][scenario(app).table]
    return shown.with_(**asked(shown.with_(target=target.target), table, by=target.by))


@pytest.mark.slow
def test_bad_numbers_are_refused_in_a_sentence() -> None:
    app = _table()
    for epsilon, bins, sentence in (
        (0.0, 8, "ε must be"),
        (30.0, 8, "ε must be"),
        (0.5, 0, "must be a whole number of at least 1"),
        (0.5, 300, "at most 256"),
    ):
        _given(app, epsilon=epsilon, bins=bins)
        assert any(sentence in error.value for error in app.error), [error.value for error in app.error]
        assert "fit_ask" not in {button.key for button in app.button}


@pytest.mark.slow
def test_too_many_bins_for_the_epsilon_are_called_so() -> None:
    app = _table()
    assert "too many bins for this ε" not in text(_given(app, epsilon=0.5, bins=8))
    assert "That is too many bins for this ε" in text(_given(app, epsilon=0.05, bins=40))


def test_a_public_table_needs_no_fit() -> None:
    said = text(opened(visit(), "options"))
    assert "This table is public, so no private fit is needed" in said


@pytest.mark.slow
def test_a_fit_whose_columns_were_declared_anew_is_not_taken_up() -> None:
    app = _fitted(_table())
    entry = _book(app).entries[-1]
    name = scenario(app).table
    table = app.session_state["uploads"][name]
    cost = table.column("cost")
    app.session_state["uploads"][name] = table.declared(replace(cost, bounds=(0.0, 50.0)))
    press(app, f"take_up_fit_{entry.ticket}")
    assert "declared anew since this fit" in notices(app)
    assert fits_an_oracle(scenario(app).target)


def test_a_fit_of_a_table_that_changed_since_is_not_taken_up() -> None:
    app = _fitted(_table())
    entry, shown = _book(app).entries[-1], scenario(app)
    app.session_state["uploads"][shown.table] = replace(app.session_state["uploads"][shown.table], digest="another")
    press(sound(app.run()), f"take_up_fit_{entry.ticket}")
    assert "bring it again on the page Your data" in notices(app)
    assert scenario(app) == shown


def test_the_question_itself_comes_back_without_a_fit() -> None:
    app = _table()
    before = scenario(app)
    press(press(app, "fit_ask"), "fit_leave")
    assert scenario(app) == before


def test_a_fit_of_elsewhere_warns_before_the_first_answer() -> None:
    app = link("release", oracle={"kind": "Binned", "weights": [3, 1, 2], "interval": [0, 20]})
    assert "in another tab or elsewhere" in text(app)


def test_nothing_of_the_table_is_sent_before_the_press() -> None:
    app = confidential(b"income\n" + b"7777.7731\n" * 60, 0, 10_000)
    seen = [everything(opened(app, "options"))]
    press(app, "fit_ask")
    seen += [everything(app), everything(go(app, ""))]
    assert all("7777.77" not in one for one in seen)
