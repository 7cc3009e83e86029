"""Conditions and groups on Explore: they stand around the target, and stay or go with a sentence when it changes."""

from __future__ import annotations

from datetime import date
from typing import Any

from streamlit.testing.v1 import AppTest

from dpcore import targets
from dpcore.base.filters import Filter, GroupBy
from pages.exports.link import from_text, to_text
from tests.pages.visit import (
    CHARTS,
    charts,
    declare,
    edit,
    go,
    notices,
    opened,
    pick,
    press,
    scenario,
    settled,
    sound,
    text,
    upload,
    use,
    visit,
)

STAYS = (
    "cost,days,sex,ward\n"
    + "".join(f"{'' if i % 11 == 0 else i % 90},{i % 7},{'FM'[i % 2]},{'ABC'[i % 3]}\n" for i in range(300))
).encode()
FEMALE = Filter("sex", "F")
WARDS = GroupBy("ward", ("A", "B", "C", "other"))


def _stays() -> AppTest:
    app = declare(upload(visit(), "stays.csv", STAYS), "cost", 0, 100, unit="€")
    declare(app, "days", 0, 30)
    edit(app, "sex", categories="F; M")
    edit(app, "ward", categories="A; B; C")
    return opened(use(app), "where")


def _where(app: AppTest, column: str, category: str, how: str = "is") -> AppTest:
    sound(app.selectbox(key="ask_column").set_value(column).run())
    app.selectbox(key="ask_how").set_value(how)
    sound(app.selectbox(key=f"ask_category_{column}").set_value(category).run())
    return settled(press(app, "ask_add"))


def _by(app: AppTest, column: str) -> AppTest:
    return settled(sound(app.selectbox(key="ask_by").set_value(column).run()))


def _question(app: AppTest) -> Any:
    return scenario(app).target


def test_a_condition_and_groups_stand_around_every_target_and_in_its_link_and_release() -> None:
    app = _by(_where(_stays(), "sex", "F"), "ward")
    asked = scenario(app)
    assert asked.target == targets.Query(targets.Mean((0, 100)), ("cost",), (FEMALE,), WARDS)
    assert asked.columns == ("cost", "sex", "ward")
    assert asked.oracle.draws_fields
    settled(pick(app, "target", "QuantileScores"))
    assert "The groups must be left out for a median" in notices(app)
    assert scenario(app) == asked
    for target in ("Sum", "Count", "Proportion", "Histogram", "Mean"):
        settled(pick(app, "target", target))
        assert (_question(app).where, _question(app).by) == ((FEMALE,), WARDS)
        assert type(_question(app).target).__name__ == target
        assert not notices(app)
        assert charts(app).keys() >= CHARTS
    assert "where sex is F, by ward" in text(go(app, "release"))
    assert "where sex is F, by ward" in text(press(app, "release"))
    shown = "\n".join(table.value.to_csv() for table in app.table)
    assert all(f",{ward}," in shown for ward in ("A", "B", "C", "other"))
    assert from_text(to_text(asked), app.session_state["uploads"]) == asked


def test_conditions_are_intervals_or_categories_and_each_can_be_taken_away() -> None:
    app = _by(_where(_stays(), "ward", "A", "is not"), "ward")
    for ends in ((5.0, 5.0), (2.0, 5.0)):
        sound(app.selectbox(key="ask_column").set_value("days").run())
        app.number_input(key="ask_from_days").set_value(ends[0])
        sound(app.number_input(key="ask_to_days").set_value(ends[1]).run())
        settled(press(app, "ask_add"))
        assert ("Nothing was changed." in notices(app)) == (ends == (5.0, 5.0))
    days = Filter("days", interval=(2.0, 5.0))
    assert _question(app).where == (Filter("ward", "A", excluded=True), days)
    settled(press(app, "unask_0"))
    assert _question(app).where == (days,)
    settled(press(app, "unask_0"))
    settled(sound(app.selectbox(key="ask_by").set_value("").run()))
    assert _question(app) == targets.Query(targets.Mean((0, 100)), ("cost",))  # of which only known values count
    assert scenario(app).columns == ("cost",)


def test_another_column_or_oracle_or_setting_keeps_them_too() -> None:
    app = _where(_stays(), "sex", "F")
    settled(sound(app.selectbox(key="pick_column").set_value("days").run()))
    assert _question(app) == targets.Query(targets.Mean((0, 30)), ("days",), (FEMALE,))
    settled(pick(app, "oracle", "Normal"))
    assert _question(app).where == (FEMALE,)
    assert scenario(app).oracle.draws_fields
    opened(app, "options")
    settled(sound(app.text_input(key="opt_bounds").set_value("0, 20").run()))
    assert _question(app) == targets.Query(targets.Mean((0, 20)), ("days",), (FEMALE,))


def test_a_target_that_needs_every_value_leaves_conditions_out_in_a_sentence() -> None:
    app = settled(pick(pick(visit(), "table", "diabetes"), "target", "Quantile"))
    assert not [box for box in app.get("popover") if box.proto.popover.label == "Where, by"]
    app = opened(settled(pick(app, "target", "Mean")), "where")
    assert "only rows that meet every condition count" in text(app)
    sound(app.selectbox(key="ask_column").set_value("bmi").run())
    settled(press(app, "ask_add"))
    assert _question(app).where
    settled(press(app, "unask_0"))
    assert isinstance(_question(app), targets.Mean)  # over n again, because each row has a value
    sound(app.selectbox(key="ask_column").set_value("bmi").run())
    settled(press(app, "ask_add"))
    settled(pick(app, "target", "Quantile"))
    assert isinstance(_question(app), targets.Quantile)
    assert "Conditions and groups were removed" in notices(app)


DATED = b"cost,seen,smokes\n" + b"".join(
    b"%d,2024-%02d-%02d,%s\n" % (10 + i % 50, 1 + i % 12, 1 + i % 28, b"yes" if i % 3 else b"no") for i in range(60)
)


def test_a_day_is_asked_for_by_its_date_and_yes_or_no_by_its_word() -> None:
    app = declare(upload(visit(), "seen.csv", DATED), "cost", 0, 100)
    edit(app, "seen", lowest="2024-01-01", highest="2024-12-31")
    app = _where(opened(use(app), "where"), "smokes", 1.0)
    sound(app.selectbox(key="ask_column").set_value("seen").run())
    app.date_input(key="ask_from_seen").set_value(date(2024, 3, 1))
    sound(app.date_input(key="ask_to_seen").set_value(date(2024, 5, 31)).run())
    settled(press(app, "ask_add"))
    assert _question(app).where == (Filter("smokes", 1.0), Filter("seen", interval=(60.0, 151.0)))
