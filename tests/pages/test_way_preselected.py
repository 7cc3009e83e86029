"""Which guarantee a question begins at: of a confidential table the stronger one, wherever it is proved."""

from __future__ import annotations

import re
from typing import Any

from pages.ledger.session import SAMPLED, WORST
from tests.pages.visit import both_ways, confidential, go, link, press, sampled, slide, text, visit

_CSV = b"income\n" + b"".join(b"%d\n" % (i * i % 97) for i in range(120))


def _charges(app: Any) -> list[str]:
    return [line["γ"] for table in app.table for line in table.value.to_dict("records")]


def test_a_confidential_table_begins_at_the_proved_worst_case() -> None:
    app = confidential(_CSV, 0, 100)
    assert go(app, "release").radio(key="way").value == WORST
    assert "The worst case is preselected: it gives differential privacy itself, whatever the table" in text(app)
    press(app, "release")
    assert _charges(app) == ["0"]


def test_beside_it_stands_how_much_less_noise_the_sampled_way_would_give() -> None:
    app = go(confidential(_CSV, 0, 100), "release")
    found = re.search(r"noise about ([\d.]+) times smaller, and random DP, the weaker guarantee", text(app))
    assert found is not None
    view, sample = app.session_state["scenario"], list(app.session_state["samples"].values())[-1]
    proved = view.target.global_sensitivity(view.norm, view.n).value
    assert abs(proved / sample.at(view.point).order_statistic / float(found[1]) - 1) < 0.06  # two digits
    assert "times smaller" not in text(sampled(app))


def test_it_hangs_on_no_value_of_the_table() -> None:
    other = b"income\n" + b"".join(b"%d\n" % (99 - i % 3) for i in range(120))
    first, second = (text(go(confidential(content, 0, 100), "release")) for content in (_CSV, other))
    assert first == second


def test_a_choice_by_hand_stays_whatever_slider_or_page() -> None:
    app = sampled(go(confidential(_CSV, 0, 100), "release"))
    slide(go(app, ""), "epsilon", 2.0)
    assert go(app, "release").radio(key="way").value == SAMPLED


def test_a_public_table_and_a_target_without_a_proof_begin_at_the_sampled_way() -> None:
    assert not both_ways(visit("release"))
    app = link("release", target={"kind": "Mean", "bounds": [0, 20]})
    assert app.radio(key="way").value == SAMPLED
    assert "times smaller" not in text(app)
