"""A table whose rows are people's: declared on Your data, explored and released as one that protects people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpcore import L2, targets
from dpcore.base import users
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency
from pages.exports.link import from_text, to_text
from tests.pages.visit import (
    CHARTS,
    answer,
    charts,
    declare,
    edit,
    everything,
    go,
    only,
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

# 60 people with 1 to 6 visits each, 210 rows, and two rows that name nobody
ROWS = [(f"p{i:02d}", 10 + (7 * i + 13 * j) % 80, "ABC"[(i + j) % 3]) for i in range(60) for j in range(1 + i % 6)]
VISITS = ("who,cost,ward\n" + "".join(f"{who},{cost},{ward}\n" for who, cost, ward in ROWS) + ",50,A\n ,60,B\n").encode()


def _declared(*, stated: int | None = None, kind: str = "Confidential", content: bytes = VISITS) -> Any:
    app = declare(upload(visit(), "visits.csv", content, kind=kind), "cost", 0, 100, unit="€")
    edit(app, "ward", categories="A; B; C")
    only(app, "cost", "ward")
    answer(app, "Yes", "visit")
    sound(app.selectbox(key="person_column").set_value("who").run())
    if stated is not None:
        sound(app.radio(key="people_number").set_value(app.radio(key="people_number").options[1]).run())
        sound(app.number_input(key="people_stated").set_value(stated).run())
    return app


def explored(**how: Any) -> Any:
    return settled(use(_declared(**how)))


def test_person_column_protects_persons() -> None:
    app = declare(upload(visit(), "visits.csv", VISITS), "cost", 0, 100)
    answer(app, "Yes", "visit")
    assert "protect one visit, not one person" in everything(app)
    sound(app.selectbox(key="person_column").set_value("who").run())
    assert "protect one person, with all rows of that person" in text(app)
    assert "protect one visit, not one person" not in everything(app)


def test_people_are_what_explore_counts_and_protects() -> None:
    app = explored()
    assert scenario(app).n == 62
    assert scenario(app).adjacency is Adjacency.REPLACE_ONE_USER
    target: Any = scenario(app).target
    assert (type(target), target.person, target.rows) == (targets.ContributionBounded, "who", 3)
    assert scenario(app).columns == (*target.question.fields, "who")
    assert charts(app).keys() >= CHARTS
    assert "This is not a share of the people in your table" in text(app)


def test_stated_number_hides_the_true_one() -> None:
    app = explored(stated=70)
    assert scenario(app).n == 70
    assert scenario(app).adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER
    shown = everything(opened(app, "options")) + everything(go(app, "release"))
    assert "Your upload, about 70 people." in shown
    assert "62 people" not in shown
    assert "212 rows" not in shown
    assert "about 70" in shown


def test_missing_number_of_persons_protects_rows() -> None:
    app = _declared()
    assert "## visits.csv: 212 rows\n" in text(app)
    sound(app.radio(key="people_number").set_value(app.radio(key="people_number").options[1]).run())
    assert "State about how many people" in text(app)
    assert scenario(settled(use(app))).adjacency is Adjacency.REPLACE_ONE_RECORD


@pytest.mark.parametrize("stated", [None, 70])
def test_one_release_says_that_it_protects_one_person(stated: int | None, downloads: list[str]) -> None:
    app = go(explored(stated=stated), "release")
    assert "One person is protected, with all rows of that person" in text(app)
    press(app, "release")
    said = json.loads(downloads[-1])
    assert said["adjacency"] == ("replace one user" if stated is None else "add or remove one user")
    assert said["records"] == (62 if stated is None else 70)
    assert "One person is protected" in said["in_words"]
    assert said["provenance"]["n"] == said["settings"]["n"] == said["records"]


def test_targets_of_rows_become_contribution_bounded() -> None:
    app = explored()
    for target in ("Sum", "Count", "Proportion", "QuantileScores", "Mean"):
        asked: Any = scenario(settled(pick(app, "target", target))).target
        assert type(asked.target).__name__ == target
        assert type(asked) is targets.ContributionBounded
        assert charts(app).keys() >= CHARTS


def test_limit_of_rows_stays_with_other_targets() -> None:
    app = opened(explored(), "options")
    settled(sound(app.number_input(key="opt_rows").set_value(3).run()))
    opened(app, "where")
    settled(sound(app.selectbox(key="ask_by").set_value("ward").run()))
    opened(app, "options")
    settled(sound(app.number_input(key="opt_groups_each").set_value(2).run()))
    settled(pick(app, "target", "Sum"))
    target: Any = scenario(app).target
    assert (target.rows, target.groups_each, target.groups) == (3, 2, ("A", "B", "C", "other"))


def test_new_declaration_of_persons_replaces_the_question() -> None:
    app = explored()
    go(app, "your_data")
    sound(app.radio(key="people_number").set_value(app.radio(key="people_number").options[1]).run())
    sound(app.number_input(key="people_stated").set_value(500).run())
    settled(use(app))
    assert (scenario(app).adjacency, scenario(app).n) == (Adjacency.ADD_OR_REMOVE_ONE_USER, 500)
    go(app, "your_data")
    sound(app.selectbox(key="person_column").set_value("").run())
    settled(use(app))
    assert scenario(app).adjacency is Adjacency.REPLACE_ONE_RECORD
    assert "one visit (one row)" in everything(opened(go(app, "release")))


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (b"who,cost,ward\n" + b"a,5,A\n" * 40, None),
        (b"who,cost,ward\n" + b",5,A\n" * 40, 10),
        (b"who,cost,ward\n1,5,A\nx,6,B\n,7,A\n1.0,8,C\n", 10),
    ],
    ids=["one person", "nobody named, a number stated", "mixed"],
)
def test_strange_people_are_asked_about_too(content: bytes, stated: int | None) -> None:
    app = explored(content=content, stated=stated)
    assert charts(app).keys() >= CHARTS
    press(go(app, "release"), "release")
    assert "No answer" not in text(app)


def test_link_with_other_person_column_is_refused() -> None:
    app = explored()
    asked, uploads = scenario(app), app.session_state["uploads"]
    said = json.loads(to_text(asked))
    said |= {"f": said["f"] | {"person": "ward"}, "c": ["cost", "ward"]}
    with pytest.raises(DpcoreError):
        from_text(json.dumps(said), uploads)


def test_names_that_cannot_be_told_apart_are_refused() -> None:
    rows = b"who,cost,ward\n" + b"a" * 65 + b",5,A\n" + b"b,6,B\n"
    assert "has more than 64 letters" in everything(use_anyway(_declared(content=rows)))


def use_anyway(app: Any) -> Any:
    return app.button(key="use_table").click().run()


@pytest.mark.parametrize(("target", "stated"), [("Count", None), ("Sum", 70)])
def test_gaussian_noise_for_persons_is_released(target: str, stated: int | None, downloads: list[str]) -> None:
    app = opened(settled(pick(explored(stated=stated), "target", target)), "options", "where")
    sound(app.selectbox(key="opt_mechanism").set_value("GaussianMechanism").run())
    assert (type(scenario(app).mechanism).__name__, scenario(app).norm, scenario(app).delta) == ("GaussianMechanism", L2, 1e-6)
    settled(sound(app.selectbox(key="ask_by").set_value("ward").run()))
    assert (type(scenario(app).mechanism).__name__, scenario(app).norm) == ("GaussianMechanism", L2)
    assert charts(app).keys() >= CHARTS
    press(go(app, "release"), "release")
    said = json.loads(downloads[-1])
    assert said["adjacency"] == ("replace one user" if stated is None else "add or remove one user")
    assert "δ = 1e-06" in said["in_words"]


_LIMIT = "A table of people has at most 16,777,216 rows."


def test_too_many_rows_are_refused_and_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """One person can decide that there are more, so a refusal is no free answer."""
    app = explored()
    assert _LIMIT in text(go(app, "release"))
    monkeypatch.setattr(users, "MOST_ROWS", 100)  # of 212
    press(app, "release")
    charged = [line for table in app.table for line in table.value.to_dict("records") if "charge" in line]
    assert [(line["charge"], line["ε"]) for line in charged] == [("a release that failed", "1")]
