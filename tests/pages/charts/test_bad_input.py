"""What comes from outside and is odd: hostile names, numbers that are none, and too many of them.

Each is tried on several builders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pages.old.charts.drawn import BLUE, MOST_POINTS, Drawn
from pages.old.charts.groups import Whiskers, groups

HOSTILE = ("<img src=x onerror=alert(1)>", "</text><script>x</script>", "&lt;b&gt; & ]]>", "a\u202eb", '" onload="x', "x" * 300)


def _groups(names: tuple[str, ...], values: Any, reaches: Any, *, from_zero: bool = False) -> Drawn:
    reach = Whiskers("reach", np.asarray(reaches, float), BLUE)
    return groups(names, np.asarray(values, float), [reach], name="a", colour=BLUE, from_zero=from_zero)


NAMED: dict[str, Callable[[str], Drawn]] = {
    "groups": lambda name: _groups((name, "b"), [1, 2], [1, 1]),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("builder", NAMED)
def test_a_hostile_name_is_text_wherever_it_stands(builder: str, name: str) -> None:
    made = NAMED[builder](name)
    for trace in made.ready()["data"]:
        assert "<img" not in str(trace.get("name")), "plotly would read its tag"
        assert "<img" not in str(trace.get("customdata"))


MANY = np.linspace(0, 1, 100_000)


LARGE: dict[str, Callable[[], Drawn]] = {
    "groups": lambda: _groups(tuple(map(str, range(100_000))), MANY, MANY),
}


@pytest.mark.parametrize("builder", LARGE)
def test_a_hundred_thousand_points_are_drawn_with_a_thousand_at_most(builder: str) -> None:
    made = LARGE[builder]()
    assert max(len(trace["x"]) for trace in made.ready()["data"]) <= MOST_POINTS
