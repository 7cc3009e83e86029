"""The type of a figure for a wide place."""

from __future__ import annotations

from json import loads

import numpy as np

from pages.old.charts.laid_out import in_large_type
from pages.old.charts.lessons import curves
from pages.old.charts.named import Room, named

AT = np.linspace(0, 10, 200)


def test_type_is_as_large_as_asked_and_the_figure_that_was_given_is_left_as_it_was() -> None:
    given = curves((("one", AT, AT), ("other", AT, 2 * AT)), x="x", y="y")
    before = loads(given.to_json())
    layout = named(in_large_type(given, type_size=20), Room(1150, 440, 20))[0].layout
    sizes = [layout.font.size, layout.legend.font.size, *(note.font.size for note in layout.annotations)]
    assert min(*sizes, layout.xaxis.tickfont.size, layout.yaxis.tickfont.size) == 20
    assert loads(given.to_json()) == before
