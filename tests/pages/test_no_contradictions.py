"""What a page says before a press, after it and beside it does not contradict itself."""

from __future__ import annotations

import json

import pytest

from pages.explore.learned import OF_A_ROW, TITLE
from tests.pages.visit import ask, link, opened, pick, press, settled, sound, text, visit


def test_a_response_says_who_is_not_protected_and_why() -> None:
    said = text(press(visit("release"), "release"))
    response = said.partition("## Answers")[2]
    assert "**Not protected**: unusual rows, as where Time to default changes by more than " in response
    assert "No worst case is proved here" in response
    assert "A wrong oracle, whose rows differ less than real ones do, leaves out more." in response


@pytest.mark.slow
def test_a_response_of_the_sampled_way_says_that_the_worst_case_was_there() -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    way = app.radio(key="way")
    sound(way.set_value(way.options[0]).run())
    assert "The noise is not sized to the proved worst case" in text(press(app, "release"))


def test_a_response_under_the_worst_case_leaves_nobody_out() -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    way = app.radio(key="way")
    sound(way.set_value(way.options[1]).run())
    assert "**Not protected**" not in text(press(app, "release"))


@pytest.mark.parametrize("sampled", [True, False])
def test_a_list_and_its_download_say_who_is_not_protected(sampled: bool, downloads: list[str]) -> None:
    """Under sampled noise once for each of its two answers; under the proved worst case not at all."""
    app = press(link("release", table="diabetes", columns=["bmi"]), "list_begin")
    app = ask(app, "Mean of Age")
    way = app.radio(key="list_way")
    sound(way.set_value(way.options[not sampled]).run())
    response = text(press(app, "release_list")).partition("## Answers")[2]
    told = json.loads(next(one for one in downloads if '"number_in_list"' in one))["not_protected"]
    assert response.count("**Not protected**") == (2 if sampled else 0)
    if not sampled:
        assert told is None
        return
    assert told.startswith("Not protected: unusual rows. The noise is not sized to the proved worst case, so an unusual one ")
    assert told.endswith("A wrong oracle, whose rows differ less than real ones do, leaves out more.")
    assert told.removeprefix("Not protected") in response


def test_a_receipt_says_what_comes_and_then_what_came() -> None:
    app = visit("release")
    assert "You first see it with the answer. Explore's ± comes of other trials, so the answer's ± will be another" in text(app)
    press(app, "release")
    assert "You first see it" not in text(app)
    assert "The ledger will" not in text(app)
    assert "You see it with the answer. Its ± is not Explore's, which came of other trials." in text(app)


def test_a_guarantee_stands_once_in_full_after_the_press() -> None:
    app = visit("release")
    assert text(app).count("whoever guesses from the answer") == 1
    assert text(press(app, "release")).count("whoever guesses from the answer") == 1


@pytest.mark.parametrize(("table", "persons"), [("loan_defaults", False), ("diabetes", True)])
def test_a_row_that_is_about_no_person_is_nobodys(table: str, persons: bool) -> None:
    app = visit() if table == "loan_defaults" else settled(pick(visit(), "table", table))
    said = text(app)
    assert (TITLE in said, OF_A_ROW in said) == (persons, not persons)
    assert ("your row is in" in said, "this row is in" in said) == (persons, not persons)
    assert ("on your side" in said, "on this row's side" in said) == (persons, not persons)


def test_rows_that_count_in_part_are_not_said_to_be_dropped() -> None:
    said = text(settled(opened(visit("people"), "open_words", "open_rows")))
    assert "of the people count only in part: those of one person weigh at most 10 rows." in said
    assert "Right of the line, a person's rows count only in part" in said
    assert "dropped" not in said
