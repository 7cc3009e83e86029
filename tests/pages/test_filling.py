"""The bars at the button Release: what each answer adds, planned before the first and asked afterwards, as the ledger has it."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from dataclasses import replace
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pages.charts.spending import Bar, Part, spending
from pages.release.filling import bars

from dpcore.base.norms import L2
from dpcore.base.types import Oracle
from dpcore.guarantees.privacy import Guarantee, PureDP, RandomDP
from dpcore.ledger.accounting import Ledger, Line
from dpcore.mechanisms import Gaussian
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile, Variance
from pages.charts import svg
from pages.charts.drawn import BLUE, DARK_INKS, INK, ON_INK, VERMILION, inked
from pages.charts.svg import Theme
from pages.files.tables import Column, Table
from pages.release.another_press import again
from pages.state import state
from pages.state.book import Book, line_of
from tests.pages.visit import link, press, visit

N = 40
_SVG = "{http://www.w3.org/2000/svg}"
TABLE = Table("t.csv", (Column("x", bounds=(0, 1)),), {"x": np.linspace(0, 1, N)}, public=True, digest="0f")
SUM, PLANNED, LATE = "asked afterwards", "planned before the first answer", "had all been planned first"

UNIFORM = Uniform(0, 1)


def _line(target: object = Mean(), *, proved: bool = False, n: int = N, epsilon: float = 1.0, oracle: Oracle = UNIFORM) -> Line:
    changes: dict[str, Any] = {"table": "t.csv", "columns": ("x",), "target": target, "oracle": oracle, "n": n}
    return line_of(replace(state.example(), epsilon=epsilon, **changes), TABLE, worst_case=proved)


def _charged(*lines: Line, budget: Guarantee | None = None) -> Book:
    book = Book()
    for number, line in enumerate(lines):
        book.charge(TABLE, partial(Ledger.holding, item=line.redrawn(f"made {number}")))
    if budget is not None:
        book.budgets["0f"] = budget
    return book


def _of(found: tuple[Bar, ...]) -> dict[tuple[str, str], list[tuple[str, float, bool, str]]]:
    return {(bar.symbol, bar.said): [(one.said, round(one.to, 9), one.made, one.lacks) for one in bar.parts] for bar in found}


def test_two_planned_answers_add_their_gammas_and_one_asked_afterwards_more() -> None:
    found = _of(bars(Book(), TABLE, [_line()], spent=False))
    larger = math.ceil(1000 * (math.e * 0.05 + 0.05)) / 1000  # (5) of docs/mathematics.md, with three digits
    assert found == {
        ("ε", "planned or asked afterwards"): [("this press", 1, False, ""), ("one more", 2, False, "")],
        ("γ", PLANNED): [("this press", 0.05, False, ""), ("one more", 0.1, False, "")],
        ("γ", SUM): [("this press", 0.05, False, ""), ("one more", 0.05 + larger, False, "")],
    }


def test_each_answer_of_the_ledger_is_a_part_and_what_they_come_to_is_its_total() -> None:
    book = _charged(_line(epsilon=0.1), _line(epsilon=0.1))
    found = bars(book, TABLE, [_line(epsilon=0.1)], spent=False)
    (ledger,) = book.ledgers["0f"]
    assert [(one.symbol, one.said) for one in found] == [("ε", "planned or asked afterwards"), ("γ", LATE), ("γ", SUM)]
    assert [one.made for one in found[2].parts] == [True, True, False, False]
    total = ledger.total()
    assert isinstance(total, RandomDP)
    assert found[2].parts[1].to == total.gamma
    assert found[1].parts[-1].to == pytest.approx(0.2)
    after = bars(book, TABLE, [_line(epsilon=0.1)], spent=True)
    assert [one.said for one in after[2].parts] == ["in the ledger", "in the ledger", "one more"]
    assert after[2].parts[-1].to == found[2].parts[2].to


def test_an_answer_without_a_guarantee_has_no_number() -> None:
    for book, spent in ((Book(), False), (_charged(_line(Quantile(0.5))), True)):
        found = bars(book, TABLE, [_line(Quantile(0.5))], spent=spent)
        lacks = {(bar.symbol, bar.said.split()[-1]): [one.lacks for one in bar.parts] for bar in found}
        last = "first" if spent else "answer"
        assert lacks == {(s, w): ["", "no guarantee" * (w == "afterwards")] for s in "εγ" for w in (last, "afterwards")}
        assert all(bar.title == f"{bar.symbol}: {SUM}" for bar in found if bar.said == SUM)
    (both,) = (
        bar for bar in bars(_charged(_line(), _line(Quantile(0.5))), TABLE, [_line()], spent=True) if bar.title == f"γ: {SUM}"
    )
    assert [one.lacks for one in both.parts] == ["", "no guarantee", "no guarantee"]


def test_under_a_proved_sensitivity_both_are_one_bar_of_epsilon() -> None:
    proved = _line(Variance(bounds=(0.0, 1.0)), proved=True)
    (bar,) = bars(Book(), TABLE, [proved], spent=False)
    assert bar.title == "ε = 2, planned or asked afterwards"


def test_what_a_plan_lists_is_planned_and_what_it_lists_beside_is_still_to_come() -> None:
    book, line, other = Book(), _line(), _line(Quantile(0.5))
    book.ledgers["0f"] = [Ledger().planned([line, line, other])]
    found = _of(bars(book, TABLE, [line], spent=False))
    assert list(found) == [("ε", PLANNED), ("γ", PLANNED)]
    assert [(said, to) for said, to, *_ in found["γ", PLANNED]] == [("this press", 0.05), ("one more", 0.1), ("planned", 0.15)]


def test_a_list_is_one_press_that_is_planned_as_a_whole() -> None:
    found = _of(bars(Book(), TABLE, [_line(), _line(Quantile(0.5))], spent=False))
    assert [to for _, to, *_ in found["γ", PLANNED]] == pytest.approx([0.1, 0.2])
    assert [lacks for *_, lacks in found["γ", SUM]] == ["", "no guarantee"]


def test_lines_of_no_one_ledger_have_no_bars() -> None:
    assert bars(Book(), TABLE, [_line(), _line(n=N - 1)], spent=False) == ()


def test_answers_of_elsewhere_were_planned_by_nobody_here() -> None:
    book = Book()
    book.enter(TABLE, N, PureDP(0.5), made="", note="elsewhere", first=True)
    found = _of(bars(book, TABLE, [_line()], spent=False))
    assert {said for _, said in found} == {SUM}
    assert found["ε", SUM][0] == ("in the ledger", 0.5, True, "")
    book.enter(TABLE, N, RandomDP(0.5, 0.0, 0.01), made="", note="elsewhere", first=False)
    assert [lacks for *_, lacks in _of(bars(book, TABLE, [_line()], spent=False))["γ", SUM]][:2] == ["", "joins no total"]


def test_no_bar_says_planned_of_an_oracle_that_an_answer_may_have_made() -> None:
    """A choice of bounds came first; an oracle of before the first answer could have been planned."""
    chosen = replace(_line(Mean((0, 1)), proved=True), settles=True)
    assert {bar.said for bar in bars(_charged(chosen), TABLE, [_line()], spent=False)} == {SUM}
    assert {bar.said for bar in bars(_charged(_line(), chosen), TABLE, [_line()], spent=False) if bar.symbol == "γ"} > {SUM}


def test_a_delta_that_no_bar_shows_is_said() -> None:
    table = state.catalog()["loan_defaults"]
    line = line_of(replace(state.example(), delta=1e-6, mechanism=Gaussian(), norm=L2), table, worst_case=False)
    assert "would bring this table's ledger to random DP, ε = 2, δ = 2e-06, γ = 0.236." in again(
        Book(), table, [line], spent=False
    )


def test_where_no_promise_is_left_a_bar_says_so() -> None:
    book = _charged(*[_line()] * 3)
    last = bars(book, TABLE, [_line()], spent=False)[-1].parts[-1]
    assert (last.lacks, last.said) in (("no promise left", "one more"), ("no guarantee", "one more"))


def test_the_budget_is_a_bars_end_and_what_is_left_is_said_once() -> None:
    found = bars(_charged(_line(), budget=RandomDP(2.5, 0.0, 0.2)), TABLE, [_line()], spent=True)
    assert [one.title for one in found] == [
        "ε = 2, planned or asked afterwards. Budget 2.5: 1.5 left",
        f"γ = 0.1, {LATE}. Budget 0.2: 0.15 left",
        f"γ = 0.236, {SUM}",
    ]
    assert [one.budget for one in found] == [2.5, 0.2, 0.2]


# The picture of them.


_BARS = (
    Bar("ε", "a", (Part("in the ledger", 1.0, made=True), Part("one more", 3.0)), 4.0, 3.0),
    Bar("γ", "b", (Part("in the ledger", 0.1, made=True), Part("one more", 0.1, lacks="no guarantee"))),
)


def _outlines(drawn: Any) -> list[Any]:
    return [
        trace
        for trace in drawn.ready()["data"]
        if trace.get("mode") == "lines" and len(trace["x"]) == 5 and trace["y"][2] > trace["y"][1]
    ]


def test_widths_are_the_sums_and_what_is_spent_is_filled() -> None:
    drawn, said = spending(_BARS)
    spent, more, known, none = _outlines(drawn)
    assert [one.get("fill") for one in (spent, more, known, none)] == ["toself", None, "toself", None]
    wide = [float(np.ptp(one["x"])) for one in (spent, more)]
    assert wide[1] / wide[0] == pytest.approx(2, rel=0.03)
    (end,) = (float(trace["x"][0]) for trace in drawn.ready()["data"] if trace["name"] == "budget")
    assert end == pytest.approx(1.0)
    assert max(more["x"]) == pytest.approx(0.75, abs=0.01)
    assert none["line"]["color"] == VERMILION
    assert [trace["name"] for trace in drawn.ready()["data"]].count("hatch") == 1
    assert said == (
        "ε = 3, a. Budget 4: 3 left. in the ledger: ε = 1, one more (to come): ε = 3. "
        "γ: b. in the ledger: γ = 0.1, one more (to come): no guarantee."
    )


def test_ours_draws_it_as_plotly_does_and_letters_are_read_on_either_ground() -> None:
    drawn, said = spending(_BARS)
    assert "no guarantee" in svg.drawn_or_said([(drawn, said, "")], width=360, height=92)
    for theme in (Theme.LIGHT, Theme.DARK):
        text = svg.svg(drawn, alt=said, width=360, height=92, theme=theme)
        on_fill, _ = re.findall(r'text-anchor="middle" fill="(#\w+)">in the ledger', text)
        assert _contrast(on_fill, theme.inks.get(BLUE, BLUE)) >= 4.5
    dark = str(inked(drawn).ready())
    assert not any(ink in dark for ink in (INK, ON_INK, BLUE))
    for ground, letters, fill, text in (("#ffffff", INK, BLUE, ON_INK), ("#0e1117", "#FAFAFA", DARK_INKS[BLUE], "#0E1117")):
        assert _contrast(ground, letters) >= 4.5
        assert _contrast(fill, text) >= 4.5
        for mark in (fill, VERMILION if ground == "#ffffff" else DARK_INKS[VERMILION]):  # the budget's end and the hatch too
            assert _contrast(mark, ground) >= 3


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, relative luminance."""
    light = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        light.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(light) + 0.05) / (min(light) + 0.05)


