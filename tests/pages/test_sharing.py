"""At the button: whether the response may be shared, and what the ledger says after another press, as it then does say."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.lines import Event, Line, Standing
from pages.release.another_press import may_share
from tests.pages.test_filling import titles
from tests.pages.visit import go, link, pick, press, sound, text, visit

_BOUNDED = {"kind": "Mean", "bounds": [0, 20]}
_MAY = "You may publish the answer together with this guarantee."
_CSV = b"income\n" + b"\n".join(b"%d" % (i % 40) for i in range(200))


def _worst_case(app: Any) -> Any:
    return sound(app.radio(key="way").set_value(app.radio(key="way").options[1]).run())


def _line(standing: Standing) -> Line:
    """A line that stands so."""
    return Line(
        event=Event.RELEASE,
        target="t",
        target_id="t",
        n=9,
        adjacency=Adjacency.REPLACE_ONE_RECORD,
        epsilon=1.0,
        delta=0.0,
        standing=standing,
    )


@pytest.mark.parametrize("caveats", [False, True])
@pytest.mark.parametrize("holding", [Standing.PROVED, Standing.HELD])
def test_whatever_holds_of_the_others_an_answer_without_a_guarantee_is_not_to_be_shared(holding: Standing, caveats: bool) -> None:
    alone, mixed = (may_share([_line(one) for one in some], caveats=caveats) for some in ((holding,), (holding, Standing.NONE)))
    assert not alone.startswith("Do not publish")
    assert mixed.startswith("Do not publish an answer that has no guarantee as a private one. ")
    assert "the others" in mixed
    assert may_share([_line(Standing.NONE)] * 2, caveats=caveats) == "Do not publish the answers as private ones."
    assert may_share([], caveats=caveats) == ""


def _foretold(app: Any) -> list[str]:
    """The sums above the bars of what is asked afterwards, or planned as well."""
    return [one.split(",")[0] for one in titles(app) if "afterwards" in one]


def _together(app: Any) -> str:
    found = re.findall(r"\*\*Together: (.*?)\.\*\*", text(app))
    return str(found[-1])


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_ledger_says_after_two_presses_what_was_said_before_the_first(epsilon: float) -> None:
    """exp(ε)·0.05 + 0.05 is charged for the second, besides 0.05 for the first: not 0.1 in all."""
    app = link("release", epsilon=epsilon)
    assert _MAY in text(app)
    foretold = _foretold(app)
    press(app, "release")
    assert _foretold(app) == foretold
    press(press(app, "another"), "release")
    assert _together(app) == f"random DP, {', '.join(foretold)}"
    assert foretold == (["ε = 1", "γ = 0.183"] if epsilon == 0.5 else ["ε = 2", "γ = 0.236"])


def test_a_plan_of_two_keeps_what_is_said_of_it() -> None:
    app = visit("release")
    planned = ["ε = 2, planned before the first answer", "γ = 0.1, planned before the first answer"]
    assert planned[1] in titles(app)
    press(press(app, "plan_add"), "plan_add")
    assert titles(app) == planned
    press(press(press(app, "release"), "another"), "release")
    assert _together(app) == "random DP, ε = 2, γ = 0.1"


def test_of_a_median_a_second_press_has_no_guarantee() -> None:
    app = go(pick(visit(), "target", "Quantile"), "release")
    assert "A second press would have no guarantee, because this answer may have led to it." in text(app)
    assert "γ = 0.1, planned before the first answer" in titles(app)
    press(press(press(app, "release"), "another"), "release")
    assert "No one guarantee covers all" in text(app)


def test_the_worst_case_adds_up_at_any_time() -> None:
    app = _worst_case(link("release", target=_BOUNDED))
    assert titles(app) == ["ε = 2, planned or asked afterwards"]
    press(press(press(app, "release"), "another"), "release")
    assert _together(app) == "pure DP, ε = 2"


def test_what_no_guarantee_covers_is_not_to_be_shared_as_a_private_release() -> None:
    app = press(visit("release"), "release")
    go(pick(go(app, ""), "target", "Quantile"), "release")
    assert "Do not publish the answer as a private one." in text(app)
    assert _MAY not in text(app)


def test_a_budget_that_a_second_press_would_pass_is_said_to_have_no_room_for_it() -> None:
    app = _worst_case(link("release", target=_BOUNDED))
    assert "no room for it" not in text(app)
    sound(next(box for box in app.number_input if box.label.endswith("total ε")).set_value(1.5).run())
    assert "The budget has no room for it." in text(app)
