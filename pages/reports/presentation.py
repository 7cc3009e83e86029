"""A slide as a presentation (PPTX): the conclusion, then each scenario by itself; texts are texts, and dots are shapes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
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
_NUMBER, _STEP = 40, 30  # pixels of a number below dots, and at most from a dot to the one above it
_TITLE_ONLY = 5  # among the layouts of an empty presentation


def written(slide: Slide) -> bytes:
    """The file: nothing in it leads out of it, and it names nobody as its author."""
    from pptx import Presentation
    from pptx.util import Emu

    made = Presentation()
    made.slide_width, made.slide_height = Emu(WIDTH * _PIXEL), Emu(HEIGHT * _PIXEL)
    properties = made.core_properties
    properties.title, properties.author, properties.last_modified_by = _one_line(slide.title), "", ""
    _add(made, slide.title, slide, slide.rows)
    for row in slide.rows:
        _add(made, row.label, slide, (replace(row, label=""),))
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _add(made: Any, title: str, of: Slide, rows: Sequence[Row]) -> None:
    """One slide: its title, what it is of, these rows on equal heights, and the notes at its foot."""
    slide = made.slides.add_slide(made.slide_layouts[_TITLE_ONLY])
    shapes = slide.shapes
    shapes.turbo_add_enabled = True  # no search for a free number among all shapes at each dot
    _say(shapes.title, (_LEFT, 30, _WIDE, 130), [(title, _TITLE, True)])
    top, foot = 160 + 45 * len(of.says), HEIGHT - 30 - _LINE * len(of.notes)
    if of.says:
        _write(shapes, (_LEFT, 160, _WIDE, top - 160), [(text, _SAYING, False) for text in of.says])
    notes = [(text, _NOTE, text is of.notes[-1]) for text in of.notes]
    _write(shapes, (_LEFT, foot, _WIDE, HEIGHT - 30 - foot), notes)
    high = (foot - top) / len(rows)
    last = max((i for i, row in enumerate(rows) if row.dots is not None), default=0)
    widest = max((row.dots for row in of.rows if row.dots is not None), key=_span, default=None)  # whose numbers are apart
    for i, row in enumerate(rows):
        under = row.dots if not of.shared else widest if i == last else None
        _add_row(shapes, row, top + i * high, high, under)


def _add_row(shapes: Any, row: Row, top: float, high: float, under: Drawn | None) -> None:
    """Its words at both sides, and its dots; ``under``: those whose numbers stand below them."""
    wide = _SIDE if row.dots is not None else _WIDE - _SIDE
    for left, across, words in ((_LEFT, _SIDE, row.left), (WIDTH - _LEFT - wide, wide, row.right)):
        lines = [(text, _NOTE if i else _SAYING, not i) for i, text in enumerate(words)]
        _write(shapes, (left, top, across, high), lines)
    if row.dots is None:
        return
    plot = min(high - 20 - _NUMBER, _STEP * _upper(row.dots))
    box = (_LEFT + _SIDE, top + (high - _NUMBER - plot) / 2, WIDTH - 2 * (_LEFT + _SIDE), plot)
    _draw(shapes, row.dots, box)
    if under is not None:
        _numbers(shapes, under, box)


def _write(shapes: Any, box: Box, lines: Sequence[tuple[str, int, bool]]) -> Any:
    """Lines in a box of their own."""
    return _say(shapes.add_textbox(0, 0, 0, 0), box, lines)


def _say(shape: Any, box: Box, lines: Sequence[tuple[str, int, bool]]) -> Any:
    """Lines of text in the middle of a box: each a paragraph with its size in pixels, and whether it is bold."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Emu, Pt

    shape.left, shape.top, shape.width, shape.height = (Emu(round(one * _PIXEL)) for one in box)
    frame = shape.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    for i, (text, size, bold) in enumerate(lines):
        paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.LEFT
        run = paragraph.add_run()
        run.text, run.font.size, run.font.bold = _one_line(text), Pt(size * _POINTS), bold
    return frame


def _one_line(text: str) -> str:
    """Text without what XML has no place for, and without breaks."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _upper(dots: Drawn) -> float:
    """How many dots there is room for, one above another."""
    return float(dots.ready()["layout"]["yaxis"]["range"][1])


def _across(dots: Drawn, box: Box, x: float) -> float:
    """Where a number of the axis lies."""
    low, high = ends(dots)
    return box[0] + (x - low) / (high - low) * box[2]


def _draw(shapes: Any, dots: Drawn, box: Box) -> None:
    """Dots and rules of a figure as shapes in a box."""
    for trace in dots.ready()["data"]:
        x, y = (np.asarray(trace[name], dtype=np.float64) for name in "xy")
        up = box[1] + box[3] * (1 - y / _upper(dots))
        places = [(_across(dots, box, one), high) for one, high in zip(x, up, strict=True) if np.isfinite((one, high)).all()]
        if "marker" in trace:
            _marks(shapes, places, trace["marker"])
        else:
            _rules(shapes, places, trace["line"])


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
    """Where its rules stand: at the answer without noise, and at ± on both sides."""
    found = [np.asarray(trace["x"], dtype=np.float64) for trace in dots.ready()["data"] if "marker" not in trace]
    return sorted({float(x) for some in found for x in some if np.isfinite(x)})


def _span(dots: Drawn) -> float:
    return _ruled(dots)[-1] - _ruled(dots)[0]


def _numbers(shapes: Any, dots: Drawn, box: Box) -> None:
    """Those of its rules, below a box."""
    from pptx.enum.text import PP_ALIGN

    for value in _ruled(dots):
        x = _across(dots, box, value)
        frame = _write(shapes, (x - 100, box[1] + box[3], 200, _NUMBER), [(digits(value), _NOTE, False)])
        frame.paragraphs[0].alignment = PP_ALIGN.CENTER
