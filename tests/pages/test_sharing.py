"""After a release: what is left, and a new demonstration of a public table."""

from __future__ import annotations

import re
from typing import Any

from pages.experiment.scenario import Noise
from tests.pages.visit import confidential, go, link, press, sized, sound, text, visit

_BOUNDED = {"kind": "Mean", "bounds": [0, 20]}
_CSV = b"income\n" + b"\n".join(b"%d" % (i % 40) for i in range(200))


def _worst_case(app: Any) -> Any:
    return sized(app, Noise.WORST_CASE)


def _together(app: Any) -> str:
    found = re.findall(r"\*\*Together: (.*?)\.\*\*", text(app))
    return str(found[-1])


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


def test_the_bar_says_what_is_left_and_a_budget_that_the_next_release_would_pass_refuses_it() -> None:
    app = _worst_case(link("release", target=_BOUNDED))
    sound(next(box for box in app.number_input if box.label.endswith("total ε")).set_value(1.5).run())
    assert "Spent so far: nothing. The budget is ε = 1.5; ε = 1.5 is left." in text(app)
    press(app, "release")
    assert "Spent so far: ε = 1. The budget is ε = 1.5; ε = 0.5 is left." in text(app)
    press(app, "another")
    assert "This needs ε = 1; 0.5 is left of the budget's 1.5." in text(app)
    assert app.button(key="release").disabled


def test_explore_says_after_a_release_that_trials_size_no_noise_any_more() -> None:
    app = press(_worst_case(link("release", target=_BOUNDED)), "release")
    go(app, "")
    assert "Sampled noise is offered only in the first release of a table" in text(app)
