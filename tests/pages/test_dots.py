"""What would be published: fifty dots, a line to move, and the density behind the switch."""

from __future__ import annotations

import math
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visit import charts, confidential, pick, sound, text, visit, within


def _beyond(app: AppTest) -> tuple[str, int, int]:
    """The words of the legend, and how many dots are inside and beyond."""
    inside, wrong = charts(app)["responses"]["data"][:2]
    return wrong["name"], *(sum(x is not None and x == x for x in trace["x"]) for trace in (inside, wrong))


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
