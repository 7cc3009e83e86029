"""What a picture says beside its chart: the error, the guarantee, and what that does not protect."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.experiment import preview
from pages.files.tables import Table
from pages.shared import answer
from pages.shared.escape import unmarked
from pages.state.view import Shown, Trials
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.questions import CURVES


def _view(question: Asked, *, public: bool) -> Shown:
    """Of a public table, or of a simulated one in place of a confidential table."""
    exact = replace(question.exact, simulated=not public)
    headline = replace(question.at(0.05, 0.5), exact=exact)
    columns = {column.name: np.linspace(0, 1, 30) for column in question.columns}
    return Shown(
        scenario=headline.scenario,
        table=Table("t", question.columns, columns, public=public),
        columns=question.columns,
        worst_case=preview.worst_case(headline.scenario),
        made=Trials(question.sample, None),
        headline=headline,
    )


@pytest.mark.parametrize("public", [False, True])
def test_a_caption_has_the_error_and_says_of_which_table(public: bool) -> None:
    view = _view(CURVES["ridge"], public=public)
    heading, caption = answer.sentences(view).heading, answer.caption(view)
    assert view.headline.of_this_answer
    assert "±" in heading or "root mean square" in heading, "the heading has the error of this very answer"
    assert caption.startswith(unmarked(heading))
    assert ("(on a simulated table)" in caption) is not public
    assert ("DP, ε = 0.5" in caption, "Protected" in caption) == (True, True), "its guarantee stays"
