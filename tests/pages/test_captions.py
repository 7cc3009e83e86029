"""What a picture says beside its chart: no number that was made from a table which the picture does not say it uses."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from pages.experiment import preview
from pages.files.tables import Table
from pages.shared import answer
from pages.state.view import Shown, Trials
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.questions import CURVES


def _view(question: Asked, *, simulated: bool, public: bool = False) -> Shown:
    """Of a table whose own answer is shown, or a simulated one's in its place."""
    exact = replace(question.exact, simulated=simulated)
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
@pytest.mark.parametrize("simulated", [False, True])
def test_a_picture_of_public_draws_has_no_number_of_the_table(simulated: bool, public: bool) -> None:
    view = _view(CURVES["ridge"], simulated=simulated, public=public)
    heading = answer.sentences(view).heading
    assert view.headline.of_this_answer
    assert "±" in heading or "root mean square" in heading, "the heading has the error of this very answer"
    whole, without = answer.caption(view, of_the_table=True), answer.caption(view, of_the_table=False)
    assert ("DP, ε = 0.5" in without, "Protected" in without) == (True, True), "its guarantee stays"
    assert (_heading_of(whole) == _heading_of(without)) is (public or simulated), (whole, without)
    if not public and not simulated:
        assert not re.search("±|root mean square|without noise", without)


def _heading_of(caption: str) -> str:
    """What stands before the guarantee."""
    return re.split(r"(?:Random|Pure) DP", caption)[0]
