"""What would be published: fifty dots, a line to move, and the density behind the switch."""

from __future__ import annotations

import math
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visit import charts, confidential, go, pick, slide, sound, text, visit, within


def _beyond(app: AppTest) -> tuple[str, int, int]:
    """The words of the legend, and how many dots are inside and beyond."""
    inside, wrong = charts(app)["responses"]["data"][:2]
    return wrong["name"], *(sum(x is not None and x == x for x in trace["x"]) for trace in (inside, wrong))


def _views(app: AppTest) -> list[str]:
    return list(within(app, "readers").button_group(key="readers").options)


def _moved(app: AppTest, off: float) -> AppTest:
    return sound(within(app, "off").number_input(key="off").set_value(off).run())


def test_it_opens_on_dots_of_which_one_in_twenty_is_wrong() -> None:
    app = visit()
    assert _beyond(app) == ("wrong beyond ± 0.02: 2 of 50", 48, 2)
    assert within(app, "off").number_input(key="off").value == 0.02
    assert "Wrong if off by more than" in text(app)


@pytest.mark.parametrize("off", [0.0075, 0.02])
def test_as_many_are_wrong_as_the_closed_form_says(off: float) -> None:
    app = _moved(visit(), off)
    scale = next(iter(app.session_state["explored"].values())).at(app.session_state["scenario"].point).order_statistic
    many = round(50 * math.exp(-off / scale))
    assert _beyond(app)[1:] == (50 - many, many)


def test_the_line_stays_while_epsilon_moves_and_is_set_anew_for_another_question() -> None:
    app = slide(_moved(visit(), 0.02), "epsilon", 2.0)
    assert _beyond(app)[0] == "wrong beyond ± 0.02: 0 of 50"
    app = pick(app, "target", "Variance")
    assert "± 0.02:" not in _beyond(app)[0]


def test_the_density_and_the_error_stand_behind_the_switch_and_the_choice_is_kept() -> None:
    app = visit()
    assert _views(app) == ["Answers", "Density", "Error"]
    sound(within(app, "readers").button_group(key="readers").set_value("Density").run())
    assert charts(app)["responses"]["data"][0]["name"] == "noise sized to Δ̂"
    assert not [box for box in app.number_input if box.key == "off"]
    go(app, "your_data")
    go(app, "")
    assert charts(app)["responses"]["data"][0]["name"] == "noise sized to Δ̂"


@pytest.mark.parametrize("table", ["scientists", "sine", "two_classes"])
def test_what_is_no_single_number_has_no_dots(table: str) -> None:
    app = visit()
    sound(within(app, "readers").button_group(key="readers").set_value("Density").run())
    app = pick(app, "table", table)
    assert _views(app) == ["Answers", "Error"]
    assert within(app, "readers").button_group(key="readers").value == "Answers"
    assert not [box for box in app.number_input if box.key == "off"]


def test_a_median_by_selection_has_dots_on_its_scale() -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "QuantileScores")
    name, inside, wrong = _beyond(app)
    assert inside + wrong == 50
    assert name.endswith(f": {wrong} of 50")
    assert wrong in (1, 2, 3)  # the line is where 95 in 100 lie, in two digits


def test_of_a_confidential_table_they_lie_around_a_made_up_answer() -> None:
    content = ("income\n" + "\n".join(f"{7654 + i}" for i in range(60))).encode()
    app = confidential(content, 0, 10_000)
    figure: Any = charts(app)["responses"]
    assert figure["layout"]["title"]["text"].startswith("Not your data")
    assert figure["data"][2]["name"] == "simulated table"


def test_the_line_is_in_the_address_and_a_link_brings_it_back() -> None:
    app = visit()
    assert "off" not in app.query_params
    _moved(app, 0.03)
    assert app.run().query_params["off"] in ("0.03", ["0.03"])
    assert within(visit(v="1", off="0.03"), "off").number_input(key="off").value == 0.03
    for bad in ("-1", "wide", "inf"):
        refused = visit(v="1", off=bad)
        assert within(refused, "off").number_input(key="off").value == 0.02
        assert "how far off an answer may be" in " ".join(warning.value for warning in refused.warning)
        assert "off" not in refused.query_params
    pick(app, "table", "diabetes")
    assert "off" not in app.run().query_params
