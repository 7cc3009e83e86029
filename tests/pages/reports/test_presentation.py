"""The slide as a presentation: read again, its texts are texts, its dots are shapes, and nothing in it leads out of it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages.reports.presentation import written
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.util import Inches

from tests.pages.charts.test_slide import HOSTILE, slide


def _read(file: bytes) -> Any:
    return Presentation(io.BytesIO(file))


def _said(page: Any) -> list[str]:
    return [
        run.text for shape in page.shapes if shape.has_text_frame for part in shape.text_frame.paragraphs for run in part.runs
    ]


def test_the_conclusion_comes_first_and_then_a_slide_for_each_scenario() -> None:
    made = slide(3)
    first, *others = _read(written(made)).slides
    assert first.shapes.title.text_frame.text == "The conclusion"
    words = [word for row in made.rows for word in (*row.left, *row.right)]
    assert set(words) | set(made.says) | set(made.notes) <= set(_said(first))
    assert [page.shapes.title.text_frame.text for page in others] == [row.label for row in made.rows]
    for page, row in zip(others, made.rows, strict=True):
        assert {*row.left, *row.right, *made.notes} <= set(_said(page))
        assert _said(page).count(row.label) == 1
        assert not {row.reach for row in made.rows} - {row.reach} & set(_said(page))


def test_each_of_fifty_answers_is_a_shape_on_the_slide_and_no_type_is_smaller_than_12_points() -> None:
    made = _read(written(slide(2)))
    for page, rows in zip(made.slides, (2, 1, 1), strict=True):
        dots = [shape for shape in page.shapes if shape.shape_type == MSO_SHAPE_TYPE.AUTO_SHAPE]
        assert len(dots) == 50 * rows
        assert all(0 <= one.left <= made.slide_width and 0 <= one.top <= made.slide_height for one in page.shapes)
        sizes = [
            run.font.size.pt
            for one in page.shapes
            if one.has_text_frame
            for part in one.text_frame.paragraphs
            for run in part.runs
        ]
        assert min(sizes) >= 12  # on a slide that is 540 points high: 24 pixels of 1,080
        places = {(one.left, one.top) for one in dots}
        assert len(places) == len(dots)


@pytest.mark.parametrize("shared", [True, False])
def test_numbers_below_dots_are_apart(shared: bool) -> None:
    for page in _read(written(slide(8, shared=shared))).slides:
        numbers = [
            one for one in page.shapes if one.has_text_frame and one.text_frame.text.replace(".", "").lstrip("-").isdigit()
        ]
        rows = {one.top: sorted(other.left for other in numbers if other.top == one.top) for one in numbers}
        assert all(len(places) == 3 and min(np.diff(places)) >= Inches(1) for places in rows.values())
        assert len(rows) == (1 if shared or page.shapes.title.text_frame.text != "The conclusion" else 8)


def test_nothing_leads_out_of_it_and_nobody_is_named() -> None:
    file = written(slide())
    made = _read(file)
    parts = list(made.part.package.iter_parts())
    relations = [one for part in parts for one in part.rels.values()] + list(made.part.package._rels.values())
    assert len(relations) > 10
    assert not [one for one in relations if one.is_external]
    assert (made.core_properties.author, made.core_properties.last_modified_by) == ("", "")
    with zipfile.ZipFile(io.BytesIO(file)) as book:
        assert not [name for name in book.namelist() if b'TargetMode="External"' in book.read(name)]
        assert not [name for name in book.namelist() if "vba" in name.lower()]


def test_what_comes_from_outside_is_text_on_one_line() -> None:
    made = replace(slide(1, label=HOSTILE), title=f"{HOSTILE}\nand more\ud800")
    page = _read(written(made)).slides[0]
    assert page.shapes.title.text_frame.text == '<script>alert(1)</script> & "x" [0m and more'
    assert any(text.startswith("<script>alert(1)</script> &") for text in _said(page)[1:])
