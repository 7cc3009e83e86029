"""At the button: what the ledger says after another press, as it then does say, and where there is none."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.pages.visit import confidential, go, link, press, sound, text, visit

_BOUNDED = {"kind": "Mean", "bounds": [0, 20]}
_MAY = "You may publish the answer together with this guarantee."
_CSV = b"income\n" + b"\n".join(b"%d" % (i % 40) for i in range(200))


def _worst_case(app: Any) -> Any:
    return sound(app.radio(key="way").set_value(app.radio(key="way").options[1]).run())


def _together(app: Any) -> str:
    found = re.findall(r"\*\*Together: (.*?)\.\*\*", text(app))
    return str(found[-1])


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_ledger_says_after_two_presses_what_was_said_before_the_first(epsilon: float) -> None:
    app = _worst_case(link("release", epsilon=epsilon, target=_BOUNDED))
    assert _MAY in text(app)
    foretold = f"A second press would bring this table's ledger to pure DP, ε = {2 * epsilon:g}."
    assert foretold in text(app)
    press(app, "release")
    assert foretold.replace("A second", "Another") in text(app)
    press(press(app, "another"), "release")
    assert _together(app) == f"pure DP, ε = {2 * epsilon:g}"


def test_a_new_demonstration_offers_trials_again() -> None:
    app = press(visit("release"), "release")
    press(app, "new_demonstration")
    assert "Nothing was released of" in text(app)
    assert "no guarantee covers its answers together with those of earlier ones" in text(app)
    press(app, "release")
    assert _together(app) == "random DP, ε = 1, γ = 0.05"


def test_a_confidential_table_has_no_new_demonstration() -> None:
    app = press(go(confidential(_CSV, 0, 40), "release"), "release")
    assert not any(button.key == "new_demonstration" for button in app.button)
    assert "start a new demonstration" not in text(press(app, "another"))


def test_a_budget_that_a_second_press_would_pass_refuses_it() -> None:
    app = _worst_case(link("release", target=_BOUNDED))
    sound(next(box for box in app.number_input if box.label.endswith("total ε")).set_value(1.5).run())
    press(app, "release")
    assert "Another one is refused now. This needs ε = 1; 0.5 is left of the budget's 1.5." in text(app)


def test_explore_says_after_a_release_that_trials_size_no_noise_any_more() -> None:
    app = press(_worst_case(link("release", target=_BOUNDED)), "release")
    go(app, "")
    assert "Noise sized by trials is offered only in the first release of a table" in text(app)
