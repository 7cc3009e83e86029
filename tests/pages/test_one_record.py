"""One record to drag, on Explore: of public or made-up tables alone, with a reason where there is none."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.explore import one_record
from pages.shared.escape import escaped
from tests.pages.visit import (
    charts,
    confidential,
    declare,
    everything,
    opened,
    pick,
    press,
    settled,
    sound,
    text,
    upload,
    use,
    visit,
)

KEY, CHART = "one_record", "record_chart"


def _track(app: AppTest) -> Any:
    return next((one for one in app.select_slider if one.key == "slide_record"), None)


def _at(app: AppTest, place: int) -> AppTest:
    return sound(_track(app).set_value(place).run())


def test_it_is_there_once_it_is_opened_and_a_link_opens_it() -> None:
    app = settled(visit())
    assert _track(app) is None
    app = settled(opened(app, KEY))
    assert "### Drag this row out\nIt stands at 0.7464 years." in text(app)
    assert sound(app.run()).query_params["doubts"].endswith(KEY)
    assert CHART in charts(settled(visit(doubts=KEY, v="1")))


def test_far_out_it_is_not_protected_and_epsilon_moves_what_a_guesser_gains() -> None:
    app = settled(visit(doubts=KEY, v="1"))
    app = _at(app, len(_track(app).options) - 1)
    assert "### Not protected: beyond Δ̂ = 0.00652 years, nothing is promised" in text(app)
    assert "For this pair alone, the best guesser is right 99 times in 100 (a coin: 50)." in text(app)
    assert "Without public bounds there is no finite worst case." in text(app)
    less = sound(app.select_slider(key="slide_epsilon").set_value(0.1).run())
    assert "nothing is promised" in text(less)
    assert "the best guesser is right 67 times in 100" in text(less)
    track = charts(less)[CHART]["data"][2]
    assert track["name"] == "not protected"
    assert any(place > 5 for place in track["x"])


def test_where_the_worst_case_leads_every_change_is_protected_beyond_the_sampled_sensitivity_too() -> None:
    app = settled(visit(doubts=KEY, v="1", table="two_classes"))
    app = _at(app, 0)
    assert re.search("### Protected, as every change is: at most .* over all tables", text(app))
    assert "Under random DP this change is not protected." in text(app)
    assert all(place != place for place in charts(app)[CHART]["data"][2]["x"])


def test_names_and_units_from_outside_are_shown_as_they_are() -> None:
    content = b"income\n" + b"".join(b"%d\n" % ((37 * i) % 9_000) for i in range(300))
    app = declare(upload(visit(), "mine.csv", content, kind="Public"), "income", 0, 10_000, label="**xy**", unit="[x](http://y)")
    track = _track(settled(opened(use(app), KEY)))
    assert escaped("**xy**") in track.label
    assert all("[x](" not in option.replace(escaped("[x](http://y)"), "") for option in track.options)
    assert "[x](" not in text(app).replace(escaped("[x](http://y)"), "")


def test_of_several_columns_one_is_chosen() -> None:
    app = settled(pick(visit(doubts=KEY, v="1", table="sine"), "target", "Correlation"))
    assert "It stands at 0.4773." in text(app)
    app = pick(app, "record_column", "y")
    assert "It stands at 0.06439." in text(app)
    assert "It stands at 0.4773." in text(pick(app, "record_column", "x"))


def test_there_is_a_reason_where_there_is_none_to_drag() -> None:
    for table, why in (("players", one_record._PEOPLE), ("scientists", one_record._NO_NUMBERS)):
        app = settled(visit(v="1", table=table, doubts=KEY))
        assert why in text(app)
        assert _track(app) is None
    app = settled(visit(v="1", doubts=KEY, bound="RANK", m="1", gamma="0.5", table="diabetes", columns='["sex"]'))
    assert one_record._NO_NUMBERS in text(app)


def test_missing_values_are_no_dots_and_a_constant_column_has_places_too() -> None:
    content = b"a,b\n" + b"".join(b"%s,7\n" % (b"" if i % 3 == 0 else b"%d" % i) for i in range(60))
    app = declare(upload(visit(), "mine.csv", content, kind="Public"), "b", 0, 10)
    app = settled(opened(use(declare(app, "a", 0, 60)), KEY))
    assert len(charts(app)[CHART]["data"][0]["x"]) == 39
    constant = settled(opened(use(declare(upload(visit(), "mine.csv", content, kind="Public"), "b")), KEY))
    constant = settled(pick(constant, "target", "Mean"))
    assert _track(constant) is not None or "No private answer" in text(constant)


@pytest.mark.slow
def test_of_a_confidential_table_nothing_hangs_on_its_values() -> None:
    """Two files of the same names and sizes: the same bytes."""
    files = (b"income\n" + b"".join(b"%d\n" % ((37 * i) % 9_000) for i in range(300)), b"income\n" + b"7777.77\n" * 300)
    seen = []
    for content in files:
        app = settled(opened(confidential(content, 0, 10_000), KEY))
        app = _at(app, len(_track(app).options) - 1)
        seen.append((json.dumps(charts(app)[CHART]), _track(app).options, _said(app)))
    assert seen[0] == seen[1]
    assert "simulated table" in seen[0][2]
    assert "7777.77" not in seen[1][0] + everything(settled(opened(confidential(files[1], 0, 10_000), KEY)))


def _said(app: AppTest) -> str:
    """What stands in the section."""
    said = [one.value for one in app.markdown]
    begin = next(i for i, one in enumerate(said) if one.startswith(("### Drag", "### Protected", "### Not protected")))
    return "\n".join(said[begin : begin + 2])


def test_on_a_wall_it_is_a_part() -> None:
    app = settled(visit(present="1", panel="record"))
    assert f"## {one_record.TITLE}" in text(app)
    assert press(app, "wall_next")