# On the page.


def drawn_on(app: Any) -> Any:
    """The bars, as the page shows them."""
    html = "".join(one.proto.body for one in app.get("html"))
    (image,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return ElementTree.fromstring(b64decode(image).decode())


def titles(app: Any) -> list[str]:
    """What is written above the bars."""
    return [one.text for one in drawn_on(app).iter(f"{_SVG}text") if one.get("text-anchor") is None]


def filled(app: Any) -> int:
    """How many bars are."""
    return sum(one.get("fill") == BLUE for one in drawn_on(app).iter(f"{_SVG}path"))


def test_a_press_fills_the_bars_whose_sums_stay() -> None:
    app = visit("release")
    before = titles(app)
    assert before == ["ε = 2, planned or asked afterwards", f"γ = 0.1, {PLANNED}", f"γ = 0.236, {SUM}"]
    press(app, "release")
    assert titles(app) == [before[0], f"γ = 0.1, {LATE}", before[2]]
    assert filled(app) == 3


def test_a_budget_that_refuses_still_shows_its_end() -> None:
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    next(box for box in app.number_input if box.label.endswith("total ε")).set_value(0.5).run()
    assert "0.5 is left of the budget's 0.5" in "\n".join(one.value for one in app.warning)
    assert titles(app)[0].endswith("Budget 0.5: 0.5 left")
