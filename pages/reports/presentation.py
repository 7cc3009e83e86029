"""A slide as a presentation (PPTX): the conclusion, then each scenario by itself; texts are texts, and dots are shapes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.guarantees.words import figure as digits
from pages.charts.drawn import Drawn
from pages.charts.slide import HEIGHT, WIDTH, Row, Slide, ends

MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
Box = tuple[float, float, float, float]  # left, top, width and height, in pixels of 1920 × 1080
_PIXEL = 6_350  # English metric units, so that a slide is 13.33 inches wide
_POINTS = 0.5  # of type, for a pixel
_TITLE, _SAYING, _NOTE = 46, 30, 24  # pixels of type, as in the picture
_LEFT, _WIDE, _SIDE = 40, WIDTH - 80, 440
_LINE, _DOT, _RULE = 40, 13, 3  # pixels of a line of notes, of a dot, and of a rule
_TITLE_ONLY = 5  # among the layouts of an empty presentation


def written(slide: Slide) -> bytes:
    """The file: nothing in it leads out of it, and it names nobody as its author."""
    from pptx import Presentation
    from pptx.util import Emu

    made = Presentation()
    made.slide_width, made.slide_height = Emu(WIDTH * _PIXEL), Emu(HEIGHT * _PIXEL)
    properties = made.core_properties
    properties.title, properties.author, properties.last_modified_by = _one_line(slide.title), "", ""
    _add(made, slide.title, slide.says, slide.rows, slide.notes, shared=slide.shared)
    for row in slide.rows:
        _add(made, row.label, slide.says, (row,), slide.notes, shared=True)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _add(made: Any, title: str, says: Sequence[str], rows: Sequence[Row], notes: Sequence[str], *, shared: bool) -> None:
    """One slide: its title, what it is of, its rows on equal heights, and the notes at its foot."""
    slide = made.slides.add_slide(made.slide_layouts[_TITLE_ONLY])
    slide.shapes.turbo_add_enabled = True  # no search for a free number among all shapes at each dot
    _say(slide.shapes.title, (_LEFT, 30, _WIDE, 130), [(title, _TITLE, True)])
    _say(slide.shapes.add_textbox(0, 0, 0, 0), (_LEFT, 160, _WIDE, 90), [(text, _SAYING, False) for text in says])
    foot = HEIGHT - 30 - _LINE * len(notes)
    last = len(notes) - 1
    lines = [(text, _NOTE, i == last) for i, text in enumerate(notes)]
    _say(slide.shapes.add_textbox(0, 0, 0, 0), (_LEFT, foot, _WIDE, HEIGHT - 30 - foot), lines)
    top = 160 + 45 * len(says)
    high = (foot - top) / len(rows)
    for i, row in enumerate(rows):
        _add_row(slide, row, top + i * high, high, numbers=not shared or i == len(rows) - 1)


def _add_row(slide: Any, row: Row, top: float, high: float, *, numbers: bool) -> None:
    for left, words in ((_LEFT, row.left), (WIDTH - _LEFT - _SIDE, row.right)):
        lines = [(text, _NOTE if i else _SAYING, not i) for i, text in enumerate(words)]
        _say(slide.shapes.add_textbox(0, 0, 0, 0), (left, top, _SIDE, high), lines)
    if row.dots is not None:
        box = (_LEFT + _SIDE, top + 10, WIDTH - 2 * (_LEFT + _SIDE), high - 20 - 40 * numbers)
        _draw(slide.shapes, row.dots, box, numbers=numbers)


def _say(shape: Any, box: Box, lines: Sequence[tuple[str, int, bool]]) -> None:
    """Lines of text in a box: each a paragraph with its size in pixels, and whether it is bold."""
    from pptx.util import Emu, Pt

    shape.left, shape.top, shape.width, shape.height = (Emu(round(one * _PIXEL)) for one in box)
    frame = shape.text_frame
    frame.word_wrap = True
    for i, (text, size, bold) in enumerate(lines):
        paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        run = paragraph.add_run()
        run.text, run.font.size, run.font.bold = _one_line(text), Pt(size * _POINTS), bold


def _one_line(text: str) -> str:
    """Text without what XML has no place for, and without breaks."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _draw(shapes: Any, dots: Drawn, box: Box, *, numbers: bool) -> None:
    """Dots and rules of a figure as shapes in a box, and where its rules are the numbers below."""
    left, top, wide, high = box
    layout = dots.ready()["layout"]
    (low, end), upper = ends(dots), float(layout["yaxis"]["range"][1])  # and from 0

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (x - low) / (end - low) * wide, top + high - y / upper * high

    for trace in dots.ready()["data"]:
        x, y = (np.asarray(trace[name], dtype=np.float64) for name in "xy")
        places = [at(*place) for place in zip(x, y, strict=True) if np.isfinite(place).all()]
        if "marker" in trace:
            _marks(shapes, places, trace["marker"])
        else:
            _rules(shapes, places, trace["line"])
    if numbers:
        _numbers(shapes, sorted({float(one) for one in _ruled(dots)}), at, top + high)


def _marks(shapes: Any, places: Sequence[tuple[float, float]], marker: dict[str, Any]) -> None:
    from pptx.dml.color import RGBColor
    from pptx.enum.shapes import MSO_SHAPE
    from pptx.util import Emu

    kind = MSO_SHAPE.DIAMOND if marker["symbol"] == "diamond" else MSO_SHAPE.OVAL
    for x, y in places:
        corner = (Emu(round((one - _DOT / 2) * _PIXEL)) for one in (x, y))
        dot = shapes.add_shape(kind, *corner, Emu(_DOT * _PIXEL), Emu(_DOT * _PIXEL))
        dot.fill.solid()
        dot.fill.fore_color.rgb = RGBColor.from_string(marker["color"][1:])
        dot.line.fill.background()
        dot.shadow.inherit = False


def _rules(shapes: Any, places: Sequence[tuple[float, float]], look: dict[str, Any]) -> None:
    """Upright ones: each from one place to the next."""
    from pptx.dml.color import RGBColor
    from pptx.enum.dml import MSO_LINE
    from pptx.enum.shapes import MSO_CONNECTOR
    from pptx.util import Emu

    for first, second in zip(places[::2], places[1::2], strict=True):
        rule = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *(Emu(round(one * _PIXEL)) for one in (*first, *second)))
        rule.line.color.rgb, rule.line.width = RGBColor.from_string(look["color"][1:]), Emu(_RULE * _PIXEL)
        rule.line.dash_style = MSO_LINE.ROUND_DOT if look["dash"] == "dot" else MSO_LINE.DASH


def _ruled(dots: Drawn) -> list[float]:
    """Where its rules stand."""
    found = [np.asarray(trace["x"], dtype=np.float64) for trace in dots.ready()["data"] if "marker" not in trace]
    return [float(x) for some in found for x in some if np.isfinite(x)]


def _numbers(shapes: Any, values: Sequence[float], at: Any, top: float) -> None:
    from pptx.enum.text import PP_ALIGN

    for value in values:
        x, _ = at(value, 0)
        box = shapes.add_textbox(0, 0, 0, 0)
        _say(box, (x - 100, top, 200, 40), [(digits(value), _NOTE, False)])
        box.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER
