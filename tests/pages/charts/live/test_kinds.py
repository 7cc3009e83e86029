"""Every kind of answer with charts that follow the hand makes those that it names."""

from __future__ import annotations

import pytest

from dpcore.registry.beside import beside
from pages.charts import live
from tests.pages.charts.live import test_errors


@pytest.mark.parametrize("name", test_errors.CASES)
def test_the_charts_of_a_kind_are_those_that_it_names(name: str) -> None:
    shown = test_errors.CASES[name].at(0.05, 0.5)
    assert live.views(shown)
    assert tuple(beside(shown.answer, "pages.charts.live.kinds").views(shown, 1.0)) == live.views(shown)
