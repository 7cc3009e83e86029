"""The kind of noise that a list begins with: the proved worst case if there is one, or what Explore shows."""

from __future__ import annotations

from typing import Any

import pytest

from pages.experiment.scenario import Noise
from tests.pages.visit import confidential, go, link, noise_of, offered_noise, press, sampled, slide, sound, text, visit

_CSV = b"income\n" + b"".join(b"%d\n" % (i * i % 97) for i in range(120))
_MEAN = {"kind": "Mean", "bounds": [0, 8]}


def _charges(app: Any) -> list[str]:
    return [line["γ"] for table in app.table for line in table.value.to_dict("records")]


def test_a_confidential_table_begins_at_the_proved_worst_case() -> None:
    app = go(confidential(_CSV, 0, 100), "release")
    assert noise_of(app) is Noise.WORST_CASE
    press(app, "release")
    assert _charges(app) == ["0"]


def test_the_receipt_depends_on_no_value_of_the_table() -> None:
    other = b"income\n" + b"".join(b"%d\n" % (99 - i % 3) for i in range(120))
    first, second = (text(go(confidential(content, 0, 100), "release")) for content in (_CSV, other))
    assert first == second


def test_a_choice_stays_whatever_slider_or_page() -> None:
    app = sampled(go(confidential(_CSV, 0, 100), "release"))
    slide(go(app, ""), "epsilon", 2.0)
    assert noise_of(go(app, "release")) is Noise.SAMPLED


def test_without_a_proof_it_is_sampled() -> None:
    app = visit("release")
    assert not offered_noise(app)
    assert "No worst case is proved for these questions" in text(app)
    press(app, "release")
    assert _charges(app) == ["0.05"]


@pytest.mark.parametrize("kind", [Noise.WORST_CASE, Noise.BLOCKS])
def test_the_noise_of_explore_comes_with_its_question(kind: Noise) -> None:
    app = link(target=_MEAN)
    app.session_state["scenario"] = app.session_state["scenario"].with_(noise=kind)
    press(sound(app.run()), "to_release")
    assert noise_of(go(app, "release")) is kind
