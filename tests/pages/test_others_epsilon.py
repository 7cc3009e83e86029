"""What others chose, beside ε: on request, each with its unit; and that theirs is another promise than sampled noise makes."""

from __future__ import annotations

from pages.experiment.registered import registered
from tests.pages.prose import refuse_code
from tests.pages.visit import opened, pick, text, visit


def test_on_request_it_says_how_many_which_and_that_random_dp_is_weaker() -> None:
    app = visit()
    assert "in a public registry" not in text(app)
    said = text(opened(app, "others_epsilon"))
    assert "Of 41 deployments in a public registry, 27 state an ε: from 0.01 to 34.9, half of them at most 2.64." in said
    assert "Yours is for a row of this table" in said
    assert "Yours is random DP at γ = 0.05, which is weaker" in said
    assert "as of July 2026, licence MIT." in said
    refuse_code(said.split("What others chose.** ", 1)[1].split("\n:small[Source", 1)[0])
    rows = app.table[0].value
    assert len(rows) == len(registered().epsilons) == 27
    assert list(rows.columns)[:3] == ["ε", "Protects", "Deployment"]


def test_where_the_worst_case_sizes_the_noise_nothing_is_weaker() -> None:
    app = opened(pick(visit(), "target", "Proportion"), "others_epsilon")
    assert "Of 41 deployments" in text(app)
    assert "which is weaker" not in text(app)
