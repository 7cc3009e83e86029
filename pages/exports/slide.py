"""One PowerPoint slide of a comparison: its conclusion, a chart that can be edited, and the guarantees."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION
from pptx.util import Inches, Pt

from pages.experiment.words import Compared, conclusion
from pages.figures.theme import with_unit

MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_WIDTH, _HEIGHT, _EDGE = Inches(13.333), Inches(7.5), Inches(0.6)
_LONGEST = 60  # characters of a name


def slide(items: Sequence[Compared]) -> bytes:
    """Return a presentation of one slide, 16:9.

    Args:
        items: At least two scenarios with errors of the same sense and unit.
    """
    made = Presentation()
    made.slide_width, made.slide_height = _WIDTH, _HEIGHT
    page = made.slides.add_slide(made.slide_layouts[5])  # only a title
    title = page.shapes.title
    title.left, title.top, title.width, title.height = _EDGE, Inches(0.35), _WIDTH - 2 * _EDGE, Inches(1.3)
    _write(title, [conclusion(items)], size=28)
    _add_chart(page, items)
    below = page.shapes.add_textbox(_EDGE, Inches(6.2), _WIDTH - 2 * _EDGE, Inches(1.1))
    _write(below, [f"{one.letter}: {one.guarantee}." for one in items] + _limits(items), size=14)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _add_chart(page: Any, items: Sequence[Compared]) -> None:
    what, unit = items[0].meaning
    data = CategoryChartData()
    data.categories = [_short(one.label) for one in items]
    data.add_series(with_unit(what, "" if unit == "share" else unit), [float(f"{one.error or 0.0:.3g}") for one in items])
    size = (_EDGE, Inches(1.75), _WIDTH - 2 * _EDGE, Inches(4.3))
    chart: Any = page.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, *size, data).chart
    chart.has_legend = False
    chart.font.size = Pt(16)
    chart.category_axis.reverse_order = True
    chart.value_axis.visible = False
    chart.value_axis.has_major_gridlines = False
    chart.value_axis.minimum_scale = 0
    chart.chart_title.text_frame.text = with_unit(what, "" if unit == "share" else unit).capitalize()
    plot = chart.plots[0]
    plot.gap_width = 60
    plot.has_data_labels = True
    plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END
    plot.data_labels.number_format = "0.0%" if unit == "share" else "General"
    plot.data_labels.number_format_is_linked = False


def _limits(items: Sequence[Compared]) -> list[str]:
    """Return what random DP does not promise, and that errors are of simulated tables, where that is so."""
    weaker = "Random DP is weaker than differential privacy: unusual changes of the data are not protected."
    simulated = "Errors on confidential tables are those on simulated tables."
    said = {weaker: any(one.strength == 1 for one in items), simulated: any(one.simulated for one in items)}
    return [sentence for sentence, holds in said.items() if holds]


def _write(shape: Any, lines: Sequence[str], *, size: int) -> None:
    frame = shape.text_frame
    frame.word_wrap = True
    frame.text = "\n".join(lines)
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(size)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
